"""Arrays that a named tuple declares, against shapes and types written by hand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from algorithms.kernel_arrays import array, arrays_of


class Lists(NamedTuple):
    rows: Any = array("lists 2*most+1 3", np.int32)
    end: Any = array("lists*most+2*lists+1")
    weight: Any = array("most", "number")


def test_each_array_has_its_declared_shape_and_type_and_is_zero() -> None:
    made = arrays_of(Lists, lists=2, most=5, number=np.float64)
    assert isinstance(made, Lists)
    assert [(each.shape, each.dtype) for each in made] == [
        ((2, 11, 3), np.int32),
        ((15,), np.int64),
        ((5,), np.float64),
    ]
    assert not any(each.any() for each in made)


def test_another_maker_gets_each_shape_and_type() -> None:
    requests: list[Any] = []
    made = arrays_of(Lists, lambda shape, dtype: requests.append((shape, dtype)), lists=0, most=1, number=np.int8)
    assert made == Lists(None, None, None)
    assert requests == [((0, 3, 3), np.int32), ((1,), np.int64), ((1,), np.int8)]


def test_a_size_that_is_not_given_is_an_error() -> None:
    with pytest.raises(NameError, match="most"):
        arrays_of(Lists, lists=2, number=np.int8)
