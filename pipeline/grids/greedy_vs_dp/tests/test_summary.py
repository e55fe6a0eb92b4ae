"""The summary of the grid, against a plain loop over small random grids and against the paper's own figures."""

from __future__ import annotations

import csv
import itertools
import statistics
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from pipeline.errors import OrchardError
from pipeline.grammar.costs import COSTS
from pipeline.grammar.excess import check_order, excess
from pipeline.grammar.findings import agreement
from pipeline.grids.greedy_vs_dp import printed_values
from pipeline.grids.greedy_vs_dp import summary as greedy_vs_dp
from pipeline.grids.greedy_vs_dp.summary import Summary, summarise
from pipeline.summary.statistics import critical_z
from pipeline.summary.verdicts import Verdict, tally

ALL = printed_values.heuristics()
FEW = ("max/rt", "sum/rt", "w_sum/gini")
TABLE_ROWS = 7
Rows = list[dict[str, object]]


def grid_rows(groups: int, tables: int, heuristics: tuple[str, ...] = FEW, seed: int = 0) -> Rows:
    """Rows of a made-up grid whose greedy costs are never below the minima; some tables are single leaves."""
    rng = np.random.default_rng(seed)
    rows: Rows = []
    for group, table in ((g, t) for g in range(1, groups + 1) for t in range(tables)):
        leaf = bool(rng.random() < 0.1)
        minima = dict.fromkeys(COSTS, 0) | {"nodes": 1, "terminal_nodes": 1}
        if not leaf:
            minima = {cost: int(rng.integers(2, 9)) for cost in COSTS}
        for name in [*heuristics, None]:
            above = 0 if leaf or name is None else 1
            costs = {cost: least + above * int(rng.integers(0, 4)) for cost, least in minima.items()}
            rows.append(
                {
                    "group": group,
                    "table_index": table,
                    "builder": "exact" if name is None else "greedy",
                    "impurity_type": None if name is None else name.split("/")[0],
                    "uncertainty": None if name is None else name.split("/")[1],
                    "status": "ok",
                    **costs,
                    "total_path_length": costs["average_depth"],
                    "average_depth": costs["average_depth"] / TABLE_ROWS,
                }
            )
    return rows


def part(rows: Rows) -> pa.Table:
    text = pa.dictionary(pa.int8(), pa.string())
    types = {"group": pa.int32(), "table_index": pa.int64(), "average_depth": pa.float64()}
    types |= dict.fromkeys(("builder", "impurity_type", "uncertainty", "status"), text)
    return pa.Table.from_pylist(
        rows, schema=pa.schema([(name, types.get(name, pa.int32())) for name in grid_rows(1, 1)[0]])
    )


def read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.fixture(autouse=True)
def _no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greedy_vs_dp, "_draw", lambda *_: ())


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in {".csv", ".md"}}


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
        printed = printed_values.mean_relative_differences()[int(key[0]), key[1], key[2]]
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
    values = excess(part(rows), FEW).values
    pooled = read(tmp_path / "pooled.csv")
    means = [float(c["mean_relative_difference"]) for c in pooled]
    np.testing.assert_allclose(means, values.mean(axis=1).T.ravel())
    assert float(pooled[0]["printed"]) == pytest.approx((0.110908 + 0.111381 + 0.110708 + 0.110753) / 4)
    best = read(tmp_path / "best_two.csv")
    for i, cost in enumerate(COSTS):
        order = np.argsort(values[i].mean(axis=0))
        for place, row in enumerate(best[2 * i : 2 * i + 2]):
            ours, following = values[i, :, order[place]], values[i, :, order[place + 1]]
            assert (row["cost_function"], row["position"]) == (cost, str(place + 1))
            assert f"{row['impurity_type']}/{row['uncertainty']}" == FEW[order[place]]
            assert float(row["gap_to_next"]) == pytest.approx((following - ours).mean())
            assert float(row["gap_standard_error"]) == pytest.approx((following - ours).std(ddof=1) / 60**0.5)
            assert (row["printed"], row["verdict"]) == ("", "")


def test_columns_are_as_agreed(tmp_path: Path) -> None:
    summarise([part(grid_rows(1, 3))], FEW, True, tmp_path)
    cell = (
        "impurity_type,uncertainty,cost_function,tables,mean_relative_difference,standard_error,low,high,printed,z,"
        "tolerance,verdict"
    )
    expected = {
        "cells": f"group,{cell}",
        "pooled": cell,
        "best_two": "cost_function,position,impurity_type,uncertainty,tables,mean_relative_difference,standard_error,"
        "low,high,gap_to_next,gap_standard_error,printed,verdict",
    }
    for name, header in expected.items():
        assert (tmp_path / f"{name}.csv").read_text().splitlines()[0] == header
        assert "n = 3 decision tables" in (tmp_path / f"{name}.md").read_text()


@pytest.fixture(scope="module")
def grid() -> pa.Table:
    return part(grid_rows(2, 1300))


@pytest.fixture(scope="module")
def whole(grid: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    summarise([grid], FEW, True, folder)
    return written(folder)


@settings(max_examples=25, deadline=None)
@given(cuts=st.lists(st.integers(0, 2600), max_size=6))
def test_how_parts_are_cut_changes_no_bit(
    cuts: list[int], tmp_path_factory: pytest.TempPathFactory, grid: pa.Table, whole: dict[str, bytes]
) -> None:
    folder, ends, size = tmp_path_factory.mktemp("cut"), [0, *sorted(cuts), 2600], len(FEW) + 1
    parts = [grid.slice(a * size, (b - a) * size) for a, b in itertools.pairwise(ends)]
    summarise(parts, FEW, True, folder)
    assert len(whole) == 6
    assert written(folder) == whole


def test_groups_may_come_in_any_order(tmp_path: Path) -> None:
    rows = grid_rows(3, 7)
    size = len(rows) // 3
    by_group = [part(rows[start : start + size]) for start in range(0, len(rows), size)]
    summarise(by_group, FEW, True, tmp_path / "forwards")
    summarise(by_group[::-1], FEW, True, tmp_path / "backwards")
    assert written(tmp_path / "forwards") == written(tmp_path / "backwards")


def test_dictionaries_may_differ_from_part_to_part(tmp_path: Path) -> None:
    rows = grid_rows(2, 4)
    backwards = part(rows[::-1]).take(list(range(len(rows)))[::-1])
    assert backwards.column("uncertainty").chunk(0).dictionary != part(rows).column("uncertainty").chunk(0).dictionary
    one = summarise([pa.concat_tables([part(rows), backwards])], FEW, True, tmp_path)
    two = summarise([part(rows), backwards], FEW, True, tmp_path)
    assert one.cells == two.cells
    assert one.tables == 16


def test_the_order_of_rows_is_the_canonical_one() -> None:
    check_order(part(grid_rows(1, 1)), FEW)


@pytest.mark.parametrize(("a", "b"), list(itertools.combinations(range(len(FEW) + 1), 2)))
def test_rows_in_any_other_order_are_refused(a: int, b: int) -> None:
    rows = grid_rows(1, 1)
    rows[a], rows[b] = rows[b], rows[a]
    with pytest.raises(ValueError, match=rf"row {a} of a part has .* was expected; write the rows of each table"):
        check_order(part(rows), FEW)


@pytest.mark.parametrize(("column", "value"), [("group", 7), ("table_index", 99), ("builder", "exact")])
def test_a_foreign_row_is_named(column: str, value: object) -> None:
    rows = grid_rows(1, 1)
    rows[2][column] = value
    with pytest.raises(ValueError, match=f"row 2 of a part has .*{column} {value}"):
        check_order(part(rows), FEW)


def test_a_cut_inside_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no whole number of decision tables of 4 rows"):
        excess(part(grid_rows(1, 2)[:-1]), FEW)


def test_a_minimum_of_zero_is_a_difference_of_zero() -> None:
    rows = grid_rows(1, 1)
    for row in rows:
        row.update(dict.fromkeys((*COSTS, "total_path_length"), 0))
    assert excess(part(rows), FEW).values.tolist() == [[[0.0] * 3]] * 5


@pytest.mark.parametrize(("greedy", "least"), [(1, 0), (2, 3), (None, 3)])
def test_costs_that_cannot_be_are_refused(greedy: int | None, least: int) -> None:
    rows = grid_rows(1, 2)
    for row, depth in zip(rows[4:], (least, greedy, least, least), strict=True):
        row["depth"] = depth
    with pytest.raises(ValueError, match=r"table_index 1 of group 1: depth is .* by sum/rt and .* at the minimum"):
        excess(part(rows), FEW)


def test_failed_tables_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = grid_rows(1, 12)
    rows[5] |= {"status": "time_limit", **dict.fromkeys((*COSTS, "total_path_length"))}
    rows[15]["status"] = "failed"
    found = summarise([part(rows)], FEW, True, tmp_path / "with")
    without = summarise([part(rows[:4] + rows[8:12] + rows[16:])], FEW, True, tmp_path / "without")
    assert (found.tables, found.left_out.tables, without.left_out.tables) == (10, 2, 0)
    assert found.cells == without.cells
    assert "2 tables left out" in (tmp_path / "with" / "cells.md").read_text()
    assert "2 tables left out" in shown(found)


def test_a_heuristic_that_is_lost_on_every_table_is_named_and_the_others_are_summarised(tmp_path: Path) -> None:
    rows = grid_rows(2, 12, ALL)
    for row in rows:
        if (row["impurity_type"], row["uncertainty"]) == ("sum", "rt"):
            row |= {"status": "killed", **dict.fromkeys((*COSTS, "total_path_length", "average_depth"))}
    rows[0]["status"] = "failed"
    others = [row for row in rows if (row["impurity_type"], row["uncertainty"]) != ("sum", "rt")]
    found = summarise([part(rows)], ALL, True, tmp_path / "with")
    without = summarise([part(others)], [name for name in ALL if name != "sum/rt"], True, tmp_path / "without")
    assert (found.left_out.heuristics, found.left_out.tables, found.tables) == (("sum/rt",), 1, 23)
    assert (found.cells, found.pooled, found.best) == (without.cells, without.pooled, without.best)
    assert found.finding == f"{without.finding} Lost on every table: sum/rt."
    assert "1 table left out for rows that are not ok; lost on every table: sum/rt" in " ".join(shown(found).split())
    assert "lost on every table: sum/rt" in (tmp_path / "with/best_two.md").read_text()


def test_nothing_finished_is_refused(tmp_path: Path) -> None:
    rows = [row | {"status": "failed"} for row in grid_rows(1, 3)]
    with pytest.raises(OrchardError, match="no decision table to summarise: 3 tables left out"):
        summarise([part(rows)], FEW, True, tmp_path)


@pytest.mark.parametrize("names", [(), ("sum/rt", "max/rt"), ("max/rt", "max/rt"), ("max/none",)])
def test_heuristics_must_be_canonical(names: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="in order"):
        summarise([], names, True, tmp_path)


def test_nothing_is_compared_unless_comparable(tmp_path: Path) -> None:
    summary = summarise([part(grid_rows(4, 5, ALL))], ALL, False, tmp_path)
    for name in ("cells", "pooled", "best_two"):
        assert all(row["printed"] == row["verdict"] == row.get("z", "") == "" for row in read(tmp_path / f"{name}.csv"))
    assert (summary.compared, summary.worst_z) == (0, None)
    assert summary.finding.startswith("Nearest to the minima: ")
    assert "Nothing is compared with the paper" in summary.finding
    assert "the paper" not in shown(summary)  # the finding, which a run ends with, says it


@pytest.mark.parametrize(
    ("groups", "tables", "compared", "said"),
    [
        (2, 5, {}, "Nothing is compared with the paper: these are other tables, or too few."),
        (
            4,
            10,
            {"pooled": 80, "best_two": 10},
            " (Tables 1–4, the groups together); ",
        ),
        (1, 30, {"cells": 80, "pooled": 80, "best_two": 10}, " (Tables 1–4); "),
    ],
)
def test_the_finding_tells_of_all_that_is_compared(
    groups: int, tables: int, compared: dict[str, int], said: str, tmp_path: Path
) -> None:
    summary = summarise([part(grid_rows(groups, tables, ALL))], ALL, True, tmp_path)
    verdicts = {table.name: sum(row[-1] is not None for row in table.rows) for table in summary.documents}
    assert {name: count for name, count in verdicts.items() if count} == compared
    assert said in summary.finding


def test_groups_beyond_the_paper_have_nothing_printed(tmp_path: Path) -> None:
    summary = summarise([part(grid_rows(5, 40))], FEW, True, tmp_path)
    assert {cell.group for cell in summary.cells if cell.printed is None} == {5}
    assert summary.compared == 60


def test_counts_of_a_summary(tmp_path: Path) -> None:
    summary = summarise([part(grid_rows(2, 30, ALL))], ALL, True, tmp_path)
    zs = [float(row["z"]) for row in read(tmp_path / "cells.csv")]
    assert summary.compared == len(zs) == 160
    counts = tally(cell.verdict for cell in summary.cells)
    assert sum(counts.values()) == 160
    assert counts[Verdict.DIFFERS] <= sum(abs(z) > critical_z(160) for z in zs)
    assert 0 < counts[Verdict.DIFFERS] < counts[Verdict.CONSISTENT]
    assert summary.beyond_two == sum(abs(z) > 2 for z in zs)
    assert summary.worst_z == max(zs, key=abs)
    text = shown(summary)
    words = " ".join(text.split())
    assert f"{agreement((cell.verdict for cell in summary.cells), 'cell')} (Tables 1–4)" in words
    assert f"{agreement((cell.verdict for cell in summary.cells), 'cell')} (Tables 1–4)" in summary.finding
    assert f"differs: |z| > {critical_z(160):.2f}" in words
    assert f"z {summary.worst_z:+.2f}, differs" in words
    assert " % of cells beyond |z| = 2" in " ".join(text.split())
    assert "…" not in text
    assert [row["printed"] for row in read(tmp_path / "best_two.csv")][:4] == [
        *("sum/rt", "w_sum/gini"),
        *("max/rt", "w_max/rt"),
    ]


def shown(summary: Summary) -> str:
    console = Console(width=100)
    with console.capture() as captured:
        for renderable in summary.screen(width=100):
            console.print(renderable)
    return captured.get()
