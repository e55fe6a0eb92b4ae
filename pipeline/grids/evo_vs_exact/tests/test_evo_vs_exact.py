"""EVO-Tree beside the fewest errors: rows against trying every tree, and a summary against figures computed by hand."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import DataSet
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.induction.cart import CARTClassifier
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.solution import Effort
from algorithms.trees.decision_tree import DecisionTree
from pipeline.builders import Builder, builders_named
from pipeline.configuration.settings import Data
from pipeline.data.preparation import Preparation
from pipeline.data.sources import sources_named
from pipeline.discovery import conf_folder
from pipeline.grammar.whole_sources import with_two_branches
from pipeline.grids.evo_vs_exact.grid import EXACT, EvoVsExactGrid
from pipeline.grids.evo_vs_exact.rows import fewest_by_depth, fewest_by_splits, least_fitness
from pipeline.grids.evo_vs_exact.summary import SUMMARY
from pipeline.grids.evo_vs_exact.tests import oracle
from tests.algorithms.data_sets import data_set_of
from tests.oracles.optimal_trees import fewest_errors
from tests.summaries.builder_rows import published, summary_rows, written

Row = dict[str, Any]
ADULT, CORRAL, IRIS = "uci/balloons/adult-stretch", "rule/corral", "sklearn/iris"
CAREFUL = {"name": "careful", "builder": "cart", "parameters": {"min_rows_leaf": 4}}
BUILDERS = builders_named(["cart", CAREFUL], (), [conf_folder()])


class DeepClassifier(CARTClassifier):
    """Grows as deep as it likes, whatever the limit."""

    def _grow(self, data: DataSet, weights: Any) -> DecisionTree:
        return CARTClassifier()._grow(data, weights)


DEEP = Builder("deep", "pipeline.grids.evo_vs_exact.tests.test_evo_vs_exact.DeepClassifier", "{}", Preparation())


def grid(names: Sequence[str] = (ADULT, CORRAL), **changes: Any) -> EvoVsExactGrid:
    sources = sources_named(list(names), None, Data(None, None))
    made = EvoVsExactGrid(sources=sources, depths=(1, 2), repeats=2, builders=BUILDERS, max_work=1_000_000, seed=0)
    return replace(made, **changes)


def by_splits(exactly: dict[int, float], most: int) -> list[float]:
    """The fewest errors with at most so many splits, from those with exactly so many."""
    return [min(errors for splits, errors in exactly.items() if splits <= allowed) for allowed in range(most)]


@st.composite
def instances(draw: Any) -> Instance:
    """Up to ten rows of one to three attributes, two-valued or numbers, to a depth of up to three."""
    size = draw(st.integers(2, 10))
    numeric = draw(st.lists(st.booleans(), min_size=1, max_size=3))
    columns = [draw(st.lists(st.integers(0, 4 if number else 1), min_size=size, max_size=size)) for number in numeric]
    decisions = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    return Instance(data_set_of(columns, decisions, numeric, 3), np.ones(size), max_depth=draw(st.integers(1, 3)))


@given(instances(), st.sampled_from([1, 20, 10**7]))
@settings(max_examples=60, deadline=None)
def test_the_fewest_errors_by_splits_are_those_of_trying_every_tree(instance: Instance, work: int) -> None:
    """Where the search ends by its limit, they lie between the bound and its result."""
    solution = solve(instance, Effort(work=work), frontier=True)
    points = fewest_by_splits(instance, solution)
    least = by_splits(fewest_errors(instance), len(points))
    assert [point.splits for point in points] == list(range(2**instance.max_depth))
    for point, errors in zip(points, least, strict=True):
        assert point.bound <= errors <= point.errors
        if work == 10**7:
            assert point.bound == point.errors


@given(instances())
@settings(max_examples=30, deadline=None)
def test_no_tree_has_less_fitness_than_the_least(instance: Instance) -> None:
    """That of the best of all trees of some depth, each depth paying for itself."""
    points = fewest_by_splits(instance, solve(instance, frontier=True))
    fewest = fewest_by_depth(instance, points, 10**7)
    depths = range(instance.max_depth + 1)
    by_force = [min(fewest_errors(replace(instance, max_depth=depth)).values()) for depth in depths]
    assert fewest == by_force
    size = instance.data.rows
    for price in (0.01, 0.3, 2.0):
        evolved = EVOTreeClassifier(alpha_1=0.9, alpha_2=price, target_depth=4)
        least = min(0.9 * errors / size + price * depth / 4 for depth, errors in enumerate(by_force))
        assert least_fitness(evolved, fewest, size) == pytest.approx(least)


def test_no_tree_has_fewer_errors_than_the_optimum_and_that_is_the_fewest_of_all_trees() -> None:
    made = grid()
    tables = made.work(0, made.items)
    results, frontiers = tables["results"].to_pylist(), tables["frontiers"].to_pylist()
    assert len(results) == made.items * made.cells_per_item
    for item in range(made.items):
        cell = made.item(item)
        *trees, best = results[item * made.cells_per_item : (item + 1) * made.cells_per_item]
        data = with_two_branches(cell.source, bins=None)
        instance = Instance(data, np.ones(data.rows), max_depth=cell.max_depth)
        least = by_splits(fewest_errors(instance), 2**cell.max_depth)
        own = [row for row in frontiers if (row["source"], row["max_depth"]) == (cell.source.name, cell.max_depth)]
        assert [(row["errors"], row["bound"]) for row in own] == [(errors, errors) for errors in least]
        assert (best["builder"], best["optimal"]) == (EXACT, True)
        assert best["objective"] == best["bound"] == least[-1]
        assert round((1 - best["train_accuracy"]) * best["rows"]) == least[-1]
        assert [(row["builder"], row["repeat"]) for row in trees] == [
            (builder.name, repeat) for builder in BUILDERS for repeat in (1, 2)
        ]
        for row in trees:
            assert row["status"] == "ok"
            assert row["depth"] <= json.loads(row["parameters"])["max_depth"] == cell.max_depth
            assert round((1 - row["train_accuracy"]) * row["rows"]) >= least[row["nonterminal_nodes"]]


def test_evolved_trees_are_no_better_than_the_best_of_all_and_may_be_it() -> None:
    """Two tests classify balloons: both seeds find them, with the best possible fitness. Iris takes six errors."""
    evolving = {"name": "evo", "builder": "evo_tree", "parameters": {"generations": 30, "individuals": 60}}
    made = grid([ADULT, IRIS], depths=(2,), builders=builders_named([evolving], (), [conf_folder()]))
    tables = made.work(0, made.items)
    results, steps = tables["results"].to_pylist(), tables["descents"].to_pylist()
    least = {ADULT: 0.01 * 2 / 21, IRIS: 0.99 * 6 / 150 + 0.01 * 2 / 21}
    for row in results:
        if row["builder"] == EXACT:
            assert row["objective"] == {ADULT: 0, IRIS: 6}[row["source"]]
            continue
        wrong = round((1 - row["train_accuracy"]) * row["rows"])
        assert row["bound"] == pytest.approx(least[row["source"]])
        assert row["objective"] >= row["bound"] - 1e-12
        assert row["optimal"] == (wrong == {ADULT: 0, IRIS: 6}[row["source"]] and row["depth"] == 2)
        own = [step for step in steps if (step["source"], step["repeat"]) == (row["source"], row["repeat"])]
        assert [own[0]["generation"], own[-1]["fitness"]] == [0, row["objective"]]
        assert all(each["fitness"] > after["fitness"] for each, after in pairwise(own[:-1]))
        assert own[-1]["generation"] == 30
    assert [row["optimal"] for row in results if row["source"] == ADULT] == [True] * 3


def test_a_tree_outside_the_search_is_noticed() -> None:
    *trees, best = grid([CORRAL], depths=(2,), builders=(DEEP,)).work(0, 1)["results"].to_pylist()
    assert [row["status"] for row in trees] == ["failed", "failed"]
    assert " errors if its depth is at most 2 and it has at most " in trees[0]["error"]
    assert best["status"] == "ok"


def result(builder: str, depth: int, errors: int, splits: int, **changes: Any) -> Row:
    """A result row of a set of 50 rows."""
    named = {"source": "a", "part": "all", "builder": builder, "parameters": json.dumps({"max_depth": depth})}
    results = {"rows": 50, "train_accuracy": 1 - errors / 50, "nonterminal_nodes": splits, "status": "ok", "nodes": 99}
    return named | results | {"terminal_nodes": splits + 1} | changes


def frontier(depth: int, errors: Sequence[int], bounds: Sequence[int], source: str = "a") -> list[Row]:
    named = {"source": source, "part": "all", "max_depth": depth, "status": "ok"}
    return [
        named | {"splits": splits, "errors": wrong, "bound": bound}
        for splits, (wrong, bound) in enumerate(zip(errors, bounds, strict=True))
    ]


def tables_of(results: Sequence[Row], frontiers: Sequence[Row], descents: Sequence[Row] = ()) -> dict[str, list[Row]]:
    """The rows of the summary's tables, of made-up rows."""
    return summary_rows(SUMMARY, results, frontiers=frontiers, descents=descents)


def test_the_row_of_a_set_is_what_one_computes_by_hand(tmp_path: Path) -> None:
    trees = [result("evo", 2, 9, 3), result("evo", 2, 6, 2), result("cart", 2, 12, 3), result(EXACT, 2, 6, 2)]
    fewest = frontier(2, [20, 12, 6, 6], [20, 12, 6, 6])
    evo, cart = tables_of(trees, fewest)["evo_vs_exact_sets"]
    assert (evo["builder"], evo["n"], cart["builder"], cart["n"]) == ("evo", 2, "cart", 1)
    assert [evo[name] for name in ("errors", "best_errors", "reached", "splits")] == [7.5, 6, 1, 2.5]
    assert [evo["excess"], cart["excess"]] == pytest.approx([3.0, 12.0])  # points of 50 rows
    assert (evo["excess_low"], cart["excess_low"]) == (pytest.approx(3 - 1.959964 * 3), None)  # one has no spread
    assert (evo["fewest_splits"], cart["fewest_splits"]) == (2.0, 1.0)
    assert evo["excess_for_splits"] == pytest.approx(3.0)
    assert (evo["proven"], evo["fewest_splits_proven"], evo["fittest"]) == ("true", "true", None)
    parts = published(trees, tmp_path / "parts", frontiers=fewest, descents=())
    assert written(SUMMARY, parts, tmp_path, drawn=False).finding.startswith(
        "Of the trees of evo, 1 of 2 at depth 2 have the minimum training error (largest mean excess: 3.0"
    )


def test_bounds_of_one_depth_count_at_others() -> None:
    """A tree of depth 1 is one of depth 2, too; one split is of depth 1 at most; and builders better a search."""
    trees = [result("evo", 1, 12, 1, optimal=True), result("evo", 2, 5, 3, optimal=False)]
    points = frontier(2, [20, 14, 8, 8], [20, 3, 3, 3]) + frontier(1, [20, 12], [20, 12])
    tables = tables_of(trees, points)
    assert [(row["max_depth"], row["errors"], row["bound"]) for row in tables["frontiers"]] == [
        *((1, 20, 20), (1, 12, 12)),
        *((2, 20, 20), (2, 12, 12), (2, 8, 3), (2, 5, 3)),
    ]
    _, deep = tables["evo_vs_exact_sets"]
    assert (deep["proven"], deep["reached"], deep["excess"]) == ("false", 0, pytest.approx(4.0))
    first, second = tables["evo_vs_exact"]
    assert [first[name] for name in ("n", "not_proven", "reached", "fittest", "worst_on")] == [1, 0, 1, 1, "a"]
    assert [second[name] for name in ("n", "not_proven", "trees", "excess", "worst_on")] == [0, 1, 0, None, None]


@given(st.integers(0, 10_000))
@settings(max_examples=8, deadline=None)
def test_the_tables_are_those_of_plain_loops(seed: int) -> None:
    """Sets of some depths, some without a frontier; failed trees; bounds below the results."""
    chance = random.Random(seed)
    results, points = [], []
    for source in ("a", "b", "c"):
        for depth in (3, 1, 2):
            own = sorted((chance.randint(0, 40) for _ in range(2**depth)), reverse=True)
            bounds = [wrong - chance.choice([0, 0, min(wrong, 2)]) for wrong in own]
            points += frontier(depth, own, bounds, source) if chance.random() < 0.9 else []
            for builder in ("evo", "cart"):
                for _ in range(chance.randint(0, 3)):
                    row = result(builder, depth, chance.randint(20, 50), chance.randrange(2**depth), source=source)
                    lost = {"status": "failed", "train_accuracy": None, "nonterminal_nodes": None}
                    results.append(row | lost if chance.random() < 0.2 else row)
    tables = tables_of(results, points)
    expected = oracle.held(results, points)
    sets = tables["evo_vs_exact_sets"]
    assert [(row["source"], row["max_depth"], row["builder"]) for row in sets] == list(expected)
    for row in sets:
        own = expected[row["source"], row["max_depth"], row["builder"]]
        assert {name: row[name] for name in own} == pytest.approx(own)
    for row in tables["evo_vs_exact"]:
        own = [each for (_, depth, who), each in expected.items() if (depth, who) == (row["max_depth"], row["builder"])]
        proven = [each for each in own if each["proven"] == "true"]
        assert (row["n"], row["not_proven"]) == (len(proven), len(own) - len(proven))
        assert row["reached"] == sum(each["reached"] for each in proven)
        assert row["excess"] == (pytest.approx(fmean(each["excess"] for each in proven)) if proven else None)
        assert row["worst"] == (pytest.approx(max(each["excess"] for each in proven)) if proven else None)


def step(repeat: int, generation: int, fitness: float, **changes: Any) -> Row:
    named = {"source": "a", "part": "all", "max_depth": 2, "repeat": repeat, "builder": "evo"}
    return named | {"generation": generation, "fitness": fitness, "bound": 0.25} | changes


def test_a_descent_goes_on_as_it_ended_and_is_that_of_one_builder() -> None:
    steps = [step(1, 0, 0.75), step(1, 2, 0.5), step(1, 3, 0.5), step(2, 0, 1.0), step(2, 1, 0.25)]
    others = [step(1, 0, 0.3, builder="other"), step(1, 0, 0.3, max_depth=3)]
    trees = [result("evo", 2, 6, 2), result("evo", 3, 6, 2)]
    proven = frontier(2, [20, 12, 6, 6], [20, 12, 6, 6])
    rows = tables_of(trees, [*proven, *frontier(3, [20] * 8, [0] * 8)], [*steps, *others])["descents"]
    assert [(row["generation"], row["low"], row["mean"], row["high"]) for row in rows] == [
        (0, 0.5, 0.625, 0.75),
        (1, 0.0, 0.25, 0.5),
        (2, 0.0, 0.125, 0.25),
        (3, 0.0, 0.125, 0.25),
    ]
    assert {(row["title"], row["max_depth"], row["builder"]) for row in rows} == {("a", 2, "evo")}
