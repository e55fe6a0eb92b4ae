"""Random tables of one shape after another: the same tables as ever, and gaps that a plain loop finds too."""

from __future__ import annotations

import csv
import re
import statistics
from pathlib import Path
from typing import Any

import pytest

from algorithms.data.random_tables import RandomTables
from algorithms.exact.graph import exact_costs
from algorithms.greedy import greedy_costs
from algorithms.measures.impurity import impurity_function
from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.grammar.summary import Results
from pipeline.grid import GridSummary
from pipeline.grids.greed_grows.grid import GreedGrowsGrid, Steps
from pipeline.grids.greed_grows.summary import SUMMARY, draw
from tests.pipeline.command_line import run_orchard
from tests.pipeline.small_grids import grid
from tests.summaries.builder_rows import published, written

SHAPE = RandomTables(rows=8, attributes=3, values=2, decisions=2)
STEPS = Steps(rows=(4, 8), attributes=(2, 3, 4), values=(2, 3))
SOURCES = ["random/4x3x2", "random/8x3x2", "random/8x2x2", "random/8x4x2", "random/8x3x3"]
SMALL = ("+grid=greed_grows", "tables.count=12", "steps.rows=[4,8]", "steps.attributes=[3,5]", "steps.values=[2]")
SMALL = (*SMALL, "tables.rows=8", "tables.attributes=5", "tables.values=2", "cluster=threads")


def growing_by(steps: Steps, count: int) -> GreedGrowsGrid:
    return GreedGrowsGrid(**vars(grid(shape=SHAPE, count=count)), steps=steps)


def growing(count: int = 5) -> GreedGrowsGrid:
    return growing_by(STEPS, count)


def test_each_shape_is_there_once_in_the_order_of_the_steps() -> None:
    assert [shape.source for shape in growing().shapes] == SOURCES
    assert growing().items == 25


def test_a_table_is_the_same_whatever_other_shapes_there_are() -> None:
    alone = growing_by(Steps((8,), (4,), (2,)), 5)
    mine = [row for row in alone.work(0, alone.items)["results"].to_pylist() if row["source"] == "random/8x4x2"]
    theirs = [row for row in growing().work(0, 25)["results"].to_pylist() if row["source"] == "random/8x4x2"]
    assert mine == theirs != []


def test_an_axis_is_marked_where_there_are_tables(tmp_path: Path) -> None:
    identity = {"impurity_type": "w_sum", "uncertainty": "gini", "tables": 12}
    ours = {"mean_relative_difference": 0.5, "low": 0.48, "high": 0.52}
    gaps = [
        {**identity, **ours, "dimension": dimension, "size": size, "cost_function": cost}
        for cost in COST_FUNCTIONS
        for dimension, size in (("rows", 10), ("rows", 23), ("rows", 30), ("values", 2))
    ]
    drawn, _ = draw(Results(None, {"gaps": gaps}, {}), tmp_path)  # type: ignore[arg-type] # no query is run
    below = set(re.findall(r"<!-- ([\d.]+) -->", drawn.read_text().partition('id="axes_9"')[2]))
    assert {"10", "23", "30", "2"} <= below
    assert not below & {"12", "15", "1.92", "1.95", "2.04", "2.05", "2.08", "2.1"}


def test_the_command_ends_in_the_gaps_of_a_plain_loop(tmp_path: Path) -> None:
    done = run_orchard(*SMALL, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "5 attributes" in done.stdout
    (folder,) = tmp_path.glob("outputs/summaries/grid=greed_grows/run=*")
    gaps = list(csv.DictReader((folder / "gaps.csv").read_text().splitlines()))
    assert len(gaps) == 5 * 16 * 5
    shape = RandomTables(rows=8, attributes=3, values=2)
    tables = [shape.table(0, 1, index) for index in range(1, 13)]
    for gap in gaps:
        if (gap["dimension"], gap["size"]) == ("attributes", "3"):
            heuristic = impurity_function(f"{gap['impurity_type']}/{gap['uncertainty']}")
            cost = gap["cost_function"]
            least = [exact_costs(table)[cost] for table in tables]
            greedy = [greedy_costs(table, heuristic)[cost] for table in tables]
            sample = [(g - m) / m if m else 0.0 for g, m in zip(greedy, least, strict=True)]
            assert float(gap["mean_relative_difference"]) == pytest.approx(statistics.fmean(sample))
            assert float(gap["standard_error"]) == pytest.approx(statistics.stdev(sample) / 12**0.5)
    best = list(csv.DictReader((folder / "best.csv").read_text().splitlines()))
    for row in best:
        key = ("dimension", "size", "cost_function")
        rivals = [gap for gap in gaps if all(gap[name] == row[name] for name in key)]
        assert row["mean_relative_difference"] == min((gap["mean_relative_difference"] for gap in rivals), key=float)
    (rows_grow,) = [[row for row in best if (row["dimension"], row["cost_function"]) == ("rows", "nodes")]]
    ends = [100 * float(row["mean_relative_difference"]) for row in (rows_grow[0], rows_grow[-1])]
    assert f"from {ends[0]:.1f} % to {ends[1]:.1f} % as rows grow from 4 to 8" in " ".join(done.stdout.split())


def summarised(rows: list[dict[str, Any]], sources: list[str], folder: Path) -> GridSummary:
    """The summary of made-up rows of max/rt and the minima, whose sources have 4 rows, 5 and so on."""
    steps = [
        {"dimension": "rows", "size": 4 + index, "source": source, "place": index}
        for index, source in enumerate(sources)
    ]
    return written(SUMMARY, published(rows, folder / "parts"), folder, heuristics=["max/rt"], steps=steps)


def test_one_shape_alone_has_a_finding(tmp_path: Path) -> None:
    named = {"source": "random/4x3x2", "group": 1, "status": "ok"}
    costs = {"average_depth": 1.0, "depth": 2, "nonterminal_nodes": 2, "terminal_nodes": 3, "total_path_length": 6}
    greedy = {"builder": "greedy", "impurity_type": "max", "uncertainty": "rt", "nodes": 5, **costs}
    rows = [
        {**named, "table_index": number, **row} | ({"status": "failed"} if number == 1 else {})
        for number in (1, 2)
        for row in (greedy, {"builder": "exact", **costs, "nodes": 4})
    ]
    summary = summarised(rows, ["random/4x3x2"], tmp_path)
    assert summary.finding == (
        "The best heuristic's mean excess in nodes over the exact minimum is 25.0 % on 4 rows; "
        "max/rt has the least on 1 of 1 shape."
    )
    assert [tree.row["builder"] for tree in summary.trees] == ["greedy", "exact"]
    assert {tree.row["table_index"] for tree in summary.trees} == {2}  # the first that was computed


def test_shapes_of_fewer_tables_than_others_are_named(tmp_path: Path) -> None:
    costs = dict.fromkeys(("average_depth", "depth", "nodes", "nonterminal_nodes", "terminal_nodes"), 2)
    rows = [
        {"source": source, "group": 1, "table_index": number, "status": "ok", "total_path_length": 6, **costs, **row}
        for source, tables in (("a", 3), ("b", 1))
        for number in range(tables)
        for row in ({"builder": "greedy", "impurity_type": "max", "uncertainty": "rt"}, {"builder": "exact"})
    ]
    summary = summarised(rows, ["a", "b"], tmp_path)
    assert {table.note.partition(".")[0] for table in summary.documents} == {"n = 2 shapes of 1 to 3 decision tables"}
