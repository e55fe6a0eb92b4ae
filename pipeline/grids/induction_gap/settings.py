"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING

from pipeline.configuration.settings import Data, Settings, TableFromData

__all__ = ["SCHEMA", "InductionGap"]


@dataclass
class InductionGap(Settings):
    """Trees of builders and heuristics against exact minima on real tables."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    table: TableFromData = MISSING
    heuristics: list[str] = MISSING
    builders: Any = MISSING
    graph_mib: int = MISSING


SCHEMA = InductionGap
