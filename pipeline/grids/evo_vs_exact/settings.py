"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING

from pipeline.configuration.settings import Data, Settings

__all__ = ["SCHEMA", "EvoVsExact"]


@dataclass
class EvoVsExact(Settings):
    """Evolved and grown trees of a depth beside the fewest training errors of any."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    depths: list[int] = MISSING
    repeats: int = MISSING
    builders: Any = MISSING
    max_work: int = MISSING


SCHEMA = EvoVsExact
