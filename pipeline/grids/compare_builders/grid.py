"""Builders that predict, one beside the other, summarised by their accuracies or as another grid declares it."""

from __future__ import annotations

from pipeline.grammar.comparison.grid import CompareBuildersGrid
from pipeline.grammar.comparison.settings import CompareBuilders
from pipeline.grid import GridKind

__all__ = ["KIND"]

KIND = GridKind(
    CompareBuilders,
    lambda found, places: CompareBuildersGrid.of(found, places.conf_folders, places),
    CompareBuildersGrid.from_identity,
    CompareBuildersGrid.completed,
)
