"""Solving: one call for the common case, keyword arguments for the rest."""

from __future__ import annotations

import os
import queue
import threading
from typing import Any, Callable, Iterator, Sequence, overload

import numpy as np

from . import _core, _inputs
from ._errors import ArgumentError, ArgumentTypeError
from ._options import checked, function_of, setting
from ._progress import Progress, ProgressLine
from .instance import Instance
from .model import Model, model_argument
from .result import Heatmap, Incumbent, Result, Trace
from .stop import AnyRule, Condition, _keywords

__all__ = ["tsp", "mis", "vertex_cover", "clique", "solve", "stream"]

def _as_list(instances: Any) -> tuple[list[Instance], bool]:
    if isinstance(instances, Instance):
        return [instances], False
    if isinstance(instances, (str, os.PathLike)):
        from .files import read

        return read(instances), True
    if isinstance(instances, Sequence) and all(isinstance(one, Instance) for one in instances):
        if not instances:
            raise ArgumentError("there are no instances")
        return list(instances), True
    raise ArgumentTypeError(
        f"instances are moco.Instance objects, a list of them or the name of a file, not {type(instances).__name__}; "
        "moco.tsp, moco.mis and the like take arrays and graphs"
    )


def _initial(initial: Any, instances: list[Instance], several: bool) -> list[np.ndarray]:
    solutions = initial if several else [initial]
    if len(solutions) != len(instances):
        raise ArgumentError(f"{len(solutions)} initial solutions for {len(instances)} instances")
    return [
        instance.indices(one.solution if isinstance(one, Result) else one) for instance, one in zip(instances, solutions)
    ]


def _run(
    instances: list[Instance],
    several: bool,
    settings: dict[str, Any],
    stop: AnyRule | None,
    model: str | Model | os.PathLike[str] | None,
    initial: Any,
    on_incumbent: Callable[[Incumbent], Any] | None,
    on_progress: Callable[[Progress], Any] | None,
    progress: bool | None,
    cancel: _core.Cancel | None = None,
) -> list[Result]:
    limits, conditions = _keywords(stop)
    keywords = checked(settings)
    for name, values in limits.items():
        given = [keywords[name]] if name in keywords else []
        # What is met first: of targets, the easiest.
        first = max if name == "target" and not instances[0]._core.objective[1] else min
        keywords[name] = setting(first(values + given), name)
    if model is not None:
        keywords["model"] = model_argument(model)
    if initial is not None:
        keywords["initial"] = _initial(initial, instances, several)
    met = _add_functions(keywords, instances, conditions, on_incumbent, on_progress, progress)
    line = keywords.pop("_line", None)
    try:
        raw = _core.solve([instance._core for instance in instances], keywords, cancel)
    finally:
        if line is not None:
            line.close()
    return [_result(instance, one, met) for instance, one in zip(instances, raw)]


def _add_functions(
    keywords: dict[str, Any],
    instances: list[Instance],
    conditions: list[Condition],
    on_incumbent: Callable[[Incumbent], Any] | None,
    on_progress: Callable[[Progress], Any] | None,
    progress: bool | None,
) -> list[bool]:
    """Puts the caller's functions where the library calls them; the list is not empty once a condition was met."""
    met: list[bool] = []
    if conditions:

        def stop_when(moment: dict[str, Any]) -> bool:
            if any(condition(Progress(**moment)) for condition in conditions):
                met.append(True)
            return bool(met)

        keywords["stop_when"] = stop_when
    if on_incumbent is not None:
        hear_incumbent = function_of(on_incumbent, "on_incumbent")

        def tell(number: int, items: np.ndarray, cost: float, seconds: float) -> None:
            instance = instances[number]
            hear_incumbent(Incumbent(instance, instance.named(items), items, cost, seconds))

        keywords["on_incumbent"] = tell
    line = None
    if progress or (progress is None and ProgressLine.wanted()):
        signs = [-1.0 if instance._core.objective[1] else 1.0 for instance in instances]
        line = ProgressLine([instance.name for instance in instances], keywords.get("time_limit"), signs)
        keywords["_line"] = line
    hearers = [hearer for hearer in (line, function_of(on_progress, "on_progress")) if hearer is not None]
    if hearers:

        def hear(moment: dict[str, Any]) -> None:
            for hearer in hearers:
                hearer(Progress(**moment))

        keywords["on_progress"] = hear
    return met


def _result(instance: Instance, raw: dict[str, Any], met: list[bool]) -> Result:
    items = raw["solution"]
    return Result(
        instance=instance,
        solution=instance.named(items),
        indices=items,
        cost=raw["cost"],
        feasible=raw["feasible"],
        steps=raw["steps"],
        kicks=raw["kicks"],
        seconds=raw["seconds"],
        stop="condition" if met and raw["stop"] == "signal" else raw["stop"],
        engine=raw["engine"],
        model=raw["model"],
        seed=raw["seed"],
        restarts=raw["restarts"],
        samples=raw["samples"],
        local_search=raw["local_search"],
        trace=Trace(raw["trace"]),
        heatmap=None if raw["heatmap"] is None else Heatmap(*raw["heatmap"]),
    )


@overload
def solve(instances: Instance, **options: Any) -> Result: ...
@overload
def solve(instances: Sequence[Instance] | str | os.PathLike[str], **options: Any) -> list[Result]: ...
def solve(
    instances: Any,
    *,
    stop: AnyRule | None = None,
    model: str | Model | os.PathLike[str] | None = None,
    initial: Any = None,
    on_incumbent: Callable[[Incumbent], Any] | None = None,
    on_progress: Callable[[Progress], Any] | None = None,
    progress: bool | None = None,
    **settings: Any,
) -> Any:
    """Searches for good solutions of one instance, or of many in one batch.

    :param instances: a :class:`moco.Instance`, a list of them, or a file with some.
    :param stop: rules of :mod:`moco.stop`, joined by ``|``.
    :param model: "auto", the name of a trained model, a checkpoint file, "adam", "ants", "max-min", or a
        :class:`moco.Model`.
    :param initial: a solution to begin with, or one per instance.
    :param on_incumbent: called with a :class:`moco.Incumbent` whenever there is a better solution, at most ten times a
        second or so, and with the last one.
    :param on_progress: called with a :class:`moco.Progress` about ten times a second.
    :param progress: a progress line; by default on terminals and in notebooks.
    :param settings: the options of ``moco solve`` with underscores: ``steps`` (K), ``samples`` (b), ``restarts`` (M),
        ``rebuild``, ``kicks``, ``local_search`` ("auto", "none" or a name), ``time_limit`` and ``target``, ``no_improvement``, ``seed``,
        ``device`` ("auto", "cpu", "cuda"), ``threads``, ``heatmap=True`` to have θ returned, the problem's own such as
        ``neighbours``, and so on. What is left out has the command line's default: a greedy solution and kicks; a search
        by the model before them as soon as anything of it is asked for.
    :returns: a :class:`moco.Result`, or a list of them for several instances.

    The interpreter's lock is free meanwhile. Ctrl-C ends the search and returns the best solution so far.

    >>> import moco
    >>> instance = moco.generate("tsp", nodes=50, seed=3)[0]
    >>> r = moco.solve(instance, steps=20, samples=16, kicks=0, seed=1)
    >>> r.steps, r.stop, r.instance.check(r.solution).feasible
    (20, 'steps', True)
    """
    listed, several = _as_list(instances)
    results = _run(listed, several, settings, stop, model, initial, on_incumbent, on_progress, progress)
    return results if several else results[0]


def tsp(xy: Any = None, *, distances: Any = None, metric: str = "euclidean", heights: Any = None, weight: str = "weight", fixed_edges: Any = None, **options: Any) -> Any:
    """The shortest tour through all cities.

    Cities as in :meth:`moco.Instance.tour`; options as in :func:`solve`. A list of arrays, or one array with the shape
    (batch, n, 2), is a batch and gives a list of results.

    >>> import moco
    >>> moco.tsp([[0, 0], [2, 0], [2, 2], [0, 2]]).cost
    8.0
    """
    if distances is None and _is_batch(xy):
        made = [Instance.tour(one, metric=metric, fixed_edges=fixed_edges, name=f"tour#{i}") for i, one in enumerate(xy)]
        return solve(made, **options)
    return solve(Instance.tour(xy, distances=distances, metric=metric, heights=heights, weight=weight, fixed_edges=fixed_edges), **options)


def _is_batch(xy: Any) -> bool:
    if isinstance(xy, np.ndarray):
        return xy.ndim == 3
    return isinstance(xy, (list, tuple)) and len(xy) > 0 and np.ndim(xy[0]) == 2


def _on_graphs(problem: str, graph: Any, weights: Any, nodes: int | None, options: dict[str, Any]) -> Any:
    several = isinstance(graph, (list, tuple)) and len(graph) > 0 and (
        _inputs.is_networkx(graph[0]) or _inputs.is_sparse(graph[0]) or isinstance(graph[0], tuple) and np.ndim(graph[0][0]) == 1
    )
    if several:
        return solve([Instance.graph(one, problem, weights=weights, name=f"graph#{i}") for i, one in enumerate(graph)], **options)
    return solve(Instance.graph(graph, problem, weights=weights, nodes=nodes), **options)


def mis(graph: Any, *, weights: Any = None, nodes: int | None = None, **options: Any) -> Any:
    """The largest or heaviest set of nodes no two of which are adjacent.

    Graphs and weights as in :meth:`moco.Instance.graph`; options as in :func:`solve`. A list of graphs is a batch.

    >>> import moco
    >>> r = moco.mis([[0, 1], [1, 2], [2, 3]])
    >>> r.value, r.cost
    (2.0, -2.0)
    """
    return _on_graphs("mis", graph, weights, nodes, options)


def vertex_cover(graph: Any, *, weights: Any = None, nodes: int | None = None, **options: Any) -> Any:
    """The smallest or lightest set of nodes that has an end of every edge.

    >>> import moco
    >>> moco.vertex_cover([[0, 1], [0, 2], [0, 3]]).solution
    array([0], dtype=int32)
    """
    return _on_graphs("vertex-cover", graph, weights, nodes, options)


def clique(graph: Any, *, weights: Any = None, nodes: int | None = None, **options: Any) -> Any:
    """The largest or heaviest set of nodes all of which are adjacent to each other.

    >>> import moco
    >>> moco.clique([[0, 1], [1, 2], [0, 2], [2, 3]]).solution
    array([0, 1, 2], dtype=int32)
    """
    return _on_graphs("clique", graph, weights, nodes, options)


def stream(
    instance: Instance,
    *,
    stop: AnyRule | None = None,
    model: str | Model | os.PathLike[str] | None = None,
    initial: Any = None,
    **settings: Any,
) -> Iterator[Incumbent]:
    """Ever better solutions of an instance as they come; the search ends when the loop over them is left.

    >>> import moco
    >>> instance = moco.generate("tsp", nodes=100, seed=1)[0]
    >>> costs = [incumbent.cost for incumbent in moco.stream(instance, kicks=1000)]
    >>> costs == sorted(costs, reverse=True)
    True
    """
    if not isinstance(instance, Instance):
        raise ArgumentTypeError(f"stream takes one moco.Instance, not {type(instance).__name__}")
    checked(settings)

    def search(on_incumbent: Callable[[Incumbent], Any], cancel: _core.Cancel) -> None:
        _run([instance], False, settings, stop, model, initial, on_incumbent, None, False, cancel)

    return _arrivals(search)


def _arrivals(search: Callable[[Callable[[Incumbent], Any], _core.Cancel], None]) -> Iterator[Incumbent]:
    """What a search in another thread tells of; leaving the loop ends it."""
    arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
    cancel = _core.Cancel()

    def work() -> None:
        try:
            search(arrived.put, cancel)
            arrived.put(None)
        except BaseException as error:  # goes to whoever waits
            arrived.put(error)

    thread = threading.Thread(target=work, name="moco.stream", daemon=True)
    thread.start()
    try:
        while (item := arrived.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        cancel.set()
        thread.join()
