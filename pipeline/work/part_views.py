"""Computes the views of some part files on a worker, merged, so that the driver need not read them."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.grid import PartialViews
from pipeline.plan import GridRun

__all__ = ["joined_views", "views_of_files"]


def views_of_files(run: GridRun, names: Sequence[str]) -> PartialViews:
    """The merged views of verified result part files; OSError if a file is gone or not a part file."""
    return run.grid.views(run.result_parts(names))


def joined_views(run: GridRun, groups: Sequence[PartialViews]) -> PartialViews:
    """The merged views of several groups of part files."""
    return run.grid.views((), groups)
