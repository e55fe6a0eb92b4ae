"""The keys of the grid's configuration."""

from __future__ import annotations

from dataclasses import dataclass

from omegaconf import MISSING

from pipeline.configuration.settings import Settings

__all__ = ["SCHEMA", "WorkedExamples"]


@dataclass
class WorkedExamples(Settings):
    """The examples that the documents work by hand."""

    source: list[str] = MISSING


SCHEMA = WorkedExamples
