"""A C++ program to measure against, and the CPU time of processes."""

from __future__ import annotations

import resource
import subprocess
import tempfile
import time
from pathlib import Path


def build(source: str) -> Path:
    """Compile the program and return its path."""
    program = Path(tempfile.mkdtemp()) / "peer"
    subprocess.run(["g++", "-O3", "-march=native", "-o", str(program), source], check=True)
    return program


def timed(command: list[str]) -> tuple[float, float]:
    """(wall seconds, CPU seconds) of a command and of all its descendants that were waited for."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spread(numbers: list[float]) -> str:
    """Median, least and greatest."""
    ordered = sorted(numbers)
    return f"{ordered[len(ordered) // 2]:.3f} (from {ordered[0]:.3f} to {ordered[-1]:.3f})"
