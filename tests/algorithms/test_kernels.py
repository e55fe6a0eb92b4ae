"""The small kernels, each against plain Python."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from algorithms._numba.primitives import (
    MOST_WORDS,
    PLAIN,
    any_bit,
    fold,
    keep_if,
    lane_min,
    lowest,
    popcount,
    read,
    sum_of_each,
    width,
    with_bit,
    without_lowest,
    write,
)
from algorithms._numba.sorting import sort
from algorithms.batch.small_subtables import minimum_of_four, splits_of_three
from algorithms.batch.word_table import differing, empty_word_table, load
from algorithms.exact.packed_cost import (
    INFEASIBLE,
    KNOWN_DEPTHS,
    KNOWN_SUMS,
    PAIR,
    SPLIT_BY_DECISION,
    SPLIT_IN_THREE,
    SPLIT_TWICE,
    cost_of_three,
    deeper,
    nonterminal,
    unpack,
)
from algorithms.induction.nominal.score_growth import partition_rows
from tests.algorithms.strategies import GivenTable, random_given_table, tables
from tests.oracles import brute_force as bf


def from_python(of_kernels: Any) -> Any:
    """A kernel that only kernels call, for Python to call."""
    return njit(lambda *arguments: of_kernels(*arguments))  # noqa: PLW0108 # numba has a call to compile


lane_min, nonterminal, deeper = map(from_python, (lane_min, nonterminal, deeper))
differing, splits_of_three, cost_of_three = map(from_python, (differing, splits_of_three, cost_of_three))

WORDS = st.integers(0, 2**64 - 1)
U = np.uint64


@njit
def count_bits(word):
    return popcount(word)


@njit
def lowest_bit(word):
    return lowest(word)


@given(WORDS)
@example(0)
@example(2**64 - 1)
@example(2**32)
def test_bits(word: int) -> None:
    assert count_bits(U(word)) == word.bit_count()
    assert lowest_bit(U(word)) == ((word & -word).bit_length() - 1 if word else 64)


# wide words


def number(word: Any) -> int:
    """The number of a wide word."""
    return sum(int(each) << 64 * k for k, each in enumerate(word if isinstance(word, tuple | np.ndarray) else (word,)))


def wide(word: Any, like: Any) -> Any:
    """The wide word of a number or of what a kernel returned, of as many machine words as another."""
    if not isinstance(like, tuple):
        return U(number(word))
    return tuple(U(number(word) >> 64 * k & 2**64 - 1) for k in range(len(like)))


@njit
def operations(left, right, mask, row):
    combined = left & right, left | right, left ^ right, ~left, without_lowest(left), with_bit(left, row)
    counted = popcount(left), lowest(left), width(left), fold(left, mask)
    return combined, keep_if(mask, left), sum_of_each(left, right), counted, (any_bit(left), left == right)


@njit
def written_and_read(array, index, word):
    write(array, index, word)
    return read(array, index, word), read(array, 0, word)


@pytest.mark.skipif(PLAIN, reason="public numba has no wide words")
@pytest.mark.parametrize("words", [1, 2, 3, MOST_WORDS])
@given(st.data())
def test_wide_words_are_sets(words: int, data: Any) -> None:
    ones = st.just(2 ** (64 * words) - 1)
    many = st.lists(st.sampled_from([0, 1, 2**63, 2**64 - 1]) | WORDS, min_size=words, max_size=words)
    chosen = many.map(lambda each: number(tuple(each))) | ones
    left, right, mask, row = (data.draw(some) for some in (chosen, chosen, WORDS, st.integers(0, 64 * words - 1)))
    like = (U(0),) * words if words > 1 else U(0)
    combined, kept, sums, counted, compared = operations(wide(left, like), wide(right, like), U(mask), row)
    without = left & (left - 1) if left else 0
    every = 2 ** (64 * words) - 1
    expected = left & right, left | right, left ^ right, left ^ every, without, left | 1 << row
    assert tuple(map(number, combined)) == expected
    assert number(kept) == left & number((mask,) * words)
    each = [(left >> 64 * k & 2**64 - 1) + (right >> 64 * k & 2**64 - 1) for k in range(words)]
    assert number(sums) == number(tuple(word % 2**64 for word in each))
    assert counted[:3] == (left.bit_count(), (left & -left).bit_length() - 1 if left else 64 * words, words)
    assert compared == (left != 0, left == right)
    if words == 1:
        assert counted[3] == left
    array = np.zeros((3, words), np.uint64)
    assert [number(word) for word in written_and_read(array, 2, wide(left, like))] == [left, 0]
    assert [number(tuple(cells)) for cells in array.tolist()] == [0, 0, left]


# packed costs

LANE = st.integers(0, 2**15 - 1)
FOUR_LANES = st.tuples(LANE, LANE, LANE, LANE)


def packed(lanes: tuple[int, ...]) -> np.uint64:
    return U(sum(lane << 16 * index for index, lane in enumerate(lanes)))


def unpacked(sums: int, depth: int) -> bf.Five:
    costs = np.zeros(5, np.int64)
    unpack(U(sums), U(depth), costs, False)
    return tuple(costs.tolist())


@given(FOUR_LANES, FOUR_LANES)
def test_the_lesser_is_taken_in_each_lane_alone(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    assert lane_min(packed(left), packed(right)) == packed(tuple(map(min, left, right)))


@given(st.tuples(*[st.integers(0, 30_000)] * 4), st.integers(1, 512))
def test_a_node_adds_its_rows_and_itself(lanes: tuple[int, ...], rows: int) -> None:
    length, nodes, inner, leaves = lanes
    assert nonterminal(packed(lanes), U(rows)) == packed((length + rows, nodes + 1, inner + 1, leaves))


def test_depths_are_unary() -> None:
    depth = U(0)
    for level in range(65):
        assert unpacked(0, depth)[0] == level
        depth = U(deeper(depth))


@given(FOUR_LANES, st.integers(0, 64))
def test_unpack_undoes_pack(lanes: tuple[int, ...], depth: int) -> None:
    assert unpacked(packed(lanes), (1 << depth) - 1) == (depth, *lanes)


def test_known_costs_are_those_of_their_trees() -> None:
    terminal, pair = 0, (0, {0: 0, 1: 1})
    assert unpacked(KNOWN_SUMS[0], KNOWN_DEPTHS[0]) == (0, 0, 0, 0, 0)
    single, double = (((0, 0), 0, 1),), (((0, 0), 0, 1), ((1, 0), 1, 1))
    assert unpacked(KNOWN_SUMS[1], KNOWN_DEPTHS[1]) == bf.costs(single, terminal)
    assert unpacked(KNOWN_SUMS[PAIR], KNOWN_DEPTHS[PAIR]) == bf.costs(double, pair)
    by_decision = (((0, 0), 0, 1), ((0, 1), 0, 1), ((1, 0), 1, 1))
    in_three = (((0, 0), 0, 1), ((1, 0), 1, 1), ((2, 0), 2, 1))
    twice = (((0, 0), 0, 1), ((1, 0), 1, 1), ((0, 1), 1, 1))
    for known, table, tree in (
        (SPLIT_BY_DECISION, by_decision, (0, {0: 0, 1: 1})),
        (SPLIT_IN_THREE, in_three, (0, {0: 0, 1: 1, 2: 2})),
        (SPLIT_TWICE, twice, (0, {0: (1, {0: 0, 1: 1}), 1: 1})),
    ):
        assert unpacked(KNOWN_SUMS[known], KNOWN_DEPTHS[known]) == bf.costs(table, tree)
    worst = unpacked(KNOWN_SUMS[INFEASIBLE], KNOWN_DEPTHS[INFEASIBLE])
    assert all(cost >= 512 * 64 - 1 for cost in worst[1:])
    assert worst[0] == 64


# tables in words


def loaded(codes: NDArray[Any], decisions: NDArray[Any], values: int, n_decisions: int) -> tuple[Any, int]:
    table = empty_word_table(len(codes), codes.shape[1], values, n_decisions)
    return table, number(load(table, codes, decisions, np.zeros((len(codes), n_decisions), np.int64)))


def rows_word(table: Any, rows: int) -> Any:
    """A set of rows, as the kernels take it."""
    return wide(rows, table.no_rows)


def bits(word: Any) -> list[int]:
    rows = number(word)
    return [bit for bit in range(rows.bit_length()) if rows >> bit & 1]


@given(tables(weights=False))
def test_a_loaded_table_is_the_merged_one(given_table: GivenTable) -> None:
    assert_loaded_is_merged(given_table)


@pytest.mark.parametrize(("rows", "attributes"), [(150, 4), (64, 33), (200, 40)])
def test_a_table_loaded_into_several_words_is_the_merged_one(rows: int, attributes: int) -> None:
    given_table = random_given_table(np.random.default_rng(rows), rows, attributes, 4, 4)
    repeated = [row[:4] + [0] * (attributes - 5) + row[-1:] for row in given_table.codes]  # some rows are equal
    assert_loaded_is_merged(given_table._replace(codes=repeated))


def assert_loaded_is_merged(given_table: GivenTable) -> None:
    oracle = given_table.oracle
    table, every_row = loaded(np.array(given_table.codes), np.array(given_table.decisions), 4, 4)
    assert bits(every_row) == list(range(len(oracle)))
    for attribute, code in itertools.product(range(len(oracle[0][0])), range(4)):
        assert bits(table.value_rows[attribute, code]) == [
            i for i, row in enumerate(oracle) if row[0][attribute] == code
        ]
    for decision in range(4):
        assert bits(table.decision_rows[decision]) == [i for i, row in enumerate(oracle) if row[1] == decision]
    for i, row in enumerate(oracle):
        assert bits(table.other_decision[i]) == [j for j, other in enumerate(oracle) if other[1] != row[1]]
    assert bits(table.other_decision[64 * table.decision_rows.shape[1]]) == []


@pytest.mark.parametrize(
    ("attributes", "values"),
    [
        *((1, 2), (64, 2), (32, 3), (32, 4), (21, 5), (16, 16), (8, 256), (1, 7), (5, 1), (7, 512)),
        *((33, 4), (22, 5), (64, 8), (64, 256)),
    ],
)
def test_rows_differ_on_the_attributes_that_differ(attributes: int, values: int) -> None:
    generator = np.random.default_rng([attributes, values])
    codes = generator.integers(0, values, (24, attributes))
    codes[1::2] = np.where(generator.random((12, attributes)) < 0.7, codes[::2], codes[1::2])  # alike in most
    codes = codes[np.sort(np.unique(codes, axis=0, return_index=True)[1])]
    table, _ = loaded(codes, np.zeros(len(codes), int), values, 1)
    tops = bits(table.field_tops)
    assert len(tops) == attributes
    for left, right in itertools.product(range(len(codes)), repeat=2):
        result = differing(table.code, table.field_tops, table.field_rests, U(left), U(right))
        assert [tops.index(bit) for bit in bits(result)] == np.flatnonzero(codes[left] != codes[right]).tolist()


def decision_patterns(rows: int) -> list[tuple[int, ...]]:
    """Every way to give rows two decisions or more, up to their names."""
    every = itertools.product(range(rows), repeat=rows)
    result = {tuple(list(dict.fromkeys(decisions)).index(decision) for decision in decisions) for decisions in every}
    return sorted(pattern for pattern in result if len(set(pattern)) > 1)


def all_small_tables(rows: int) -> list[tuple[NDArray[Any], int]]:
    """Every set of different rows of two attributes of three values, and of three attributes of two."""
    result = []
    for attributes, values in ((2, 3), (3, 2)):
        every = list(itertools.product(range(values), repeat=attributes))
        result += [(np.array(chosen), values) for chosen in itertools.combinations(every, rows)]
    return result


@pytest.mark.parametrize("first", [0, 62, 300])
def test_splits_of_three_rows_are_by_decision_in_three_or_neither(first: int) -> None:
    """With other rows around, so that the subtable is not the first rows of the table."""
    for codes, values in all_small_tables(3):
        for decisions in decision_patterns(3):
            assert_splits_of_three(codes, values, decisions, first)


def with_rows_before(codes: NDArray[Any], decisions: tuple[int, ...], values: int, first: int) -> tuple[Any, int]:
    """The table with `first` other rows before it, which one more attribute separates, and the word of its own rows."""
    fill = np.zeros((first, codes.shape[1] + 1), int)
    fill[:, 0] = 1 + np.arange(first)
    mine = np.column_stack([np.zeros(len(codes), int), codes])
    table, _ = loaded(np.concatenate([fill, mine]), np.array([*([0] * first), *decisions]), max(values, first + 1), 4)
    return table, ((1 << len(codes)) - 1) << first


def assert_splits_of_three(codes: NDArray[Any], values: int, decisions: tuple[int, ...], first: int) -> None:
    table, subtable = with_rows_before(codes, decisions, values, first)
    by_decision, in_three = splits_of_three(
        table.other_decision, table.code, table.field_tops, table.field_rests, rows_word(table, subtable)
    )
    tops = bits(table.field_tops)
    oracle = bf.table_of(codes.tolist(), decisions)
    pure, three = [], []
    for attribute in bf.splitting(oracle):
        parts = bf.parts_of(oracle, attribute)
        if len(parts) == 3:
            three.append(attribute + 1)
        elif all(len(bf.decisions_of(part)) == 1 for part in parts.values()):
            pure.append(attribute + 1)
    assert [tops.index(bit) for bit in bits(by_decision)] == pure
    assert [tops.index(bit) for bit in bits(in_three)] == three
    known = int(cost_of_three(wide(by_decision, table.field_tops), wide(in_three, table.field_tops)))
    assert unpacked(KNOWN_SUMS[known], KNOWN_DEPTHS[known]) == bf.least_costs(oracle)


def least_of_four(table: Any, subtable: int) -> bf.Five:
    rows = rows_word(table, subtable)
    sums, depth = minimum_of_four(table.other_decision, table.code, table.field_tops, table.field_rests, rows)
    return unpacked(nonterminal(sums, U(4)), deeper(depth))


@pytest.mark.parametrize("first", [0, 62, 126])
def test_minima_of_four_rows_are_the_least_over_all_trees(first: int) -> None:
    """All tables of four rows of these shapes there are."""
    for codes, values in all_small_tables(4):
        for decisions in decision_patterns(4):
            table, subtable = with_rows_before(codes, decisions, values, first)
            assert least_of_four(table, subtable) == bf.least_by_recursion(bf.table_of(codes.tolist(), decisions))


@settings(max_examples=300)
@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=4, max_size=4, unique=True),
    st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(lambda d: len(set(d)) > 1),
)
def test_minima_of_four_rows_of_four_attributes(codes: list[tuple[int, ...]], decisions: list[int]) -> None:
    table, every_row = loaded(np.array(codes), np.array(decisions), 4, 4)
    assert least_of_four(table, every_row) == bf.least_costs(bf.table_of(codes, decisions))


@njit
def sorted_copy(numbers: Any) -> Any:
    copy = numbers.copy()
    sort(copy)
    return copy


@given(st.lists(st.integers(-(2**62), 2**62), max_size=200))
def test_numbers_are_sorted(numbers: list[int]) -> None:
    assert sorted_copy(np.array(numbers, np.int64)).tolist() == sorted(numbers)


def test_many_numbers_of_few_kinds_are_sorted() -> None:
    numbers = np.random.default_rng(0).integers(0, 9, 20_000).astype(np.int32)
    assert np.array_equal(sorted_copy(numbers), np.sort(numbers))


class _Coded(NamedTuple):
    """What `partition_rows` reads of a table."""

    codes: Any
    first_value: Any


@njit
def parted(table: Any, rows: Any, ends: Any) -> Any:
    index, scratch = np.zeros(1024, np.int64), rows.copy()
    return partition_rows(table, index, rows, scratch, 2, len(rows) - 1, 0, ends)


@given(st.lists(st.sampled_from([0, 3, 500, 511]), min_size=4, max_size=40), st.sampled_from([512, 8]))
def test_rows_are_parted_in_their_order_by_few_codes_or_many(codes: list[int], scale: int) -> None:
    codes = [code * scale // 512 for code in codes]
    table = _Coded(np.array(codes, np.int32)[:, None], np.array([0, scale]))
    rows, ends = np.arange(len(codes), dtype=np.int32)[::-1].copy(), np.zeros(len(codes), np.int64)
    inside = rows[2:-1].tolist()
    parts = parted(table, rows, ends)
    assert rows[2:-1].tolist() == sorted(inside, key=lambda row: codes[row])
    results = [codes[row] for row in rows[2:-1]]
    assert ends[:parts].tolist() == [i + 2 for i in range(1, len(results) + 1) if results[i - 1] != [*results, -1][i]]
