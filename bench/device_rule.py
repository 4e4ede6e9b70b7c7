"""What a step costs on a CUDA device when PyTorch makes the next θ of the views, and when the built-in network does.

PYTHONPATH=PACKAGE python3 bench/device_rule.py, with a PyTorch that sees the device. Both rules get searches of their own;
the fastest of several rounds in turn is printed.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

import moco

SEARCHES = 4
STEPS = 200
ROUNDS = 5


def searches() -> moco.SearchBatch:
    batch = moco.SearchBatch(moco.generate("tsp", nodes=100, count=SEARCHES, seed=1), model="tsp100", samples=32, steps=1000, device="cuda")
    batch.sample()
    return batch


def by_torch(batch: moco.SearchBatch) -> None:
    views = [search.views() for search in batch]
    batch.update([torch.from_dlpack(view["theta"]) - 100 * torch.from_dlpack(view["gradient"]) for view in views])
    batch.sample()


def by_network(batch: moco.SearchBatch) -> None:
    batch.update()
    batch.sample()


def seconds_of(step: Callable[[moco.SearchBatch], None], batch: moco.SearchBatch) -> float:
    batch.restart()
    batch.sample()
    begin = time.perf_counter()
    for _ in range(STEPS):
        step(batch)
    batch[0].theta  # waits  # noqa: B018
    return (time.perf_counter() - begin) / STEPS


rules = {"gradient descent in PyTorch": by_torch, "built-in network": by_network}
batches = {name: searches() for name in rules}
best = {name: min(seconds_of(rules[name], batches[name]) for _ in range(ROUNDS)) for name in rules}
for name, seconds in best.items():
    print(f"{name}: {1e3 * seconds:.3f} ms a step of {SEARCHES} searches of TSP100")
