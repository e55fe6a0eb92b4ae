"""Moments of relative differences, sample by sample and cost by cost, from a stream of parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.summaries.grid_rows import COSTS, excess
from pipeline.summaries.statistics import BlockedMoments, PairedMoments

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CostMoments", "moments_of_samples"]

CostMoments = Mapping[str, PairedMoments]
"""By cost, the moments of relative differences, a column for each heuristic."""


def moments_of_samples(
    parts: Iterable[pa.Table], heuristics: Sequence[str], sample: str = "group"
) -> tuple[dict[Any, CostMoments], int]:
    """Moments by sample, in sorted order, and by cost; and the number of decision tables left out.

    `sample` is the column that tells samples apart, `group` or `source`. How the rows are cut into parts does not
    change a bit.
    """
    streams: dict[Any, dict[str, BlockedMoments]] = {}
    left_out = 0
    for part in parts:
        found = excess(part, heuristics, sample)
        left_out += found.left_out
        for name in np.unique(found.sample).tolist():
            stream = streams.setdefault(name, {cost: BlockedMoments(len(heuristics)) for cost in COSTS})
            mine = found.values[:, found.sample == name] if (found.sample != name).any() else found.values
            for cost, values in zip(COSTS, mine, strict=True):
                stream[cost].add(values)
    return {name: _taken(streams[name]) for name in sorted(streams)}, left_out


def _taken(streams: Mapping[str, BlockedMoments]) -> CostMoments:
    return {cost: stream.moments() for cost, stream in streams.items()}
