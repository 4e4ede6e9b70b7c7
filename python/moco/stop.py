"""Stop rules. They combine with ``|``: the search ends when the first of them says so.

>>> import moco
>>> rule = moco.stop.MaxRuntime(5) | moco.stop.NoImprovement(50)
>>> rule
MaxRuntime(5) | NoImprovement(50)

A function works too: it gets a :class:`moco.Progress` after every step and says whether to stop.

>>> rule = moco.stop.MaxIterations(20) | (lambda progress: progress.cost < 3.0)

Names follow PyVRP's ``pyvrp.stop``.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Union

import numpy as np

from ._errors import ArgumentError, ArgumentTypeError
from ._progress import Progress

__all__ = ["StopRule", "MaxRuntime", "MaxIterations", "NoImprovement", "Target", "MultipleCriteria", "Condition"]

Condition = Callable[[Progress], bool]
AnyRule = Union["StopRule", Condition]


class StopRule:
    """Base of all rules."""

    def __or__(self, other: AnyRule) -> MultipleCriteria:
        return MultipleCriteria([self, other])

    def __ror__(self, other: Condition) -> MultipleCriteria:
        return MultipleCriteria([other, self])

    def _parts(self) -> list[AnyRule]:
        return [self]

    def _keyword(self) -> tuple[str, Any]:
        raise NotImplementedError


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else value


class _Number(StopRule):
    _name = ""
    _least: float = 1

    def __init__(self, value: float) -> None:
        value = _plain(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ArgumentTypeError(f"{type(self).__name__} takes a number, not {type(value).__name__}")
        if not value >= self._least:
            raise ArgumentError(f"{type(self).__name__}({value}): at least {self._least} is needed")
        self.value = value

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value})"

    def _keyword(self) -> tuple[str, Any]:
        return self._name, self.value


class MaxRuntime(_Number):
    """Stop after so many seconds per instance. Without :class:`MaxIterations` the search fills them."""

    _name = "time_limit"
    _least = 0


class _Count(_Number):
    def __init__(self, value: int) -> None:
        if not isinstance(_plain(value), int):
            raise ArgumentTypeError(f"{type(self).__name__} takes a whole number, not {value!r}")
        super().__init__(value)


class MaxIterations(_Count):
    """Stop after so many steps of the search by the model, K. Kicks go on after them unless ``kicks=0``."""

    _name = "steps"
    _least = 0


class NoImprovement(_Count):
    """Stop after so many steps of the search by the model without a better solution."""

    _name = "no_improvement"


class Target(_Number):
    """Stop at a solution this good: a cost of at most, or a size or weight of at least, the value."""

    _name = "target"
    _least = float("-inf")


class MultipleCriteria(StopRule):
    """Stop when the first of several rules says so; what ``|`` makes."""

    def __init__(self, criteria: Iterable[AnyRule]) -> None:
        self.criteria: list[AnyRule] = []
        for rule in criteria:
            if isinstance(rule, StopRule):
                self.criteria += rule._parts()
            elif callable(rule):
                self.criteria.append(rule)
            else:
                raise ArgumentTypeError(f"a stop rule is one of moco.stop or a function, not {type(rule).__name__}")
        if not self.criteria:
            raise ArgumentError("MultipleCriteria needs at least one rule")

    def __repr__(self) -> str:
        return " | ".join(repr(rule) for rule in self.criteria)

    def _parts(self) -> list[AnyRule]:
        return list(self.criteria)


def _keywords(rule: AnyRule | None) -> tuple[dict[str, list[Any]], list[Condition]]:
    """The values of rules that the library knows, by its own words, and the caller's functions."""
    known: dict[str, list[Any]] = {}
    conditions: list[Condition] = []
    for part in [] if rule is None else MultipleCriteria([rule])._parts():
        if isinstance(part, StopRule):
            name, value = part._keyword()
            known.setdefault(name, []).append(value)
        else:
            conditions.append(part)
    return known, conditions
