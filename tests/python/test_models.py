"""Models, training, evaluation and files."""

from __future__ import annotations

import gc
import xml.dom.minidom
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import moco

TOY = dict(
    problem="tsp",
    steps=4,
    model={"hidden": 8, "blocks": 1},
    data={"nodes": [10]},
    es={"pairs": 2},
    search={"steps": 3, "samples": 4},
    optimizer={"warmup": 0},
    validation={"every": 2, "instances": 2},
)


def test_weights_round_trip(tmp_path: Path) -> None:
    model = moco.Model.random("tsp", hidden=8, blocks=1, seed=3)
    model.save(tmp_path / "m.safetensors")
    again = moco.Model.load(tmp_path / "m.safetensors")
    assert again.config == model.config
    assert all(np.array_equal(again.weights[name], values) for name, values in model.weights.items())
    rebuilt = moco.Model.from_weights(model.config, model.weights)
    assert all(np.array_equal(rebuilt.weights[name], values) for name, values in model.weights.items())
    changed = model.with_weights(**{"init.edge_decoder.b": np.array([[2.5]])})
    assert changed.weights["init.edge_decoder.b"][0, 0] == 2.5
    assert not model.weights["init.edge_decoder.b"].flags.writeable


def test_models_made_by_hand_can_solve() -> None:
    instance = moco.generate("tsp", nodes=20)[0]
    model = moco.Model.random("tsp", hidden=8, blocks=1)
    r = moco.solve(instance, model=model, steps=3, kicks=0)
    assert r.feasible and r.model == ""


def test_bad_models(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no-such"):
        moco.Model("no-such")
    with pytest.raises(OSError, match="No such file"):
        moco.Model.load(tmp_path / "missing.safetensors")
    (tmp_path / "bad.safetensors").write_bytes(b"nonsense")
    with pytest.raises(moco.InputError, match="bad.safetensors"):
        moco.Model.load(tmp_path / "bad.safetensors")
    with pytest.raises(ValueError, match="missing|tensors"):
        moco.Model.from_weights({"family": "tsp", "hidden": 8}, {})
    with pytest.raises(ValueError, match="colour"):
        moco.Model.random("tsp", colour=3)


def test_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = moco.train(folder=tmp_path / "whole", **TOY)
    assert (whole.end, whole.step) == ("finished", 4)
    seen = []

    def two_steps(row: dict) -> bool:  # type: ignore[type-arg]
        seen.append(row)
        return row["step"] == 2

    part = moco.train(folder=tmp_path / "part", on_step=two_steps, **TOY)
    assert part.end == "signal" and part.step < 4
    assert {"step", "loss", "learning_rate", "seconds"} <= seen[1].keys()
    rest = moco.train(folder=tmp_path / "part", resume=True)
    assert rest.end == "finished"
    last = [moco.Model.load(tmp_path / run / "last.safetensors").weights for run in ("whole", "part")]
    assert all(np.array_equal(last[0][name], last[1][name]) for name in last[0])
    assert [int(row["step"]) for row in rest.metrics] == [int(row["step"]) for row in whole.metrics]
    assert rest.model.config["hidden"] == 8


def test_training_in_a_folder_of_its_own() -> None:
    run = moco.train(**TOY)
    assert (run.end, run.model.config["hidden"], len(run.metrics)) == ("finished", 8, 5)
    assert len(repr(run)) < 200
    folder = run.folder
    assert folder.is_dir()
    del run
    gc.collect()
    assert not folder.exists()


def test_training_by_a_file_and_keys(tmp_path: Path) -> None:
    (tmp_path / "toy.toml").write_text(moco.train(**{**TOY, "steps": 1}).config)
    seen: list[int] = []
    run = moco.train(tmp_path / "toy.toml", on_step=lambda row: seen.append(row["step"]), folder=tmp_path / "run", steps=2)
    assert (run.step, seen[-1]) == (2, 2)
    run = moco.train(tmp_path / "toy.toml", folder=tmp_path / "run", resume=True, steps=3)
    assert (run.end, run.step) == ("finished", 3)
    with pytest.raises(moco.OptionError, match="holds a run already"):
        moco.train(tmp_path / "toy.toml", folder=tmp_path / "run")


def test_training_refuses_nonsense(tmp_path: Path) -> None:
    for keys, words in (({}, "config, preset or problem"), ({"problem": "tsp", "es": {"pears": 3}}, "pears"), ({"problem": "tsp", "steps": -1}, "steps")):
        with pytest.raises(ValueError, match=words):
            moco.train(folder=tmp_path / "run", **keys)
    with pytest.raises(TypeError, match="numbers, words and lists"):
        moco.train(folder=tmp_path / "run", problem="tsp", steps=object())
    assert not (tmp_path / "run").exists()
    assert "tsp100" in moco.presets() and "steps" in moco.preset("tsp100")


def test_evaluation_is_ready_for_pandas() -> None:
    data = moco.generate("tsp", nodes=15, count=3)
    table = moco.evaluate("tsp100", data, [(1, 3, 4), (2, 3, 4)], references=[1.0, None, 2.0])
    frame = pd.DataFrame(table)
    assert list(frame["restarts"]) == [1, 2] and frame["gap"].notna().all()
    scores = pd.DataFrame(table.scores)
    assert len(scores) == 6 and scores["reference"].isna().sum() == 2
    assert frame["cost"][0] == pytest.approx(scores["cost"][:3].mean())
    assert table.to_pandas().equals(frame)
    shown = xml.dom.minidom.parseString(table._repr_html_())
    assert len(shown.getElementsByTagName("tr")) == 3 and "<td>tsp100</td>" in table._repr_html_()
    with pytest.raises(ValueError, match="2 references for 3 instances"):
        moco.evaluate("adam", data, references=[1.0, 2.0])
    with pytest.raises(ValueError, match="setting"):
        moco.evaluate("adam", data, [(0, 3, 4)])


def test_files(tmp_path: Path) -> None:
    tours = moco.generate("tsp", nodes=12, count=2)
    moco.write(tmp_path / "x.txt", tours)
    assert all(np.array_equal(a.points, b.points) for a, b in zip(moco.read(tmp_path / "x.txt"), tours))
    results = moco.solve(tours, kicks=10)
    moco.write_solutions(tmp_path / "s.json", results)
    assert [list(s) for s in moco.read_solutions(tmp_path / "s.json", tours)] == [list(r.solution) for r in results]
    assert moco.solve(str(tmp_path / "x.txt"), kicks=10)[0].cost == results[0].cost
    with pytest.raises(moco.InputError, match="bad.tsp"):
        (tmp_path / "bad.tsp").write_text("DIMENSION: x\n")
        moco.read(tmp_path / "bad.tsp")
    with pytest.raises(OSError):
        moco.read(tmp_path / "missing.tsp")


def test_repairs_are_warnings(tmp_path: Path) -> None:
    (tmp_path / "g.edges").write_text("0 1\n1 1\n1 2\n")
    with pytest.warns(UserWarning, match="self-loop"):
        graph = moco.read(tmp_path / "g.edges")[0]
    assert graph.number_of_edges == 2


def test_improve_and_check() -> None:
    instance = moco.generate("tsp", nodes=40)[0]
    start = np.arange(40)
    better, cost = moco.improve(instance, start)
    assert cost < instance.check(start).cost
    assert moco.check(instance, better).cost == cost
    assert not moco.check(instance, start[:-1])
    with pytest.raises(ValueError):
        moco.improve(instance, [0, 0])
