"""Cells of arrays: what is read and written is what numpy reads and writes, but not from the end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError

from algorithms._numba.cells import cells

RECORD = np.dtype([("rows", np.int64), ("share", np.float32), ("known", np.bool_)], align=True)


@njit
def doubled(numbers: Any) -> Any:
    here = cells(numbers)
    for i in range(here.shape[0]):
        for j in range(here.shape[1]):
            for k in range(here.shape[2]):
                here[i, j, k] = here[i, np.uint8(j), k] + numbers[i, j, k]
    return here


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint64, np.float32, np.float64])
def test_cells_of_three_axes(kind: Any) -> None:
    numbers = np.arange(30, dtype=kind).reshape(2, 3, 5)
    there = numbers.copy()
    assert doubled(there) is there
    assert there.tolist() == (2 * numbers).tolist()


@njit
def parts(numbers: Any) -> Any:
    here = cells(numbers)
    row, block = here[1], here[0:2, 1:3]
    row[0] = 100
    block[1, 1] = 200
    here[2, 1:] = 300
    here[0] = row
    return len(here), row.sum(), block.copy()


def test_parts_are_those_of_the_array() -> None:
    numbers = np.arange(12).reshape(3, 4)
    length, total, block = parts(numbers)
    expected = np.arange(12).reshape(3, 4)
    expected[1, 0], expected[1, 2], expected[2, 1:] = 100, 200, 300
    expected[0] = expected[1]
    assert np.array_equal(numbers, expected)
    assert (length, total, block.tolist()) == (3, expected[1].sum(), expected[0:2, 1:3].tolist())


@njit
def count_known(positions: Any, flags: Any) -> Any:
    here, known = cells(positions), cells(flags)
    rows = 0
    for i in range(len(here)):
        index = here[i]
        index.known = not known[i]
        known[i] = index.known
        rows += index.rows
        index.share = rows / 2
    return rows


def test_records_and_truth_values() -> None:
    positions, flags = np.zeros(3, RECORD), np.array([True, False, True])
    positions["rows"] = 1, 2, 4
    assert count_known(positions, flags) == 7
    assert flags.tolist() == positions["known"].tolist() == [False, True, False]
    assert positions["share"].tolist() == [0.5, 1.5, 3.5]


@njit
def added(numbers: Any) -> Any:
    here, total = cells(numbers), 0
    for i in range(len(here)):
        total += here[i]
    return total


def test_an_array_that_is_not_in_the_order_of_c_is_read_as_it_is() -> None:
    assert added(np.arange(10)[::-3]) == 9 + 6 + 3


def test_an_array_outlives_its_cells() -> None:
    @njit
    def made(length: int) -> Any:
        here = cells(np.empty(length))
        for i in range(length):
            here[i] = i
        return here

    assert [made(1000).sum() for _ in range(5)] == [499500.0] * 5


def test_no_cell_is_counted_from_the_end() -> None:
    @njit
    def last(numbers: Any) -> Any:
        return cells(numbers)[-1]

    with pytest.raises(NumbaError, match=r"the index of a cell is -1: expected 0 or more; .* array.shape\[0\] - 1"):
        last(np.arange(3))


@pytest.mark.parametrize("index", [(-1, 0), (0, -1), (2, 0), (0, 3)])
def test_a_debug_build_reports_an_index_outside(index: tuple[int, int]) -> None:
    @njit(boundscheck=True)
    def read(numbers: Any, i: int, j: int) -> Any:
        return cells(numbers)[i, j]

    assert read(np.arange(6).reshape(2, 3), 1, 2) == 5
    with pytest.raises(IndexError, match="out of bounds"):
        read(np.arange(6).reshape(2, 3), *index)
