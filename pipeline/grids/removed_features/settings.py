"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass

from omegaconf import MISSING

from pipeline.grammar.comparison.settings import BuilderComparison

__all__ = ["SCHEMA", "RemovedFeatures"]


@dataclass
class RemovedFeatures(BuilderComparison):
    """Builders side by side as data sets lose attributes."""

    random_orders: int = MISSING


SCHEMA = RemovedFeatures
