"""The items of axes: each row is of the one item whose values it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ConfigError
from pipeline.grammar.axes import Axes, Axis, numbered


def number(name: str, lasts: Sequence[int]) -> Axis:
    """For an index on the first axis, the numbers up to the last there."""
    return numbered(name, lambda _, first: lasts[first], varies=True)


@given(st.data(), st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 3))
def test_the_item_of_a_row_is_the_one_that_has_it_where_axes_vary(data: Any, lasts: list[int], depth: int) -> None:
    axes = Axes(
        None,
        (numbered("source", lambda _: len(lasts)), number("repeat", lasts), numbered("depth", lambda _: depth)),
    )
    assert axes.items == sum(lasts) * depth
    item = data.draw(st.integers(0, axes.items - 1))
    values = axes.values(axes.indices(item))
    row = {key: value for axis, each in zip(axes.axes, values, strict=True) for key, value in axis.row(each).items()}
    assert axes.number_of(row) == item
    earlier = [axes.values(axes.indices(before)) for before in range(item)]
    assert all(each < values for each in earlier)
    assert axes.number_of({"source": row["source"]}) == axes.items_before(row["source"] - 1)


@given(st.integers(1, 10**12), st.integers(1, 10**6), st.data())
def test_of_many_items_none_is_counted(groups: int, count: int, data: Any) -> None:
    axes = Axes(None, (numbered("group", lambda _: groups), numbered("table_index", lambda _: count, word="table")))
    item = data.draw(st.integers(0, axes.items - 1))
    group, index = axes.values(axes.indices(item))
    assert (group - 1) * count + index - 1 == item == axes.number_of({"group": group, "table_index": index})
    with pytest.raises(ConfigError, match=rf"table {count + 1}: expected 1"):
        axes.number_of({"table_index": count + 1})
