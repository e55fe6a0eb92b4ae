"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING

from pipeline.configuration.settings import Data, ProtocolSettings, Settings

__all__ = ["SCHEMA", "Comparison", "DidVsC45"]


@dataclass
class Comparison:
    """Data sets, and which of their rows train and test."""

    source: Any = MISSING
    protocol: ProtocolSettings = MISSING


@dataclass
class DidVsC45(Settings):
    """Average depths and accuracies of DID over its weights, beside other builders and exact minima."""

    folded: Comparison = MISSING
    published: Comparison = MISSING
    drawn: Comparison = MISSING
    data: Data = MISSING
    builders: Any = MISSING
    ratios: list[float] = MISSING
    orders: int = MISSING
    graph_mib: int = MISSING


SCHEMA = DidVsC45
