"""Moments of relative differences, sample by sample and cost by cost, from a stream of parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.grammar.costs import COSTS
from pipeline.grammar.excess import excess
from pipeline.grammar.questions import excess_over, mean_with_interval
from pipeline.sql import literal
from pipeline.summary.statistics import BlockedMoments, PairedMoments

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CostMoments", "Samples", "mean_excess_question", "moments_of_samples"]

CostMoments = Mapping[str, PairedMoments]
"""By cost, the moments of relative differences, a column for each heuristic."""


@dataclass(frozen=True)
class Samples:
    """What was found of each sample, in sorted order, of the decision tables of which every row is ok.

    moments  : by sample and cost
    first    : by sample, the number of its first decision table
    left_out : decision tables with a row that is not ok
    lost     : heuristics that have no row that is ok
    """

    moments: Mapping[Any, CostMoments]
    first: Mapping[Any, int]
    left_out: int
    lost: tuple[str, ...]


def moments_of_samples(
    parts: Iterable[pa.Table], heuristics: Sequence[str], sample: str = "group", lost: Sequence[str] = ()
) -> Samples:
    """The moments of samples from rows of whole decision tables, as `grid_rows.excess` takes them.

    `sample` is the column that tells samples apart, `group` or `source`; `lost` are heuristics that have no column. How
    the rows are cut into parts does not change a bit.
    """
    columns = len(heuristics) - len(lost)
    streams: dict[Any, dict[str, BlockedMoments]] = {}
    first: dict[Any, int] = {}
    left_out, worked = 0, np.zeros(len(heuristics), bool)
    for part in parts:
        found = excess(part, heuristics, sample, lost)
        left_out += found.left_out
        worked |= found.worked
        for name in np.unique(found.sample).tolist():
            stream = streams.setdefault(name, {cost: BlockedMoments(columns) for cost in COSTS})
            mine = found.sample == name
            first.setdefault(name, int(found.table_index[np.argmax(mine)]))
            values = found.values if mine.all() else found.values[:, mine]
            for cost, of_cost in zip(COSTS, values, strict=True):
                stream[cost].add(of_cost)
    moments = {name: _taken(streams[name]) for name in sorted(streams)}
    gone = tuple(name for name, found in zip(heuristics, worked.tolist(), strict=True) if not found)
    return Samples(moments, {name: first[name] for name in moments}, left_out, gone)


def mean_excess_question(where: str = "", lost: Sequence[str] = ()) -> str:
    """The question behind the mean excess of a heuristic in a cost over whole tables, told by the row's own columns.

    A table is left out for any of its rows that is not ok, but for those of heuristics that are lost, as
    `grid_rows.excess` leaves it out.
    """
    names = ", ".join(map(literal, lost))
    of_others = f" filter (where impurity_type is null or impurity_type || '/' || uncertainty not in ({names}))"
    heuristic = "filter (where impurity_type = {impurity_type} and uncertainty = {uncertainty})"
    return (
        f"select count(*) as tables, {mean_with_interval('excess', 'mean_relative_difference')}, "
        "stddev_samp(excess) / sqrt(count(*)) as standard_error from ("
        f"select min({{cost_function:name}}) {heuristic} as greedy, "
        "min({cost_function:name}) filter (where builder = 'exact') as least, "
        f"{excess_over('least', 'greedy')} as excess "
        f'from results {where} group by source, "group", table_index '
        f"having bool_and(status = 'ok'){of_others * bool(lost)})"
    )


def _taken(streams: Mapping[str, BlockedMoments]) -> CostMoments:
    return {cost: stream.moments() for cost, stream in streams.items()}
