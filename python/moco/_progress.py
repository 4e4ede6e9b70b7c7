"""How far a search is, and the line that shows it."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any, Sequence


@dataclass(frozen=True)
class Progress:
    """A moment of a search, as stop rules and progress lines see it."""

    instance: int  #: index among the instances given
    phase: str  #: "search": steps by the model; "kicks"
    step: int  #: steps done
    steps: int  #: K; under a time limit without K about as many as there is time for
    spent: float  #: share of the kicks' budget, 0 … 1
    cost: float  #: of the best solution so far
    mean: float  #: mean cost of the step's samples
    entropy: float  #: of the policy's first choices, in nats
    seconds: float  #: since the search of the instance began


def in_notebook() -> bool:
    """Whether this runs in a Jupyter kernel."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


class ProgressLine:
    """One line, rewritten: on a terminal's standard error, or as the output of a notebook's cell.

    It appears only after half a second, so that short searches stay silent.
    """

    def __init__(self, names: Sequence[str], time_limit: float | None, signs: Sequence[float]) -> None:
        self._names = names
        self._limit = time_limit
        self._signs = signs
        self._begin = time.monotonic()
        self._display: Any = None
        self._shown = False

    @staticmethod
    def wanted() -> bool:
        return in_notebook() or sys.stderr.isatty()

    def __call__(self, progress: Progress) -> None:
        if time.monotonic() - self._begin >= 0.5:
            self._show(self.text(progress))

    def text(self, progress: Progress) -> str:
        name = self._names[progress.instance]
        if len(self._names) > 1:
            name = f"[{progress.instance + 1}/{len(self._names)}] {name}"
        done = progress.spent if progress.phase == "kicks" else progress.step / max(progress.steps, 1)
        if self._limit is not None:
            done = max(done if progress.phase == "kicks" else 0.0, progress.seconds / self._limit)
        done = min(done, 1.0)
        filled = int(24 * done)
        bar = "█" * filled + "░" * (24 - filled)
        return f"{name} {bar} {100 * done:3.0f} %  best {self._signs[progress.instance] * progress.cost:.6g}  {progress.seconds:.1f} s"

    def _show(self, text: str) -> None:
        if in_notebook():
            from IPython.display import Pretty, display  # type: ignore[import-not-found]

            if self._display is None:
                self._display = display(Pretty(text), display_id=True)
            else:
                self._display.update(Pretty(text))
        else:
            sys.stderr.write(f"\r{text}\033[K")
            sys.stderr.flush()
        self._shown = True

    def close(self) -> None:
        if self._shown and self._display is None:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
