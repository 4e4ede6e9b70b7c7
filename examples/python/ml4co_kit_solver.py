"""moco as a solver of ML4CO-Kit: a class with its `_solve(task)` and `_batch_solve(tasks)`.

Derives from ML4CO-Kit's base class where that is installed; a task is anything with its attributes, so that the file runs
without it too.

    python3 ml4co_kit_solver.py [PICTURE.png]
"""

import sys
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np

import moco

try:
    from ml4co_kit.solver.base import SolverBase
except ImportError:

    class SolverBase:  # what the kit's class does around the two functions
        def __init__(self, solver_type, optimizer=None):
            self.solver_type, self.optimizer = solver_type, optimizer

        def solve(self, task_data):
            self._solve(task_data)
            return task_data

        def batch_solve(self, batch_task_data):
            self._batch_solve(batch_task_data)
            return batch_task_data


class MocoSolver(SolverBase):
    """TSP, MIS, MVC and MCl by moco; keyword arguments are those of moco.solve."""

    problems = {"TSP": "tsp", "MIS": "mis", "MVC": "vertex-cover", "MCl": "clique"}

    def __init__(self, optimizer=None, **options):
        super().__init__(solver_type="moco", optimizer=optimizer)
        self.options = options

    def _instance(self, task) -> moco.Instance:
        kind = getattr(task.task_type, "value", task.task_type)
        if kind == "TSP":
            return moco.Instance.tour(task.points)
        if kind not in self.problems:
            raise ValueError(f"moco has no solver for {kind}")
        edges = np.asarray(task.edge_index).T
        edges = edges[edges[:, 0] != edges[:, 1]]
        weights = task.nodes_weight if task.node_weighted else None
        return moco.Instance.graph(edges, self.problems[kind], nodes=task.nodes_num, weights=weights)

    def _store(self, task, result: moco.Result) -> None:
        if result.instance.problem == "tsp":
            solution = np.append(result.indices, result.indices[0])  # the kit's tours end where they begin
        else:
            solution = np.zeros(len(result.instance), dtype=np.int32)  # and its sets have a 0 or 1 per node
            solution[result.indices] = 1
        task.from_data(sol=solution, ref=False)

    def _solve(self, task) -> None:
        self._store(task, moco.solve(self._instance(task), **self.options))

    def _batch_solve(self, tasks) -> None:
        """One batch per problem."""
        for kind in {getattr(task.task_type, "value", task.task_type) for task in tasks}:
            some = [task for task in tasks if getattr(task.task_type, "value", task.task_type) == kind]
            for task, result in zip(some, moco.solve([self._instance(task) for task in some], **self.options)):
                self._store(task, result)


def task_like_the_kits(**attributes):
    task = SimpleNamespace(sol=None, **attributes)
    task.from_data = lambda sol, ref: setattr(task, "sol", sol)
    return task


random = np.random.default_rng(2)
tours = [task_like_the_kits(task_type="TSP", points=random.random((50, 2)).astype(np.float32)) for _ in range(4)]
graph = moco.generate("mis", nodes=60, seed=2)[0]
sets = task_like_the_kits(task_type="MIS", nodes_num=60, edge_index=graph.edges.T, nodes_weight=np.ones(60), node_weighted=False)
MocoSolver(kicks=5000).batch_solve([*tours, sets])
figure, axes = plt.subplots(1, 4, figsize=(12, 3.2))
for task, ax in zip(tours, axes):
    way = task.points[task.sol]
    length = np.hypot(*np.diff(way, axis=0).T).sum()
    ax.plot(*way.T, ".-", markersize=4, linewidth=1)
    ax.set(title=f"length {length:.3f}", aspect="equal", xlim=(-0.05, 1.05), ylim=(-0.05, 1.05), xticks=[], yticks=[])
    assert sorted(task.sol[:-1]) == list(range(50)) and task.sol[0] == task.sol[-1]
print("lengths of four tours, and the size of a set:", *(ax.get_title() for ax in axes), sets.sol.sum())
figure.tight_layout()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
