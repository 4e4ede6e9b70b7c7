"""What a call from Python costs beyond the library's own: rounds of both in turn, one thread each.

    PYTHONPATH=PACKAGE python3 bench/python_call.py PROGRAM      (PROGRAM: build/release/bench/python_call)
"""

import statistics
import subprocess
import sys
import time

import numpy as np

import moco

ROUNDS, CALLS = 7, 60
SETTINGS = dict(steps=1, kicks=0, local_search="none", threads=1, progress=False)


def median_microseconds(call) -> float:
    times = []
    for _ in range(CALLS):
        begin = time.perf_counter()
        call()
        times.append(1e6 * (time.perf_counter() - begin))
    return statistics.median(times)


instance = moco.generate("tsp", nodes=100, seed=1)[0]
xy = np.array(instance.points)
model = moco.Model("tsp100")
rows: dict[str, list[float]] = {"C++ Solver::solve": [], "moco.solve(instance)": [], "moco.tsp(array)": [], 'moco.tsp(array), model="auto"': []}
with subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as library:
    for _ in range(ROUNDS):
        library.stdin.write(f"{CALLS}\n")
        library.stdin.flush()
        values = [float(library.stdout.readline())]
        values.append(median_microseconds(lambda: moco.solve(instance, model=model, **SETTINGS)))
        values.append(median_microseconds(lambda: moco.tsp(xy, model=model, **SETTINGS)))
        values.append(median_microseconds(lambda: moco.tsp(xy, model="auto", **SETTINGS)))
        for row, value in zip(rows.values(), values):
            row.append(value)
    library.stdin.close()
base = statistics.median(rows["C++ Solver::solve"])
for name, values in rows.items():
    middle = statistics.median(values)
    print(f"{name:32s} {middle:8.0f} µs  {middle - base:+8.0f} µs beyond C++")

million = np.random.default_rng(1).random((1_000_000, 2))
begin = time.perf_counter()
made = moco.Instance.tour(million)
seconds = time.perf_counter() - begin
print(f"1 000 000 cities become an instance in {1e3 * seconds:.1f} ms; their memory is shared: {np.shares_memory(made.points, million)}")
