"""The loop itself, for research: sample, look at the state, update θ by whatever rule, again.

>>> import moco
>>> instance = moco.generate("tsp", nodes=30, seed=1)[0]
>>> search = moco.Search(instance, samples=16, steps=10, seed=1)
>>> for _ in range(10):
...     search.sample()
...     theta = search.theta - 20 * search.gradient      # any rule: NumPy, PyTorch, JAX
...     search.update(theta)
>>> instance.check(search.best.solution).feasible
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Sequence

import numpy as np

from . import _core
from ._errors import ArgumentError
from ._options import OPTIONS, checked
from ._solving import _as_list
from ._views import NAMES, ArrayView, set_theta
from .instance import Instance
from .model import Model, model_argument
from .result import Incumbent

__all__ = ["Search", "SearchBatch", "Features", "Graph"]


@dataclass(frozen=True)
class Graph:
    """The decision graph: what θ has a value for each of.

    Tours: variable ``i * degree + r`` is the edge from city i to its r-th candidate, ``head[i * degree + r]``; ``tail`` has
    the cities it leaves. Sets: a variable is a node, and the neighbours of node i are ``head[offsets[i]:offsets[i + 1]]``.
    """

    on_edges: bool
    nodes: int
    variables: int
    degree: int  #: k; 0 for sets
    tail: np.ndarray
    head: np.ndarray
    offsets: np.ndarray
    feature: np.ndarray  #: length of an edge, or weight of a node, in units of the instance; may be empty for sets
    scale: float  #: costs are divided by this before a network sees them
    start: int  #: first city of the search's tours


@dataclass(frozen=True)
class Features:
    """What the learned rule sees of a search after :meth:`Search.sample`.

    ``f["gradient"]`` is a column by name, of the variables or of the global features.
    """

    variables: np.ndarray  #: (N, columns): per edge of a tour's graph, or per node of a set's
    variable_names: tuple[str, ...]
    nodes: np.ndarray  #: (n, 1): 1 at the first city; shape (n, 0) for sets, whose variables are the nodes
    node_names: tuple[str, ...]
    globals: np.ndarray  #: (45,)
    global_names: tuple[str, ...]

    def __getitem__(self, name: str) -> Any:
        if name in self.variable_names:
            return self.variables[:, self.variable_names.index(name)]
        if name in self.node_names:
            return self.nodes[:, self.node_names.index(name)]
        if name in self.global_names:
            return self.globals[self.global_names.index(name)]
        raise KeyError(name)

    def __repr__(self) -> str:
        return f"Features(variables {self.variables.shape}, nodes {self.nodes.shape}, globals {self.globals.shape})"


class _View:
    """One search of a batch."""

    def __init__(self, batch: _core.SearchBatch, number: int, instance: Instance) -> None:
        self._batch = batch
        self._number = number
        self.instance = instance

    @property
    def theta(self) -> np.ndarray:
        """θ, one float32 per variable. A copy."""
        return self._batch.theta(self._number)

    @property
    def gradient(self) -> np.ndarray:
        """The policy gradient of the last samples: of their expected cost, descent is downhill."""
        return self._batch.state(self._number)["gradient"]

    @property
    def samples(self) -> list[np.ndarray]:
        """The last samples, as numbers in the order of choice."""
        return self._batch.state(self._number)["samples"]

    @property
    def costs(self) -> np.ndarray:
        """Costs of the last samples, after local search if there is one."""
        return self._batch.state(self._number)["sample_costs"]

    @property
    def elite(self) -> list[tuple[float, np.ndarray]]:
        """Up to 32 best solutions so far with their costs, best first."""
        costs = self._batch.state(self._number)["elite_costs"]
        return list(zip(costs.tolist(), self._batch.elite(self._number)))

    @property
    def best(self) -> Incumbent:
        """The best solution so far."""
        cost, items = self.elite[0]
        return Incumbent(self.instance, self.instance.named(items), items, self.instance.check(items, numbers=True).cost, 0.0)

    def views(self) -> dict[str, ArrayView]:
        """``theta``, ``gradient``, ``momenta`` and ``membership`` where they lie, without a copy; on a CUDA device too."""
        return {name: ArrayView(self._batch, self._number, name) for name in NAMES}

    @property
    def momenta(self) -> np.ndarray:
        """Averages of the gradients so far over six lengths of time, shape (6, variables)."""
        return self._batch.state(self._number)["momenta"]

    def features(self) -> Features:
        """Node, variable and global features by name (docs/method.md)."""
        rows, names, global_, global_names = self._batch.features(self._number)
        raw = self._batch.graph(self._number)
        columns = ("start",) if raw["edges"] else ()
        nodes = np.zeros((raw["nodes"], len(columns)), dtype=np.float32)
        if columns:
            nodes[raw["start"], 0] = 1.0
        return Features(rows, tuple(names), nodes, columns, global_, tuple(global_names))

    @property
    def graph(self) -> Graph:
        """What the variables are."""
        raw = self._batch.graph(self._number)
        nodes, degree, offsets = raw["nodes"], raw["degree"], raw["offsets"]
        counts = np.full(nodes, degree) if raw["edges"] else np.diff(offsets)
        if raw["edges"]:
            offsets = np.arange(nodes + 1, dtype=np.int64) * degree
        return Graph(
            on_edges=raw["edges"],
            nodes=nodes,
            variables=raw["variables"],
            degree=degree,
            tail=np.repeat(np.arange(nodes, dtype=np.int32), counts),
            head=raw["targets"],
            offsets=offsets,
            feature=raw["feature"],
            scale=raw["scale"],
            start=raw["start"],
        )


class SearchBatch:
    """Searches of one or many instances that step together; ``batch[i]`` is one of them.

    :param instances: a list of instances of one problem.
    :param model: what :meth:`update` does by itself, and where θ begins: a name, such as "adam" (the default, which begins
        with a heuristic) or "ants", or a :class:`moco.Model`.
    :param options: ``samples``, ``steps`` (K, which the features count against), ``restarts``, ``seed``, ``local_search``,
        ``rebuild``, ``gradient``, ``elite``, ``device``, ``threads``, and the problem's own such as ``neighbours``.
    """

    def __init__(self, instances: Instance | Sequence[Instance], *, model: str | Model = "adam", **options: Any) -> None:
        listed, _ = _as_list(instances)
        given = {name: value for name, value in options.items() if value is not None}
        unknown = given.keys() - _LOOP - OPTIONS
        if unknown:
            raise ArgumentError(f"a search has no option '{min(unknown)}'; there are {', '.join(sorted(_LOOP))}")
        keywords = {**checked(given), "model": model_argument(model)}
        self._core = _core.SearchBatch([instance._core for instance in listed], keywords)
        self._views = [_View(self._core, t, listed[self._core.instance_of(t)]) for t in range(len(self._core))]

    def __len__(self) -> int:
        return len(self._views)

    def __getitem__(self, number: int) -> _View:
        return self._views[number]

    def __iter__(self) -> Iterator[_View]:
        return iter(self._views)

    @property
    def model(self) -> Model:
        return Model._of(self._core.model)

    def restart(self) -> None:
        """Begins anew with the same random numbers."""
        self._core.restart()

    def sample(self) -> None:
        """Draws solutions from θ; updates elite, gradient and features."""
        self._core.sample()

    def update(self, rule: Any = None) -> None:
        """Sets the next θ.

        :param rule: None for the model's own update; a :class:`moco.Model` for that one's, from here on; or θ itself, one
            array per search of the batch. Arrays are anything that :func:`numpy.asarray` or :func:`numpy.from_dlpack` takes,
            PyTorch tensors on the CPU and JAX arrays among them; for a search on a CUDA device also float32 tensors there,
            which stay there. The search keeps a copy.
        """
        if isinstance(rule, Model):
            self._core.set_model(rule._core)
            rule = None
        if rule is None:
            self._core.update()
            return
        if len(rule) != len(self):
            raise ArgumentError(f"{len(rule)} arrays of θ for {len(self)} searches")
        for number, theta in enumerate(rule):
            set_theta(self._core, number, theta)


_LOOP = frozenset(
    "samples steps restarts seed local_search move_limit rebuild gradient elite advantage device threads".split()
)


class Search(SearchBatch, _View):
    """One search of one instance: a :class:`SearchBatch` of one, whose state is its own.

    See :class:`SearchBatch` for the arguments; ``restarts`` is 1.
    """

    def __init__(self, instance: Instance, *, model: str | Model = "adam", **options: Any) -> None:
        if options.get("restarts", 1) != 1:
            raise ArgumentError("a Search has one restart; take a SearchBatch for more")
        SearchBatch.__init__(self, [instance], model=model, **options)
        _View.__init__(self, self._core, 0, instance)

    def update(self, rule: Any = None) -> None:
        """Sets the next θ: by the model, by another :class:`moco.Model`, or to an array with a value per variable."""
        super().update(rule if rule is None or isinstance(rule, Model) else [rule])
