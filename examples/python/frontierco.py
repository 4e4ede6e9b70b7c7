"""moco in the shape that FrontierCO asks for: a function that yields ever better solutions until its time is over.

    python3 frontierco.py [PICTURE.png] [SECONDS]
"""

import sys
import time
from typing import Any, Iterator

import matplotlib.pyplot as plt
import numpy as np

import moco

SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0


def solve(**case: Any) -> Iterator[dict[str, list]]:
    """`nodes`, a list of coordinates, gives tours; `graph`, a networkx graph, gives independent sets."""
    if "nodes" in case:
        for incumbent in moco.stream(moco.Instance.tour(case["nodes"]), time_limit=SECONDS):
            yield {"tour": incumbent.indices.tolist()}
    else:
        for incumbent in moco.stream(moco.Instance.graph(case["graph"], "mis"), time_limit=SECONDS):
            yield {"mis_nodes": list(incumbent.solution)}


def length(nodes: list, tour: list) -> float:
    way = np.asarray(nodes)[tour]
    return float(np.hypot(*(way - np.roll(way, -1, axis=0)).T).sum())


nodes = [tuple(point) for point in np.random.default_rng(3).random((1000, 2)).tolist()]
begin, course = time.monotonic(), []
for answer in solve(nodes=nodes):
    course.append((time.monotonic() - begin, length(nodes, answer["tour"])))
print(f"{len(course)} tours of 1000 cities: {course[0][1]:.3f} after {course[0][0]:.2f} s, {course[-1][1]:.3f} after {course[-1][0]:.1f} s")
assert [cost for _, cost in course] == sorted((cost for _, cost in course), reverse=True)

figure, ax = plt.subplots(figsize=(7, 4))
ax.step(*zip(*course), where="post", marker=".")
ax.set(xlabel="seconds", ylabel="length of the tour yielded", title="1000 cities")
figure.tight_layout()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
