"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING

from pipeline.configuration.settings import Data, ProtocolSettings, Settings

__all__ = ["SCHEMA", "OctVsCart"]


@dataclass
class OctVsCart(Settings):
    """Optimal classification trees beside CART, both tuned."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    protocol: ProtocolSettings = MISSING
    depths: list[int] = MISSING
    min_rows_leaf: float = MISSING
    refit: bool = MISSING
    work: int | None = MISSING


SCHEMA = OctVsCart
