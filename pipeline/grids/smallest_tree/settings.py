"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING

from pipeline.configuration.settings import Data, Settings

__all__ = ["SCHEMA", "SmallestTree"]


@dataclass
class SmallestTree(Settings):
    """Grown trees beside the smallest that classify the same."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    builders: Any = MISSING
    two_branches: list[str] = MISSING
    max_work: int = MISSING
    graph_mib: int = MISSING


SCHEMA = SmallestTree
