"""Bounds that cost little: enough to prove easy cases optimal."""

from __future__ import annotations

import numpy as np

from .instance import Instance


def lower_bound(instance: Instance) -> float:
    """No solution of the instance costs less."""
    if len(instance) == 0:
        return 0.0
    if instance.problem == "tsp":
        return tour_bound(instance)
    cover = clique_cover(instance, complement=instance.problem == "clique")
    if instance.problem == "vertex-cover":
        total = float(len(instance)) if instance.weights is None else float(instance.weights.sum())
        return total - cover
    return -cover


def tour_bound(instance: Instance) -> float:
    """The sum over all cities of half the ways to their two nearest ones; tours of up to three cities are all there is."""
    n = len(instance)
    if n > 2000 or instance.points is None and instance.distances is None:
        return float("-inf")
    if n <= 3:
        cycle = list(range(n))
        lengths = [sum(instance._core.distance(a, b) for a, b in zip(way, way[1:] + way[:1])) for way in (cycle, cycle[::-1])]
        return min(lengths) if n > 1 else 0.0
    if instance.distances is None and instance.metric != "euclidean":
        return float("-inf")
    if instance.distances is not None:
        matrix = np.array(instance.distances)
        np.fill_diagonal(matrix, np.inf)
        return float(max(matrix.min(axis=0).sum(), matrix.min(axis=1).sum()))
    points = instance.points
    assert points is not None
    matrix = np.hypot(points[:, 0, None] - points[None, :, 0], points[:, 1, None] - points[None, :, 1])
    np.fill_diagonal(matrix, np.inf)
    return float(np.partition(matrix, 1, axis=1)[:, :2].sum() / 2)


def clique_cover(instance: Instance, complement: bool) -> float:
    """Weight that an independent set (or, of the complement, a clique) cannot exceed: nodes are put greedily into groups
    of which it can hold one each."""
    n = len(instance)
    starts, targets = instance.indptr, instance.adjacency
    weights = np.ones(n) if instance.weights is None else instance.weights
    order = np.argsort(-weights, kind="stable")
    group_of = np.full(n, -1, dtype=np.int64)
    sizes: list[int] = []
    total = 0.0
    for node in order:
        near = group_of[targets[starts[node] : starts[node + 1]]]
        near = near[near >= 0]
        if complement:  # a colour that no neighbour has
            taken = np.unique(near)
            gap = np.flatnonzero(taken != np.arange(len(taken)))
            choice = int(gap[0]) if len(gap) else len(taken)
        else:  # a clique all of which are neighbours
            counts = np.bincount(near, minlength=1)
            full = np.flatnonzero(counts == np.array(sizes[: len(counts)] + [0] * (len(counts) - len(sizes))))
            full = full[counts[full] > 0]
            choice = int(full[0]) if len(full) else len(sizes)
        if choice == len(sizes):
            sizes.append(0)
            total += float(weights[node])  # the heaviest of its group comes first
        sizes[choice] += 1
        group_of[node] = choice
    return total
