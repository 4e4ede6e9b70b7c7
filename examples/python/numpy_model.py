"""A shipped model's network in NumPy: its weights, the search's features, and the same θ to 1e-4.

What it takes to rebuild the network elsewhere, in PyTorch or JAX, to train it by other means.

    python3 numpy_model.py [PICTURE.png]
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import moco

model = moco.Model("tsp100")
weights = {name: tensor.astype(np.float64) for name, tensor in model.weights.items()}
pool = {"mean": np.mean, "sum": np.sum, "max": np.max}[model.config["global_pooling"]]


def linear(name: str, x: np.ndarray) -> np.ndarray:
    return x @ weights[f"{name}.w"] + weights[f"{name}.b"][0]


def normalised(name: str, x: np.ndarray) -> np.ndarray:
    """Each feature over all edges or nodes of the instance."""
    unit = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + 1e-5)
    return unit * weights[f"{name}.scale"] + weights[f"{name}.offset"]


def network(part: str, edges: np.ndarray, nodes: np.ndarray, global_: np.ndarray | None, graph: moco.Graph):
    """docs/method.md, "TSP, GraphNetwork": θ̃ of every edge and the scalar a; `part` is "init" or "update"."""
    h_e, h_v = linear(f"{part}.edge_embedding", edges), linear(f"{part}.node_embedding", nodes)
    h_g = None if global_ is None else linear(f"{part}.global_embedding", global_)

    def beside(*parts: np.ndarray) -> np.ndarray:
        rows = len(parts[0])
        return np.concatenate([*parts, *([] if h_g is None else [np.tile(h_g, (rows, 1))])], axis=1)

    for block in range(model.config["blocks"]):
        name = f"{part}.blocks.{block}"
        new = np.maximum(linear(f"{name}.edge", beside(h_e, h_v[graph.tail], h_v[graph.head])), 0)
        h_e = h_e + normalised(f"{name}.edge_norm", new)
        leaving, entering = np.zeros_like(h_v), np.zeros_like(h_v)
        np.add.at(leaving, graph.tail, h_e)
        np.add.at(entering, graph.head, h_e)
        new = np.maximum(linear(f"{name}.node", beside(h_v, leaving, entering)), 0)
        h_v = h_v + normalised(f"{name}.node_norm", new)
        if h_g is not None:
            together = np.concatenate([pool(h_v, axis=0), pool(h_e, axis=0), h_g])
            h_g = h_g + np.maximum(linear(f"{name}.global", together), 0)
    theta = linear(f"{part}.edge_decoder", h_e)[:, 0]
    return theta, None if h_g is None else float(linear(f"{part}.global_decoder", h_g)[0])


def first_theta(search: moco.Search) -> np.ndarray:
    graph = search.graph
    start = np.zeros((graph.nodes, 1))
    start[graph.start] = 1
    return network("init", graph.feature[:, None].astype(np.float64), start, None, graph)[0]


def next_theta(search: moco.Search, first: np.ndarray) -> np.ndarray:
    """The step that the model's configuration says: from θ⁰ ("anchored"), from θ ("residual"), or θ̃ itself."""
    f = search.features()
    step, a = network("update", f.variables.astype(np.float64), f.nodes.astype(np.float64), f.globals, search.graph)
    alpha = max(0.5 * (np.tanh(a) + 1), 1e-3)
    kind = model.config["theta_update"]
    if kind == "absolute":
        return step / alpha
    return (first + 2.0 * step if kind == "anchored" else search.theta + 0.2 * step) / (2 * alpha)


search = moco.Search(moco.generate("tsp", nodes=100, seed=4)[0], model=model, steps=20, seed=4)
first = first_theta(search)
worst = np.abs(first - search.theta).max()
for _ in range(20):
    search.sample()
    mine = next_theta(search, first)
    search.update()  # by moco
    worst = max(worst, np.abs(mine - search.theta).max() / max(1.0, np.abs(search.theta).max()))
print(f"largest difference to moco's θ over 20 steps: {worst:.1e}")
assert worst < 1e-4

figure, ax = plt.subplots(figsize=(5, 5))
ax.plot(search.theta, mine, ".", markersize=3)
ax.set(xlabel="θ by moco", ylabel="θ by NumPy", title=f"Step 20, {len(mine)} edges, within {worst:.0e}")
figure.tight_layout()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
