"""What an answer looks like on a screen: never wider than it, with a word for all that is not shown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from pipeline.listing import FOLDED, LONGEST, listing

VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=60))


def shown(names: list[str], rows: list[tuple[Any, ...]], width: int) -> tuple[list[str], list[str]]:
    console = Console(width=width)
    table, left_out = listing(names, rows, width)
    with console.capture() as captured:
        console.print(table)
    return captured.get().splitlines(), left_out


@given(st.data(), st.integers(1, 12), st.integers(0, 4), st.integers(FOLDED + 1, 120))
def test_no_line_is_wider_than_the_screen_and_every_column_is_shown_or_named(
    data: st.DataObject, columns: int, count: int, width: int
) -> None:
    names = [f"column_{index}" for index in range(columns)]
    rows = data.draw(st.lists(st.tuples(*[VALUES] * columns), min_size=count, max_size=count))
    lines, left_out = shown(names, rows, width)
    assert all(cell_len(line) <= width for line in lines)
    for name in names:
        assert name in lines[0] or any(name in words for words in (*left_out, *lines))


def test_a_table_that_fits_is_shown_whole() -> None:
    lines, left_out = shown(["who", "n"], [("a", 1), (None, 22)], 30)
    assert [line.rstrip() for line in lines] == ["who    n", "────────", "a      1", "null  22"]
    assert left_out == []


def test_empty_columns_go_first_then_the_last_ones() -> None:
    row = ("x" * 20, None, "y" * 20, "z" * 20)
    lines, left_out = shown(["a", "b", "c", "d"], [row, row], 45)
    assert lines[0].split() == ["a", "c"]
    assert left_out == ["empty columns, not shown: b", "columns not shown, because the lines would be too long: d"]


def test_columns_with_the_same_text_in_all_rows_are_named_before_others_are_left_out() -> None:
    rows = [("iris", "all", letter * 20, 1, letter * 20) for letter in "xyz"]
    lines, left_out = shown(["source", "part", "a", "n", "b"], rows, 48)
    assert lines[0].split() == ["a", "n", "b"]
    assert left_out == ["the same in all these rows: source iris, part all"]
    assert shown(["source", "a"], [("iris", "x"), ("iris", "y")], 60)[1] == []
    assert shown(["source", "a"], [("iris" * 20, "x"), ("iris" * 20, "y")], 60)[1] == []
    for text in ("", "a\nb"):
        assert shown(["source", "a", "n"], [(text, "x" * 30, 1), (text, "y" * 30, 2)], 40)[1] == []


def test_columns_without_rows_are_shown_or_named() -> None:
    lines, left_out = shown(["n", "m" * 30], [], 20)
    assert (lines[0].split(), left_out[-1]) == (
        ["n"],
        f"columns not shown, because the lines would be too long: {'m' * 30}",
    )


def test_long_texts_are_folded_before_a_column_is_left_out() -> None:
    lines, left_out = shown(["a", "b"], [("x" * 100, 1), ("x", 2)], 40)
    assert left_out == []
    assert "".join(lines).count("x") == 101


@pytest.mark.parametrize("rows", [[("x" * 10**6, 1)], [("x" * 10**6, 1), ("x", 2)]])
def test_a_very_long_value_is_cut_off(rows: list[tuple[Any, ...]]) -> None:
    lines, left_out = shown(["a", "b"], rows, 60)
    assert left_out == [f"columns cut off after {LONGEST:,} characters: a"]
    assert "".join(lines).count("x") == LONGEST + len(rows) - 1


@pytest.mark.parametrize("value", [True, 1, 1.5, "x", None, [1, 2], {"a": None}])
def test_a_single_row_that_is_too_wide_is_listed_downwards(value: object) -> None:
    names = [f"column_{index}" for index in range(20)]
    lines, left_out = shown(names, [(value,) * 20], 60)
    assert [line.split()[0] for line in lines] == names
    assert left_out == []


def test_markup_in_names_and_values_is_shown() -> None:
    lines, _ = shown(["[red]a"], [("[bold]x[/bold]",)], 60)
    assert lines[0].startswith("[red]a")
    assert lines[2].startswith("[bold]x[/bold]")
