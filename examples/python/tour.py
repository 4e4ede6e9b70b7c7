"""A tour through an array of cities, over the heatmap that the search by a model ended with.

    python3 tour.py [PICTURE.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import moco

random = np.random.default_rng(5)
centres = random.random((6, 2))
xy = centres[random.integers(6, size=150)] + 0.08 * random.standard_normal((150, 2))

# Everything by default: a greedy tour, then thousands of small perturbations.
quick = moco.tsp(xy)
print(quick.summary())

# A search by the model trained for such instances before them. What it ended with can be seen.
result = moco.tsp(xy, model="auto", steps=50, heatmap=True)
print(result.summary())
assert result.instance.check(result.solution)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5))
result.plot(left)
for r, name in ((quick, "kicks alone"), (result, "model, then kicks")):
    right.step(r.trace.seconds, r.trace.cost, where="post", label=name)
right.set(xlabel="seconds", ylabel="length of the best tour", title="The course of both searches")
right.legend()
figure.tight_layout()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
