"""The keys of grids that compare builders on splits of data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING

from pipeline.configuration.settings import Data, ProtocolSettings, Settings

__all__ = ["BuilderComparison", "CompareBuilders"]


@dataclass
class BuilderComparison(Settings):
    """Builders that predict, on data sets, by a protocol."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    incomplete_rows: str = MISSING
    most_rows: int | None = MISSING
    protocol: ProtocolSettings = MISSING
    builders: Any = MISSING


@dataclass
class CompareBuilders(BuilderComparison):
    """Builders side by side, summarised in one way or another."""

    summary: str = MISSING
