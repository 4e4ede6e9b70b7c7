"""Training models by evolution strategies."""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Mapping

from . import _core
from ._errors import ArgumentError, ArgumentTypeError, FileError
from ._options import function_of, not_negative
from .model import Model

__all__ = ["train", "TrainingRun", "preset", "presets"]


@dataclass(frozen=True)
class TrainingRun:
    """What a training run left behind."""

    folder: Path
    config: str = field(repr=False)  #: the whole configuration as TOML
    end: str  #: "finished", "time-limit", or "signal": Ctrl-C, or on_step had enough
    step: int  #: outer steps done
    best_step: int
    best_validation: float | None  #: mean cost

    @property
    def model(self) -> Model:
        """The best model by validation, or the last one where there was none."""
        best = self.folder / "best.safetensors"
        return Model.load(best if best.exists() else self.folder / "last.safetensors")

    @property
    def metrics(self) -> list[dict[str, float]]:
        """The rows of metrics.csv, ready for ``pandas.DataFrame``."""
        with open(self.folder / "metrics.csv", newline="", encoding="utf-8") as file:
            return [{key: float(value) for key, value in row.items() if value} for row in csv.DictReader(file)]


def presets() -> list[str]:
    """Names of the configurations that come with moco."""
    return _core.preset_names()


def preset(name: str) -> str:
    """The text of one."""
    return _core.preset(name)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, str) for item in value):
            return ",".join(value)
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, float)):
        return repr(value)
    raise ArgumentTypeError(f"a configuration holds numbers, words and lists, not {type(value).__name__}")


def _flat(keys: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in keys.items():
        if isinstance(value, Mapping):
            pairs += _flat(value, f"{prefix}{key}.")
        elif value is not None:
            pairs.append((prefix + key, _toml(value)))
    return sorted(pairs, key=lambda pair: pair[0] != "problem")  # what the other keys depend on comes first


def _text_of(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"cannot read '{file}': {error.strerror}") from None


def train(
    config: str | os.PathLike[str] | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    preset: str | None = None,
    on_step: Callable[[dict[str, Any]], Any] | None = None,
    resume: bool = False,
    time_limit: float = float("inf"),
    device: str = "auto",
    threads: int = 0,
    **keys: Any,
) -> TrainingRun:
    """Trains a model, or goes on with a run.

    :param config: a TOML file (docs/training.md); or none, with a ``preset`` or with keys alone.
    :param folder: where the run keeps its files; without one they go with the :class:`TrainingRun`.
    :param on_step: called with a dictionary after every outer step: step, loss, learning_rate, validation, …; a true
        answer ends the run, which can be resumed.
    :param resume: go on where the folder's run stopped; without config and keys it is as it was.
    :param keys: the TOML's keys, sections as dictionaries: ``steps=100, es={"pairs": 16}, data={"nodes": [20]}``.

    Ctrl-C ends the run with its state saved.

    >>> import moco
    >>> losses = []
    >>> run = moco.train(problem="tsp", steps=2, model={"hidden": 8, "blocks": 1}, data={"nodes": [10]}, es={"pairs": 2},
    ...                  search={"steps": 3, "samples": 4}, optimizer={"warmup": 0}, validation={"every": 0},
    ...                  on_step=lambda row: losses.append(row.get("loss")))
    >>> run.end, run.step, run.model.config["hidden"]
    ('finished', 2, 8)
    """
    if config is not None and preset is not None:
        raise ArgumentError("config and preset exclude each other; keys override those of either")
    if folder is None and resume:
        raise ArgumentError("which run is to be resumed? Give its folder")
    if config is not None:
        name = os.fspath(config)
        base = _text_of(name)
    elif preset is not None:
        name, base = f"preset {preset}", _core.preset(preset)
    elif folder is not None and resume and Path(folder, "config.toml").exists():
        name, base = os.fspath(folder), _core.config_of_run(os.fspath(folder))
    elif "problem" in keys:
        name, base = "keys", ""
    else:
        raise ArgumentError("what is to be trained? Give config, preset or problem")
    text = _core.train_config(base, name, _flat(keys))
    function_of(on_step, "on_step")
    place = Path(folder if folder is not None else tempfile.mkdtemp(prefix="moco-run-"))
    try:
        outcome = _core.train(
            text, os.fspath(place), device, not_negative(threads, "threads"), resume, time_limit, on_step, None
        )
        run = TrainingRun(place, text, outcome["end"], outcome["step"], outcome["best_step"], outcome["best_validation"])
    except BaseException:
        if folder is None:
            shutil.rmtree(place, ignore_errors=True)
        raise
    if folder is None:
        weakref.finalize(run, shutil.rmtree, place, ignore_errors=True)
    return run
