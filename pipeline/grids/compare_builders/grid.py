"""Compare builders that predict, summarised by their accuracies or as another grid declares."""

from __future__ import annotations

from pipeline.grammar.comparison.grid import CompareBuildersGrid

KIND = CompareBuildersGrid.offered()
