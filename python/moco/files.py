"""Instances and solutions from files and to files; generators; local search alone."""

from __future__ import annotations

import os
import warnings
from typing import Any, Sequence

import numpy as np

from . import _core
from ._errors import ArgumentError, ArgumentTypeError
from ._options import OPTIONS, not_negative, number_of
from .instance import CheckResult, Instance
from .result import Result

__all__ = ["read", "write", "read_solutions", "write_solutions", "generate", "check", "improve"]


def read(file: str | os.PathLike[str], *, problem: str = "", format: str = "", complement: bool = False) -> list[Instance]:
    """All instances of a file: TSPLIB, Concorde text, .npy, CSV, DIMACS, METIS, edge lists, … (docs/formats.md).

    What was repaired, such as self-loops, is told as a warning.
    """
    cores, notes = _core.read(os.fspath(file), format, problem, complement)
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return [Instance(core) for core in cores]


def write(file: str | os.PathLike[str], instances: Instance | Sequence[Instance], *, format: str = "") -> None:
    """Writes instances; the name decides the format unless ``format`` does.

    >>> import moco, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     moco.write(folder + "/x.csv", moco.generate("tsp", nodes=5))
    ...     len(moco.read(folder + "/x.csv")[0])
    5
    """
    listed = [instances] if isinstance(instances, Instance) else list(instances)
    _core.write(os.fspath(file), [instance._core for instance in listed], format)


def read_solutions(file: str | os.PathLike[str], instances: Instance | Sequence[Instance], *, format: str = "") -> list[Any]:
    """Solutions of a file, one per instance."""
    listed = [instances] if isinstance(instances, Instance) else list(instances)
    arrays = _core.read_solutions(os.fspath(file), [instance._core for instance in listed], format)
    return [instance.named(items) for instance, items in zip(listed, arrays)]


def write_solutions(file: str | os.PathLike[str], results: Result | Sequence[Result], *, format: str = "") -> None:
    """Writes the solutions of results."""
    listed = [results] if isinstance(results, Result) else results
    if not isinstance(listed, Sequence) or not all(isinstance(one, Result) for one in listed):
        raise ArgumentTypeError(f"results are moco.Result objects, not {type(results).__name__}")
    _core.write_solutions(
        os.fspath(file), [one.instance._core for one in listed], [one.indices for one in listed], format
    )


def generate(
    problem: str = "tsp",
    *,
    nodes: int = 100,
    max_nodes: int = 0,
    count: int = 1,
    seed: int = 1,
    kind: str = "",
    **options: Any,
) -> list[Instance]:
    """Seeded instances: the same on every machine, and the same that ``moco generate`` makes.

    ``kind`` is one of the problem's generators and ``options`` its own; ``moco.problems()`` lists them.

    >>> import moco
    >>> [len(graph) for graph in moco.generate("mis", kind="er", nodes=40, count=2, probability=0.1)]
    [40, 40]
    """
    if number_of(count, "count") < 1:
        raise ArgumentError(f"count {count} is not at least 1")
    given = {name: value for name, value in options.items() if value is not None}
    sizes = number_of(nodes, "nodes"), number_of(max_nodes, "max_nodes")
    return [Instance(core) for core in _core.generate(problem, kind, *sizes, not_negative(seed, "seed"), count, given)]


def check(instance: Instance, solution: Any) -> CheckResult:
    """The independent checker's word on a solution; as :meth:`moco.Instance.check`."""
    return instance.check(solution.solution if isinstance(solution, Result) else solution)


def improve(
    instance: Instance, solution: Any, *, local_search: str = "auto", move_limit: int = 0, **options: Any
) -> tuple[Any, float]:
    """Local search from a solution: the better one and its cost.

    >>> import moco
    >>> square = moco.Instance.tour([[0, 0], [1, 1], [1, 0], [0, 1]])
    >>> moco.improve(square, [0, 1, 2, 3])[1]
    4.0
    """
    unknown = options.keys() - OPTIONS
    if unknown:
        raise ArgumentError(f"there is no option '{min(unknown)}'")
    items = solution.indices if isinstance(solution, Result) else instance.indices(solution)
    better, _, cost, _ = _core.improve(
        instance._core, np.ascontiguousarray(items, dtype=np.int32), local_search, move_limit, options
    )
    return instance.named(better), cost
