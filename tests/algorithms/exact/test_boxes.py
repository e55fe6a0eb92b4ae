"""Rows in boxes: the rows that they cover, and their minima against those of single rows."""

from __future__ import annotations

import itertools
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from numba import typeof

from algorithms.data.table import DecisionTable
from algorithms.exact.boxes import LARGEST
from algorithms.exact.coded import coded_table
from algorithms.exact.graph import SubtableGraph, exact_costs
from algorithms.exact.memory import Memory
from tests.algorithms.strategies import GivenTable, tables

LIMIT = 2**28


def boxes_of(table: DecisionTable) -> list[tuple[list[list[int]], int, int]]:
    """Of every box the codes of each attribute, the decision and the sum of row weights."""
    coded = coded_table(table, Memory(LIMIT), edges=True)
    sizes = coded.sizes if len(coded.sizes) else np.ones(len(coded.word), int)
    decisions = coded.word[:, 0] & np.uint64((1 << int(coded.bits[-1])) - 1)
    boxes = []
    for branches, decision, size in zip(coded.branch[:, :-1], decisions, sizes, strict=True):
        codes = []
        for branch, first, first_joint in zip(branches.tolist(), coded.first_branch, coded.first_joint, strict=False):
            parts = int(coded.joined_codes[branch])
            assert bool(parts) == (branch >= first_joint)
            taken = [int(first) + i for i in range(64) if parts >> i & 1] if parts else [branch]
            codes.append(coded.code[taken].tolist())
        boxes.append((codes, int(decision), int(size)))
    return boxes


def rows_of(boxes: list[tuple[list[list[int]], int, int]]) -> Counter[tuple[tuple[int, ...], int, float]]:
    """Each row that boxes cover, with its decision and weight."""
    rows: Counter[tuple[tuple[int, ...], int, float]] = Counter()
    for codes, decision, size in boxes:
        of_box = list(itertools.product(*codes))
        rows.update((row, decision, size / len(of_box)) for row in of_box)
    return rows


def rows_in(table: DecisionTable) -> Counter[tuple[tuple[int, ...], int, float]]:
    numbers = zip(table.codes.tolist(), table.decisions.tolist(), table.weights.tolist(), strict=True)
    return Counter((tuple(row), decision, float(weight)) for row, decision, weight in numbers)


def by_rule(generator: np.random.Generator, rules: int, values: list[int], *, weighted: bool) -> DecisionTable:
    """All rows that one of some rules allows: of each attribute any set of codes, one decision."""
    blocks, decisions, weights = [], [], []
    for _ in range(rules):
        allowed = [np.flatnonzero(generator.random(k) < min(0.6, 2 / k)) for k in values]
        block = list(itertools.product(*(codes if len(codes) else [0] for codes in allowed)))
        blocks += block
        decisions += [int(generator.integers(0, 3))] * len(block)
        weights += [int(generator.integers(1, 4))] * len(block)
    return DecisionTable.from_codes(np.array(blocks), decisions, weights=weights if weighted else None)


@given(tables())
def test_boxes_stand_for_each_row_once(given_table: GivenTable) -> None:
    assert rows_of(boxes_of(given_table.table)) == rows_in(given_table.table)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("values", [[2] * 7, [3, 4, 5, 2, 1], [70, 2, 3], [LARGEST, 3, 2], [LARGEST - 1, 3, 2]])
def test_tables_made_by_rule_are_few_boxes(values: list[int], weighted: bool) -> None:
    generator = np.random.default_rng([*values, weighted])
    for rules in range(1, 9):
        table = by_rule(generator, rules, values, weighted=weighted)
        boxes = boxes_of(table)
        assert rows_of(boxes) == rows_in(table)
        if rules == 1 and not weighted and max(values) < LARGEST:
            assert len(boxes) == 1


def test_an_attribute_has_as_many_sets_as_the_memory_allows() -> None:
    """Of 60 codes every two that follow each other share a code of another attribute: 59 sets, memory for 4."""
    codes = [[i + more, i] for i in range(59) for more in (0, 1)]
    table = DecisionTable.from_codes(codes, np.zeros(118, int))
    boxes = boxes_of(table)
    assert rows_of(boxes) == rows_in(table)
    assert sum(len(codes[0]) > 1 for codes, _, _ in boxes) == LARGEST - 60


def test_a_whole_cube_is_one_box_and_its_parity_is_none() -> None:
    cube = list(itertools.product(range(2), repeat=8))
    assert len(boxes_of(DecisionTable.from_codes(cube, [0] * 256))) == 1
    assert len(boxes_of(DecisionTable.from_codes(cube, [sum(row) % 2 for row in cube]))) == 256
    assert len(boxes_of(DecisionTable.from_codes(cube, [0] * 256, weights=[1, 2] * 128))) == 2


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "values",
    [
        [2] * 8,
        [3, 4, 5, 2, 3],  # one machine word
        [9, 5, 17, 3, 2, 6, 1, 4, *[1] * 20],  # two
        [30, 40, 50, 20, 3, 2, 2, 33],  # three
        [64, 3, 80, 2],  # attributes without memory for sets
    ],
)
def test_minima_by_boxes_are_those_by_rows(values: list[int], weighted: bool) -> None:
    generator = np.random.default_rng([*values, weighted])
    for rules in (2, 4, 7):
        table = by_rule(generator, rules, values, weighted=weighted)
        assert exact_costs(table) == SubtableGraph.of(table).costs()


def test_one_compiled_search_serves_rows_and_boxes_of_any_weights_and_codes() -> None:
    generator = np.random.default_rng(0)
    boxes = by_rule(generator, 2, [2] * 8, weighted=False)
    cube = list(itertools.product(range(2), repeat=8))
    rows = DecisionTable.from_codes(cube, [sum(row) % 2 for row in cube])
    weighted = DecisionTable.from_codes([[0], [1], [2]], [0, 1, 0], weights=[1, 2, 3])
    coded = [coded_table(table, Memory(LIMIT), edges=True) for table in (boxes, rows, weighted)]
    assert [len(each.sizes) > 0 for each in coded] == [True, False, True]
    wide = DecisionTable.from_codes([[0], [70_000]], [0, 1])
    coded += [coded_table(table, Memory(LIMIT), edges=False) for table in (boxes, rows, weighted, wide)]
    assert len(set(map(typeof, coded))) == 1


class Measured(Memory):
    """Memory that knows the most bytes that were held at one time."""

    most = 0

    def hold(self, size: int) -> None:
        super().hold(size)
        self.most = max(self.most, self.held)


@pytest.mark.parametrize("codes", [2, 5000])
def test_a_table_takes_the_memory_that_is_counted(codes: int) -> None:
    rows, attributes = 20_000, 40
    generator = np.random.default_rng(0)
    table = DecisionTable.from_codes(generator.integers(0, codes, (rows, attributes)), generator.integers(0, 2, rows))
    coded_table(table, Memory(LIMIT), edges=True)  # kernels are compiled
    memory = Measured(LIMIT)
    tracemalloc.start()
    try:
        coded_table(table, memory, edges=True)
        _, taken = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < memory.most + 8 * 8 * rows  # what it takes to write one attribute at a time is not counted
