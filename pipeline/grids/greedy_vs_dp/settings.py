"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass

from omegaconf import MISSING

from pipeline.configuration.settings import Settings, Tables

__all__ = ["SCHEMA", "GreedyVsDp"]


@dataclass
class GreedyVsDp(Settings):
    """Greedy heuristics against exact minima on random tables."""

    tables: Tables = MISSING
    heuristics: list[str] = MISSING


SCHEMA = GreedyVsDp
