"""Whether the compiled kernels are in numba's cache, and how to have them loaded before work begins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["compiled", "warm"]


def compiled(kernel: Any) -> bool:
    """Whether a kernel has been compiled on this machine since its file was last changed."""
    source = Path(kernel.py_func.__code__.co_filename)
    cache = Path(kernel.stats.cache_path)
    return any(index.stat().st_mtime >= source.stat().st_mtime for index in cache.glob(f"{source.stem}.*.nbi"))


def warm() -> None:
    """Compile the batch kernels, or load them."""
    from algorithms.batch import costs_of_tables
    from algorithms.random_tables import RandomTables

    codes, decisions = RandomTables(rows=6, attributes=3).draw(0, 1, 1, 2)
    costs_of_tables(codes, decisions, values=3, n_decisions=3)
