"""Columns that an option selects by their names, by their positions or by a mask."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np


def columns_selected(option: str, selected: Any, names: Sequence[str]) -> set[int]:
    """The positions of columns that an option selects by name, position or mask; ValueError names an unknown column."""
    if len(selected) == len(names) and all(isinstance(column, bool | np.bool_) for column in selected):
        if hasattr(selected, "iloc") and sorted(map(str, selected.index)) == sorted(names):  # a mask with names
            return {names.index(str(name)) for name, chosen in selected.items() if chosen}
        return {index for index, chosen in enumerate(selected) if chosen}
    positions: set[int] = set()
    for column in selected:
        position = names.index(column) if isinstance(column, str) and column in names else column
        whole = isinstance(position, Integral) and not isinstance(position, bool)
        if not whole or not 0 <= int(position) < len(names):
            known = f"a name, such as {', '.join(names[:9])}, or a position from 0 to {len(names) - 1}"
            raise ValueError(f"{option} has {column!r}, which is not a column of X: expected {known}")
        if is_ambiguous(column, names):
            raise ValueError(f"{option} has {column!r}, {meanings(column, names)}")
        positions.add(int(position))
    return positions


def is_ambiguous(column: Any, names: Sequence[str]) -> bool:
    """Whether a position is also the name of another column, such as 2 for columns called 1, 2 and 3."""
    return not isinstance(column, str) and str(column) in names and names.index(str(column)) != column


def meanings(column: int, names: Sequence[str]) -> str:
    """Both columns that an ambiguous position may mean, and how to select each of them."""
    return (
        f"which is the position of column {names[column]!r}, but also the name of another column: expected the name as "
        f"text, {names[column]!r} or {str(column)!r}"
    )
