"""The summary of the grid, against a plain loop over small random grids and against the paper's own figures."""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from pipeline.grammar import by_part
from pipeline.grammar.by_part import ByPart
from pipeline.grammar.columns import COSTS, Row
from pipeline.grammar.findings import agreement
from pipeline.grammar.greedy_excess import BY_PART, VIEWS
from pipeline.grid import RESULTS_TABLE, GridSummary, PartialViews
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.grids.greedy_vs_dp.tests.made_up_rows import (
    ALL,
    FEW,
    TABLE_ROWS,
    Rows,
    context,
    grid_rows,
    part,
    parts_of,
    read,
    summarise,
    summary_rows,
)
from pipeline.summary.statistics import critical_z
from pipeline.summary.verdicts import Verdict, tally
from tests.oracles.greedy_excess import PRINTED, best_two, excess
from tests.summaries.builder_rows import written


def test_cells_are_those_of_a_plain_loop(tmp_path: Path) -> None:
    rows = grid_rows(2, 30)
    summarise([part(rows)], FEW, True, tmp_path)
    differences: dict[tuple[str, str, str], list[float]] = {}
    for start in range(0, len(rows), len(FEW) + 1):
        *greedy, exact = rows[start : start + len(FEW) + 1]
        for name, row in zip(FEW, greedy, strict=True):
            for cost in COSTS:
                cost_of, least = float(str(row[cost])), float(str(exact[cost]))
                relative = (cost_of - least) / least if least else 0.0
                differences.setdefault((str(row["group"]), name, cost), []).append(relative)
    cells = read(tmp_path / "cells.csv")
    assert [(c["group"], f"{c['impurity_type']}/{c['uncertainty']}", c["cost_function"]) for c in cells] == [
        (group, name, cost) for group in "12" for name in FEW for cost in COSTS
    ]
    for cell, key in zip(cells, sorted(differences, key=list(differences).index), strict=True):
        sample = differences[key]
        mean, error = statistics.fmean(sample), statistics.stdev(sample) / len(sample) ** 0.5
        printed = PRINTED[int(key[0]), key[1], key[2]]
        assert int(cell["tables"]) == 30
        assert float(cell["mean_relative_difference"]) == pytest.approx(mean)
        assert float(cell["standard_error"]) == pytest.approx(error)
        assert float(cell["low"]) == pytest.approx(mean - 1.959964 * error, rel=1e-5)
        assert float(cell["high"]) == pytest.approx(mean + 1.959964 * error, rel=1e-5)
        assert float(cell["printed"]) == printed
        z = (mean - printed) / (error * (1 + 30 / 10_000) ** 0.5)
        assert float(cell["z"]) == pytest.approx(z)
        tolerance = max(0.1 * printed, 0.5e-6)
        assert float(cell["tolerance"]) == pytest.approx(tolerance)
        within = abs(mean - printed) + 1.959964 * error * (1 + 30 / 10_000) ** 0.5 <= tolerance
        other = "differs" if abs(z) > critical_z(len(cells)) else "consistent"
        assert cell["verdict"] == ("agrees" if within else other)


def test_pooled_and_best_two_are_those_of_all_groups(tmp_path: Path) -> None:
    rows = grid_rows(3, 20)
    summarise([part(rows)], FEW, True, tmp_path)
    values = excess(rows, FEW)
    pooled = read(tmp_path / "pooled.csv")
    means = [float(c["mean_relative_difference"]) for c in pooled]
    np.testing.assert_allclose(means, values.mean(axis=1).T.ravel())
    assert float(pooled[0]["printed"]) == pytest.approx((0.110908 + 0.111381 + 0.110708 + 0.110753) / 4)
    best = read(tmp_path / "best_two.csv")
    for i, cost in enumerate(COSTS):
        order = np.argsort(values[i].mean(axis=0))
        for index, row in enumerate(best[2 * i : 2 * i + 2]):
            ours, following = values[i, :, order[index]], values[i, :, order[index + 1]]
            assert (row["cost_function"], row["position"]) == (cost, str(index + 1))
            assert f"{row['impurity_type']}/{row['uncertainty']}" == FEW[order[index]]
            assert float(row["gap_to_next"]) == pytest.approx((following - ours).mean())
            assert float(row["gap_standard_error"]) == pytest.approx((following - ours).std(ddof=1) / 60**0.5)
            assert (row["printed"], row["verdict"]) == ("", "")


def merged(declared: ByPart, tables: Sequence[pa.Table], folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """The views that are computed by part, merged."""
    with duckdb.connect() as connection:
        declared.create(connection, parts_of(tables, folder)[RESULTS_TABLE], VIEWS)
        return {name: connection.execute(f"from {name}").fetchall() for name in declared.merged}


@pytest.fixture(scope="module")
def failing() -> Rows:
    """Rows of two groups, some of which failed, and those of one heuristic all."""
    rows = grid_rows(2, 40)
    for number, row in enumerate(rows):
        if row["uncertainty"] == "gini" or number % 37 == 5:
            row |= {"status": "killed", **dict.fromkeys((*COSTS, "total_path_length"))}
    return rows


@settings(max_examples=8, deadline=None)
@given(cuts=st.lists(st.integers(0, 80), max_size=6))
def test_how_parts_are_cut_changes_no_sum(
    cuts: list[int], tmp_path_factory: pytest.TempPathFactory, failing: Rows
) -> None:
    folder, ends, size = tmp_path_factory.mktemp("cut"), [0, *sorted(cuts), 80], len(FEW) + 1
    whole = part(failing)
    parts = [whole.slice(a * size, (b - a) * size) for a, b in itertools.pairwise(ends)]
    assert merged(BY_PART, parts, folder / "cut") == merged(BY_PART, [whole], folder / "whole")


@pytest.mark.parametrize("most_waiting", [0, 10**6])
def test_views_of_groups_that_others_computed_change_no_sum(
    most_waiting: int, tmp_path: Path, failing: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_part, "MOST_WAITING", most_waiting)
    size = 7 * (len(FEW) + 1)
    rows = [part(failing[first : first + size]) for first in range(0, len(failing), size)]
    parts = parts_of(rows, tmp_path)[RESULTS_TABLE]
    groups = [BY_PART.of(parts[:3], VIEWS), BY_PART.of(parts[3:5], VIEWS)]
    joined = BY_PART.of((), VIEWS, groups)
    foreign = PartialViews(frozenset([parts[6].path.name, "part-of-another-run.parquet"]), joined.views)
    assert joined.parts == {part.path.name for part in parts[:5]}

    def sums(computed: Sequence[PartialViews]) -> dict[str, list[tuple[object, ...]]]:
        with duckdb.connect() as connection:
            BY_PART.create(connection, parts, VIEWS, computed)
            return {name: connection.execute(f"from {name}").fetchall() for name in BY_PART.merged}

    whole = sums(())
    assert all(whole.values())
    for computed in (groups, [joined], [joined, groups[0], foreign]):
        assert sums(computed) == whole


def test_views_that_others_computed_are_used(tmp_path: Path, failing: Rows) -> None:
    parts = parts_of([part(failing)], tmp_path)[RESULTS_TABLE]
    none = BY_PART.of((), VIEWS, [BY_PART.of(parts, VIEWS)]).views
    empty = PartialViews(frozenset([parts[0].path.name]), {name: rows.slice(0, 0) for name, rows in none.items()})
    with duckdb.connect() as connection:
        BY_PART.create(connection, parts, VIEWS, [empty])
        assert connection.execute("select count(*) from gaps").fetchall() == [(0,)]


@pytest.mark.parametrize("tables", [1, 40])
def test_sums_of_part_files_are_those_of_sql(tables: int, tmp_path: Path, failing: Rows) -> None:
    rows = part(failing[: tables * (len(FEW) + 1)])
    by_sql = merged(ByPart(BY_PART.merged), [rows], tmp_path / "sql")
    assert merged(BY_PART, [rows], tmp_path / "numpy") == by_sql
    assert all(by_sql.values())


def test_dictionaries_may_differ_from_part_to_part(tmp_path: Path) -> None:
    rows = grid_rows(2, 4)
    backwards = part(rows[::-1]).take(list(range(len(rows)))[::-1])
    assert backwards.column("uncertainty").chunk(0).dictionary != part(rows).column("uncertainty").chunk(0).dictionary
    whole = summary_rows([pa.concat_tables([part(rows), backwards])], FEW, True, tmp_path / "one")
    split = summary_rows([part(rows), backwards], FEW, True, tmp_path / "two")
    assert whole == split
    assert whole["pooled"][0]["tables"] == 16


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), tables=st.sampled_from([1, 29, 30, 200]))
def test_the_best_two_and_the_verdicts_on_pairs_are_those_of_numpy(
    seed: int, tables: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = grid_rows(1, tables, ALL, seed)
    for row in rows:  # so that some are near the best, and not all; a single leaf has one node
        name = f"{row['impurity_type']}/{row['uncertainty']}"
        if row["builder"] == "greedy" and row["nodes"] != 1 and ALL.index(name) % (1 + seed % 5):
            row |= {cost: int(str(row[cost])) + seed % 3 for cost in (*COSTS[1:], "total_path_length")}
            row["average_depth"] = int(str(row["total_path_length"])) / TABLE_ROWS
    result = summary_rows([part(rows)], ALL, True, tmp_path_factory.mktemp("pairs"))["best_two"]
    for row, expected in zip(result, best_two(excess(rows, ALL), ALL), strict=True):
        assert (row["cost_function"], row["position"], row["verdict"]) == (
            expected.cost_function,
            expected.position,
            expected.verdict,
        )
        assert f"{row['impurity_type']}/{row['uncertainty']}" == expected.heuristic
        assert row["gap_to_next"] == pytest.approx(expected.gap.mean, abs=1e-12)
        if tables > 1:
            assert row["gap_standard_error"] == pytest.approx(expected.gap.standard_error, abs=1e-12)


def changed(**values: object) -> Rows:
    """The rows of a table, of which one is another's."""
    rows = grid_rows(1, 1)
    rows[2] |= values
    return rows


WHOLE, ORDER = "expected a multiple of ", "expected heuristics in alphabetical order, then exact"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (changed(group=7), f"{WHOLE}|{ORDER}"),
        (changed(table_index=99), f"{WHOLE}|{ORDER}"),
        (changed(builder="exact"), ORDER),
        (grid_rows(1, 2)[:-1], WHOLE),
        *(([grid_rows(1, 1)[place] for place in order], ORDER) for order in ((1, 0, 2, 3), (0, 1, 3, 2), (3, 1, 2, 0))),
    ],
)
def test_rows_that_are_not_whole_tables_in_order_are_refused(rows: Rows, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        summarise([part(rows)], FEW, True, tmp_path)


@pytest.mark.parametrize(("greedy", "least"), [(1, 0), (2, 3), (None, 3)])
def test_costs_that_cannot_be_are_refused(greedy: int | None, least: int, tmp_path: Path) -> None:
    rows = grid_rows(1, 2)
    for row, depth in zip(rows[4:], (least, greedy, least, least), strict=True):
        row["depth"] = depth
    with pytest.raises(ValueError, match=r"table_index 1 of group 1: depth is .* by sum/rt and .* at the minimum"):
        summarise([part(rows)], FEW, True, tmp_path)


def shown_alike(first: dict[str, Sequence[Row]], second: dict[str, Sequence[Row]]) -> bool:
    """Whether two summaries have the same but for what is left out."""

    def shown(tables: dict[str, Sequence[Row]]) -> list[list[object]]:
        return [[value for name, value in row.items() if name[0] != "_"] for rows in tables.values() for row in rows]

    return shown(first) == shown(second)


def test_failed_tables_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = grid_rows(1, 12)
    rows[5] |= {"status": "time_limit", **dict.fromkeys((*COSTS, "total_path_length"))}
    rows[15]["status"] = "failed"
    summary = summarise([part(rows)], FEW, True, tmp_path / "with")
    result = summary_rows([part(rows)], FEW, True, tmp_path / "found")
    without = summary_rows([part(rows[:4] + rows[8:12] + rows[16:])], FEW, True, tmp_path / "without")
    left_out = [tables["pooled"][0]["_left_out"] for tables in (result, without)]
    assert (result["pooled"][0]["tables"], left_out) == (10, [2, 0])
    assert shown_alike(result, without)
    assert "2 tables left out" in (tmp_path / "with" / "cells.md").read_text()
    assert "2 tables left out" in shown(summary)


def test_a_heuristic_that_is_lost_on_every_table_is_named_and_the_others_are_summarised(tmp_path: Path) -> None:
    rows = grid_rows(2, 12, ALL)
    for row in rows:
        if (row["impurity_type"], row["uncertainty"]) == ("sum", "rt"):
            row |= {"status": "killed", **dict.fromkeys((*COSTS, "total_path_length", "average_depth"))}
    rows[0]["status"] = "failed"
    others = [row for row in rows if (row["impurity_type"], row["uncertainty"]) != ("sum", "rt")]
    summary = summarise([part(rows)], ALL, True, tmp_path / "with")
    result = summary_rows([part(rows)], ALL, True, tmp_path / "found")
    names = [name for name in ALL if name != "sum/rt"]
    assert result["pooled"][0]["tables"] == 23
    assert shown_alike(result, summary_rows([part(others)], names, True, tmp_path / "others"))
    without = summarise([part(others)], names, True, tmp_path / "without")
    assert summary.finding == f"{without.finding[:-1]}; failed on every table: sum/rt."
    assert "1 table left out because of rows that are not ok; failed on every table: sum/rt" in " ".join(
        shown(summary).split()
    )
    assert "failed on every table: sum/rt" in (tmp_path / "with/best_two.md").read_text()


def test_a_run_of_which_no_heuristic_is_finished_says_so(tmp_path: Path) -> None:
    rows = [row | {"status": "failed"} if row["builder"] == "greedy" else row for row in grid_rows(1, 3)]
    declared = GreedyVsDpGrid.declared_summary()
    summary = written(declared, parts_of([part(rows)], tmp_path), tmp_path, **context(FEW, True))
    assert declared.figures
    assert not summary.has_results
    assert summary.finding.startswith("No decision table to summarise: failed on every table: max/rt, sum/rt")
    assert (summary.trees, summary.figures, shown(summary)) == ((), (), "")


def test_nothing_is_compared_unless_comparable(tmp_path: Path) -> None:
    summary = summarise([part(grid_rows(4, 5, ALL))], ALL, False, tmp_path)
    for name in ("cells", "pooled", "best_two"):
        assert all(row["printed"] == row["verdict"] == row.get("z", "") == "" for row in read(tmp_path / f"{name}.csv"))
    assert summary.finding.startswith("Nearest to the minima: ")
    assert "nothing is compared with the paper" in summary.finding
    assert "the paper" not in shown(summary)  # the finding, which a run ends with, says it


@pytest.mark.parametrize(
    ("groups", "tables", "compared", "message"),
    [
        (2, 5, {}, "; nothing is compared with the paper, because the tables are not the paper's, or are too few."),
        (
            4,
            10,
            {"pooled": 80, "best_two": 10},
            " (Tables 1–4, the groups together); ",
        ),
        (1, 30, {"cells": 80, "pooled": 80, "best_two": 10}, " (Tables 1–4); "),
    ],
)
def test_the_finding_covers_all_that_is_compared(
    groups: int, tables: int, compared: dict[str, int], message: str, tmp_path: Path
) -> None:
    summary = summarise([part(grid_rows(groups, tables, ALL))], ALL, True, tmp_path)
    verdicts = {table.name: sum(row[-1] is not None for row in table.rows) for table in summary.documents}
    assert {name: count for name, count in verdicts.items() if count} == compared
    assert message in summary.finding


def test_groups_beyond_the_paper_have_nothing_printed(tmp_path: Path) -> None:
    cells = summary_rows([part(grid_rows(5, 40))], FEW, True, tmp_path)["cells"]
    assert {row["group"] for row in cells if row["printed"] is None} == {5}
    assert sum(row["verdict"] is not None for row in cells) == 60


def test_counts_of_a_summary(tmp_path: Path) -> None:
    summary = summarise([part(grid_rows(2, 30, ALL))], ALL, True, tmp_path)
    cells = read(tmp_path / "cells.csv")
    zs = [float(row["z"]) for row in cells]
    verdicts = [Verdict(row["verdict"]) for row in cells]
    counts = tally(verdicts)
    assert sum(counts.values()) == len(zs) == 160
    assert counts[Verdict.DIFFERS] <= sum(abs(z) > critical_z(160) for z in zs)
    assert 0 < counts[Verdict.DIFFERS] < counts[Verdict.CONSISTENT]
    text = shown(summary)
    words = " ".join(text.split())
    assert f"{agreement(verdicts, 'cell')} (Tables 1–4)" in summary.finding
    assert f"differs: |z| > {critical_z(160):.2f}" in words
    assert f"z {max(zs, key=abs):+.2f}, differs" in words
    assert f"{100 * sum(abs(z) > 2 for z in zs) / 160:.1f} % of cells have |z| > 2; by chance it is 4.6 %" in words
    assert "…" not in text
    assert [row["printed"] for row in read(tmp_path / "best_two.csv")][:4] == [
        *("sum/rt", "w_sum/gini"),
        *("max/rt", "w_max/rt"),
    ]


def test_printed_values_fit_a_terminal_of_80_columns(tmp_path: Path) -> None:
    summary = summarise([part(grid_rows(2, 30, ALL))], ALL, True, tmp_path)
    for width, values in ((80, 2 * len(COSTS)), (79, len(COSTS))):
        (line,) = (line for line in shown(summary, width).splitlines() if line.startswith("w_max/gini "))
        assert len(re.findall(r"[0-9]+\.[0-9]{2}", line)) == values


def shown(summary: GridSummary, width: int = 100) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        for renderable in summary.screen(width):
            console.print(renderable)
    return captured.get()
