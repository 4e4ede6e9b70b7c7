"""What the tests of the Python package share. They run against the installed package, which PYTHONPATH points to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import hypothesis
import numpy as np
import pytest

hypothesis.settings.register_profile("same every time", derandomize=True, database=None, deadline=None)
hypothesis.settings.load_profile("same every time")

SOURCE = Path(__file__).resolve().parents[2]


@pytest.fixture
def xy() -> np.ndarray:
    return np.random.default_rng(7).random((60, 2))


@pytest.fixture
def command_line() -> str:
    program = os.environ.get("MOCO_BINARY", "")
    if not program:
        pytest.skip("MOCO_BINARY names no program to compare with")
    return program


def python(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Another interpreter with the same package."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload]
