"""Named tuples by reference: who passes them, their fields, and where they are not allowed."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError, TypingError

from algorithms._numba.by_reference import Reference, by_reference
from algorithms._numba.decorators import inner, kernel, outer


class Size(NamedTuple):
    """A tuple in a tuple."""

    rows: Any
    columns: Any


class Buffers(NamedTuple):
    """Arrays, a number, a tuple of its own."""

    cells: Any
    share: Any
    size: Any


def buffers() -> Buffers:
    return Buffers(np.zeros((2, 3)), 0.5, Size(np.array([2]), 3))


@inner
def fill(buffers: Any, value: Any) -> None:
    for i in range(buffers.size.rows[0]):
        for j in range(buffers.size.columns):
            buffers.cells[i, j] = value * buffers.share


@outer
def filled(buffers: Any, other: Any) -> Any:
    fill(buffers, 3)
    return other is None


def test_fields_are_those_of_the_tuple() -> None:
    given = buffers()
    assert filled(given, None)
    assert given.cells.tolist() == [[1.5] * 3] * 2
    assert not filled(given, given)


def test_python_passes_tuples_by_reference_and_finds_the_kernel_again() -> None:
    @outer
    def share(buffers: Any) -> Any:
        return buffers.share

    assert (share(buffers()), share(buffers())) == (0.5, 0.5)
    (compiled,) = share.overloads.values()
    assert [type(kind) for kind in compiled.fndesc.argtypes] == [Reference]
    (code,) = share.inspect_llvm().values()
    assert re.search(r"noalias [^,]*%arg\.buffers\b", code)  # no store to an array changes the tuple


def test_a_kernel_that_may_allocate_passes_tuples_by_reference() -> None:
    @kernel
    def fill_one(cells: Any, size: Any) -> Any:
        one = Buffers(cells, 0.5, size)
        return filled(by_reference(one), None)

    given = buffers()
    assert fill_one(given.cells, given.size)
    assert given.cells.tolist() == [[1.5] * 3] * 2


def test_a_missing_field_is_reported() -> None:
    @outer
    def read(buffers: Any) -> Any:
        return buffers.walls

    with pytest.raises(TypingError, match="walls"):
        read(buffers())


def test_a_kernel_that_may_allocate_cannot_read_references() -> None:
    @njit
    def read(buffers: Any) -> Any:
        return by_reference(buffers).cells

    with pytest.raises(NumbaError, match="decorate it with `outer`"):
        read(buffers())
