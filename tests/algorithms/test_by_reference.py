"""Named tuples by reference: their fields, and where they may not be had."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError, TypingError

from algorithms._numba.by_reference import by_reference
from algorithms._numba.decorators import inner, outer


class Size(NamedTuple):
    """A part of a room."""

    rows: Any
    columns: Any


class Room(NamedTuple):
    """Arrays, a number, a tuple of its own."""

    cells: Any
    share: Any
    size: Any


def room() -> Room:
    return Room(np.zeros((2, 3)), 0.5, Size(np.array([2]), 3))


@inner
def fill(room: Any, value: Any) -> None:
    for i in range(room.size.rows[0]):
        for j in range(room.size.columns):
            room.cells[i, j] = value * room.share


@outer
def filled(room: Any, other: Any) -> Any:
    room, other = by_reference(room), by_reference(other)
    fill(room, 3)
    return other is None


def test_fields_are_those_of_the_tuple() -> None:
    given = room()
    assert filled(given, None)
    assert given.cells.tolist() == [[1.5] * 3] * 2
    assert not filled(given, given)


def test_a_field_that_is_not_there_is_told() -> None:
    @outer
    def read(room: Any) -> Any:
        return by_reference(room).walls

    with pytest.raises(TypingError, match="walls"):
        read(room())


def test_where_references_are_counted_there_is_none() -> None:
    @njit
    def read(room: Any) -> Any:
        return by_reference(room).cells

    with pytest.raises(NumbaError, match="compile the kernel as `outer`"):
        read(room())
