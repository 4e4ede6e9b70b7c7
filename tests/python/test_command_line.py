"""The same seeds give the same costs as the command line, whatever is asked for."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import moco

CASES = [
    ("tsp", {"kicks": 500}, ["--kicks", "500"]),
    ("tsp", {"steps": 5, "samples": 8, "seed": 3}, ["-K", "5", "-b", "8", "--seed", "3"]),
    ("tsp", {"local_search": "none", "steps": 6, "restarts": 2}, ["--local-search", "none", "-K", "6", "-M", "2"]),
    ("tsp", {"model": "adam", "steps": 4, "kicks": 0, "neighbours": 9}, ["--model", "adam", "-K", "4", "--kicks", "0", "-k", "9"]),
    ("tsp", {"model": "ants", "steps": 4, "kicks": 0, "evaporation": 0.25}, ["--model", "ants", "-K", "4", "--kicks", "0", "--evaporation", "0.25"]),
    ("mis", {"model": "max-min", "steps": 4, "kicks": 0}, ["--model", "max-min", "-K", "4", "--kicks", "0"]),
    ("tsp", {"model": "auto", "kicks": 64, "samples": 4}, ["--model", "auto", "--kicks", "64", "-b", "4"]),
    ("tsp", {"neighbours": 7, "kicks": 200}, ["-k", "7", "--kicks", "200"]),
    ("mis", {"kicks": 300, "seed": 0}, ["--kicks", "300", "--seed", "0"]),
    ("mis", {"local_search": "none", "steps": 4, "elite": "distinct"}, ["--local-search", "none", "-K", "4", "--elite", "distinct"]),
    ("vertex-cover", {"steps": 3, "polish": "swap12", "kicks": 0}, ["-K", "3", "--polish", "swap12", "--kicks", "0"]),
    ("clique", {"kicks": 100}, ["--kicks", "100"]),
]


@pytest.mark.parametrize("problem, keywords, arguments", CASES)
def test_costs(problem: str, keywords: dict, arguments: list[str], command_line: str, tmp_path: Path) -> None:  # type: ignore[type-arg]
    instance = moco.generate(problem, nodes=60, seed=5)[0]
    file = tmp_path / ("x.npy" if problem == "tsp" else "x.graph")
    moco.write(file, instance)
    command = [command_line, "solve", str(file), "--problem", problem, "--json", "-", "--quiet", *arguments]
    expected = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    result = moco.solve(moco.read(file, problem=problem)[0], **keywords)
    assert result.cost == pytest.approx(expected["cost"], abs=0, rel=1e-15)
    assert list(result.indices) == [int(i) for i in expected["solution"]] or result.instance.labels[0] != 0
    for key in ("steps", "kicks", "model", "engine", "stop", "seed", "restarts", "samples"):
        assert getattr(result, key) == expected.get(key, 0), key


def test_generators(command_line: str, tmp_path: Path) -> None:
    for problem, name in (("tsp", "x.txt"), ("mis", "x.graph")):
        made = [command_line, "generate", problem, "-n", "30", "--seed", "4", "-o", str(tmp_path / name)]
        subprocess.run(made, check=True)
        moco.write(tmp_path / f"own-{name}", moco.generate(problem, nodes=30, seed=4))
        assert (tmp_path / name).read_bytes() == (tmp_path / f"own-{name}").read_bytes()


def test_models_are_those_of_the_command_line(command_line: str) -> None:
    listed = subprocess.run([command_line, "models", "--names"], check=True, capture_output=True, text=True)
    assert [entry["name"] for entry in moco.models()] == listed.stdout.split()


def test_evaluations(command_line: str, tmp_path: Path) -> None:
    moco.write(tmp_path / "x.txt", moco.generate("tsp", nodes=30, count=3))
    command = [command_line, "eval", str(tmp_path / "x.txt"), "-K", "5", "-b", "4", "--model", "tsp100", "--json", "-", "--quiet"]
    expected = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    row = moco.evaluate("tsp100", tmp_path / "x.txt", [(1, 5, 4)])[0]
    assert row["cost"] == pytest.approx(expected["cost"]["mean"])
