"""OCT by mixed-integer programming: seconds until the best tree is the incumbent, and until it is proven optimal.

`python benchmarks/mio.py [FOLDER] [--seconds 60] [--solver highs] [--starts search cart none]`

The instances are iris at depths 1 and 2 and, if a folder is given, four of its data sets at depth 2. A file of the
folder has 0 and 1 separated by blanks, the class first. Trees minimise errors: alpha 0, leaves of at least one row.
Each solve runs in its own process on one thread. "at errors" is the time when the incumbent first had the fewest
errors. The last column is the time of our own search with its proof.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.solve import solve_mio
from algorithms.optimal.solution import Effort, Progress

FILES = ("zoo-1", "hepatitis", "lymph", "tic-tac-toe")
HEAD = "instance       model   start  errors   bound  at errors   proven   CPU s    nodes   search"


def instance_of(name: str, depth: int) -> Instance:
    """Iris, or a file of 0 and 1."""
    if name == "iris":
        numbers, classes = load_iris(return_X_y=True)
        kind, labels, columns = AttributeKind.NUMERIC, (), [np.ascontiguousarray(column) for column in numbers.T]
    else:
        table = np.loadtxt(name, dtype=np.int32)
        classes = table[:, 0]
        kind, labels, columns = AttributeKind.NOMINAL, ("0", "1"), [np.array(column) for column in table.T[1:]]
    attributes = tuple(Attribute(f"a{index}", kind, labels) for index in range(len(columns)))
    named = tuple(map(str, range(int(classes.max()) + 1)))
    data = DataSet(attributes, tuple(columns), named, classes.astype(np.int32))
    return Instance(data, np.ones(data.rows), max_depth=depth)


def measure_solve(name: str, depth: int, formulation: str, start: str, solver: str, seconds: float) -> None:
    """Print the line of one solve; run in its own process."""
    instance = instance_of(name, depth)
    solve(instance)  # compiles
    began = time.perf_counter()
    best = solve(instance)
    searched = time.perf_counter() - began
    seen: list[Progress] = []
    began, cpu_began = time.perf_counter(), time.process_time()
    solution = solve_mio(
        instance, Effort(seconds=seconds), formulation=formulation, solver=solver, start=start, on_progress=seen.append
    )
    took, work = time.perf_counter() - began, time.process_time() - cpu_began
    reached = next((at.seconds for at in seen if at.objective <= best.objective + 1e-9), None)
    if reached is None and solution.objective <= best.objective + 1e-9:
        reached = took
    assert best.bound <= solution.objective + 1e-9, "the solver found a tree below the bound of our search"
    print(
        f"{Path(name).stem + ' ' + str(depth):14}{formulation:>6}{start:>8}{solution.errors:8.0f}"
        f"{solution.bound * instance.baseline:8.1f}{'-' if reached is None else f'{reached:.2f}':>11}"
        f"{f'{took:.1f}' if solution.optimal else '-':>9}{work:8.1f}{solution.work:9}{searched:9.4f}",
        flush=True,
    )


def main() -> None:
    """Print a line for each solve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", help="folder of data sets of 0 and 1")
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of a solve (default: 60)")
    parser.add_argument("--solver", default="highs", help="highs (the default), or another solver")
    parser.add_argument("--starts", nargs="+", default=["search", "none"], help="some of search, cart and none")
    parser.add_argument("--one", nargs=4, help="NAME DEPTH MODEL START: run only this solve")
    given = parser.parse_args()
    if given.one:
        name, depth, formulation, start = given.one
        measure_solve(name, int(depth), formulation, start, given.solver, given.seconds)
        return
    files = [] if given.folder is None else [str(Path(given.folder) / f"{name}.txt") for name in FILES]
    print(f"{given.solver}, {given.seconds:g} s\n{HEAD}", flush=True)
    for name, depth in [("iris", 1), ("iris", 2), *((name, 2) for name in files)]:
        for formulation in ("oct", "flow"):
            for start in given.starts:
                command = [sys.executable, __file__, "--seconds", str(given.seconds), "--solver", given.solver]
                subprocess.run([*command, "--one", name, str(depth), formulation, start], check=True)


if __name__ == "__main__":
    main()
