"""What a long-lived process needs: threads at once, Ctrl-C, forks, and memory that does not grow."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest

import moco

from conftest import python


def resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_threads_at_once_get_what_each_gets_alone(xy: np.ndarray) -> None:
    def solve(seed: int) -> float:
        return moco.tsp(xy, steps=4, samples=8, kicks=200, seed=seed, threads=1).cost

    alone = [solve(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(solve, range(8))) == alone


def test_other_threads_run_meanwhile(xy: np.ndarray) -> None:
    beats = []
    done = threading.Event()

    def beat() -> None:
        while not done.is_set():
            beats.append(time.monotonic())
            done.wait(0.005)

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        before = len(beats)
        moco.tsp(xy, time_limit=0.5)
        assert len(beats) - before >= 10
    finally:
        done.set()
        thread.join()


def test_a_callback_may_solve_something_else(xy: np.ndarray) -> None:
    inner: list[float] = []
    moco.tsp(xy, kicks=500, on_incumbent=lambda _: inner.append(moco.mis(nx.path_graph(5)).cost))
    assert set(inner) == {-3.0}


def _in_child(_: int) -> float:
    return moco.tsp([[0, 0], [1, 1], [1, 0], [0, 1]]).cost


def test_forked_children_can_solve() -> None:
    assert _in_child(0) == 4
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_in_child, range(4)).get(timeout=60) == [4.0] * 4


@pytest.mark.parametrize("call", ["moco.solve(instance, time_limit=1000, on_incumbent=tell)", "moco.solve(instance, steps=10**9, restarts=4, on_incumbent=tell)"])
def test_ctrl_c_returns_the_incumbent(call: str) -> None:
    program = f"""
import moco, numpy as np
instance = moco.Instance.tour(np.random.default_rng(1).random((300, 2)))
def tell(_):
    print("found", flush=True)
r = {call}
print(r.stop, r.feasible, instance.check(r.solution).cost == r.cost)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "found\n"
    child.send_signal(signal.SIGINT)
    out, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (0, "")
    assert out.splitlines()[-1] == "signal True True"


def test_other_signals_with_handlers_of_their_own_are_raised() -> None:
    program = """
import moco, signal
def alarm(*_):
    raise TimeoutError("alarm")
signal.signal(signal.SIGALRM, alarm)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    moco.solve(moco.generate(nodes=200)[0], time_limit=1000)
except TimeoutError as error:
    print(error)
"""
    assert python("-c", program).stdout == "alarm\n"


def test_memory_does_not_grow_over_many_small_solves() -> None:
    xy = np.random.default_rng(1).random((8, 2))
    graph = np.array([[0, 1], [1, 2], [2, 3]])

    def both(times: int) -> None:
        for _ in range(times):
            moco.tsp(xy, kicks=1, threads=1)
            moco.mis(graph, kicks=1, threads=1)

    both(1000)
    before = resident_bytes()
    both(5000)
    assert resident_bytes() - before < 4 * 2**20


def test_a_million_cities_pass_in_without_a_copy() -> None:
    xy = np.random.default_rng(1).random((1_000_000, 2))
    before = resident_bytes()
    instance = moco.Instance.tour(xy)
    assert np.shares_memory(instance.points, xy)
    assert resident_bytes() - before < xy.nbytes / 4


def test_without_optional_packages() -> None:
    program = """
import sys
for name in ("networkx", "scipy", "matplotlib", "pandas", "IPython"):
    sys.modules[name] = None
import moco
r = moco.tsp([[0, 0], [1, 1], [1, 0], [0, 1]], progress=True)
print(r.cost, moco.mis([[0, 1]]).value, len(r._repr_html_()) > 100)
"""
    done = python("-c", program)
    assert (done.stdout, done.stderr) == ("4.0 1.0 True\n", "")


def test_progress_lines_are_for_terminals_and_leave_nothing(xy: np.ndarray, capfd: pytest.CaptureFixture[str]) -> None:
    moco.tsp(xy, time_limit=0.8)
    assert capfd.readouterr().err == "", "not a terminal"
    moco.tsp(xy, time_limit=0.8, progress=True)
    err = capfd.readouterr().err
    assert "best" in err and "%" in err
    assert err.endswith("\r\033[K")


def test_progress_on_a_terminal() -> None:
    leader, terminal = os.openpty()
    program = "import moco; moco.solve(moco.generate(nodes=50)[0], time_limit=0.8)"
    child = subprocess.Popen([sys.executable, "-c", program], stderr=terminal)
    assert child.wait(60) == 0
    os.close(terminal)
    seen = os.read(leader, 100_000).decode()
    os.close(leader)
    assert "best" in seen and "%" in seen and seen.endswith("\r\033[K")


def test_progress_and_results_in_a_notebook() -> None:
    """With what a notebook's kernel has under these names."""
    program = """
import sys, types
class ZMQInteractiveShell: pass
class Output:
    def update(self, shown): print("again", shown.text)
def display(shown, display_id=None):
    print("first", shown.text)
    return Output()
def Pretty(text): return types.SimpleNamespace(text=text)
shell = ZMQInteractiveShell()
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
sys.modules["IPython.display"] = types.SimpleNamespace(display=display, Pretty=Pretty)
import moco
r = moco.solve(moco.generate(nodes=50)[0], time_limit=1)
print(r._repr_html_().startswith("<div"))
"""
    done = python("-c", program)
    lines = done.stdout.splitlines()
    assert done.stderr == "" and lines[-1] == "True"
    assert lines[0].startswith("first") and lines[1].startswith("again") and "best" in lines[1]
