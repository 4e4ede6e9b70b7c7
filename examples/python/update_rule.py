"""An update rule of one's own: a few weights in NumPy, trained by evolution strategies in pure Python.

moco samples tours, improves nothing, and shows the state of the search as named features. The rule below turns four of them
into the next θ; twelve weights say how, and how that changes while the budget is spent.

    python3 update_rule.py [PICTURE.png] [OUTER_STEPS]
"""

import sys
import time

import matplotlib.pyplot as plt
import numpy as np

import moco

CITIES, STEPS, SAMPLES = 50, 25, 16
PAIRS, SIGMA, RATE = 8, 0.1, 0.15


def rule(weights: np.ndarray, features: moco.Features) -> np.ndarray:
    """θ of every edge: a sum of features whose weights depend on the share of the budget that is spent."""
    elite = features.variables[:, 1:9].mean(axis=1)  # of the eight best tours, how many pass the edge
    columns = np.stack([features["distance"], features["elite_1"], elite, features["momentum_0.9"]], axis=1)
    spent = features["spent"]
    return columns @ (weights.reshape(3, 4).T @ np.array([1.0, spent, spent * spent]))


def search_by(weights: np.ndarray, instance: moco.Instance, seed: int) -> float:
    search = moco.Search(instance, samples=SAMPLES, steps=STEPS, seed=seed, threads=1)
    for _ in range(STEPS):
        search.sample()
        search.update(rule(weights, search.features()))
    return search.best.cost


def adam(instance: moco.Instance, seed: int) -> float:
    search = moco.Search(instance, model="adam", samples=SAMPLES, steps=STEPS, seed=seed, threads=1)
    for _ in range(STEPS):
        search.sample()
        search.update()
    return search.best.cost


def mean_cost(weights: np.ndarray, instances: list[moco.Instance]) -> float:
    return float(np.mean([search_by(weights, instance, 1) for instance in instances]))


def seconds_per_step(update, instance: moco.Instance) -> float:
    """The middle of five measurements."""
    times = []
    for _ in range(5):
        search = moco.Search(instance, model="tsp100", samples=SAMPLES, steps=STEPS, threads=1)
        begin = time.process_time()
        for _ in range(STEPS):
            search.sample()
            update(search)
        times.append((time.process_time() - begin) / STEPS)
    return sorted(times)[2]


outer_steps = int(sys.argv[2]) if len(sys.argv) > 2 else 40
random = np.random.default_rng(1)
weights = np.zeros(12)
weights[:4] = [-10.0, 0.5, 0.5, -1.0]  # near cities, and edges of good tours, are worth a try
held_out = moco.generate("tsp", nodes=CITIES, count=16, seed=99)
baseline = float(np.mean([adam(instance, 1) for instance in held_out]))
curve = [(0, mean_cost(weights, held_out))]
for outer in range(outer_steps):
    differences, noises = [], random.standard_normal((PAIRS, len(weights)))
    for pair, noise in enumerate(noises):
        instance = moco.generate("tsp", nodes=CITIES, seed=1000 + outer * PAIRS + pair)[0]
        both = [search_by(weights + sign * SIGMA * noise * (1 + np.abs(weights)), instance, outer) for sign in (1, -1)]
        differences.append(both[0] - both[1])  # the same instance and random numbers: only the rule differs
    scale = np.std(differences) + 1e-12
    weights -= RATE * (np.array(differences) / scale) @ noises / PAIRS * (1 + np.abs(weights)) * (1 - outer / outer_steps)
    if (outer + 1) % 5 == 0 or outer + 1 == outer_steps:
        curve.append((outer + 1, mean_cost(weights, held_out)))
        print(f"step {outer + 1:3d}: mean length {curve[-1][1]:.4f} on 16 new instances (Adam: {baseline:.4f})")

own = seconds_per_step(lambda search: search.update(rule(weights, search.features())), held_out[0])
built_in = seconds_per_step(lambda search: search.update(), held_out[0])
print(f"a step of {SAMPLES} tours of {CITIES} cities: {1e3 * own:.2f} ms by this rule, {1e3 * built_in:.2f} ms by the built-in network")

figure, ax = plt.subplots(figsize=(7, 4))
ax.plot(*zip(*curve), marker="o", label="the rule of this file")
ax.axhline(baseline, color="gray", linestyle="--", label="Adam on the gradient")
ax.set(xlabel="outer steps of evolution strategies", ylabel="mean length, 16 new instances", title="Learning to update θ")
ax.legend()
figure.tight_layout()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
