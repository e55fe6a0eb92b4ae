"""C4.5 against a slow J48 on small random data, and what must hold of it whatever the data."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms._numba.decorators import outer
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from algorithms.induction.c45 import C45Classifier, weka_size
from algorithms.induction.c45.numbers import SPARE, Ranks, bound_code, rank, rank_whole
from algorithms.kernel_arrays import arrays_of
from algorithms.trees.arrays import ALL_BRANCHES, NodeKind
from tests.algorithms.grown_trees import c45_tree
from tests.oracles import j48 as slow
from tests.oracles.weka_reference import weka_leaves

NOMINAL, NUMERIC = AttributeKind.NOMINAL, AttributeKind.NUMERIC


def data_of(columns: list[list[float | None]], labels: list[int], decisions: list[int], classes: int) -> DataSet:
    attributes = [
        Attribute(f"a{i}", NOMINAL, tuple(map(str, range(n)))) if n else Attribute(f"a{i}", NUMERIC)
        for i, n in enumerate(labels)
    ]
    coded = [
        np.array([MISSING if value is None else value for value in column], np.int32)
        if n
        else np.array([np.nan if value is None else value for value in column], np.float64)
        for column, n in zip(columns, labels, strict=True)
    ]
    return DataSet(
        tuple(attributes), tuple(coded), tuple(map(str, range(classes))), np.array(decisions, dtype=np.int32)
    )


@st.composite
def questions(draw: Any) -> tuple[DataSet, slow.Settings, dict[str, Any]]:
    """Data of both kinds, missing values and noise, a class that depends on them, and options."""
    rows = draw(st.integers(1, 40))
    labels = draw(st.lists(st.sampled_from([0, 0, 1, 2, 3, 5]), min_size=1, max_size=4))
    classes = draw(st.integers(1, 4))
    missing = draw(st.sampled_from([0.0, 0.0, 0.1, 0.4]))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    step = draw(st.sampled_from([1.0, 0.25, 1e-5, 4e-7]))  # numbers that J48 takes for equal, too
    latent = generator.random(rows)
    columns: list[list[float | None]] = []
    for n in labels:
        drawn = np.where(generator.random(rows) < 0.5, latent, generator.random(rows))
        values = np.floor(drawn * n) if n else np.floor(drawn * 12) * step
        absent = generator.random(rows) < missing
        columns.append([None if lacks else float(value) for value, lacks in zip(values, absent, strict=True)])
    noise = generator.random(rows)
    decided = np.floor(np.where(noise < 0.7, latent, generator.random(rows)) * classes).astype(int).tolist()
    options = {
        "min_rows": draw(st.integers(1, 3)),
        "confidence": draw(st.sampled_from([0.25, 0.125, 0.5])),
        "pruned": draw(st.booleans()),
        "raising": draw(st.booleans()),
        "binary": draw(st.booleans()),
    }
    settings = slow.Settings(labels, classes, list(zip(zip(*columns, strict=True), decided, strict=True)), **options)
    return data_of(columns, labels, decided, classes), settings, options


@given(questions())
@settings(max_examples=400)
def test_trees_are_those_of_a_slow_j48(question: tuple[DataSet, slow.Settings, dict[str, Any]]) -> None:
    data, requested, options = question
    tree, expected = c45_tree(data, **options), slow.j48(requested)
    assert (weka_leaves(tree, data), weka_size(tree, data)) == (slow.leaves(expected), slow.size(expected))
    answers = [slow.distribution(expected, values, requested) for values, _ in requested.all_rows]
    assert tree.distribution(data.values()) == pytest.approx(np.array(answers), abs=1e-9)


def noisy(rows: int = 300, missing: float = 0.1) -> DataSet:
    generator = np.random.default_rng(5)
    numbers, codes = generator.random((2, rows)), generator.integers(0, 3, (2, rows))
    decided = (numbers[0] > 0.5) ^ (codes[0] == 1) ^ (generator.random(rows) < 0.2)
    numbers[generator.random((2, rows)) < missing] = np.nan
    codes[generator.random((2, rows)) < missing] = MISSING
    labels = [0, 0, 3, 3]
    columns = [[None if np.isnan(v) else v for v in column] for column in numbers.tolist()]
    columns += [[None if v == MISSING else v for v in column] for column in codes.tolist()]
    return data_of(columns, labels, decided.astype(int).tolist(), 2)


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("pruned", [False, True])
def test_a_row_of_weight_three_is_as_good_as_three_rows(binary: bool, pruned: bool) -> None:
    data = noisy()
    weights = np.random.default_rng(1).integers(0, 4, data.rows)
    weighted = c45_tree(data, weights, binary=binary, pruned=pruned)
    repeated = c45_tree(data.take(np.repeat(np.arange(data.rows), weights)), binary=binary, pruned=pruned)
    assert weighted.nodes > 5
    for name in ("kind", "attribute", "edges", "edge_code", "edge_bound", "edge_to", "unknown_to"):
        assert np.array_equal(getattr(weighted, name), getattr(repeated, name)), name
    assert weighted.counts == pytest.approx(repeated.counts)


def test_counting_and_sorting_find_the_same_tree() -> None:
    """Numbers in few rows are sorted, few numbers in many rows are counted: thrice the rows, the same gains."""
    data = noisy(60, 0.0)
    coarse = data_of(
        [[float(v) for v in np.round(data.columns[0] * 40)], [float(v) for v in np.round(data.columns[1] * 40)]],
        [0, 0],
        data.decisions.tolist(),
        2,
    )
    many = coarse.take(np.tile(np.arange(60), 30))
    for min_rows in (2, 5):
        small = c45_tree(coarse, np.full(60, 30.0), min_rows=min_rows * 30, pruned=False)
        large = c45_tree(many, min_rows=min_rows * 30, pruned=False)
        assert small.nodes > 1
        assert np.array_equal(small.edge_bound, large.edge_bound)
        assert np.array_equal(small.counts, large.counts)


def ranks_for(column: Sized) -> Ranks:
    return arrays_of(Ranks, rows=len(column), range=2 * len(column) + SPARE)


@given(st.lists(st.one_of(st.just(np.nan), st.integers(-50, 50).map(float)), min_size=1))
def test_whole_numbers_are_counted_as_they_are_sorted(numbers: list[float]) -> None:
    column = np.array(numbers)
    known = np.flatnonzero(~np.isnan(column))
    expected, first, positions = np.unique(column[known], return_index=True, return_inverse=True)
    order = np.argsort(column)[: len(known)]
    for result, ranked in ((np.full(len(column), -1, np.int32), ()), (np.full(len(column), -1, np.int32), (order,))):
        ranks = ranks_for(column)
        distinct = (rank if ranked else rank_whole)(column, *ranked, result, ranks)
        assert ranks.value[:distinct].tolist() == expected.tolist()
        assert ranks.first_row[:distinct].tolist() == known[first].tolist()
        assert result[known].tolist() == positions.tolist()
        assert (np.delete(result, known) == -1).all()


def test_numbers_far_apart_or_broken_are_not_counted() -> None:
    for column in ([0.0, 1e9], [0.5, 1.0], [np.nan]):
        assert rank_whole(np.array(column), np.zeros(len(column), np.int32), ranks_for(column)) == 0


@outer
def code_of_bound(columns, attribute, middle, words):  # type: ignore[no-untyped-def]
    return bound_code(columns, attribute, middle, words)


class _Numbers(NamedTuple):
    """What `bound_code` reads of `C45Columns`."""

    first_value: Any
    width: Any
    value: Any
    first_row: Any


@settings(max_examples=300)
@given(st.lists(st.integers(0, 40), min_size=2, max_size=12), st.integers(0, 1000))
def test_a_bound_is_the_number_that_weka_finds_row_by_row(steps: list[int], where: int) -> None:
    column = np.array(steps) * 3e-7  # so close that Weka takes neighbours for equal
    codes = np.empty(len(column), np.int32)
    ranks = ranks_for(column)
    distinct = rank(column, column.argsort(), codes, ranks)
    value, first_row, words = ranks.value[:distinct], ranks.first_row[:distinct], np.empty(distinct, np.int64)
    index = where % len(value)
    middle = value[index] if index + 1 == len(value) else (value[index] + value[index + 1]) / 2
    kept = -np.inf
    for number in column:
        if number - middle < 1e-6 and number - kept > 1e-6:
            kept = number
    columns = _Numbers(np.zeros(1, np.int64), np.array([len(value)]), value, first_row)
    expected = max(code for code, number in enumerate(value) if number - kept < 1e-6)
    assert code_of_bound(columns, 0, middle, words) == expected


@pytest.mark.parametrize("pruned", [False, True])
def test_a_tree_does_not_depend_on_the_first_size_of_the_buffers(pruned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that stop for larger buffers give the same result as with them."""
    trees = []
    for nodes in (1, 100_000):
        monkeypatch.setattr("algorithms.induction.c45.c45_tree.FEW_NODES", nodes)
        trees.append(c45_tree(noisy(), pruned=pruned))
    short, long = trees
    assert long.nodes > 5
    for name in ("kind", "attribute", "edges", "edge_code", "edge_bound", "edge_to", "unknown_to", "counts"):
        assert np.array_equal(getattr(short, name), getattr(long, name)), name


def test_every_count_of_a_node_is_shared_out_among_its_branches() -> None:
    tree = c45_tree(noisy(), pruned=False)
    assert tree.counts[0].sum() == pytest.approx(300)
    inner = np.flatnonzero(tree.kind != NodeKind.TERMINAL)
    assert len(inner) > 5
    assert (tree.unknown_to[inner] == ALL_BRANCHES).all()
    for node in inner:
        assert tree.counts[tree.children(node)].sum(axis=0) == pytest.approx(tree.counts[node])


def test_a_bound_is_a_number_of_the_training_rows() -> None:
    data = noisy()
    tree = c45_tree(data, pruned=False)
    numeric = np.flatnonzero(tree.kind == NodeKind.BOUNDS)
    assert len(numeric) > 2
    for node in numeric:
        assert tree.edge_bound[tree.edges[node]] in data.columns[tree.attribute[node]]


@pytest.mark.parametrize("sign", [1, -1])
def test_the_middle_of_numbers_whose_sum_is_too_large(sign: int) -> None:
    """An infinite middle would send all rows down one branch, again and again."""
    numbers = sign * np.array([1e308, 1.2e308, 1.7e308, 1.79e308])
    model = C45Classifier(min_rows=1).fit(numbers.reshape(-1, 1), [0, 0, 1, 1])
    assert model.score(numbers.reshape(-1, 1), [0, 0, 1, 1]) == 1
    assert model.get_n_leaves() == 2


def test_labels_without_rows_are_empty_branches_to_weka_alone() -> None:
    data = data_of([[0.0, 0, 0, 2, 2, 2]], [4], [0, 0, 0, 1, 1, 1], 2)
    tree = c45_tree(data)
    assert (tree.nodes, weka_leaves(tree, data), weka_size(tree, data)) == (3, 4, 5)
    binary = c45_tree(data, binary=True)
    assert (binary.nodes, weka_leaves(binary, data), weka_size(binary, data)) == (3, 2, 3)
    assert binary.predict(np.array([[0.0], [1.0], [2.0], [3.0]])).tolist() == [0, 1, 1, 1]


def test_more_labels_than_a_byte_holds_and_more_numbers_than_are_counted() -> None:
    """Codes are kept in bytes where they fit; beyond that, and beyond 65,536 cells, the same tree is found."""
    generator = np.random.default_rng(2)
    numbers = generator.permutation(70_000).astype(float)
    decided = ((numbers > 30_000) ^ (generator.random(70_000) < 0.05)).astype(int)
    labels = (numbers // 200).tolist()
    tree = c45_tree(data_of([numbers.tolist(), labels], [0, 350], decided.tolist(), 2), min_rows=1000)
    assert tree.kind[0] == NodeKind.BOUNDS
    assert abs(tree.edge_bound[0] - 30_000) < 5
    assert tree.counts[0].tolist() == np.bincount(decided).tolist()


def test_rows_without_a_class_are_left_out() -> None:
    data = data_of([[0.0, 0, 0, 1, 1, 1, 1]], [2], [0, 0, 0, 1, 1, 1, MISSING], 2)
    assert c45_tree(data).counts.tolist() == [[3, 3], [3, 0], [0, 3]]


def test_a_data_set_without_attributes_makes_a_leaf() -> None:
    data = DataSet((), (), ("a", "b"), np.array([1, 0, 1], np.int32))
    assert C45Classifier().fit(data).tree_.counts.tolist() == [[1.0, 2.0]]
