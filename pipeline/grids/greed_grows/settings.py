"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass

from omegaconf import MISSING

from pipeline.grids.greedy_vs_dp.settings import GreedyVsDp

__all__ = ["SCHEMA", "GreedGrows", "Steps"]


@dataclass
class Steps:
    """The sizes that each dimension of a table takes."""

    rows: list[int] = MISSING
    attributes: list[int] = MISSING
    values: list[int] = MISSING


@dataclass
class GreedGrows(GreedyVsDp):
    """Greedy heuristics against exact minima on random tables of one shape after another."""

    steps: Steps = MISSING


SCHEMA = GreedGrows
