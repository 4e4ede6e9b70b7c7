"""The loop from outside: the same as the built-in one, with names for what it shows."""

from __future__ import annotations

import numpy as np
import pytest

import moco


def steps(search: moco.SearchBatch, count: int) -> None:
    for step in range(count):
        search.sample()
        if step + 1 < count:
            search.update()


@pytest.mark.parametrize("problem", ["tsp", "mis", "vertex-cover"])
@pytest.mark.parametrize("model", ["auto", "adam"])
def test_the_built_in_rule_gives_what_solve_gives(problem: str, model: str) -> None:
    instance = moco.generate(problem, nodes=40, seed=2)[0]
    search = moco.Search(instance, model=model, samples=8, steps=6, seed=5)
    steps(search, 6)
    expected = moco.solve(instance, model=model, samples=8, steps=6, seed=5, local_search="none", episode_steps=0)
    assert search.best.cost == expected.cost
    assert np.array_equal(search.best.indices, expected.indices)


@pytest.mark.parametrize("problem", ["tsp", "mis"])
def test_samples_may_change_one_good_solution(problem: str) -> None:
    instance = moco.generate(problem, nodes=60, seed=2)[0]
    options = dict(model="adam", samples=8, steps=6, seed=5, rebuild=8)
    search = moco.Search(instance, **options)
    steps(search, 6)
    expected = moco.solve(instance, local_search="none", episode_steps=0, **options)
    assert search.best.cost == expected.cost
    with pytest.raises(moco.ArgumentError, match="rebuild"):
        moco.solve(instance, rebuild=-1, steps=2)


def test_theta_from_outside_is_the_models_when_it_says_the_same() -> None:
    instance = moco.generate("tsp", nodes=30, seed=1)[0]
    options = dict(model="tsp100", samples=8, steps=5)
    own, other = moco.Search(instance, **options), moco.Search(instance, **options)
    for _ in range(5):
        own.sample()
        other.sample()
        own.update()
        other.update(own.theta)
        assert np.array_equal(own.theta, other.theta)
    assert own.best.cost == other.best.cost


def test_features_have_names() -> None:
    instance = moco.generate("tsp", nodes=20, seed=1)[0]
    search = moco.Search(instance, model="tsp100", samples=8, steps=5, neighbours=6)
    search.sample()
    features, graph = search.features(), search.graph
    assert repr(features).startswith("Features(variables (") and len(repr(features)) < 120
    assert features.variables.shape == (120, 41) and features.globals.shape == (45,)
    assert features.nodes.sum() == 1 and features.nodes[graph.start, 0] == 1
    assert np.array_equal(features["theta"], search.theta)
    assert np.allclose(features["gradient"], search.gradient)
    points = instance.points
    assert points is not None
    lengths = np.hypot(*(points[graph.tail] - points[graph.head]).T)
    assert np.allclose(features["distance"], lengths / graph.scale, atol=1e-6)
    best = search.elite[0][1]
    passed = set(zip(best.tolist(), np.roll(best, -1).tolist()))
    shown = {(a, b) for a, b, on in zip(graph.tail.tolist(), graph.head.tolist(), features["elite_1"]) if on}
    assert shown <= passed | {(b, a) for a, b in passed}
    assert features["spent"] == 0 and features["gap_1"] == 0
    with pytest.raises(KeyError):
        features["colour"]


def test_elite_samples_and_gradient() -> None:
    graph = moco.generate("mis", nodes=30, seed=1)[0]
    search = moco.Search(graph, samples=16, steps=5)
    search.sample()
    assert len(search.samples) == len(search.costs) == 16
    assert all(graph.check(sample).cost == cost for sample, cost in zip(search.samples, search.costs))
    costs = [cost for cost, _ in search.elite]
    assert costs == sorted(costs) and costs[0] == search.costs.min() == search.best.cost
    assert search.gradient.shape == (30,) and search.gradient.any()
    assert np.array_equal(search.graph.head, graph.adjacency)


def test_descent_on_the_gradient_finds_better_samples() -> None:
    search = moco.Search(moco.generate("tsp", nodes=30, seed=3)[0], samples=64, steps=40)
    means = []
    for _ in range(40):
        search.sample()
        means.append(search.costs.mean())
        search.update(search.theta - 300 * search.gradient)
    assert np.mean(means[-5:]) < 0.9 * means[0]


def test_batches_step_together() -> None:
    instances = moco.generate("tsp", nodes=20, count=3, seed=1)
    batch = moco.SearchBatch(instances, restarts=2, samples=4, steps=4, model="tsp100")
    assert len(batch) == 6 and [view.instance for view in batch] == [i for i in instances for _ in range(2)]
    steps(batch, 4)
    for i, instance in enumerate(instances):
        expected = moco.solve(instances, restarts=2, samples=4, steps=4, model="tsp100", local_search="none", episode_steps=0)[i]
        assert min(batch[2 * i].best.cost, batch[2 * i + 1].best.cost) == expected.cost
    batch.update([view.theta for view in batch])
    with pytest.raises(ValueError, match="1 arrays of θ for 6 searches"):
        batch.update([batch[0].theta])


def test_restart_and_change_of_model() -> None:
    search = moco.Search(moco.generate("tsp", nodes=25, seed=1)[0], model="tsp100", samples=4, steps=9)
    steps(search, 4)
    first = search.theta
    search.update(moco.Model("adam"))
    assert search.model.config["rule"] == "adam" and not np.array_equal(search.theta, first)
    search.restart()
    assert search.model.name == "tsp100"
    steps(search, 4)
    assert np.array_equal(search.theta, first)


def test_misuse_is_told() -> None:
    instance = moco.generate("tsp", nodes=10, seed=1)[0]
    search = moco.Search(instance, neighbours=5)
    with pytest.raises(ValueError, match="sample"):
        search.features()
    with pytest.raises(ValueError, match="sample"):
        search.update()
    search.sample()
    with pytest.raises(ValueError, match="3 values of θ for 50 variables"):
        search.update(np.zeros(3))
    with pytest.raises(ValueError, match=r"θ\[7\] is not a number"):
        search.update(np.where(np.arange(50) == 7, np.nan, 0.0))
    with pytest.raises(ValueError, match="no option 'kicks'"):
        moco.Search(instance, kicks=3)
    with pytest.raises(ValueError, match="SearchBatch"):
        moco.Search(instance, restarts=2)
    with pytest.raises(ValueError, match="the model is for mis"):
        moco.Search(instance, model="mis-er")
    with pytest.raises(ValueError, match="at least 1"):
        moco.Search(instance, samples=0)
