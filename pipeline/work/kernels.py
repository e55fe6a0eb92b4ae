"""How to have the compiled kernels loaded before work begins."""

from __future__ import annotations

__all__ = ["warm"]


def warm() -> None:
    """Compile the batch kernels, or load them."""
    from algorithms.batch import costs_of_tables
    from algorithms.random_tables import RandomTables

    codes, decisions = RandomTables(rows=6, attributes=3).draw(0, 1, 1, 2)
    costs_of_tables(codes, decisions, values=3, n_decisions=3)
