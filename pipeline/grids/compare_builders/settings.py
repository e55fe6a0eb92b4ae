"""The keys of the grid's configuration."""

from __future__ import annotations

from pipeline.grammar.comparison.settings import CompareBuilders

__all__ = ["SCHEMA"]

SCHEMA = CompareBuilders
