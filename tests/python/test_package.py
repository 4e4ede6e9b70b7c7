"""The package as it is shipped: its types, its wheel in a clean environment, its public names."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import moco
import moco._core

from conftest import SOURCE, python


def test_public_names_exist_and_are_documented() -> None:
    for name in moco.__all__:
        thing = getattr(moco, name)
        assert thing.__doc__, f"moco.{name} has no docstring"


def test_stubs_name_what_the_compiled_module_has() -> None:
    stub = ast.parse((Path(moco.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))
    named = {node.name for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    there = {name for name in vars(moco._core) if not name.startswith("_")}
    assert named == there
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            methods = {child.name for child in node.body if isinstance(child, ast.FunctionDef)} - {"__init__", "__len__"}
            assert methods == {name for name in vars(getattr(moco._core, node.name)) if not name.startswith("_")}, node.name


def test_types_agree(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    package = Path(moco.__file__).parent
    done = python("-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path), str(package), cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    (tmp_path / "use.py").write_text(
        "import moco\nr: moco.Result = moco.solve(moco.generate('tsp')[0])\ncost: float = r.cost\nwrong: str = r.cost\n"
    )
    environment = {**os.environ, "MYPYPATH": str(package.parent)}
    done = python("-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path), "use.py", cwd=tmp_path, env=environment)
    assert "use.py:4: error" in done.stdout and "Found 1 error" in done.stdout, "users see the types"


def test_the_wheel_stands_alone(tmp_path: Path) -> None:
    """Made of the package under test: what is built from source is the same, after minutes."""
    package = Path(moco.__file__).parent.parent
    made = python("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--config-settings", f"package={package}", "-w", str(tmp_path), str(SOURCE))
    if "No module named pip" in made.stderr:
        pytest.skip("pip is not installed")
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("moco-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"moco/py.typed", "moco/_core.pyi", "moco/models/manifest.toml", "moco/models/tsp100.safetensors"} <= set(names)
    assert not any("__pycache__" in name for name in names)
    environment = tmp_path / "environment"
    assert python("-m", "venv", "--without-pip", "--system-site-packages", str(environment)).returncode == 0
    interpreter = str(environment / "bin" / "python")
    plain = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "MOCO_MODELS")}
    installed = python("-m", "pip", "--python", interpreter, "install", "--quiet", "--no-deps", "--no-index", str(wheel), env=plain)
    assert installed.returncode == 0, installed.stderr
    program = "import moco; print(moco.__file__); print(moco.tsp([[0, 0], [1, 1], [1, 0], [0, 1]], model='tsp100', kicks=0, steps=2).cost)"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run([interpreter, "-c", program], capture_output=True, text=True, cwd=elsewhere, env=plain, check=True)
    file, cost = done.stdout.split()
    assert file.startswith(str(environment)) and cost == "4.0"
    assert sys.executable != interpreter
