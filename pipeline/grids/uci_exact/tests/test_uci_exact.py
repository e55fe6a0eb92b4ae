"""Exact trees of real tables: rows that say what the library finds, one table or many, and a summary of them."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.data.table import DecisionTable
from algorithms.exact.alpha import alpha_trees
from algorithms.exact.graph import SubtableGraph
from algorithms.exact.pareto import pareto_front
from algorithms.exact.tree_set import TreeSet
from algorithms.greedy import greedy_tree
from algorithms.measures.impurity import IMPURITY_FUNCTIONS, impurity_function
from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.data.catalogue.loading import LoadedSet
from pipeline.data.sources import Source
from pipeline.data.table_options import TableOptions
from pipeline.grammar.axes import Item
from pipeline.grids.uci_exact.grid import UciExactGrid
from pipeline.grids.uci_exact.rows import digits_of
from pipeline.grids.uci_exact.summary import SUMMARY
from tests.summaries.builder_rows import published, result_row, written

ORDERS = (("depth",), ("nodes",), ("depth", "nodes"), ("nodes", "average_depth", "depth"))
FEW = ("max/rt", "sum/ent", "w_sum/gini")


def grid(names: tuple[str, ...] = FEW, graph_bytes: int = 2**28) -> UciExactGrid:
    heuristics = tuple(map(impurity_function, names))
    options = TableOptions("mode", "values", 10, (), "drop", "first_seen", "one")
    sources = tuple(Source(name, "all", ("0" * 64,)) for name in ("a", "b"))
    return UciExactGrid(
        sources=sources,
        options=options,
        heuristics=heuristics,
        orders=ORDERS,
        alphas=(0.1, 0.4),
        graph_bytes=graph_bytes,
    )


@dataclass(frozen=True, kw_only=True)
class GivenTable(UciExactGrid):
    """Its first item is this table."""

    given: DecisionTable = field(compare=False)

    def decision_table(self, item: Item) -> DecisionTable:
        return self.given


def named(made: UciExactGrid, name: str) -> UciExactGrid:
    return replace(made, sources=tuple(replace(source, name=name) for source in made.sources))


def rows_of_table(made: UciExactGrid, name: str, table: DecisionTable) -> Mapping[str, pa.Table]:
    return GivenTable(**vars(named(made, name)), given=table).work(0, 1)


def failure_rows(made: UciExactGrid, name: str, status: str, error: str) -> Mapping[str, pa.Table]:
    return named(made, name).failed_item(0, status, error)


def random_table(seed: int) -> DecisionTable:
    rng = np.random.default_rng(seed)
    return DecisionTable.from_codes(rng.integers(0, 3, (14, 4)), rng.integers(0, 3, 14), weights=rng.integers(1, 5, 14))


@pytest.mark.parametrize("seed", range(5))
def test_the_rows_are_what_the_library_finds(seed: int) -> None:
    table = random_table(seed)
    rows = {name: part.to_pylist() for name, part in rows_of_table(grid(), "mine", table).items()}
    assert all(row["source"] == "mine" and row["part"] == "all" for part in rows.values() for row in part)
    *greedy, exact = rows["results"]
    for name, row in zip(FEW, greedy, strict=True):
        costs = greedy_tree(table, impurity_function(name)).costs(table)
        assert f"{row['impurity_type']}/{row['uncertainty']}" == name
        assert [row[cost] for cost in COST_FUNCTIONS] == [costs[cost] for cost in COST_FUNCTIONS]
        assert row["build_seconds"] > 0
    graph = SubtableGraph.of(table)
    assert [exact[cost] for cost in COST_FUNCTIONS] == [graph.costs()[cost] for cost in COST_FUNCTIONS]
    (facts,) = rows["graphs"]
    assert (facts["rows"], facts["size"], facts["attributes"]) == (table.rows, table.size, table.attributes)
    assert (facts["nodes"], facts["edges"]) == (graph.nodes, graph.edges)
    trees = TreeSet.of(graph)
    sets = {(row["alpha"], row["optimal_for"]): row for row in rows["tree_sets"]}
    expected = {(0.0, ", ".join(order)): trees.optimal(*map(COST_FUNCTIONS.get, order)) for order in ORDERS}
    expected |= {(alpha, ""): alpha_trees(graph, alpha) for alpha in (0.1, 0.4)} | {(0.0, ""): trees}
    assert sets.keys() == expected.keys()
    for key, those in expected.items():
        assert int(sets[key]["trees"]) == those.number()
        assert [sets[key][cost] for cost in COST_FUNCTIONS] == [those.costs()[cost] for cost in COST_FUNCTIONS]
    for x, y in combinations(COST_FUNCTIONS, 2):
        points = [(row["x"], row["y"]) for row in rows["fronts"] if (row["cost_x"], row["cost_y"]) == (x, y)]
        assert points == list(pareto_front(trees, COST_FUNCTIONS[x], COST_FUNCTIONS[y]).points)


def test_a_graph_beyond_its_memory_costs_the_exact_row_alone() -> None:
    rows = {
        name: part.to_pylist() for name, part in rows_of_table(grid(graph_bytes=1), "mine", random_table(0)).items()
    }
    *greedy, exact = rows["results"]
    assert {row["status"] for row in greedy} == {"ok"}
    assert (exact["status"], exact["nodes"]) == ("memory_limit", None)
    assert "14 rows, 4 attributes" in exact["error"]
    assert rows["graphs"][0]["status"] == "memory_limit"
    assert rows["tree_sets"] == rows["fronts"] == []


def test_tables_of_runs_from_before_the_choice_of_tied_decisions_stay_as_they_were() -> None:
    made = TableOptions("mode", "values", 10, (), "drop", "first_seen", "one")
    identity = made.identity()
    assert TableOptions.from_identity(identity) == made
    del identity["decision_ties"]
    before = TableOptions.from_identity(identity)
    assert before == replace(made, decision_ties="sorted")
    attributes = (Attribute("a", AttributeKind.NOMINAL, ("x",)),)
    tied = DataSet(attributes, (np.zeros(2, np.int32),), ("no", "yes"), np.array([1, 0], np.int32))
    tables = [options.table(LoadedSet("mine", {"all": tied}, ""), "all") for options in (made, before)]
    assert [table.decisions.tolist() for table in tables] == [[1], [0]]


def test_the_summary_is_that_of_a_plain_loop(tmp_path: Path) -> None:
    all_16 = tuple(function.name for function in IMPURITY_FUNCTIONS)
    tables = {"one": random_table(1), "two": random_table(2), "gone": None}
    rows: dict[str, list[object]] = {name: [] for name in grid().tables}
    for name, table in tables.items():
        made = failure_rows(grid(all_16), name, "failed", "why") if table is None else None
        for kind, part in (made or rows_of_table(grid(all_16), name, table)).items():
            rows[kind] += part.to_pylist()
    parts = published(rows.pop("results"), tmp_path / "p", **rows)
    summary = written(UciExactGrid.declared_summary(), parts, tmp_path / "s")
    figures = {f"{name}.{kind}" for name in ("uci_exact", "uci_exact_depth") for kind in ("svg", "png")}
    assert {path.name for path in summary.figures} == figures
    titles = re.findall("<title>(.*?)</title>", (tmp_path / "s/uci_exact.svg").read_text(encoding="utf-8"))
    assert any("exact front" in title for title in titles)
    assert [title for title in titles if not title.startswith(("one, ", "two, "))] == []
    heuristics = list(csv.DictReader((tmp_path / "s/heuristics.csv").read_text().splitlines()))
    assert len(heuristics) == 3 * 16
    assert {row["status"] for row in heuristics if row["source"] == "gone"} == {"failed"}
    for row in heuristics[:32]:
        table = tables[row["source"]]
        costs = greedy_tree(table, impurity_function(f"{row['impurity_type']}/{row['uncertainty']}")).costs(table)
        graph = SubtableGraph.of(table)
        least = graph.costs()
        for cost in COST_FUNCTIONS:
            assert float(row[f"excess_{cost}"]) == pytest.approx((costs[cost] - least[cost]) / least[cost])
        met = 0
        for x, y in combinations(COST_FUNCTIONS, 2):
            points = pareto_front(TreeSet.of(graph), COST_FUNCTIONS[x], COST_FUNCTIONS[y]).points
            met += not any(a <= costs[x] and b <= costs[y] and (a, b) != (costs[x], costs[y]) for a, b in points)
        assert (int(row["fronts"]), int(row["fronts_met"])) == (10, met)


def test_cut_points_are_fitted_on_training_rows_for_any_part() -> None:
    numbers = np.arange(12.0)
    size = (Attribute("size", AttributeKind.NUMERIC),)
    train = DataSet(size, (numbers,), ("a", "b"), (numbers > 5).astype(np.int32))
    test = DataSet(size, (numbers,), ("a", "b"), (numbers > 8).astype(np.int32))
    loaded = LoadedSet("mine", {"train": train, "test": test}, "")
    options = TableOptions("mode", "fayyad_irani", 10, (), "drop", "first_seen", "multiplicity")
    assert options.table(loaded, "test").labels.values == (("<= 5.5", "> 5.5"),)
    assert options.table(loaded, "test").weights.tolist() == [6, 6]


@given(st.integers(1, 10**30) | st.integers(10**3990, 10**4010) | st.just(10**8000) | st.just(10**4000 - 1))
def test_numbers_of_any_size_have_their_digits(number: int) -> None:
    digits = digits_of(number)
    assert sum(int(digit) * pow(10, index, 1_000_003) for index, digit in enumerate(reversed(digits))) % 1_000_003 == (
        number % 1_000_003
    )
    assert 10 ** (len(digits) - 1) <= number < 10 ** len(digits)


def test_costs_of_fronts_are_whole_numbers_but_for_average_depths(tmp_path: Path) -> None:
    tables = {name: table.to_pylist() for name, table in rows_of_table(grid(), "mine", random_table(0)).items()}
    tables["fronts"].append({**tables["fronts"][0], "x": None, "y": None})
    *rows, last = SUMMARY.rows_of(published(tables.pop("results"), tmp_path, **tables))["fronts"]
    assert (last["x"], last["y"]) == (None, None)
    for row in rows:
        for axis in "xy":
            assert isinstance(row[axis], float if row[f"cost_{axis}"] == "average_depth" else int)


def test_heuristics_that_are_level_come_nearest_together(tmp_path: Path) -> None:
    level = {**dict.fromkeys(COST_FUNCTIONS, 10), "nodes": 15}
    rows = [
        result_row("a", "greedy", 1, impurity_type=kind, uncertainty=measure, rows=9, **level)
        for kind, measure in (("max", "rt"), ("w_sum", "gini"))
    ]
    rows.append(result_row("a", "exact", 1, rows=9, **dict.fromkeys(COST_FUNCTIONS, 10)))
    parts = published(rows, tmp_path / "p", graphs=(), tree_sets=(), fronts=())
    finding = written(UciExactGrid.declared_summary(), parts, tmp_path / "s").finding
    assert finding.endswith("; max/rt and w_sum/gini come closest on average, 50.0 % above.")
