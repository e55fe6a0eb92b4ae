"""Whether the compiled kernels are in numba's cache, and how to have them loaded before work begins."""

from __future__ import annotations

__all__ = ["compiled", "warm"]


def compiled() -> bool:
    """Whether the batch kernels have been compiled on this machine since they were last changed."""
    from pathlib import Path

    from algorithms.kernels.word_batch import costs_of_word_tables

    source = Path(costs_of_word_tables.py_func.__code__.co_filename)
    cache = Path(costs_of_word_tables.stats.cache_path)
    return any(index.stat().st_mtime >= source.stat().st_mtime for index in cache.glob(f"{source.stem}.*.nbi"))


def warm() -> None:
    """Compile the batch kernels, or load them."""
    from algorithms.batch import costs_of_tables
    from algorithms.random_tables import RandomTables

    codes, decisions = RandomTables(rows=6, attributes=3).draw(0, 1, 1, 2)
    costs_of_tables(codes, decisions, values=3, n_decisions=3)
