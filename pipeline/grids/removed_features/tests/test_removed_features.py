"""Removed features: orders that a plain count gives, rows of what is left, and a summary that a plain loop gives."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import log2
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import MISSING
from pipeline.builders import Builder
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.data.catalogue.loading import LoadedSet
from pipeline.data.preparation import Preparation
from pipeline.data.protocols import Protocol
from pipeline.data.sources import Source
from pipeline.grammar.axes import Item
from pipeline.grammar.columns import Row, estimate_of
from pipeline.grids.removed_features.grid import BY_GAIN, RemovedFeaturesGrid, by_gain
from pipeline.grids.removed_features.summary import RANDOM, SUMMARY
from pipeline.summary.statistics import Estimate
from tests.algorithms.data_sets import data_set_of
from tests.pipeline.questions import computed_run, summarised
from tests.summaries.builder_rows import published, written

FIRST = Builder("first", "tests.pipeline.predictors.FirstAttributeClassifier", "{}", Preparation())
ID3 = Builder("id3", "algorithms.induction.id3.ID3Classifier", "{}", Preparation(missing="value"))
REFUSING = Builder(
    "refusing",
    "tests.pipeline.failing_builders.RefusingClassifier",
    '{"most_rows": 70}',
    Preparation(missing="fill", encoding="one_hot"),
)
ADULT = "uci/balloons/adult-stretch"


def source(name: str) -> Source:
    return Source(name, "all", catalogue().fingerprints(name))


def grid(builders: Sequence[Builder] = (ID3, FIRST), random_orders: int = 2, folds: int = 4) -> RemovedFeaturesGrid:
    sources = (source("sklearn/iris"), source(ADULT))
    return RemovedFeaturesGrid(
        sources=sources,
        incomplete_rows="keep",
        most_rows=None,
        protocol=Protocol("k_fold", folds=folds, stratified=True),
        builders=tuple(builders),
        seed=3,
        attributes=(4, 4),
        random_orders=random_orders,
    )


@dataclass(frozen=True, kw_only=True)
class RemovalsOfLoadedSet(RemovedFeaturesGrid):
    """Its only data set is a loaded one."""

    data_set: LoadedSet = field(compare=False)

    def loaded(self, item: Item) -> LoadedSet:
        return self.data_set


@given(st.lists(st.tuples(*[st.sampled_from([MISSING, 0, 1, 2])] * 4, st.integers(0, 2)), min_size=1, max_size=15))
def test_the_order_is_that_of_a_plain_count(cells: list[tuple[int, ...]]) -> None:
    """Decreasing information gain, a missing value being a value; of several that tie the first first."""
    *columns, decisions = (list(column) for column in zip(*cells, strict=True))
    data = data_set_of(columns, decisions, [False] * 4)

    def bits(*positions: int) -> float:
        counts = Counter(tuple(row[k] for k in positions) for row in cells)
        return -sum(count / len(cells) * log2(count / len(cells)) for count in counts.values())

    gains = [bits(k) + bits(4) - bits(k, 4) for k in range(4)]
    result = by_gain(data)
    assert sorted(result) == [0, 1, 2, 3]
    for before, after in pairwise(result):
        assert gains[before] > gains[after] - 1e-8
        assert before < after or gains[before] > gains[after] + 1e-10


def test_numbers_are_cut_before_their_gain_is_taken() -> None:
    """Of two numeric attributes the one that parts the classes; each distinct number as a value would tie them."""
    signal = np.arange(40)
    noise = np.random.default_rng(0).permutation(signal)
    assert by_gain(data_set_of([noise, signal], (signal >= 20).tolist(), [True, True])) == [1, 0]


def test_the_order_is_found_on_training_rows_alone() -> None:
    """a0 determines the class of training rows and a1 that of test rows."""
    decisions = [0, 1] * 10
    train = 8
    columns = [decisions[:train] + [0] * 12, [0] * train + decisions[train:]]
    data = data_set_of(columns, decisions, [False, False])
    loaded = LoadedSet(
        "mine", {"train": data.take(np.arange(train)), "test": data.take(np.arange(train, 20))}, "0" * 64
    )
    made = replace(grid(), protocol=Protocol("published"), sources=(Source("mine", "all", ()),), attributes=(2,))
    mine = RemovalsOfLoadedSet(**vars(made), data_set=loaded)
    assert mine.in_order(mine.item(0)) == [0, 1]
    assert by_gain(data) == [1, 0]


def test_random_orders_are_the_same_for_all_splits_and_differ() -> None:
    made = grid(random_orders=5)
    names = [f"random_{number}" for number in range(1, 6)]

    def orders_of(fold: int) -> list[list[int]]:
        return [made.in_order(made.item(made.number_of({"fold": fold, "removal_order": name}))) for name in names]

    orders = orders_of(1)
    assert orders == orders_of(4)
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    assert len(set(map(tuple, orders))) > 1


def test_items_are_each_source_split_order_and_number() -> None:
    made = replace(grid(), attributes=(3, 4))
    expected = [
        (source, split, order, removed)
        for source, number in (("sklearn/iris", 3), (ADULT, 4))
        for split in (1, 2, 3, 4)
        for order in (BY_GAIN, "random_1", "random_2")
        for removed in range(number)
    ]
    items = list(map(made.item, range(made.items)))
    assert [(item.source.name, item.fold, item.removal_order, item.removed_attributes) for item in items] == expected
    assert expected[made.number_of({"source": ADULT, "fold": 3})] == (ADULT, 3, BY_GAIN, 0)
    assert made.title(made.number_of({"source": ADULT, "fold": 3})) == f"{ADULT}, repeat 1, fold 3, training rows"


def test_rows_are_of_what_is_left() -> None:
    """`first` tests the first attribute that is left, so that its training accuracy identifies it."""
    made = grid(folds=2)
    rows = made.work(0, made.items)["results"].to_pylist()
    assert len(rows) == made.items * 2
    for number in range(made.items):
        item = made.item(number)
        pair = rows[2 * number : 2 * number + 2]
        named = {"removal_order": item.removal_order, "removed_attributes": item.removed_attributes, "fold": item.fold}
        assert all(named.items() <= row.items() for row in pair)
        assert [row["builder"] for row in pair] == ["id3", "first"]
        selected = made.select_rows(item.source, item.source.load())
        train = selected.data.take(made.protocol.split(selected.split_source, 3, 1, item.fold).train)
        left = sorted(made.in_order(item)[item.removed_attributes :])
        column = train.columns[left[0]]
        right = sum(np.bincount(train.decisions[column == value]).max() for value in np.unique(column))
        assert pair[1]["train_accuracy"] == pytest.approx(right / train.rows)
        assert pair[0]["depth"] <= len(left)


def test_the_summary_is_that_of_a_plain_loop(tmp_path: Path) -> None:
    made = grid([FIRST, ID3, REFUSING], folds=2)
    computed = made.work(0, made.items)["results"]
    run = computed_run(made, [((0, made.items), {"results": computed})], tmp_path)
    summary = summarised(run, tmp_path / "s", drawn=True)
    results = computed.to_pylist()
    rows = list(csv.DictReader((tmp_path / "s/removed_features.csv").read_text().splitlines()))
    assert len(rows) == 2 * 2 * 4 * 3
    for row in rows:
        cell = [
            result
            for result in results
            if (result["source"], result["removed_attributes"]) == (row["source"], int(row["removed"]))
            and (result["removal_order"] == BY_GAIN) == (row["order"] == BY_GAIN)
        ]
        means: dict[str, list[float]] = {}
        for builder in ("first", row["builder"]):
            good = [each for each in cell if each["builder"] == builder and each["status"] == "ok"]
            units = [
                [each["test_accuracy"] for each in good if key in (each["removal_order"], each["fold"])]
                for key in ((1, 2) if row["order"] == BY_GAIN else ("random_1", "random_2"))
            ]
            means[builder] = [100 * fmean(unit) for unit in units if unit]
        own = means[row["builder"]]
        assert int(row["left"]) == 4 - int(row["removed"])
        if row["builder"] == "refusing" and row["source"] == "sklearn/iris":  # 75 rows train
            assert (row["n"], row["test_accuracy"], int(row["failed"])) == ("0", "", len(cell) // 3)
            continue
        assert (int(row["n"]), row["failed"]) == (len(own), "0")
        assert float(row["test_accuracy"]) == pytest.approx(fmean(own))
        half = 1.959964 * stdev(own) / len(own) ** 0.5
        assert float(row["high"]) - float(row["low"]) == pytest.approx(2 * half, abs=1e-5)
        if row["builder"] != "first":
            apart = [mine - theirs for mine, theirs in zip(own, means["first"], strict=True)]
            assert float(row["difference"]) == pytest.approx(fmean(apart), abs=1e-9)
    assert [path.name for path in summary.figures] == ["removed_features.svg", "removed_features.png"]
    assert "the first: refusing on sklearn/iris: ValueError: 75 rows are too many" in str(summary.screen(100)[-1])


def accuracies(builder: str, *of_folds: float | None) -> list[dict[str, Any]]:
    """Rows of two random orders, which are one where nothing is removed; None: the fit failed."""
    named = {
        "source": "a",
        "part": "all",
        "repeat": 1,
        "builder": builder,
        "removed_attributes": 0,
        "nodes": 1,
        "terminal_nodes": 1,
    }
    return [
        {**named, "removal_order": order, "fold": fold, "test_accuracy": each, "status": "ok" if each else "failed"}
        for order in ("random_1", "random_2")
        for fold, each in enumerate(of_folds, start=1)
    ]


def summary_of(rows: list[dict[str, Any]], folder: Path) -> tuple[list[Row], str]:
    """The rows of the table of points of a data set of three attributes, and the finding."""
    parts = published(rows, folder)
    context: dict[str, Any] = {"builders": ["x", "y"], "attributes": [{"title": "a", "attributes": 3}]}
    points = SUMMARY.rows_of(parts, **context)["removed_features"]
    return list(points), written(SUMMARY, parts, folder / "s", drawn=False, **context).finding


def test_a_difference_is_of_splits_on_which_neither_failed(tmp_path: Path) -> None:
    rows = [*accuracies("x", 0.5, 0.9), *accuracies("y", 0.75, None)]
    first, last = summary_of(rows, tmp_path)[0]
    assert (first["order"], first["builder"], first["difference_to"], first["difference"]) == (RANDOM, "x", None, None)
    assert (last["order"], last["builder"], last["left"], last["failed"]) == (RANDOM, "y", 3, 2)
    assert estimate_of(last, "test_accuracy") == Estimate(2, 75.0, 0.0)
    apart = estimate_of(last, "difference")
    assert apart == Estimate(2, 25.0, 0.0)
    assert apart.z is None  # both orders are the same


def test_a_difference_without_spread_clears_nothing(tmp_path: Path) -> None:
    rows = [
        row | {"removal_order": BY_GAIN, "removed_attributes": removed}
        for removed in (0, 1)
        for row in [*accuracies("x", 0.5, 0.75)[:2], *accuracies("y", 0.75, 1.0)[:2]]
    ]
    _, finding = summary_of(rows, tmp_path)
    assert finding.endswith("from 62.5 to 62.5 % with x and from 87.5 to 87.5 % with y.")


def test_without_random_orders_there_is_one_column(tmp_path: Path) -> None:
    made = grid(random_orders=0)
    run = computed_run(made, [((0, 16), made.work(0, 16))], tmp_path)
    (table,) = summarised(run, tmp_path / "s").documents
    assert {row[2] for row in table.rows} == {BY_GAIN}
    assert not any(RANDOM in str(row) for row in table.rows)
