"""Excess of greedy trees over the minima and over each other, summed over random tables, part file by part file.

The gap between two builders on a table is the difference of their costs divided by the minimum. Differences are whole
numbers, so sums of them are exact; a separate sum is kept for each minimum. The tables of means and of the best
heuristics are computed from these sums.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from algorithms.measures.impurity import IMPURITY_FUNCTIONS
from pipeline.arrow_arrays import array_of, constant, numpy_of, table_of_columns, table_of_rows, texts
from pipeline.grammar.by_part import ByPart
from pipeline.grammar.columns import COSTS, NAME, Key, Known, MeanOfSums, Row
from pipeline.grammar.findings import listed
from pipeline.grammar.sources import EXACT
from pipeline.grammar.summary import Summary
from pipeline.storage.parts import Part, opened
from pipeline.summary.statistics import Estimate
from pipeline.words import counted

READ = {cost: "total_path_length" if cost == "average_depth" else cost for cost in COSTS}
"""The column read for each cost. On one table, average depths compare as total path lengths, which are whole."""

TABLE = 'source, "group", table_index'
VIEWS = {
    "named": f"""select {TABLE}, {NAME} as heuristic,
  status, {", ".join(f"{column} as {cost}" for cost, column in READ.items())}
from results""",
    "whole": f"""select {TABLE},
  coalesce(string_agg(heuristic, ', ' order by heuristic) filter (where status <> 'ok'), '') as failed
from named group by all""",
    "costs": f"""from (select {TABLE}, heuristic, {", ".join(COSTS)} from named where status = 'ok')
unpivot (cost for cost_function in ({", ".join(COSTS)}))""",
    "outcomes": """select source, "group", failed, count(*) as tables, min(table_index) as first_table
from whole group by all""",
    "gaps": f"""select source, "group", failed, cost_function, least.cost as least, own.heuristic as heuristic,
  other.heuristic as other, count(*) as tables, sum(own.cost - other.cost) as total,
  sum((own.cost - other.cost) ** 2) as squares
from costs own join costs other using ({TABLE}, cost_function) join costs least using ({TABLE}, cost_function)
join whole using ({TABLE})
where own.heuristic < if(other.heuristic = '{EXACT}', '~', other.heuristic) and least.heuristic = '{EXACT}'
  and own.heuristic <> '{EXACT}'
group by all""",
    "always_failed": f"""select heuristic from (select unnest(string_split(failed, ', ')) as heuristic from outcomes)
where heuristic not in ('', '{EXACT}') group by heuristic having count(*) = (select count(*) from outcomes)""",
    "kept": """from outcomes
where failed = ''
  or list_has_all((select coalesce(list(heuristic), []) from always_failed), string_split(failed, ', '))""",
    "excesses": f"""from gaps semi join kept using (source, "group", failed) where other = '{EXACT}'""",
    "left_out": """select coalesce(sum(tables), 0)::bigint as _left_out,
  (select list(heuristic order by heuristic) from always_failed) as _always_failed,
  list(distinct source) filter (where source not in (select source from kept)) as _without
from outcomes anti join kept using (source, "group", failed)""",
}
"""Views from the result rows to the sums of gaps and the excluded tables.

outcomes : number of tables by the builders that failed on them, and the first such table
gaps     : number of tables, sum of differences and sum of their squares, by minimum and pair of builders
kept     : outcomes without those of tables on which a builder failed; a builder that failed on every table is ignored
excesses : gaps between heuristics and the minimum on the kept tables
"""


TEXT = pa.dictionary(pa.int8(), pa.string())
GAPS = pa.schema(
    [("source", TEXT), ("group", pa.int64()), ("failed", TEXT), ("cost_function", TEXT), ("least", pa.int64())]
    + [("heuristic", TEXT), ("other", TEXT)]
    + [(name, pa.int64()) for name in ("tables", "total", "squares")]
)


def sums_of_part(part: Part) -> dict[str, pa.Table]:
    """The outcomes and gaps of a part file. It must hold whole tables, with the builders in the same order in each.

    Raises
    ------
    ValueError
        The rows are not in that order, an ok row lacks a cost, or a greedy cost is below the minimum.
    """
    file = opened(part, ["source", "status"])
    builders = _builders(part, file)
    index, outcomes = _outcomes(part, file, builders)
    with_minimum = [outcome for outcome in outcomes if EXACT in outcome.builders]
    gaps = [table_of_rows([], GAPS)]
    for cost, column in READ.items() if with_minimum else ():
        rows = file.read([column], use_threads=False)  # one column at a time, to save memory
        values = numpy_of(rows[column]).reshape(-1, len(builders))
        for outcome in with_minimum:
            costs = values if len(outcome.tables) == len(values) else values[outcome.tables]
            if len(outcome.builders) < len(builders):
                costs = costs[:, [builders.index(builder) for builder in outcome.builders]]
            sums = _gaps({**outcome.identity, "cost_function": cost}, outcome.builders, costs)
            if sums is None:
                tables = index[outcome.tables]
                raise ValueError(_impossible(column, outcome.identity["group"], tables, outcome.builders, costs))
            gaps.append(sums)
    rows = [
        {**outcome.identity, "tables": len(outcome.tables), "first_table": int(index[outcome.tables].min())}
        for outcome in outcomes
    ]
    return {"outcomes": table_of_rows(rows), "gaps": pa.concat_tables(gaps)}


@dataclass(frozen=True)
class _Outcome:
    """The tables of a source and group on which the same builders failed.

    identity : source, group and failed builders
    tables   : their positions in the part file, in order
    builders : those that did not fail
    """

    identity: dict[str, Any]
    tables: NDArray[np.intp]
    builders: Sequence[str]


def _outcomes(part: Part, file: pq.ParquetFile, builders: Sequence[str]) -> tuple[NDArray[np.int64], list[_Outcome]]:
    """The table_index (tables,) of each table of a part file, and the outcomes of all."""
    size = len(builders)
    rows = file.read(["source", "group", "table_index", "status"], use_threads=False)
    if rows.num_rows % size:
        raise ValueError(
            f"{part.path} has {rows.num_rows} rows: expected a multiple of {size}, because each table has {size} rows"
        )
    sources, source = _coded(rows["source"])
    statuses, status = _coded(rows["status"])
    ok = (status == (statuses.index("ok") if "ok" in statuses else -1)).reshape(-1, size)
    group, index = (numpy_of(rows[name])[::size].astype(np.int64) for name in ("group", "table_index"))
    code = group * len(sources) + source[::size] << size  # of the group, the source and, below, the failed builders
    if not ok.all():
        code += ~ok @ (1 << np.arange(size))
    result = []
    for tables in (np.flatnonzero(code == each) for each in np.unique(code).tolist()):
        first = tables[0]
        computed = [builder for builder, is_ok in zip(builders, ok[first], strict=True) if is_ok]
        failed = ", ".join(sorted(set(builders) - set(computed)))
        identity = {"source": sources[source[first * size]], "group": int(group[first]), "failed": failed}
        result.append(_Outcome(identity, tables, computed))
    return index, result


def _gaps(identity: Mapping[str, Any], builders: Sequence[str], costs: NDArray[Any]) -> pa.Table | None:
    """The sums over tables, from their costs (tables, builders) with the minimum last.

    None if a cost is missing, is below the minimum, or is above a minimum of 0.
    """
    least = costs[:, -1].astype(np.uint16 if costs.max() < 2**16 else np.int64)
    order = np.argsort(least, kind="stable")  # linear time for 16 bits
    minima, starts = np.unique(least[order], return_index=True)
    totals = np.empty((len(minima), len(builders)))
    products = np.empty((len(minima), len(builders), len(builders)))  # integers, far below 2**53
    for index, (minimum, tables) in enumerate(zip(minima, np.split(order, starts[1:]), strict=True)):
        above = np.subtract(costs[tables], minimum, dtype=np.float64)
        np.sum(above, axis=0, out=totals[index])
        np.matmul(above.T, above, out=products[index])
        if not above.min() >= 0 or (minimum == 0 and totals[index].any()):
            return None
    squares = np.diagonal(products, axis1=1, axis2=2)
    first, second = np.triu_indices(len(builders), 1)
    rows = len(minima) * len(first)
    names = texts(builders)
    columns = {
        **{name: constant(identity[name], rows) for name in ("source", "failed", "cost_function")},
        "group": np.full(rows, identity["group"]),
        "least": np.repeat(minima.astype(np.int64), len(first)),
        "heuristic": pa.DictionaryArray.from_arrays(array_of(np.tile(first.astype(np.int8), len(minima))), names),
        "other": pa.DictionaryArray.from_arrays(array_of(np.tile(second.astype(np.int8), len(minima))), names),
        "tables": np.repeat(np.diff(starts, append=len(order)), len(first)),
        "total": (totals[:, first] - totals[:, second]).astype(np.int64).ravel(),
        "squares": (squares[:, first] + squares[:, second] - 2 * products[:, first, second]).astype(np.int64).ravel(),
    }
    return table_of_columns(columns, GAPS)


def _impossible(column: str, group: int, index: NDArray[np.int64], builders: Sequence[str], costs: NDArray[Any]) -> str:
    """Describe the first impossible cost among the costs (tables, builders)."""
    least = costs[:, -1:]
    table, builder = np.argwhere(~((costs >= least) & ((least > 0) | (costs == least))))[0].tolist()
    return (
        f"table_index {index[table]} of group {group}: {column} is {costs[table, builder]} by {builders[builder]} and "
        f"{costs[table, -1]} at the minimum, so one of the two builders has a fault, or the row is damaged: "
        f"`python -m pipeline.show --group {group} --table {index[table]}` builds the trees again"
    )


def _builders(part: Part, file: pq.ParquetFile) -> list[str]:
    """The builders of the first table of a part file in the order of its rows: the heuristics, then the exact one."""
    table, names = ["source", "group", "table_index"], ["builder", "impurity_type", "uncertainty"]
    rows = next(file.iter_batches(len(IMPURITY_FUNCTIONS) + 1, columns=table + names, use_threads=False)).to_pylist()
    own = [row for row in rows if all(row[name] == rows[0][name] for name in table)]
    builders = [EXACT if row["builder"] == EXACT else f"{row['impurity_type']}/{row['uncertainty']}" for row in own]
    if builders != [*sorted(set(builders) - {EXACT}), EXACT]:
        rows_of = ", ".join(builders)
        raise ValueError(
            f"the first table of {part.path} has rows of {rows_of}: expected heuristics in alphabetical order, then "
            f"{EXACT}"
        )
    return builders


def _coded(column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int32]]:
    """The distinct texts of a column, and each row's index among them."""
    whole = column.unify_dictionaries().combine_chunks()
    return whole.dictionary.to_pylist(), numpy_of(whole.indices)


BY_PART = ByPart(
    {
        "outcomes": {"tables": "sum", "first_table": "min"},
        "gaps": {"tables": "sum", "total": "sum", "squares": "sum"},
    },
    sums_of_part,
)

summary_of_excess = partial(Summary, by_part=BY_PART, constants={"costs": COSTS}, cell="", nothing="")
"""A summary of heuristics on random tables; tables, finding and figures are still to be given."""

MEAN = MeanOfSums(
    "mean_relative_difference",
    "total / greatest(least, 1)",
    n="tables",
    error="standard_error",
    number="tables",
    squares="squares / greatest(least, 1) ** 2",
)
"""Mean of (greedy - minimum) / minimum. A minimum of 0 is a single leaf and counts as 0."""

HEURISTIC = (Key("impurity_type", "split_part(heuristic, '/', 1)"), Key("uncertainty", "split_part(heuristic, '/', 2)"))
OUR_HEURISTIC = "ours.impurity_type || '/' || ours.uncertainty"
IN_ORDER = f"""ours join heuristics h on h.name = {OUR_HEURISTIC} join costs c on c.name = ours.cost_function
cross join left_out"""
"""The aggregates joined with the index of their heuristic and cost, and with the excluded tables."""

LEFT_OUT = tuple(Known(name) for name in ("_left_out", "_always_failed", "_without"))
"""Columns of `IN_ORDER` that `left_out` describes."""


def views(*keys: str) -> dict[str, str]:
    """The views of random tables, with the paired differences of heuristics by these keys and the cost."""
    by = ", ".join([*keys, "cost_function"])
    mean, error = (MEAN.aggregates[f"_{MEAN.name}_{which}"] for which in ("mean", "error"))
    return {
        **VIEWS,
        "paired": f"""with one_way as (select {by}, heuristic, other, {mean} as mean, {error} as error
  from gaps semi join kept using (source, "group", failed) where other <> '{EXACT}' group by all)
from one_way union all by name
select {by}, other as heuristic, heuristic as other, 0 - mean as mean, error from one_way""",
    }


def ranked(*keys: str, columns: str = "", beside: str = "", among: str) -> str:
    """SQL that follows `from`: the heuristics ranked by their means, for each cost and key, with the gap to the next.

    Parameters
    ----------
    keys : str
        As in `views`.
    columns, beside : str
        SQL of further columns and of the joins that they need, over `own`, a heuristic, and `ranked`, all of them.
    among : str
        SQL condition on `own`, such as `own.position = 1`. Ties are ranked in the order of the heuristics.
    """
    by = ", ".join([*keys, "cost_function"])
    return f"""(with ranked as (select ours.*, h.name as _heuristic, c.place as _cost, row_number() over (
    partition by {by} order by {MEAN.name}, h.place) as position, left_out.*
  from {IN_ORDER})
select own.*, gap.mean as gap_to_next, gap.error as gap_standard_error{columns}
from ranked own
left join (select {by}, position - 1 as position, _heuristic as _next from ranked) using ({by}, position)
left join (select {by}, other as _heuristic, heuristic as _next, mean, error from paired) gap
  using ({by}, _heuristic, _next)
{beside}
where {among}) ours"""


def name_of(row: Row) -> str:
    """The heuristic of a row."""
    return f"{row['impurity_type']}/{row['uncertainty']}"


def mean_of(row: Row) -> Estimate:
    """The mean of a row."""
    return Estimate(row["tables"], row[MEAN.name], row["standard_error"])


def gap_of(row: Row) -> Estimate | None:
    """The paired gap from a ranked row's heuristic to the next; None for the last."""
    gap = row["gap_to_next"]
    return None if gap is None else Estimate(row["tables"], gap, row["gap_standard_error"])


def level_with_next(row: Row) -> bool:
    """Whether the 95 % interval of the gap to the next heuristic includes zero."""
    gap = gap_of(row)
    return gap is not None and (gap.low is None or gap.low <= 0)


def left_out(row: Row) -> str:
    """Describe the excluded tables; empty if there are none."""
    every = f", among them all of {listed(sorted(row['_without']))}" if row["_without"] else ""
    tables = f"{counted(row['_left_out'], 'table')} left out because of rows that are not ok{every}"
    failed = f"failed on every table: {listed(row['_always_failed'])}" if row["_always_failed"] else ""
    return "; ".join(filter(None, (tables if row["_left_out"] else "", failed)))


def percent(estimate: Estimate) -> str:
    """A mean in percent, with its standard error."""
    error = estimate.standard_error
    return f"{100 * estimate.mean:.2f}" + ("" if error is None else f" ± {100 * error:.2f}")
