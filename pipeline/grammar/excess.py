"""Rows of the grid experiment, as relative differences of greedy costs from the exact minima."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.grammar.costs import COSTS

__all__ = ["CHECKED", "COLUMNS", "Excess", "check_order", "excess"]

READ = {cost: "total_path_length" if cost == "average_depth" else cost for cost in COSTS}
"""The column read for each cost: over one table average depths compare as total path lengths, which are whole."""

COLUMNS = ("group", "table_index", "status", *READ.values())
"""The columns of the results that `excess` takes."""

CHECKED = ("group", "table_index", "builder", "impurity_type", "uncertainty")
"""The columns of the results that `check_order` takes."""


@dataclass(frozen=True, eq=False)
class Excess:
    """Relative differences (greedy - minimum) / minimum of the decision tables of which every row is ok.

    sample      : (tables,) the group, or the source, that a table is of
    table_index : (tables,) its number there
    values      : (costs, tables, heuristics), without those that are lost
    left_out    : decision tables with a row that is not ok
    worked      : (all heuristics,) whether any of its rows is ok
    """

    sample: NDArray[Any]
    table_index: NDArray[np.int64]
    values: NDArray[np.float64]
    left_out: int
    worked: NDArray[np.bool_]


def excess(part: pa.Table, heuristics: Sequence[str], sample: str = "group", lost: Sequence[str] = ()) -> Excess:
    """Relative differences of a part of the grid; 0 where the minimum is 0, a single leaf.

    `sample` is the column that tells samples apart, `group` or `source`. Of heuristics that are `lost` no row counts.

    The part holds whole decision tables, for each a row per heuristic, in the order given, and then the exact one.

    Raises
    ------
    ValueError
        The part is no whole number of tables, a cost is missing from an ok row, or a greedy cost is below its minimum.
    """
    size = len(heuristics) + 1
    if part.num_rows % size:
        msg = (
            f"a part of {part.num_rows} rows is no whole number of decision tables of {size} rows each; "
            f"parts must not be cut inside a table, nor written for other heuristics than {', '.join(heuristics)}"
        )
        raise ValueError(msg)
    fine = _places(part, "status", ["ok"]).reshape(-1, size) == 0
    counted = [place for place, name in enumerate([*heuristics, None]) if name not in lost]
    kept = fine[:, counted].all(axis=1)
    values = np.empty((len(COSTS), int(kept.sum()), len(counted) - 1))
    for place, cost in enumerate(COSTS):
        costs = part.column(READ[cost]).to_numpy().reshape(-1, size)
        if lost:
            costs = costs[:, counted]
        if not kept.all():
            costs = costs[kept]
        _relative(costs, out=values[place])
        if values.size and not 0 <= values[place].min() <= values[place].max() < np.inf:  # neither holds of NaN
            table, heuristic = np.argwhere(~((values[place] >= 0) & (values[place] < np.inf)))[0]
            found = (
                part.select(["group", "table_index"]).slice(int(np.flatnonzero(kept)[table]) * size, 1).to_pylist()[0]
            )
            msg = (
                f"table_index {found['table_index']} of group {found['group']}: {READ[cost]} is "
                f"{costs[table, heuristic]} by {heuristics[counted[heuristic]]} and {costs[table, -1]} at the minimum, "
                "which no correct pair of builders gives; run the table again, and mend the builder if it stays"
            )
            raise ValueError(msg)
    samples, numbers = (
        np.asarray(part.column(name).to_numpy()).reshape(-1, size)[kept, 0] for name in (sample, "table_index")
    )
    return Excess(samples, numbers, values, len(kept) - len(samples), fine[:, :-1].any(axis=0))


def _relative(costs: NDArray[Any], out: NDArray[np.float64]) -> None:
    """Write relative differences of costs (tables, heuristics + 1), the minima last; infinite above a minimum of 0."""
    minimum = costs[:, -1:]
    np.subtract(costs[:, :-1], minimum, out=out)
    nothing = minimum == 0
    out /= np.where(nothing, 1, minimum)
    if nothing.any():
        out[nothing & (out > 0)] = np.inf


def check_order(table: pa.Table, heuristics: Sequence[str]) -> None:
    """Return only if the rows of one decision table are the heuristics in order and then the exact minima.

    Raises
    ------
    ValueError
        Names the first row that is another.
    """
    found = table.select(CHECKED).to_pylist()
    builders = [*(("greedy", *name.split("/")) for name in heuristics), ("exact", None, None)]
    for row, (builder, impurity_type, uncertainty) in enumerate(builders):
        expected = {
            **{name: found[0][name] for name in ("group", "table_index")},
            "builder": builder,
            "impurity_type": impurity_type,
            "uncertainty": uncertainty,
        }
        if found[row] != expected:
            msg = (
                f"row {row} of a part has {_listed(found[row])}, where {_listed(expected)} was expected; write the "
                "rows of each table together, heuristics in canonical order and exact last"
            )
            raise ValueError(msg)


def _listed(row: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in row.items())


def _places(part: pa.Table, name: str, values: Sequence[str]) -> NDArray[np.int64]:
    """The place in values of each row's text (rows,); -1 for null and any other text."""
    column = part.column(name)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    places = [np.empty(0, np.int64)]
    for chunk in column.chunks:
        known = [values.index(text) if text in values else -1 for text in chunk.dictionary.to_pylist()]
        indices = pc.fill_null(chunk.indices.cast(pa.int64()), len(known))
        places.append(np.array([*known, -1], dtype=np.int64)[indices.to_numpy(zero_copy_only=False)])
    return np.concatenate(places)
