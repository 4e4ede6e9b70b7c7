"""The short functions, solve() and stream(): what comes back, and that options do what they say."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import moco


def test_a_tour_visits_every_city_once(xy: np.ndarray) -> None:
    r = moco.tsp(xy, kicks=500)
    assert sorted(r.solution) == list(range(60))
    way = xy[r.solution]
    assert r.cost == pytest.approx(np.hypot(*(way - np.roll(way, -1, axis=0)).T).sum())
    assert (r.feasible, r.stop, r.kicks >= 500) == (True, "kicks", True)


def test_distances_need_not_be_symmetric() -> None:
    distances = np.full((5, 5), 10.0)
    for i in range(5):
        distances[i, (i + 1) % 5] = 1
    r = moco.tsp(distances=distances)
    assert r.cost == 5
    assert list(np.roll(r.solution, -list(r.solution).index(0))) == [0, 1, 2, 3, 4]
    assert r.optimal


def test_metrics_are_those_of_tsplib() -> None:
    degrees = [[16.47, 96.10], [16.47, 94.44], [20.09, 92.54], [22.39, 93.37]]
    assert moco.tsp(degrees, metric="geo").cost == moco.Instance.tour(degrees, metric="GEO").check([0, 1, 2, 3]).cost
    heights = np.array([[0, 0, 0], [0, 0, 4], [3, 0, 4], [3, 0, 0]])
    assert moco.tsp(heights, metric="euc_3d").cost == 14


@pytest.mark.parametrize("problem", ["mis", "vertex_cover", "clique"])
def test_every_kind_of_graph_gives_the_same(problem: str) -> None:
    graph = nx.gnp_random_graph(30, 0.3, seed=1)
    solve = getattr(moco, problem)
    csr = sp.csr_array(nx.to_scipy_sparse_array(graph, format="csr"))
    expected = solve(graph, kicks=300)
    edges = np.array(graph.edges)
    for given in (csr, csr.tocoo(), (csr.indptr, csr.indices), csr.toarray().astype(bool)):
        assert np.array_equal(solve(given, kicks=300).solution, expected.solution)
    assert solve(edges, nodes=30, kicks=300).cost == expected.cost
    chosen = set(expected.solution)
    inside = [(u in chosen) + (v in chosen) for u, v in graph.edges]
    assert {"mis": max(inside) < 2, "vertex_cover": min(inside) > 0, "clique": True}[problem]
    if problem == "clique":
        assert all(graph.has_edge(u, v) for u in chosen for v in chosen if u != v)


def test_labels_come_back_as_they_went_in() -> None:
    graph = nx.relabel_nodes(nx.path_graph(5), {0: "a", 1: ("b", 1), 2: 2.5, 3: frozenset("d"), 4: "e"})
    r = moco.mis(graph)
    assert set(r.solution) == {"a", 2.5, "e"}
    assert list(r.indices) == [0, 2, 4]
    assert r.instance.check(r.solution)
    assert json.loads(r.to_json())["size"] == 3
    complete = nx.complete_graph(["x", "y", "z", "w"])
    nx.set_edge_attributes(complete, 1.0, "km")
    assert sorted(moco.tsp(complete, weight="km").solution) == ["w", "x", "y", "z"]


@pytest.mark.parametrize("weights", [[1, 5, 1], {0: 1, 1: 5, 2: 1}, "w"])
def test_weights_of_nodes(weights: object) -> None:
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: 1, 1: 5, 2: 1}, "w")
    r = moco.mis(graph, weights=weights)
    assert (list(r.solution), r.value, r.cost, r.instance.objective) == ([1], 5, -5, "weight")


def test_many_at_once_are_a_list(xy: np.ndarray) -> None:
    together = moco.tsp(np.stack([xy, xy[::-1]]), steps=3, samples=4, kicks=0)
    alone = moco.tsp(xy, steps=3, samples=4, kicks=0)
    assert len(together) == 2
    assert together[0].cost == alone.cost
    for together in ([nx.path_graph(4), nx.path_graph(6)], (nx.path_graph(4), nx.path_graph(6))):
        assert [len(r) for r in moco.mis(together)] == [2, 3]


def test_all_that_can_be_asked_of_a_search_at_once(xy: np.ndarray) -> None:
    seen: list[moco.Incumbent] = []
    instances = [moco.Instance.tour(xy), moco.Instance.tour(xy[:30])]
    results = moco.solve(
        instances,
        stop=moco.stop.MaxRuntime(20) | moco.stop.NoImprovement(50),
        model="auto",
        local_search="auto",
        restarts=4,
        samples=8,
        steps=5,
        kicks=0,
        seed=0,
        initial=None,
        on_incumbent=seen.append,
        device="auto",
    )
    assert [r.stop for r in results] == ["steps", "steps"]
    assert {r.model for r in results} <= {entry["name"] for entry in moco.models()}
    for i, instance in enumerate(instances):
        costs = [s.cost for s in seen if s.instance is instance]
        assert costs == sorted(costs, reverse=True)
        assert costs[-1] == results[i].cost


def test_initial_solutions_are_never_made_worse(xy: np.ndarray) -> None:
    good = moco.tsp(xy, kicks=2000)
    for initial in (good, good.solution, list(good.solution)):
        assert moco.solve(good.instance, initial=initial, steps=1, samples=1, kicks=0).cost <= good.cost
    with pytest.raises(moco.OptionError, match="warm start"):
        moco.solve(good.instance, initial=[0, 0, 1])


def test_stop_rules(xy: np.ndarray) -> None:
    instance = moco.Instance.tour(xy)
    plain = dict(local_search="none", samples=4)
    assert moco.solve(instance, stop=moco.stop.MaxIterations(3), **plain).steps == 3
    assert moco.solve(instance, stop=moco.stop.Target(1e9), steps=50, **plain).stop == "target"
    r = moco.solve(instance, stop=moco.stop.MaxIterations(9) | (lambda p: p.step >= 4), **plain)
    assert (r.stop, r.steps) == ("condition", 4)
    assert moco.solve(instance, stop=lambda p: True, episode_steps=0, **plain).steps == 1
    assert moco.solve(instance, stop=moco.stop.NoImprovement(1), model="adam", steps=200, **plain).stop == "no-improvement"
    assert moco.mis(nx.empty_graph(10), stop=moco.stop.Target(10)).value == 10
    for either in (moco.stop.Target(1e9) | moco.stop.Target(1), moco.stop.Target(1) | moco.stop.Target(1e9)):
        assert moco.solve(instance, stop=either, steps=50, **plain).stop == "target"
    graph = nx.gnp_random_graph(50, 0.2, seed=1)
    assert moco.mis(graph, stop=moco.stop.Target(3) | moco.stop.Target(99), steps=50, **plain).stop == "target"


def test_the_strictest_of_equal_rules_counts(xy: np.ndarray) -> None:
    both = moco.stop.MaxIterations(5) | moco.stop.MaxIterations(2)
    assert moco.tsp(xy, stop=both, local_search="none", samples=2).steps == 2
    assert moco.tsp(xy, stop=both, steps=1, local_search="none", samples=2).steps == 1


def test_stream_yields_ever_better_solutions(xy: np.ndarray) -> None:
    instance = moco.Instance.tour(xy)
    incumbents = list(moco.stream(instance, kicks=3000))
    costs = [one.cost for one in incumbents]
    assert costs == sorted(set(costs), reverse=True)
    assert all(instance.check(one.solution).cost == one.cost for one in incumbents)
    assert costs[-1] == moco.solve(instance, kicks=3000).cost


def test_leaving_a_stream_ends_the_search(xy: np.ndarray) -> None:
    for incumbent in moco.stream(moco.Instance.tour(xy), time_limit=1000):
        assert incumbent.cost > 0
        break


def test_errors_of_a_stream_reach_the_loop(xy: np.ndarray) -> None:
    with pytest.raises(moco.OptionError, match="no-such-search"):
        list(moco.stream(moco.Instance.tour(xy), local_search="no-such-search"))


def test_exceptions_of_callbacks_end_the_search(xy: np.ndarray) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("enough")

    for functions in ({"on_incumbent": fail}, {"on_progress": fail}, {"stop": fail}):
        with pytest.raises(RuntimeError, match="enough"):
            moco.tsp(xy, time_limit=1000, **functions)  # type: ignore[arg-type]


def test_the_heatmap_is_a_distribution(xy: np.ndarray) -> None:
    r = moco.tsp(xy, steps=3, samples=4, kicks=0, heatmap=True)
    assert r.heatmap is not None
    matrix = r.heatmap.matrix(60)
    assert matrix.shape == (60, 60)
    assert np.allclose(matrix.sum(axis=1), 1, atol=1e-5)
    assert moco.tsp(xy, kicks=10).heatmap is None


def test_the_trace_has_a_row_per_step(xy: np.ndarray) -> None:
    r = moco.tsp(xy, steps=7, samples=4, local_search="none")
    assert list(r.trace.step) == [1, 2, 3, 4, 5, 6, 7]
    assert r.trace.cost[-1] == r.cost
    assert (np.diff(r.trace.cost) <= 0).all()
    assert set(dict(r.trace)) == {"step", "phase", "cost", "mean", "entropy", "seconds"}


def test_easy_cases_are_proven_optimal() -> None:
    assert moco.mis(nx.path_graph(7)).optimal
    assert moco.vertex_cover(nx.path_graph(7)).optimal
    assert moco.clique(nx.complete_graph(6)).optimal
    assert moco.tsp([[0, 0], [1, 0], [0, 1]]).optimal
    assert not moco.mis(nx.cycle_graph(5)).optimal, "the clique cover bound is 3"


def test_gaps_are_to_what_is_known(xy: np.ndarray) -> None:
    instance = moco.Instance.tour(xy)
    assert moco.solve(instance, kicks=10).gap is None
    instance.reference_cost = 1.0
    r = moco.solve(instance, kicks=10)
    assert r.gap == pytest.approx(r.cost - 1)
    assert "gap" in r.summary()
