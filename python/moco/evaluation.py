"""How good a model is: a data set, settings, and a table."""

from __future__ import annotations

import html
import os
from typing import Any, Sequence

from . import _core
from ._errors import ArgumentError
from ._options import checked
from ._solving import _as_list
from .instance import Instance
from .model import Model, model_argument

__all__ = ["evaluate", "Table"]


def _shown(value: Any) -> str:
    return "" if value is None else html.escape(f"{value:.6g}" if isinstance(value, float) else str(value))


def _is_setting(setting: Any) -> bool:
    return isinstance(setting, Sequence) and len(setting) == 3 and all(isinstance(number, int) and number >= 1 for number in setting)


class Table(list):  # type: ignore[type-arg]
    """Rows as dictionaries: ready for ``pandas.DataFrame(table)``. ``table.scores`` has a row per instance and setting."""

    def __init__(self, rows: list[dict[str, Any]], scores: list[dict[str, Any]]) -> None:
        super().__init__(rows)
        self.scores = scores

    def _repr_html_(self) -> str:
        """For notebooks."""
        columns = list(self[0]) if self else []
        head = "".join(f"<th>{column}</th>" for column in columns)
        lines = ("".join(f"<td>{_shown(row[column])}</td>" for column in columns) for row in self)
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"

    def to_pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(list(self))


def evaluate(
    model: str | Model,
    data: Instance | Sequence[Instance] | str | os.PathLike[str],
    settings: Sequence[tuple[int, int, int]] = ((1, 200, 32),),
    *,
    references: Sequence[float | None] | str | os.PathLike[str] | None = None,
    **options: Any,
) -> Table:
    """Mean cost, gap to the references and seconds of a model, for each setting (M, K, b): restarts, steps, samples.

    :param model: a name, a file, "auto", "adam", "ants", "max-min", or a :class:`moco.Model`.
    :param data: instances, or a file with some.
    :param references: costs to compare with, one per instance, or a file of them; by default those of the solutions that
        came with the instances.
    :param options: those of :func:`moco.solve` that do not belong to the setting. Local search is off unless asked for.

    >>> import moco
    >>> table = moco.evaluate("adam", moco.generate("tsp", nodes=20, count=4), [(1, 5, 8), (2, 5, 8)])
    >>> [(row["restarts"], row["instances"]) for row in table]
    [(1, 4), (2, 4)]
    >>> table[1]["cost"] <= table[0]["cost"]
    True
    """
    instances, _ = _as_list(data)
    core = [instance._core for instance in instances]
    for setting in settings:
        if not _is_setting(setting):
            raise ArgumentError(f"a setting is (restarts, steps, samples), each at least 1, not {setting!r}")
    for name in ("steps", "samples", "restarts", "kicks"):
        if name in options:
            raise ArgumentError(f"{name} belongs to the settings" if name != "kicks" else "evaluations are of steps, without kicks")
    if references is None:
        known = [instance.reference_cost for instance in instances]
    elif isinstance(references, (str, os.PathLike)):
        known = _core.read_references(os.fspath(references), core)
    else:
        known = list(references)
        if len(known) != len(instances):
            raise ArgumentError(f"{len(known)} references for {len(instances)} instances")
    rows, scores = _core.evaluate(
        core, model_argument(model), list(settings), checked(options), known
    )
    return Table(rows, scores)
