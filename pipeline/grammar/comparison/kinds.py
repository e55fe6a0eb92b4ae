"""The summaries that a comparison of builders may end in, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pipeline.grid import GridSummary
from pipeline.storage.parts import Part

__all__ = ["SUMMARIES", "Summarise"]

Summarise = Callable[[Mapping[str, Sequence[Part]], Sequence[str], Path], GridSummary]
"""What writes a summary: from the parts of each table and the names of the builders, into a folder."""


def _accuracies() -> Summarise:
    from pipeline.grammar.comparison.accuracies import summarise_and_draw

    return summarise_and_draw


def _did_vs_svm() -> Summarise:
    from pipeline.grids.did_vs_svm.summary import summarise

    return summarise


def _evo_tree() -> Summarise:
    from pipeline.grids.evo_tree.summary import summarise

    return summarise


def _pruning() -> Summarise:
    from pipeline.grids.pruning.summary import summarise

    return summarise


def _t3c_vs_c45() -> Summarise:
    from pipeline.grids.t3c_vs_c45.summary import summarise

    return summarise


SUMMARIES: Mapping[str, Callable[[], Summarise]] = {
    "accuracies": _accuracies,
    "did_vs_svm": _did_vs_svm,
    "evo_tree": _evo_tree,
    "pruning": _pruning,
    "t3c_vs_c45": _t3c_vs_c45,
}
"""Each imports its module when it is called, for that takes most of a summary's time."""
