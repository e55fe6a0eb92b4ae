"""The columns of the tables that the grid has besides its results: those of every comparison of builders."""

from __future__ import annotations

from pipeline.grammar.comparison.columns import TABLES

__all__ = ["TABLES"]
