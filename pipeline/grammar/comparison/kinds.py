"""The summaries that a comparison of builders may end in, by name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from pipeline.grammar.comparison.declared import DECLARATION, declared_comparison
from pipeline.grammar.comparison.summary import SUMMARY
from pipeline.grammar.summary import Summary

__all__ = ["GENERAL", "summaries", "summary_of"]

GENERAL = "accuracies"
"""The name of the summary of any comparison."""
GRIDS = Path(__file__).parents[2] / "grids"


def summaries() -> list[str]:
    """The names of all summaries."""
    own = {file.parent.name for name in ("comparison.py", DECLARATION) for file in GRIDS.glob(f"*/{name}")}
    return [GENERAL, *sorted(own)]


def summary_of(name: str) -> Summary:
    """The summary of a name: the general one, or the one that a grid's folder declares."""
    if name == GENERAL:
        return SUMMARY
    folder = GRIDS / name
    if (folder / DECLARATION).is_file():
        return declared_comparison(name, folder)
    found: Summary = import_module(f"pipeline.grids.{name}.comparison").SUMMARY
    return found
