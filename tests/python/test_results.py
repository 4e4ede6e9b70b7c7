"""Results as text, JSON and pictures."""

from __future__ import annotations

import base64
import json
import xml.dom.minidom
from pathlib import Path

import matplotlib
import networkx as nx
import numpy as np
import pytest

import moco

matplotlib.use("Agg")


@pytest.fixture(params=["tsp", "mis"])
def result(request: pytest.FixtureRequest, xy: np.ndarray) -> moco.Result:
    if request.param == "tsp":
        return moco.tsp(xy, steps=2, samples=4, kicks=100, heatmap=True)
    return moco.mis(nx.karate_club_graph(), kicks=100)


def test_summary_names_problem_size_and_result(result: moco.Result) -> None:
    text = result.summary()
    assert result.instance.problem in text
    assert f"{result.value:.10g}" in text
    assert str(len(result.instance)) in text


def test_printed_and_shown_they_are_short(result: moco.Result) -> None:
    assert str(result) == result.summary()
    assert repr(result) == f"Result({result.instance!r}, cost={result.cost!r}, stop='kicks')"
    incumbents: list[moco.Incumbent] = []
    moco.solve(result.instance, kicks=10, on_incumbent=incumbents.append)
    assert repr(incumbents[-1]).startswith(f"Incumbent({result.instance!r}, cost={incumbents[-1].cost!r}, seconds=")


def test_json_has_the_keys_of_the_command_line(result: moco.Result) -> None:
    known = json.loads(result.to_json())
    assert known["cost"] == result.cost
    assert known["solution"] == [int(i) for i in result.indices]
    assert {"instance", "problem", "n", "feasible", "seconds", "stop", "seed", "engine", "model"} <= known.keys()


def test_pictures_are_svg(result: moco.Result, tmp_path: Path) -> None:
    document = xml.dom.minidom.parseString(result._repr_svg_() or "")
    assert document.documentElement.tagName == "svg"
    page = xml.dom.minidom.parseString(result._repr_html_())
    (image,) = page.getElementsByTagName("img")
    assert base64.b64decode(image.getAttribute("src").split(",")[1]).decode() == result.svg()
    assert len(page.getElementsByTagName("table")) == 1
    result.save_picture(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text() == result.svg()
    with pytest.raises(moco.ArgumentError, match="svg"):
        result.save_picture("x.png")


def test_plot_draws_on_the_axes_given(result: moco.Result) -> None:
    from matplotlib import pyplot as plt

    _, ax = plt.subplots()
    assert result.plot(ax) is ax
    assert result.plot() is not ax
    plt.close("all")


def test_names_with_markup_stay_text() -> None:
    instance = moco.Instance.tour([[0, 0], [1, 0], [1, 1]], name="<b>&")
    assert "<b>" not in moco.solve(instance).svg()
