"""The summary over the runs of a sweep: rows joined by key, means with their ends, verdicts counted."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.summary.record import UnreadableSummaryError
from pipeline.summary.sweep import SweptRun, across, read_sweep, sweep_record, write_sweep
from pipeline.summary.tables import SummaryTable, Value

COLUMNS = ("source", "builder", "n", "accuracy", "low", "high", "worst_on", "verdict")


def table(*rows: tuple[Value, ...], columns: tuple[str, ...] = COLUMNS) -> SummaryTable:
    return SummaryTable("accuracies", "Accuracy", columns, rows, "in %")


def test_rows_of_different_builders_are_not_joined_even_if_each_run_has_one_row() -> None:
    result = across([table(("iris", name, 5, 90.0, 1.0, 2.0, "a", None)) for name in ("c45", "cart", "c45")])
    assert [row[:3] for row in result.rows] == [("iris", "c45", 2), ("iris", "cart", 1)]


NOTES = ("In percent. 3 of 4 agree. n: folds.", "In percent. 2 of 4 agree. n: folds.")


def test_rows_are_joined_by_the_first_columns_that_distinguish_them() -> None:
    result = across(
        [
            table(("iris", "c45", 5, 90.0, 89.0, 91.0, "a", "agrees"), ("iris", "cart", 5, 80.0, 1.0, 2.0, "b", None)),
            table(("iris", "cart", 5, 84.0, 3.0, 4.0, "c", None), ("iris", "c45", 5, 96.0, 95.0, 97.0, "a", "differs")),
            table(("iris", "c45", 5, 93.0, 92.0, 94.0, "a", "agrees")),
        ]
    )
    ends = ("accuracy", "accuracy_least", "accuracy_greatest")
    assert result.columns == ("source", "builder", "runs", "verdict_agrees", "verdict_differs", "n", *ends, "worst_on")
    assert result.rows == (
        ("iris", "c45", 3, 2, 1, 5, 93.0, 90.0, 96.0, "a (3)"),
        ("iris", "cart", 2, 0, 0, 5, 82.0, 80.0, 84.0, "b (1); c (1)"),
    )


def test_missing_values_count_in_no_mean_and_a_column_that_a_run_lacks_is_left_out() -> None:
    without = tuple(name for name in COLUMNS if name != "n")
    rows: list[tuple[Value, ...]] = [
        ("iris", "c45", None, 1.0, 2.0, "a", None),
        ("iris", "cart", 70.0, 1, 2, "a", None),
    ]
    result = across(
        [
            table(("iris", "c45", 5, 90.0, 1.0, 2.0, "a", None), ("iris", "cart", 5, None, 1, 2, "a", None)),
            table(*rows, columns=without),
            table(("iris", "c45", 5, 80.0, 1.0, 2.0, "a", None)),
        ]
    )
    assert "n" not in result.columns
    assert [row[:6] for row in result.rows] == [
        ("iris", "c45", 3, 85.0, 80.0, 90.0),
        ("iris", "cart", 2, 70.0, 70.0, 70.0),
    ]


def test_bounds_are_left_out_but_not_columns_whose_names_end_alike() -> None:
    columns = ("source", "shallow", "below", "low", "nodes_high", "accuracy_standard_error")
    result = across([table(("iris", share, 2.0, 1.0, 3.0, 0.1), columns=columns) for share in (0.25, 0.75)])
    assert result.columns == ("source", "runs", "shallow", "shallow_least", "shallow_greatest", "below")
    assert result.rows == (("iris", 2, 0.5, 0.25, 0.75, 2.0),)


def test_of_many_texts_the_most_frequent_are_named() -> None:
    result = across([table(("iris", "c45", 1, 1.0, 0.0, 0.0, text, None)) for text in "abbcde"])
    assert result.records[0]["worst_on"] == "b (2); a (1); c (1); 2 others"


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6))
def test_a_mean_lies_between_its_ends(values: list[float]) -> None:
    result = across([table(("iris", "c45", 1, value, 0.0, 0.0, "", None)) for value in values])
    row = result.records[0]
    if len(set(values)) == 1:
        assert row["accuracy"] == values[0]
        assert "accuracy_least" not in row
        return
    assert (row["accuracy_least"], row["accuracy_greatest"]) == (min(values), max(values))
    assert min(values) <= float(row["accuracy"] or 0) <= max(values)
    size = max(map(abs, values))
    if size < 1e100:
        assert math.isclose(float(row["accuracy"] or 0), math.fsum(values) / len(values), abs_tol=1e-9 * size)


def test_a_sweep_is_read_as_it_was_written_and_damage_is_named(tmp_path: Path) -> None:
    runs = [SweptRun(("1",), "", "exit status 2", "seed is -1", None), SweptRun(("2",), "", "not begun", "", None)]
    record = sweep_record("abc", "mine", ["seed"], runs)
    folder = tmp_path / "grid=mine" / "sweep=abc"
    write_sweep(record, folder)
    assert read_sweep(folder) == record
    assert (folder / "swept_runs.csv").read_text() == (
        "seed,run,ended,finding\n1,,exit status 2,seed is -1\n2,,not begun,\n"
    )
    moved = folder.rename(folder.with_name("sweep=other"))
    with pytest.raises(UnreadableSummaryError, match="run the sweep again"):
        read_sweep(moved)
    odd = tmp_path / "grid=mine" / "sweep=a b"
    write_sweep(sweep_record("a b", "mine", ["seed"], runs), odd)
    with pytest.raises(UnreadableSummaryError, match="run the sweep again"):
        read_sweep(odd)  # no name of a sweep, and of no page


def test_the_note_says_what_the_notes_of_all_runs_say() -> None:
    first, second = (replace(table(("iris", "c45", 1, 1.0, 0.0, 0.0, "a", None)), note=note) for note in NOTES)
    assert across([first, second]).note.endswith("Note of each run: In percent. n: folds.")
