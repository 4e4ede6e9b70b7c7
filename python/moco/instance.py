"""Instances of problems, made of arrays, networkx graphs, sparse matrices and files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Hashable, Iterable, Sequence

import numpy as np

from . import _core, _inputs
from ._errors import ArgumentError, ArgumentTypeError

__all__ = ["Instance", "CheckResult"]


@dataclass(frozen=True)
class CheckResult:
    """What the independent checker says about a solution."""

    feasible: bool
    cost: float  #: recomputed from the instance; meaningful only when feasible
    violation: str  #: the first violation found; empty when feasible

    def __bool__(self) -> bool:
        return self.feasible


def _plain_label(label: str) -> Hashable:
    return int(label) if label.isdecimal() else label


class Instance:
    """An instance of a problem: data that does not change, whatever is searched on it.

    >>> import moco
    >>> cities = moco.Instance.tour([[0, 0], [3, 0], [3, 4]])
    >>> cities
    Instance('tsp', n=3)
    >>> cities.distance(0, 2)
    5.0
    >>> moco.Instance.graph([[0, 1], [1, 2]], "mis").number_of_edges
    2
    """

    __slots__ = ("_core", "_labels", "_numbers", "_reference_cost")

    def __init__(self, core: _core.Instance, labels: Sequence[Hashable] | None = None) -> None:
        self._core = core
        if labels is None and core.labels:
            labels = [_plain_label(label) for label in core.labels]
        self._labels = None if labels is None else list(labels)
        self._numbers: dict[Hashable, int] | None = None
        self._reference_cost: float | None = None

    @classmethod
    def tour(
        cls,
        xy: Any = None,
        *,
        distances: Any = None,
        metric: str = "euclidean",
        heights: Any = None,
        weight: str = "weight",
        fixed_edges: Any = None,
        name: str = "tour",
    ) -> Instance:
        """A travelling salesman instance.

        ``xy`` has the shape (n, 2), or (n, 3) with the metric "euc_3d" or "ceil_3d"; or it is a complete networkx graph
        with lengths in the edge attribute ``weight``. ``distances`` is a matrix and need not be symmetric; ``xy`` is then
        for pictures only. Metrics are "euclidean" and TSPLIB's "euc_2d", "ceil_2d", "man_2d", "max_2d", "geo", "att".

        ``fixed_edges`` are pairs of cities that follow each other in every tour, in either direction (TSPLIB's
        FIXED_EDGES_SECTION).

        A float64 array in C order is used where it is and not copied: leave it as it is while the instance is in use.

        >>> import moco
        >>> moco.tsp([[0, 0], [1, 1], [1, 0], [0, 1]], fixed_edges=[(0, 1)]).cost  # a diagonal
        4.82842712474619
        """
        if xy is None and distances is None:
            raise ArgumentTypeError("a tour needs coordinates or distances")
        if distances is not None:
            made = cls(_inputs.distance_matrix(distances, xy, name))
        elif _inputs.is_networkx(xy):
            made = cls(*_inputs.tour_graph(xy, weight, name))
        else:
            made = cls(_inputs.coordinates(xy, metric, heights, name))
        if fixed_edges is not None:
            pairs = _inputs.pairs(fixed_edges, "fixed edges")
            made._core.fix_edges(made.indices([city for pair in pairs for city in pair]).reshape(-1, 2))
        return made

    @classmethod
    def graph(
        cls,
        graph: Any,
        problem: str = "mis",
        *,
        weights: Any = None,
        nodes: int | None = None,
        name: str = "graph",
    ) -> Instance:
        """An instance of a graph problem: "mis", "vertex-cover", "clique".

        ``graph`` is an undirected networkx graph, a scipy.sparse matrix, a tuple (indptr, indices), an array of edges
        with the shape (m, 2), or a boolean adjacency matrix. Edges may be given in one direction or both. ``weights``
        of the nodes are an array, a dictionary, or the name of an attribute of a networkx graph. ``nodes`` is the number
        of nodes where isolated ones follow the last edge's.
        """
        if isinstance(graph, Instance):
            core = graph._core
            return cls(
                _core.graph_of_edges(problem, core.name, core.size, graph.edges, [] if core.weights is None else core.weights.tolist()),
                graph._labels,
            )
        core, labels = _inputs.graph(graph, problem, weights, nodes, name)
        return cls(core, labels)

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def problem(self) -> str:
        """"tsp", "mis", "vertex-cover" or "clique"."""
        return self._core.problem

    def __len__(self) -> int:
        return self._core.size

    @property
    def labels(self) -> list[Hashable]:
        """What the cities or nodes are called, in the order of their numbers."""
        return list(range(len(self))) if self._labels is None else list(self._labels)

    @property
    def points(self) -> np.ndarray | None:
        """Coordinates, shape (n, 2), as a view; None for a bare matrix."""
        return self._core.points

    @property
    def distances(self) -> np.ndarray | None:
        """The matrix of explicit distances, as a view; None for coordinates."""
        return self._core.matrix

    @property
    def metric(self) -> str:
        return self._core.metric

    def distance(self, a: Hashable, b: Hashable) -> float:
        """Length of the way from one city to another."""
        return self._core.distance(*(int(i) for i in self.indices([a, b])))

    @property
    def weights(self) -> np.ndarray | None:
        """Weights of the nodes, as a view; None where all weigh 1."""
        return self._core.weights

    @property
    def number_of_edges(self) -> int:
        return self._core.edges

    @property
    def indptr(self) -> np.ndarray:
        """With ``indices``: the neighbours of node i are ``indices[indptr[i]:indptr[i + 1]]``. Views."""
        return self._core.indptr

    @property
    def adjacency(self) -> np.ndarray:
        """The neighbours of all nodes, one after the other; see ``indptr``."""
        return self._core.indices

    @property
    def edges(self) -> np.ndarray:
        """Every edge once, shape (m, 2), as numbers of nodes."""
        sources = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.indptr))
        once = sources < self.adjacency
        return np.column_stack([sources[once], self.adjacency[once]])

    @property
    def fixed_edges(self) -> np.ndarray:
        """Pairs of cities that follow each other in every tour, shape (m, 2), as numbers."""
        return self._core.fixed_edges

    @property
    def facts(self) -> dict[str, Any]:
        """What ``moco info`` prints."""
        return self._core.facts

    @property
    def objective(self) -> str:
        """What the value of a solution is called: "length", "size", "weight"."""
        return self._core.objective[0]

    def value(self, cost: float) -> float:
        """The value of the objective for a cost. Costs are minimised; of sets that are to be large they are minus the value."""
        return -cost if self._core.objective[1] and cost != 0.0 else cost

    @property
    def reference(self) -> np.ndarray | None:
        """A solution that came with the instance, as numbers."""
        return self._core.reference

    @property
    def reference_cost(self) -> float | None:
        """Cost to compare with: what was set, or that of the reference."""
        if self._reference_cost is None and self.reference is not None:
            result = self.check(self.reference, numbers=True)
            return result.cost if result else None
        return self._reference_cost

    @reference_cost.setter
    def reference_cost(self, cost: float | None) -> None:
        self._reference_cost = cost

    def check(self, solution: Iterable[Any], *, numbers: bool = False) -> CheckResult:
        """Checks a solution against the definition of the problem; shares no code with the search.

        >>> import moco
        >>> moco.Instance.graph([[0, 1], [1, 2]], "mis").check([0, 1])
        CheckResult(feasible=False, cost=0.0, violation='nodes 0 and 1 are both chosen but adjacent')
        """
        items = _inputs.integer_array(np.asarray(list(solution)), "solution") if numbers else self.indices(solution)
        feasible, cost, violation = self._core.check(np.ascontiguousarray(items, dtype=np.int32))
        return CheckResult(feasible, cost if feasible else 0.0, violation)

    def indices(self, solution: Iterable[Any]) -> np.ndarray:
        """Numbers of cities or nodes by their labels."""
        if self._labels is None:
            values = solution if isinstance(solution, np.ndarray) else list(solution)
            array = _inputs.integer_array(values, "solution")
            if array.ndim != 1:
                raise ArgumentError(f"a solution is one-dimensional, not {array.shape}")
            return np.ascontiguousarray(array, dtype=np.int32)
        if self._numbers is None:
            self._numbers = {label: i for i, label in enumerate(self._labels)}
        try:
            return np.array([self._numbers[label] for label in solution], dtype=np.int32)
        except KeyError as missing:
            raise ArgumentError(f"{self.name} has no node {missing.args[0]!r}") from None

    def named(self, items: np.ndarray) -> Any:
        """The cities or nodes of these numbers by their labels: the numbers themselves where there are none."""
        return items if self._labels is None else [self._labels[i] for i in items]

    def __repr__(self) -> str:
        edges = "" if self.problem == "tsp" else f", m={self.number_of_edges}"
        return f"Instance({self.problem!r}, n={len(self)}{edges})"
