"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING

from pipeline.configuration.settings import Data, Settings

__all__ = ["SCHEMA", "CatalogueSettings"]


@dataclass
class CatalogueSettings(Settings):
    """Every data set of the catalogue."""

    source: Any = MISSING
    data: Data = MISSING


SCHEMA = CatalogueSettings
