"""One proof in tasks: two workers against one, and against one search in this process, in turn."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from peer import spread

from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from pipeline.configuration.settings import Data
from pipeline.data.sources import sources_named
from pipeline.grammar.whole_sources import complete

SOURCE, DEPTH, LEAST = "uci/pima", 4, 30
ROUNDS = 5


def in_tasks(workers: int) -> float:
    """Wall seconds of the grid, without start-up and summary."""
    with tempfile.TemporaryDirectory() as scratch:
        requested = [f"source=[{SOURCE}]", f"depths=[{DEPTH}]", f"min_rows_leaf={LEAST}", f"cluster.workers={workers}"]
        command = [sys.executable, "-m", "pipeline", "+grid=parallel_proof", *requested, f"output={scratch}"]
        subprocess.run(command, check=True, capture_output=True)
        session = json.loads(next(Path(scratch).glob("results/*/*/_run/sessions.jsonl")).read_text())
        return float(session["wall_seconds"])


def alone(instance: Instance) -> float:
    """Wall seconds of one search."""
    began = time.perf_counter()
    assert solve(instance).optimal
    return time.perf_counter() - began


def main() -> None:
    """Print seconds and ratios."""
    (source,) = sources_named([SOURCE], None, Data(None, None))
    data = complete(source)
    instance = Instance(data, np.ones(data.rows), max_depth=DEPTH, min_samples_leaf=LEAST)
    in_tasks(2)
    alone(instance)
    by_one, by_two, search = ([] for _ in range(3))
    for _ in range(ROUNDS):
        by_one.append(in_tasks(1))
        by_two.append(in_tasks(2))
        search.append(alone(instance))
    print(f"one worker, two workers, one search: {spread(by_one)}, {spread(by_two)}, {spread(search)} s of wall time")
    print(f"one worker / two workers   {spread([a / b for a, b in zip(by_one, by_two, strict=True)])}")
    print(f"one search / two workers   {spread([a / b for a, b in zip(search, by_two, strict=True)])}")


if __name__ == "__main__":
    main()
