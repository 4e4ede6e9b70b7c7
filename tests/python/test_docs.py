"""The Python of the documentation runs as it stands, page by page, and the site builds without a warning."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

import moco

from conftest import SOURCE, python

PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md"))]


def blocks(page: Path) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("page", [page for page in PAGES if "import moco" in blocks(page)], ids=lambda page: page.stem)
def test_page(page: Path, tmp_path: Path) -> None:
    done = python("-c", blocks(page), cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_tutorials_are_there() -> None:
    names = {page.stem for page in (SOURCE / "docs" / "tutorials").glob("*.md")}
    assert {"tours", "sets", "training", "new-problem", "new-update-rule", "benchmark"} == names
    index = (SOURCE / "docs" / "index.md").read_text(encoding="utf-8")
    assert all(f"tutorials/{name}" in index for name in names)


def test_every_public_name_is_in_the_reference() -> None:
    reference = (SOURCE / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in moco.__all__ if not re.search(rf":: (moco\.)?{name}$", reference, re.MULTILINE)] == []


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    for needed in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(needed)
    shutil.copytree(SOURCE / "docs", tmp_path / "docs")
    command = ["-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs/site", "docs", "site"]
    done = python(*command, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": "0"})
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "api.html").exists()
