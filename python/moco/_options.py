"""Keyword arguments of searches: which there are, and what is told of those that cannot be used."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _core
from ._errors import ArgumentError, ArgumentTypeError

_WHOLE = "steps samples restarts kicks move_limit episode_steps budget_steps rebuild seed threads batch no_improvement".split()
_REAL = [*_core.rule_parameters(), "time_limit", "target"]  # the first are numbers of update rules
_WORDS = "local_search polish gradient elite advantage init rule device".split()

#: keyword arguments that go to the library as they are, by the types that they may have
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(_WHOLE, (int,)),
    **dict.fromkeys(_REAL, (int, float)),
    **dict.fromkeys(_WORDS, (str,)),
    "heatmap": (bool,),
}

#: keyword arguments that are the problems' own
OPTIONS = frozenset(option["key"] for problem in _core.problems() for option in problem["options"])


def number_of(value: Any, name: str, kinds: tuple[type, ...] = (int,)) -> Any:
    """The value where it is of one of these types, or can be without loss."""
    if isinstance(value, (bool, np.bool_)) and bool not in kinds:
        raise ArgumentTypeError(f"{name} is a number, not {value}")
    if isinstance(value, np.generic):
        value = value.item()
    if int in kinds and float not in kinds and isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, kinds):
        raise ArgumentTypeError(f"{name} is {' or '.join(kind.__name__ for kind in kinds)}, not {value!r}")
    if isinstance(value, float) and math.isnan(value):
        raise ArgumentError(f"{name} is not a number")
    return value


def not_negative(value: Any, name: str, kinds: tuple[type, ...] = (int,)) -> Any:
    number = number_of(value, name, kinds)
    if number < 0:
        raise ArgumentError(f"{name} {number} is negative")
    return number


def setting(value: Any, name: str) -> Any:
    """The value of one of KINDS."""
    check = not_negative if name in _WHOLE or name == "time_limit" else number_of
    return check(value, name, KINDS[name])


def checked(settings: dict[str, Any]) -> dict[str, Any]:
    """What was given, in types that the library takes."""
    own: dict[str, Any] = {}
    ready: dict[str, Any] = {}
    for name, value in settings.items():
        if value is None:
            continue
        if name in OPTIONS:
            own[name] = value
        elif name in KINDS:
            ready[name] = setting(value, name)
        else:
            raise ArgumentTypeError(f"there is no option '{name}'; there are {', '.join(sorted(KINDS.keys() | OPTIONS))}")
    if own:
        ready["options"] = own
    return ready


def function_of(value: Any, name: str) -> Any:
    """The value where it can be called or is None."""
    if value is not None and not callable(value):
        raise ArgumentTypeError(f"{name} is a function, not {type(value).__name__}")
    return value
