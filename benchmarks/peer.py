"""Build the C++ program to compare with, and time commands."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


def build(source: str) -> Path:
    """Compile the program and return its path."""
    program = Path(tempfile.mkdtemp()) / "peer"
    subprocess.run(["g++", "-O3", "-march=native", "-o", str(program), source], check=True)
    return program


def timed(command: list[str]) -> tuple[float, float]:
    """(wall seconds, CPU seconds) of a command; on Linux this includes workers that outlive the command."""
    with suppress(AttributeError):  # orphans of the command become our children, whose CPU the system tells us
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - began
    with suppress(ChildProcessError):
        while True:
            os.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spread(numbers: list[float]) -> str:
    """Median, least and greatest."""
    ordered = sorted(numbers)
    return f"{ordered[len(ordered) // 2]:.3f} (from {ordered[0]:.3f} to {ordered[-1]:.3f})"
