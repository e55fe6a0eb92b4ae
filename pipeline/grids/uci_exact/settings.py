"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING

from pipeline.configuration.settings import Data, Settings, TableFromData

__all__ = ["SCHEMA", "UciExact"]


@dataclass
class UciExact(Settings):
    """Exact trees of real tables."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    table: TableFromData = MISSING
    heuristics: list[str] = MISSING
    orders: list[list[str]] = MISSING
    alphas: list[float] = MISSING
    graph_mib: int = MISSING


SCHEMA = UciExact
