"""Good tours, independent sets, vertex covers and cliques, by a learned meta optimizer.

>>> import moco
>>> moco.tsp([[0, 0], [1, 0], [1, 1], [0, 1]]).cost
4.0

The short functions :func:`tsp`, :func:`mis`, :func:`vertex_cover` and :func:`clique` take arrays and graphs;
:func:`solve` and :func:`stream` take instances. :class:`Search` is the loop itself, for update rules of your own;
:func:`train` and :func:`evaluate` make and judge models.
"""

from __future__ import annotations

import os as _os
from pathlib import Path as _Path

from . import _core, stop
from ._errors import (
    ArgumentError,
    ArgumentTypeError,
    DeviceError,
    Error,
    FileError,
    InfeasibleSolution,
    InputError,
    OptionError,
    ResourceError,
)
from ._progress import Progress
from ._solving import clique, mis, solve, stream, tsp, vertex_cover
from ._views import ArrayView
from .evaluation import Table, evaluate
from .files import check, generate, improve, read, read_solutions, write, write_solutions
from .instance import CheckResult, Instance
from .model import Model, models
from .result import Heatmap, Incumbent, Result, Trace
from .search import Features, Graph, Search, SearchBatch
from .training import TrainingRun, preset, presets, train

__version__ = _core.__version__

_os.register_at_fork(after_in_child=_core.forget_solvers)
if "MOCO_MODELS" not in _os.environ:
    _core.set_model_folder(str(_Path(__file__).parent / "models"))


def problems() -> list[dict]:  # type: ignore[type-arg]
    """The problems, with their options, local searches and generators.

    >>> [problem["name"] for problem in problems()]
    ['tsp', 'mis', 'vertex-cover', 'clique']
    """
    return _core.problems()


__all__ = [
    "ArgumentError", "ArgumentTypeError", "ArrayView", "CheckResult", "DeviceError", "Error", "Features", "FileError",
    "Graph", "Heatmap", "Incumbent", "InfeasibleSolution", "InputError", "Instance", "Model", "OptionError", "Progress",
    "ResourceError", "Result", "Search", "SearchBatch", "Table", "Trace", "TrainingRun", "check", "clique", "evaluate",
    "generate", "improve", "mis", "models", "preset", "presets", "problems", "read", "read_solutions", "solve", "stop",
    "stream", "train", "tsp", "vertex_cover", "write", "write_solutions",
]  # fmt: skip
