"""Seconds to compile everything the main job needs, with an empty cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

COMMAND = [sys.executable, "-m", "pipeline", "+grid=greedy_vs_dp", "tables.count=1"]


def main() -> None:
    """Print the wall time of the first run and of the second; the difference is the compiling."""
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "NUMBA_CACHE_DIR": f"{scratch}/cache"}
        seconds = []
        for name in ("first", "second"):
            began = time.perf_counter()
            done = subprocess.run(
                [*COMMAND, f"output={scratch}/{name}"], env=environment, check=True, capture_output=True, text=True
            )
            seconds.append(time.perf_counter() - began)
            print(f"{name:6} run {seconds[-1]:5.1f} s   {done.stderr.strip()}")
        print(f"compiling  {seconds[0] - seconds[1]:5.1f} s")


if __name__ == "__main__":
    main()
