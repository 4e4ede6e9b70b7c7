"""Pictures by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .instance import Instance

if TYPE_CHECKING:
    from .result import Result


def places(instance: Instance) -> np.ndarray:
    """Where to draw cities and nodes: their coordinates, or a layout of the graph."""
    if instance.problem == "tsp" and instance.points is not None:
        points = np.array(instance.points)
        return points[:, ::-1] if instance.metric == "geo" else points
    n = len(instance)
    if instance.problem != "tsp" and n <= 500:
        try:
            import networkx as nx
        except ImportError:
            pass
        else:
            graph = nx.Graph()
            graph.add_nodes_from(range(n))
            graph.add_edges_from(instance.edges.tolist())
            layout = nx.spring_layout(graph, seed=1)
            return np.array([layout[i] for i in range(n)])
    turn = 2 * np.pi * np.arange(n) / max(n, 1)
    return np.column_stack([np.cos(turn), np.sin(turn)])


def plot_result(result: Result, ax: Any = None) -> Any:
    import matplotlib.pyplot as plt
    from matplotlib.collections import LineCollection

    if ax is None:
        _, ax = plt.subplots(figsize=(6, 6))
    instance = result.instance
    where = places(instance)
    if instance.problem == "tsp":
        if result.heatmap is not None:
            map_ = result.heatmap
            seen = map_.probability > 0.02
            lines = np.stack([where[map_.tail[seen]], where[map_.head[seen]]], axis=1)
            shades = np.column_stack([np.tile([0.85, 0.37, 0.01], (seen.sum(), 1)), map_.probability[seen]])
            ax.add_collection(LineCollection(lines, colors=shades, linewidths=3))
        way = where[np.append(result.indices, result.indices[:1])]
        ax.plot(way[:, 0], way[:, 1], color="#1f4e79", linewidth=1)
        ax.plot(where[:, 0], where[:, 1], ".", color="black", markersize=3)
    else:
        ax.add_collection(LineCollection(where[instance.edges], colors="#cccccc", linewidths=0.5))
        chosen = np.zeros(len(instance), dtype=bool)
        chosen[result.indices] = True
        ax.scatter(*where[~chosen].T, s=14, color="#888888", zorder=2)
        ax.scatter(*where[chosen].T, s=28, color="#c0392b", zorder=3)
    ax.set_title(f"{instance.name}: {instance.objective} {result.value:.6g}")
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax
