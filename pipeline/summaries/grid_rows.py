"""Rows of the grid experiment, as relative differences of greedy costs from the exact minima."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from algorithms.costs import COST_FUNCTIONS

__all__ = ["COLUMNS", "COSTS", "Excess", "excess"]

COSTS = tuple(COST_FUNCTIONS)
"""The names of the five cost functions, in the order of the paper's tables."""

COLUMNS = ("group", "table_index", "builder", "impurity_type", "uncertainty", "status", *COSTS)
"""The columns of the results that are read."""

ROUNDING = 1e-9
"""How far below its minimum an average depth may lie for the rounding of either."""


@dataclass(frozen=True, eq=False)
class Excess:
    """Relative differences (greedy - minimum) / minimum of the decision tables of which every row is ok.

    group    : (tables,)
    values   : (tables, heuristics * costs), the costs of a heuristic side by side
    left_out : decision tables with a row that is not ok
    """

    group: NDArray[np.int64]
    values: NDArray[np.float64]
    left_out: int


def excess(part: pa.Table, heuristics: Sequence[str]) -> Excess:
    """Relative differences of a part of the grid; 0 where the minimum is 0, a single leaf.

    The part holds whole decision tables, for each a row per heuristic, in the order given, and then the exact one.

    Raises
    ------
    ValueError
        The rows are not in that order, a cost is missing from an ok row, or a greedy cost is below its minimum.
    """
    size = len(heuristics) + 1
    if part.num_rows % size:
        msg = (
            f"a part of {part.num_rows} rows is no whole number of decision tables of {size} rows each; "
            f"parts must not be cut inside a table, nor written for other heuristics than {', '.join(heuristics)}"
        )
        raise ValueError(msg)
    group, index = (_integers(part, name).reshape(-1, size) for name in ("group", "table_index"))
    _check_order(part, heuristics, group, index)
    kept = (_places(part, "status", ["ok"]).reshape(-1, size) == 0).all(axis=1)
    costs = np.stack([_floats(part, name).reshape(-1, size) for name in COSTS], axis=2)
    if not kept.all():
        costs = costs[kept]
    values = _relative(costs)
    if values.size and not -ROUNDING <= values.min() <= values.max() < np.inf:  # neither holds of NaN
        bad = ~(values >= -ROUNDING) | ~np.isfinite(values)
        table, heuristic, cost = np.argwhere(bad)[0]
        msg = (
            f"table_index {index[kept][table, 0]} of group {group[kept][table, 0]}: {COSTS[cost]} is "
            f"{costs[table, heuristic, cost]} by {heuristics[heuristic]} and {costs[table, -1, cost]} at the minimum, "
            "which no correct pair of builders gives; run the table again, and mend the builder if it stays"
        )
        raise ValueError(msg)
    return Excess(group[kept, 0], values.reshape(-1, len(heuristics) * len(COSTS)), int((~kept).sum()))


def _relative(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relative differences of costs (tables, heuristics + 1, costs), the minima last; infinite above a minimum of 0."""
    minimum = costs[:, -1:]
    difference = costs[:, :-1] - minimum
    nothing = minimum == 0
    difference /= np.where(nothing, 1.0, minimum)
    if nothing.any():
        difference[nothing & (difference > 0)] = np.inf
    return difference


def _check_order(part: pa.Table, heuristics: Sequence[str], group: NDArray[np.int64], index: NDArray[np.int64]) -> None:
    """Refuse a part whose rows are not, table by table, the heuristics in order and then the exact minima."""
    types, measures = (list(dict.fromkeys(name.split("/")[i] for name in heuristics)) for i in (0, 1))
    columns: dict[str, tuple[list[str], list[str | None]]] = {
        "builder": (["greedy", "exact"], [*["greedy"] * len(heuristics), "exact"]),
        "impurity_type": (types, [*(name.split("/")[0] for name in heuristics), None]),
        "uncertainty": (measures, [*(name.split("/")[1] for name in heuristics), None]),
    }
    wrong = (group != group[:, :1]) | (index != index[:, :1])
    for name, (values, expected) in columns.items():
        places = _places(part, name, values).reshape(group.shape)
        wrong |= places != [-1 if value is None else values.index(value) for value in expected]
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        found = part.select(["group", "table_index", *columns]).slice(row, 1).to_pylist()[0]
        wanted = ", ".join(f"{name} {expected[row % group.shape[1]]}" for name, (_, expected) in columns.items())
        msg = (
            f"row {row} of a part has {', '.join(f'{name} {value}' for name, value in found.items())}, where {wanted} "
            f"of group {group.flat[row - row % group.shape[1]]}, table_index {index.flat[row - row % group.shape[1]]} "
            "was expected; write the rows of each table together, heuristics in canonical order and exact last"
        )
        raise ValueError(msg)


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


def _integers(part: pa.Table, name: str) -> NDArray[np.int64]:
    """An integer column without nulls (rows,)."""
    column = part.column(name)
    if column.null_count:
        msg = f"{name} is null in {column.null_count} rows of a part; every row must say which decision table it is of"
        raise ValueError(msg)
    return np.asarray(column.to_numpy(), dtype=np.int64)


def _floats(part: pa.Table, name: str) -> NDArray[np.float64]:
    """A numeric column (rows,), its nulls as NaN."""
    return np.asarray(part.column(name).to_numpy(), dtype=np.float64)
