"""Every script of examples/python runs and draws its picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import SOURCE, python

FOLDER = SOURCE / "examples" / "python"
SHORT = {"update_rule": ["2"], "frontierco": ["0.5"]}


@pytest.mark.parametrize("script", sorted(file.stem for file in FOLDER.glob("*.py")))
def test_example(script: str, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    done = python(str(FOLDER / f"{script}.py"), str(picture), *SHORT.get(script, []), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_there_are_six_and_each_has_its_picture_in_the_docs() -> None:
    scripts = {file.stem for file in FOLDER.glob("*.py")}
    pictures = {file.stem.removeprefix("python-") for file in (SOURCE / "docs" / "images").glob("python-*.png")}
    assert len(scripts) == 6 and scripts == pictures
