"""From what users have — arrays, networkx graphs, sparse matrices — to instances, with words for what is wrong."""

from __future__ import annotations

import os
from typing import Any, Hashable, Mapping, Sequence

import numpy as np

from . import _core
from ._errors import ArgumentError, ArgumentTypeError
from ._options import number_of

Labels = "list[Hashable] | None"


def is_networkx(data: Any) -> bool:
    return hasattr(data, "nodes") and hasattr(data, "edges") and hasattr(data, "adj")


def is_sparse(data: Any) -> bool:
    return hasattr(data, "tocoo") and hasattr(data, "shape")


def refuse_file(values: Any, what: str) -> None:
    if isinstance(values, (str, os.PathLike)):
        raise ArgumentTypeError(f"{what}: files are read by moco.read, or by moco.solve")


def plain_array(values: Any, what: str) -> np.ndarray:
    try:
        return np.asarray(values)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        raise ArgumentError(f"{what}: rows of different lengths") from None


def real_array(values: Any, what: str) -> np.ndarray:
    """A float64 array in C order: the one given where it is such an array already."""
    refuse_file(values, what)
    array = plain_array(values, what)
    if array.dtype == object or array.dtype.kind not in "fiub":
        raise ArgumentTypeError(f"{what}: numbers are needed, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


def integer_array(values: Any, what: str) -> np.ndarray:
    array = plain_array(values, what)
    if array.size == 0:
        return array.astype(np.int32)
    if array.dtype.kind not in "iu":
        raise ArgumentTypeError(f"{what}: whole numbers are needed, not {array.dtype}")
    if array.max() > np.iinfo(np.int32).max:
        raise ArgumentError(f"{what}: {array.max()} is beyond {np.iinfo(np.int32).max}")
    return array


def pairs(values: Any, what: str) -> list[tuple[Any, ...]]:
    refuse_file(values, what)
    try:
        listed = [tuple(pair) for pair in values]
    except TypeError:
        raise ArgumentTypeError(f"{what}: pairs of cities are needed") from None
    for pair in listed:
        if len(pair) != 2:
            raise ArgumentError(f"{what}: {pair} is no pair")
    return listed


def first_where(wrong: np.ndarray) -> int:
    return int(np.flatnonzero(wrong)[0])


# Tours


def coordinates(xy: Any, metric: str, heights: Any, name: str) -> _core.Instance:
    points = real_array(xy, "coordinates")
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        raise ArgumentError(f"coordinates have the shape (n, 2), or (n, 3) with a spatial metric, not {points.shape}")
    if points.shape[1] == 3:
        if heights is not None:
            raise ArgumentError("heights are given twice: as the third column and by heights=")
        if not metric.lower().endswith("_3d"):
            raise ArgumentError(f"coordinates of shape {points.shape} need metric='euc_3d' or 'ceil_3d', not '{metric}'")
        heights, points = points[:, 2], np.ascontiguousarray(points[:, :2])
    tall = [] if heights is None else real_array(heights, "heights").tolist()
    return _core.tour_of_points(name, points, metric, tall)


def distance_matrix(distances: Any, display: Any, name: str) -> _core.Instance:
    matrix = real_array(distances.toarray() if is_sparse(distances) else distances, "distances")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ArgumentError(f"distances are a square matrix, not {matrix.shape}")
    if np.isnan(matrix).any():
        i, j = np.argwhere(np.isnan(matrix))[0]
        raise ArgumentError(f"distances: the one from {i} to {j} is not a number")
    points = None if display is None else real_array(display, "coordinates")
    if points is not None and points.shape != (len(matrix), 2):
        raise ArgumentError(f"coordinates to draw {len(matrix)} cities have the shape ({len(matrix)}, 2), not {points.shape}")
    return _core.tour_of_distances(name, matrix, points)


def tour_graph(graph: Any, weight: str, name: str) -> tuple[_core.Instance, list[Hashable]]:
    """A complete networkx graph with lengths on its edges."""
    labels = list(graph.nodes)
    number = {node: i for i, node in enumerate(labels)}
    matrix = np.full((len(labels), len(labels)), np.nan)
    np.fill_diagonal(matrix, 0.0)
    for u, v, length in graph.edges(data=weight):
        if length is None:
            raise ArgumentError(f"the edge {u!r}, {v!r} has no '{weight}'")
        matrix[number[u], number[v]] = length
        if not graph.is_directed():
            matrix[number[v], number[u]] = length
    missing = np.argwhere(np.isnan(matrix))
    if len(missing):
        u, v = (labels[i] for i in missing[0])
        raise ArgumentError(f"there is no edge between {u!r} and {v!r}: a tour needs a complete graph")
    return distance_matrix(matrix, None, name), labels


# Graphs


def edges_of_csr(indptr: Any, indices: Any) -> tuple[int, np.ndarray]:
    starts = integer_array(indptr, "indptr")
    targets = integer_array(indices, "indices")
    if starts.ndim != 1 or targets.ndim != 1 or len(starts) == 0:
        raise ArgumentError("indptr and indices are one-dimensional, and indptr is not empty")
    if starts[0] != 0 or starts[-1] != len(targets) or (np.diff(starts.astype(np.int64)) < 0).any():
        raise ArgumentError(f"indptr grows from 0 to the {len(targets)} indices; this one goes from {starts[0]} to {starts[-1]}")
    nodes = len(starts) - 1
    sources = np.repeat(np.arange(nodes, dtype=np.int32), np.diff(starts))
    return nodes, np.column_stack([sources, targets])


def edges_of_adjacency(matrix: Any) -> tuple[int, np.ndarray]:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ArgumentError(f"an adjacency matrix is square, not {matrix.shape}")
    if is_sparse(matrix):
        entries = matrix.tocoo()
        missing = entries.data != entries.data
        if missing.any():
            entry = first_where(missing)
            raise ArgumentError(f"the adjacency from {entries.row[entry]} to {entries.col[entry]} is not a number")
        there = entries.data != 0
        return matrix.shape[0], np.column_stack([entries.row[there], entries.col[there]])
    return matrix.shape[0], np.argwhere(matrix)


def graph_weights(weights: Any, graph: Any, labels: Sequence[Hashable] | None, nodes: int) -> list[float]:
    if weights is None:
        return []
    if isinstance(weights, str):
        if not is_networkx(graph):
            raise ArgumentTypeError(f"weights='{weights}' names an attribute of a networkx graph; give an array for others")
        weights = dict(graph.nodes(data=weights))
    if isinstance(weights, Mapping):
        names = range(nodes) if labels is None else labels
        missing = [node for node in names if weights.get(node) is None]
        if missing:
            raise ArgumentError(f"node {missing[0]!r} has no weight")
        weights = [weights[node] for node in names]
    array = real_array(weights, "weights")
    if array.shape != (nodes,):
        raise ArgumentError(f"weights have the shape ({nodes},), one per node, not {array.shape}")
    wrong = ~(array >= 0)
    if wrong.any():
        raise ArgumentError(f"the weight of node {first_where(wrong)} is {array[first_where(wrong)]}: none may be negative or NaN")
    return array.tolist()


def graph(data: Any, problem: str, weights: Any, nodes: int | None, name: str) -> tuple[_core.Instance, list[Hashable] | None]:
    """An instance of a graph problem, and what its nodes are called."""
    labels: list[Hashable] | None = None
    if is_networkx(data):
        if data.is_directed():
            raise ArgumentTypeError("the graph is directed: give graph.to_undirected()")
        labels = list(data.nodes)
        number = {node: i for i, node in enumerate(labels)}
        count = len(labels)
        edges = np.array([(number[u], number[v]) for u, v in data.edges()], dtype=np.int32).reshape(-1, 2)
        if labels == list(range(count)):
            labels = None
    elif is_sparse(data):
        count, edges = edges_of_adjacency(data)
    elif isinstance(data, tuple) and len(data) == 2 and np.ndim(data[0]) == 1:
        count, edges = edges_of_csr(*data)
    else:
        refuse_file(data, "edges")
        array = plain_array(data, "edges")
        if array.dtype == object:
            raise ArgumentTypeError(
                "a graph is a networkx graph, a scipy.sparse matrix, a tuple (indptr, indices), an array of edges or a boolean "
                f"matrix, not {type(data).__name__}"
            )
        if array.dtype == bool:
            count, edges = edges_of_adjacency(array)
        else:
            edges = integer_array(array, "edges").reshape(-1, 2) if array.size == 0 else integer_array(array, "edges")
            if edges.ndim != 2 or edges.shape[1] != 2:
                raise ArgumentError(f"edges have the shape (m, 2), not {edges.shape}; a boolean (n, n) array is taken as an adjacency matrix")
            count = int(edges.max()) + 1 if len(edges) else 0
    if nodes is not None:
        if number_of(nodes, "nodes") < count:
            raise ArgumentError(f"nodes={nodes}, but the graph has a node {count - 1}")
        count = nodes
    check_edges(edges, count, labels)
    ready = np.ascontiguousarray(edges, dtype=np.int32)
    return _core.graph_of_edges(problem, name, count, ready, graph_weights(weights, data, labels, count)), labels


def check_edges(edges: np.ndarray, nodes: int, labels: Sequence[Hashable] | None) -> None:
    wrong = (edges < 0).any(axis=1) | (edges >= nodes).any(axis=1)
    if wrong.any():
        row = first_where(wrong)
        allowed = "not negative" if (edges[row] < 0).any() else f"0 … {nodes - 1}"
        raise ArgumentError(f"edge {row} is ({edges[row][0]}, {edges[row][1]}): nodes are {allowed}")
    loops = edges[:, 0] == edges[:, 1]
    if loops.any():
        node = int(edges[first_where(loops)][0])
        raise ArgumentError(f"node {node if labels is None else labels[node]!r} has an edge to itself")
