"""Seconds to compile the kernels from an empty cache: for the main job, and for the first fit of each estimator.

A fit has 150 rows and runs in its own process. Its time is CPU time; all but a few milliseconds are compilation.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import orchard

COMMAND = [sys.executable, "-m", "pipeline", "+grid=greedy_vs_dp", "tables.count=1"]

FIT = """
import time
import numpy as np
import orchard
for name in orchard.__all__:
    getattr(orchard, name)
generator = np.random.default_rng(0)
bits, numbers = generator.integers(0, 2, (150, 12)), generator.normal(size=(150, 4))
labels, classes = generator.integers(0, 4, (150, 4)).astype(str), generator.integers(0, 2, 150)
began = time.process_time()
orchard.{fit}
print(time.process_time() - began)
"""
ELSEWHERE = ("MLP", "NaiveBayes", "RandomForest", "SVM", "OCTMIO", "OCTFlow")
"""Prefixes of classifiers whose time is spent in other programs."""
NUMERIC = [
    name
    for name in orchard.__all__
    if name.endswith("Classifier") and name != "TreeClassifier" and not name.startswith(ELSEWHERE)
]
FITS = [
    *(f"{name}().fit(numbers, classes)" for name in NUMERIC),
    "OCTClassifier(max_depth=3).fit(bits, classes)",
    "OCTClassifier(max_depth=3).fit(labels, classes)",
    "OCTClassifier(max_depth=3, min_samples_leaf=5).fit(numbers, classes)",
]


def main() -> None:
    """Print the compilation time of the main job and of first fits."""
    with tempfile.TemporaryDirectory() as scratch:
        _time_job(scratch)
        for index, fit in enumerate(FITS):
            command = [sys.executable, "-c", FIT.format(fit=fit)]
            print(f"{fit:70} {float(_run(command, f'{scratch}/{index}').stdout.split()[-1]):5.1f} s", flush=True)


def _time_job(scratch: str) -> None:
    """Print the wall times of the first and the second run; their difference is the compilation."""
    seconds = []
    for name in ("first", "second"):
        began = time.perf_counter()
        done = _run([*COMMAND, f"output={scratch}/{name}"], f"{scratch}/cache")
        seconds.append(time.perf_counter() - began)
        print(f"{name:6} run {seconds[-1]:5.1f} s   {done.stderr.strip()}")
    print(f"compiling  {seconds[0] - seconds[1]:5.1f} s")


def _run(command: list[str], cache: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose kernels are cached in this folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True)


if __name__ == "__main__":
    main()
