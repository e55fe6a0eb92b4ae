"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING

from pipeline.configuration.settings import Data, Settings

__all__ = ["SCHEMA", "Solvers"]


@dataclass
class Solvers(Settings):
    """Exact solvers, ours and those of others, on the same instances."""

    source: Any = MISSING
    numeric: Any = MISSING
    folder: str | None = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    bins: int = MISSING
    depths: list[int] = MISSING
    min_rows_leaf: int = MISSING
    alpha: float = MISSING
    seconds: float = MISSING
    builders: Any = MISSING
    peers: list[str] = MISSING


SCHEMA = Solvers
