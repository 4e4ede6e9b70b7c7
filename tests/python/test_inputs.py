"""Arguments that cannot be used are told before any work, as the exceptions that Python has for such."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import moco

BAD_TOURS = [
    (np.zeros((4, 5)), ValueError, r"shape \(n, 2\).*\(4, 5\)"),
    (np.zeros(4), ValueError, r"\(4,\)"),
    (np.zeros((3, 3)), ValueError, "euc_3d"),
    ([[0, 0], [1, float("nan")]], ValueError, "city 1.*not finite"),
    ([[0, 0], [1, float("inf")]], ValueError, "city 1"),
    ([["a", "b"]], TypeError, "numbers are needed"),
    (np.zeros((0, 2)), ValueError, "1 … 2147483647 cities, not 0"),
    (nx.path_graph(3), ValueError, "no 'weight'"),
    (None, TypeError, "coordinates or distances"),
    ([[0, 0], [1]], ValueError, "rows of different lengths"),
    ("x.tsp", TypeError, "moco.read"),
]


@pytest.mark.parametrize("xy, kind, words", BAD_TOURS)
def test_tours(xy: object, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        moco.tsp(xy)
    assert isinstance(caught.value, moco.Error)


BAD_DISTANCES = [
    (np.zeros((2, 3)), ValueError, "square"),
    ([[0, np.nan], [1, 0]], ValueError, "from 0 to 1 is not a number"),
    ([["0", "x"]], TypeError, "numbers"),
]


@pytest.mark.parametrize("distances, kind, words", BAD_DISTANCES)
def test_distances(distances: object, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        moco.tsp(distances=distances)


BAD_GRAPHS = [
    ([[0, -1]], ValueError, r"edge 0 is \(0, -1\): nodes are not negative"),
    ((np.array([0, 1, 2]), np.array([1, 5])), ValueError, r"edge 1 is \(1, 5\): nodes are 0 … 1"),
    (sp.csr_array(np.array([[0, np.nan], [np.nan, 0]])), ValueError, "from 0 to 1 is not a number"),
    ("x.graph", TypeError, "moco.read"),
    ({0: [1], 1: [0]}, TypeError, "networkx"),
    ([[0, 1], [2]], ValueError, "rows of different lengths"),
    ([[0, 1], [2, 2]], ValueError, "node 2 has an edge to itself"),
    ([[0.0, 1.0]], TypeError, "whole numbers are needed, not float64"),
    ([[0, 1, 2]], ValueError, r"shape \(m, 2\)"),
    ([[0, 2**40]], ValueError, "beyond 2147483647"),
    (nx.DiGraph([(0, 1)]), TypeError, "to_undirected"),
    (nx.Graph([("a", "a")]), ValueError, "node 'a' has an edge to itself"),
    (sp.csr_array(np.ones((2, 3))), ValueError, "square"),
    (sp.csr_array(np.eye(3)), ValueError, "itself"),
    ((np.array([0, 2]), np.array([1])), ValueError, "from 0 to 2"),
    ((np.array([0, 2, 1]), np.array([1])), ValueError, "grows"),
]


@pytest.mark.parametrize("graph, kind, words", BAD_GRAPHS)
def test_graphs(graph: object, kind: type[Exception], words: str) -> None:
    for solve in (moco.mis, moco.vertex_cover, moco.clique):
        with pytest.raises(kind, match=words) as caught:
            solve(graph)
        assert isinstance(caught.value, moco.Error)


BAD_WEIGHTS = [
    ([1, 2], ValueError, r"\(3,\), one per node, not \(2,\)"),
    ([1, -2, 3], ValueError, "node 1 is -2.0"),
    ([1, float("nan"), 3], ValueError, "node 1 is nan"),
    ({0: 1.0, 2: 3.0}, ValueError, "node 1 has no weight"),
    ("w", TypeError, "networkx"),
    (["x", "y", "z"], TypeError, "numbers"),
]


@pytest.mark.parametrize("weights, kind, words", BAD_WEIGHTS)
def test_weights(weights: object, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        moco.mis([[0, 1], [1, 2]], weights=weights)


BAD_OPTIONS = [
    ({"stps": 3}, TypeError, "no option 'stps'"),
    ({"steps": 2**40}, ValueError, "steps cannot be 1099511627776"),
    ({"seed": 2**70}, ValueError, "seed cannot be"),
    ({"threads": -1}, ValueError, "threads -1 is negative"),
    ({"kicks": -1}, ValueError, "kicks -1 is negative"),
    ({"batch": -1}, ValueError, "batch -1 is negative"),
    ({"no_improvement": -1}, ValueError, "no_improvement -1 is negative"),
    ({"move_limit": -1}, ValueError, "move_limit -1 is negative"),
    ({"time_limit": float("nan")}, ValueError, "time_limit is not a number"),
    ({"model": 5}, TypeError, "a model is .* not int"),
    ({"on_incumbent": 5}, TypeError, "on_incumbent is a function, not int"),
    ({"on_progress": "x"}, TypeError, "on_progress is a function, not str"),
    ({"steps": 2.5}, TypeError, "steps is int"),
    ({"steps": "many"}, TypeError, "steps is int"),
    ({"steps": True}, TypeError, "steps is a number"),
    ({"time_limit": -1}, ValueError, "negative"),
    ({"seed": -1}, ValueError, "negative"),
    ({"samples": 0}, ValueError, "samples 0 is not at least 1"),
    ({"local_search": "magic"}, ValueError, "magic"),
    ({"model": "no-such-model"}, ValueError, "no-such-model"),
    ({"device": "tpu"}, ValueError, "auto, cpu, cuda"),
    ({"neighbours": 0}, ValueError, "neighbours"),
    ({"gradient": "uphill"}, ValueError, "total, causal"),
    ({"stop": 5}, TypeError, "stop rule"),
    ({"learning_rate": 0.1, "model": "tsp100"}, ValueError, "adam"),
    ({"evaporation": 2, "model": "ants"}, ValueError, "evaporation 2 is not in"),
]


@pytest.mark.parametrize("options, kind, words", BAD_OPTIONS)
def test_options(options: dict[str, object], kind: type[Exception], words: str, xy: np.ndarray) -> None:
    with pytest.raises(kind, match=words) as caught:
        moco.tsp(xy, **options)
    assert isinstance(caught.value, moco.Error)


def test_rules_refuse_nonsense() -> None:
    for make, kind in ((lambda: moco.stop.MaxRuntime(-1), ValueError), (lambda: moco.stop.MaxIterations(1.5), TypeError)):  # type: ignore[arg-type]
        with pytest.raises(kind):
            make()


def test_rules_take_numbers_of_numpy() -> None:
    assert moco.stop.NoImprovement(np.int64(5)).value == 5  # type: ignore[arg-type]
    assert moco.stop.MaxRuntime(np.float32(0.5)).value == 0.5
    assert type(moco.stop.MaxIterations(np.int32(3)).value) is int  # type: ignore[arg-type]


BAD_CALLS = [
    ("moco.mis([[0, 1]], nodes=2.5)", TypeError, "nodes is int, not 2.5"),
    ("moco.stream(5)", TypeError, "one moco.Instance, not int"),
    ("moco.stream(instance, stps=1)", TypeError, "no option 'stps'"),
    ("moco.generate('tsp', nodes=10.5)", TypeError, "nodes is int, not 10.5"),
    ("moco.generate('tsp', seed=-1)", ValueError, "seed -1 is negative"),
    ("moco.Search(instance, samples=2.5)", TypeError, "samples is int, not 2.5"),
    ("moco.Search(instance, samples='a')", TypeError, "samples is int, not 'a'"),
    ("moco.Search(instance, seed=-1)", ValueError, "seed -1 is negative"),
    ("moco.Search(instance, threads=-1)", ValueError, "threads -1 is negative"),
    ("moco.Search(instance, model=5)", TypeError, "a model is .* not int"),
    ("moco.Search(instance).update('x')", TypeError, "θ: numbers are needed"),
    ("moco.Model.random('tsp', hidden=3.5)", ValueError, "hidden cannot be 3.5"),
    ("moco.evaluate('adam', instance, (1, 5, 2))", ValueError, "a setting is .* not 1"),
    ("moco.evaluate(5, instance)", TypeError, "a model is .* not int"),
    ("moco.train('no-such-file.toml')", OSError, "cannot read 'no-such-file.toml'"),
    ("moco.train(problem='tsp', resume=True)", ValueError, "folder"),
    ("moco.write_solutions('x.tour', 5)", TypeError, "results are .* not int"),
]


@pytest.mark.parametrize("call, kind, words", BAD_CALLS, ids=[call for call, _, _ in BAD_CALLS])
def test_other_calls(call: str, kind: type[Exception], words: str) -> None:
    instance = moco.generate("tsp", nodes=8)[0]
    with pytest.raises(kind, match=words) as caught:
        eval(call, {"moco": moco, "instance": instance})
    assert isinstance(caught.value, moco.Error)


def test_instances_are_not_mixed(xy: np.ndarray) -> None:
    with pytest.raises(ValueError, match="one problem at a time"):
        moco.solve([moco.Instance.tour(xy), moco.Instance.graph([[0, 1]])])
    with pytest.raises(TypeError, match="moco.tsp"):
        moco.solve(xy)
    with pytest.raises(ValueError, match="no instances"):
        moco.solve([])


def test_arrays_are_shared_and_not_copied() -> None:
    xy = np.random.default_rng(1).random((1000, 2))
    assert np.shares_memory(moco.Instance.tour(xy).points, xy)
    distances = np.random.default_rng(1).random((50, 50))
    assert np.shares_memory(moco.Instance.tour(distances=distances).distances, distances)
    assert not moco.Instance.tour(xy).points.flags.writeable


@pytest.mark.parametrize("make", [lambda a: a.astype(np.float32), lambda a: np.asfortranarray(a), lambda a: a.tolist(), lambda a: np.repeat(a, 2, axis=0)[::2]])
def test_other_layouts_give_the_same(make: object, xy: np.ndarray) -> None:
    single = xy.astype(np.float32).astype(np.float64)
    assert moco.tsp(make(single), kicks=200).cost == moco.tsp(single, kicks=200).cost  # type: ignore[operator]


def test_shared_memory_outlives_its_names() -> None:
    instance = moco.Instance.tour(np.random.default_rng(1).random((500, 2)))
    points = instance.points
    before = points.copy()
    del instance
    junk = [np.zeros((500, 2)) for _ in range(50)]
    assert np.array_equal(points, before) and len(junk) == 50


@settings(max_examples=40)
@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 12), st.just(2)), elements=st.floats(-1e6, 1e6)))
def test_any_cities_give_a_tour(xy: np.ndarray) -> None:
    r = moco.tsp(xy, kicks=64, threads=1)
    assert sorted(r.solution) == list(range(len(xy)))
    assert r.instance.check(r.solution).cost == r.cost
    assert r.bound <= r.cost * (1 + 1e-9) + 1e-9


@settings(max_examples=40)
@given(st.integers(1, 14).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40))), st.booleans())
def test_any_graph_gives_sets_within_bounds(drawn: tuple[int, list[tuple[int, int]]], weighted: bool) -> None:
    nodes, pairs = drawn
    edges = np.array([pair for pair in pairs if pair[0] != pair[1]], dtype=np.int64).reshape(-1, 2)
    weights = np.arange(1, nodes + 1) % 5 if weighted else None
    total = nodes if weights is None else weights.sum()
    free = moco.mis(edges, nodes=nodes, weights=weights, kicks=64, threads=1)
    cover = moco.vertex_cover(edges, nodes=nodes, weights=weights, kicks=64, threads=1)
    clique = moco.clique(edges, nodes=nodes, weights=weights, kicks=64, threads=1)
    for r in (free, cover, clique):
        assert r.feasible and r.bound <= r.cost + 1e-9
    assert free.value + cover.value == pytest.approx(total)


@settings(max_examples=60)
@given(hnp.arrays(st.sampled_from([np.int8, np.int64, np.uint32, np.float32, np.complex64, "U3"]), hnp.array_shapes(max_dims=3, max_side=4)))
def test_any_array_gives_a_result_or_an_error_of_moco(array: np.ndarray) -> None:
    for solve in (moco.tsp, moco.mis):
        try:
            solve(array, kicks=1, threads=1)
        except moco.Error as error:
            assert isinstance(error, (ValueError, TypeError)) and str(error)


BAD_FIXED_EDGES = [
    ([(0, 1), (1, 2), (2, 0)], ValueError, "closes a circle"),
    ([(0, 1), (0, 2), (0, 3)], ValueError, "third at city 0"),
    ([(0, 9)], ValueError, "9"),
    ([(0, 0)], ValueError, "no edge between two"),
    ([(0, 1, 2)], ValueError, "is no pair"),
    ([0, 1], TypeError, "pairs of cities"),
    ("01", TypeError, "files are read"),
]


@pytest.mark.parametrize("fixed, kind, words", BAD_FIXED_EDGES)
def test_fixed_edges_that_no_tour_has(fixed: object, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        moco.tsp([[0, 0], [1, 1], [1, 0], [0, 1]], fixed_edges=fixed)
    assert isinstance(caught.value, moco.Error)


def test_fixed_edges_are_part_of_the_tour() -> None:
    rng = np.random.default_rng(4)
    xy = rng.random((40, 2))
    fixed = np.array([[3, 30], [30, 12], [5, 6]])
    instance = moco.Instance.tour(xy, fixed_edges=fixed)
    assert instance.fixed_edges.tolist() == [[3, 30], [5, 6], [12, 30]]
    tour = moco.solve(instance, kicks=500).solution.tolist()
    sides = {frozenset(pair) for pair in zip(tour, tour[1:] + tour[:1])}
    assert all(frozenset(pair) in sides for pair in fixed.tolist())
    assert not instance.check(sorted(range(40), key=lambda city: xy[city, 0])).feasible
    named = nx.complete_graph(["a", "b", "c", "d"])
    for one, other, data in named.edges(data=True):
        data["weight"] = 2 if (one, other) in [("a", "c"), ("b", "d")] else 1
    order = moco.tsp(named, fixed_edges=[("a", "c")]).solution
    assert abs(order.index("a") - order.index("c")) in (1, 3)
