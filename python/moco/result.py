"""What a search found."""

from __future__ import annotations

import base64
import html
import json
from dataclasses import dataclass
from typing import Any, Iterator

import numpy as np

from ._errors import ArgumentError
from .instance import Instance

__all__ = ["Result", "Incumbent", "Trace", "Heatmap"]


@dataclass(frozen=True, repr=False)
class Incumbent:
    """The best solution of a search that goes on."""

    instance: Instance
    solution: Any  #: as in :class:`Result`
    indices: np.ndarray
    cost: float
    seconds: float  #: since the search of the instance began

    @property
    def value(self) -> float:
        return self.instance.value(self.cost)

    def __repr__(self) -> str:
        return f"Incumbent({self.instance!r}, cost={self.cost!r}, seconds={self.seconds:.3g})"


@dataclass(frozen=True)
class Heatmap:
    """The probabilities that the best solution of the model's steps was drawn from.

    Of tours: of the edge ``tail[i]`` → ``head[i]``, among those that leave the same city. Of sets: of node ``tail[i]``,
    the largest scaled to 1, and ``head`` is empty.
    """

    tail: np.ndarray
    head: np.ndarray
    probability: np.ndarray

    def matrix(self, n: int) -> np.ndarray:
        """As a dense (n, n) array, or (n,) for nodes."""
        if len(self.head) == 0:
            return self.probability.copy()
        matrix = np.zeros((n, n), dtype=np.float32)
        matrix[self.tail, self.head] = self.probability
        return matrix


class Trace:
    """The course of a search: columns ``step``, ``phase``, ``cost``, ``mean``, ``entropy``, ``seconds``.

    A row for each of the first 10 000 steps, and after them, and during kicks, for what is better than before and ten
    times a second. The columns are arrays; ``dict(trace)`` is ready for ``pandas.DataFrame``.
    """

    columns = ("step", "phase", "cost", "mean", "entropy", "seconds")

    def __init__(self, raw: dict[str, np.ndarray]) -> None:
        self.step = raw["step"]
        self.phase = np.where(raw["kicking"].astype(bool), "kicks", "search")
        self.cost = raw["best"]
        self.mean = raw["mean"]
        self.entropy = raw["entropy"]
        self.seconds = raw["seconds"]

    def __len__(self) -> int:
        return len(self.step)

    def keys(self) -> tuple[str, ...]:
        return self.columns

    def __getitem__(self, column: str) -> np.ndarray:
        if column not in self.columns:
            raise KeyError(column)
        return getattr(self, column)

    def __repr__(self) -> str:
        return f"Trace({len(self)} rows)"


@dataclass(frozen=True, repr=False)
class Result:
    """A solution with what led to it. In a notebook it draws itself.

    >>> import moco
    >>> r = moco.tsp([[0, 0], [1, 1], [1, 0], [0, 1]])
    >>> r.cost
    4.0
    >>> len(r.solution)
    4
    """

    instance: Instance
    solution: Any  #: cities in visiting order, or a set's nodes: an array of numbers, or a list of labels where there are
    indices: np.ndarray  #: the same as numbers
    cost: float  #: recomputed by the independent checker; minus size or weight where that is to be large
    feasible: bool
    steps: int
    kicks: int
    seconds: float
    stop: str  #: "steps", "kicks", "time-limit", "target", "no-improvement", "signal", "condition"
    engine: str
    model: str
    seed: int
    restarts: int
    samples: int
    local_search: str
    trace: Trace
    heatmap: Heatmap | None = None

    @property
    def value(self) -> float:
        """Length, size or weight: the cost as the problem's objective counts."""
        return self.instance.value(self.cost)

    @property
    def gap(self) -> float | None:
        """``(cost − reference) / |reference|``; None where no reference is known (:attr:`moco.Instance.reference_cost`)."""
        reference = self.instance.reference_cost
        if reference is None:
            return None
        return 0.0 if reference == self.cost else (self.cost - reference) / abs(reference) if reference else float("inf")

    @property
    def bound(self) -> float:
        """No solution costs less than this; a quick bound, often far below the optimum."""
        from ._bounds import lower_bound

        return lower_bound(self.instance)

    @property
    def optimal(self) -> bool:
        """Whether the solution is proven to be optimal: it costs no more than :attr:`bound`."""
        return self.feasible and self.cost <= self.bound + 1e-9 * abs(self.cost)

    def __repr__(self) -> str:
        return f"Result({self.instance!r}, cost={self.cost!r}, stop={self.stop!r})"

    def __str__(self) -> str:
        return self.summary()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.solution)

    def __len__(self) -> int:
        return len(self.indices)

    def summary(self) -> str:
        """A few lines for people."""
        n = len(self.instance)
        value = f"{self.instance.objective} {self.value:.10g}"
        lines = [f"{self.instance.problem} '{self.instance.name}' with {n} {'cities' if self.instance.problem == 'tsp' else 'nodes'}"]
        if self.gap is not None:
            value += f", gap {100 * self.gap:.3f} %"
        if self.optimal:
            value += ", optimal"
        lines.append(f"  {value}")
        work = [f"{self.steps} steps by {self.model}"] if self.steps else []
        work += [f"{self.kicks} kicks"] if self.kicks else []
        lines.append(f"  {', '.join(work) or 'greedy'}; {self.seconds:.2f} s on {self.engine}; stopped by {self.stop}; seed {self.seed}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The keys of ``moco solve --json``, with plain Python values."""
        known: dict[str, Any] = {
            "instance": self.instance.name,
            "problem": self.instance.problem,
            "n": len(self.instance),
            "cost": self.cost,
        }
        if self.instance.problem != "tsp":
            known["size"] = len(self.indices)
            if self.instance.objective != "size":
                known[self.instance.objective] = self.value
        known |= {
            "feasible": self.feasible,
            "solution": [item.item() if isinstance(item, np.generic) else item for item in self.solution],
            "steps": self.steps,
            "restarts": self.restarts,
            "samples": self.samples,
            "kicks": self.kicks,
            "seconds": self.seconds,
            "stop": self.stop,
            "seed": self.seed,
            "engine": self.engine,
            "model": self.model,
        }
        if self.local_search:
            known["local_search"] = self.local_search
        if self.instance.reference_cost is not None:
            known["reference_cost"] = self.instance.reference_cost
        return known

    def to_json(self, **options: Any) -> str:
        """One JSON object; labels that JSON does not know become strings. ``options`` go to :func:`json.dumps`."""
        return json.dumps(self.to_dict(), default=str, **options)

    def svg(self) -> str:
        """The picture of ``moco solve --plot``: the solution over the heatmap, if there is one."""
        heatmap = None if self.heatmap is None else (self.heatmap.tail, self.heatmap.head, self.heatmap.probability)
        caption = f"{self.instance.objective} {self.value:.10g} · n {len(self.instance)} · {self.seconds:.2f} s"
        return self.instance._core.svg(self.indices, heatmap, self.instance.name, caption)

    def save_picture(self, file: Any) -> None:
        """Writes the picture to a file ending in .svg."""
        if not str(file).endswith(".svg"):
            raise ArgumentError(f"'{file}': pictures are .svg; use plot() and matplotlib for other kinds")
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.svg())

    def plot(self, ax: Any = None) -> Any:
        """Draws the solution with matplotlib and returns the axes."""
        from ._plot import plot_result

        return plot_result(self, ax)

    def _repr_svg_(self) -> str | None:
        return self.svg() if len(self.instance) <= 5000 else None

    def _repr_html_(self) -> str:
        picture = self._repr_svg_()
        sized = ""
        if picture is not None:  # as an image: the names inside a picture would meet those of others on the page
            encoded = base64.b64encode(picture.encode()).decode()
            sized = f"<img alt='the solution' style='max-width:420px' src='data:image/svg+xml;base64,{encoded}'/>"
        rows = [(self.instance.objective, f"{self.value:.10g}"), ("n", str(len(self.instance)))]
        rows += [("gap", f"{100 * self.gap:.3f} %")] if self.gap is not None else []
        rows += [("seconds", f"{self.seconds:.2f}"), ("stopped by", self.stop), ("model", self.model)]
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>" for k, v in rows)
        return f"<div style='display:flex;gap:1em;align-items:flex-start'><table>{cells}</table>{sized}</div>"
