"""Many tables at once: both ways through `costs_of_tables`, the tree builders and the oracle give the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from algorithms.batch import BatchCosts, costs_of_tables
from algorithms.batch import table_costs as batch
from algorithms.batch.word_table import MOST_ATTRIBUTES
from algorithms.data.table import DecisionTable, TableError
from algorithms.exact.graph import SubtableGraph
from algorithms.greedy import greedy_costs, greedy_tree
from algorithms.measures.impurity import IMPURITY_FUNCTIONS, ImpurityFunction
from algorithms.trees.costs import COUNTED_COSTS
from tests.algorithms.strategies import GivenTable, tables
from tests.oracles import brute_force as bf

Tables = tuple[NDArray[Any], NDArray[Any]]


def random_tables(seed: int, count: int, rows: int, attributes: int, values: int, decisions: int) -> Tables:
    generator = np.random.default_rng([seed, count, rows, attributes, values, decisions])
    codes = generator.integers(0, values, (count, rows, attributes), dtype=np.uint8)
    return codes, generator.integers(0, decisions, (count, rows), dtype=np.uint8)


def in_general(codes: NDArray[Any], decisions: NDArray[Any], **options: int) -> BatchCosts:
    """The other way through `costs_of_tables`: of the same tables, with more constant attributes than fit words."""
    more = np.zeros((*codes.shape[:2], MOST_ATTRIBUTES + 1 - codes.shape[2]), codes.dtype)
    return costs_of_tables(np.concatenate([codes, more], axis=2), decisions, **options)


def assert_same(left: BatchCosts, right: BatchCosts) -> None:
    np.testing.assert_array_equal(left.rows, right.rows)
    np.testing.assert_array_equal(left.minimum, right.minimum)
    np.testing.assert_array_equal(left.greedy, right.greedy)


def one_by_one(codes: NDArray[Any], decisions: NDArray[Any]) -> BatchCosts:
    """What the builders of single trees say, the costs counted on the trees."""
    rows, greedy, minimum = [], [], []
    for table_codes, table_decisions in zip(codes, decisions, strict=True):
        table = DecisionTable.from_codes(table_codes, table_decisions)
        rows.append(table.rows)
        results = [greedy_tree(table, function).costs(table) for function in IMPURITY_FUNCTIONS]
        assert results == [greedy_costs(table, function) for function in IMPURITY_FUNCTIONS]
        greedy.append([[costs[name] for name in COUNTED_COSTS] for costs in results])
        least = SubtableGraph.of(table).costs()
        minimum.append([least[name] for name in COUNTED_COSTS])
    return BatchCosts(np.array(rows), np.array(greedy), np.array(minimum))


@pytest.mark.parametrize(("rows", "attributes"), [(1, 5), (65, 5), (1, 64), (505, 5)])
@given(given_table=tables(weights=False), data=st.data())
def test_small_tables_cost_what_the_oracle_counts(
    rows: int, attributes: int, given_table: GivenTable, data: Any
) -> None:
    """As they are, and with their rows repeated and constant attributes among theirs, so that they need more words."""
    oracle = given_table.oracle
    assume(bf.count_trees(oracle, 500) <= 500)
    repeated = -(-rows // len(given_table.codes))
    chosen = sorted(data.draw(st.permutations(range(attributes)))[: len(given_table.codes[0])])
    codes = np.full((len(given_table.codes), attributes), 3)
    codes[:, chosen] = given_table.codes
    costs = costs_of_tables(
        np.tile(codes, (repeated, 1))[None], np.tile(given_table.decisions, repeated)[None], values=4, n_decisions=4
    )
    assert costs.rows.tolist() == [len(oracle)]
    assert tuple(costs.minimum[0]) == bf.least_costs(oracle)
    for function in IMPURITY_FUNCTIONS:
        tree = bf.greedy(oracle, function.impurity_type, function.uncertainty)
        assert tuple(costs.greedy[0, function.number]) == bf.costs(oracle, tree)


@pytest.mark.parametrize(
    "shape", [(50, 10, 3, 3), (64, 6, 2, 2), (64, 7, 4, 3), (50, 5, 3, 5), (20, 4, 3, 2), (4, 8, 3, 3)]
)
def test_both_kernels_and_the_builders_agree(shape: tuple[int, int, int, int]) -> None:
    rows, _, values, decisions = shape
    codes, decided = random_tables(1, 8, *shape)
    word = costs_of_tables(codes, decided, values=values, n_decisions=decisions)
    assert_same(word, one_by_one(codes, decided))
    few = costs_of_tables(codes[:2], decided[:2], values=values, n_decisions=decisions)
    assert_same(few, in_general(codes[:2], decided[:2], values=values, n_decisions=decisions))
    assert (word.greedy >= word.minimum[:, None, :]).all()
    assert word.rows.max() <= rows


@pytest.mark.parametrize("shape", [(50, 6, 3, 3), (64, 5, 3, 2), (100, 5, 3, 2)])
def test_minima_and_greedy_costs_of_full_words_are_those_of_the_oracle(shape: tuple[int, int, int, int]) -> None:
    codes, decided = random_tables(2, 2, *shape)
    costs = costs_of_tables(codes, decided, values=shape[2], n_decisions=shape[3])
    for i in range(len(codes)):
        oracle = bf.table_of(codes[i].tolist(), decided[i].tolist())
        assert tuple(costs.minimum[i]) == bf.least_by_recursion(oracle)
        for function in IMPURITY_FUNCTIONS:
            tree = bf.greedy(oracle, function.impurity_type, function.uncertainty)
            assert tuple(costs.greedy[i, function.number]) == bf.costs(oracle, tree)


@pytest.mark.parametrize(
    "shape",
    [
        (65, 6, 3, 3),
        (128, 6, 2, 4),
        (129, 6, 3, 2),
        (512, 7, 3, 3),
        (20, 32, 3, 2),  # all bits of the word of a code
        (20, 33, 3, 2),
        (12, 64, 3, 3),
        (70, 64, 256, 3),
    ],
)
def test_tables_in_several_words_agree_with_the_builders(shape: tuple[int, int, int, int]) -> None:
    rows, attributes, values, decisions = shape
    codes, decided = random_tables(3, 3, *shape)
    if rows * attributes > 1500:
        codes[:, :, 8:] = codes[:, :, :1]  # a smaller graph, and attributes that are equal across words
    if values == 256:
        codes[:, :, :8] %= 3
        codes[:, 0] = 255
    word = costs_of_tables(codes, decided, values=values, n_decisions=decisions)
    assert_same(word, one_by_one(codes, decided))
    assert_same(word, in_general(codes, decided, values=values, n_decisions=decisions))


@pytest.mark.parametrize(
    ("rows", "attributes", "values", "decisions"),
    [
        (64, 64, 2, 2),  # all bits of a word, and of a code
        (10, 21, 8, 3),
        (64, 8, 256, 256),  # codes of whole bytes; fewer branches fit the first nodes than there are
        (64, 7, 300, 2),
        (3, 9, 3, 3),
        (2, 1, 2, 2),
        (1, 3, 3, 3),
        (64, 1, 64, 2),
        (64, 2, 8, 64),
    ],
)
def test_shapes_at_the_limits_agree_with_the_builders(rows: int, attributes: int, values: int, decisions: int) -> None:
    generator = np.random.default_rng([rows, attributes, values])
    codes = generator.integers(0, values, (3, rows, attributes))
    if attributes == 64:
        codes[:, :, 7:] = codes[:, :, :1]  # 57 copies of one attribute: wide, with few subtables
        codes[:, :, 63] = 0
    decided = generator.integers(0, decisions, (3, rows))
    assert_same(costs_of_tables(codes, decided, values=values, n_decisions=decisions), one_by_one(codes, decided))


@pytest.mark.parametrize("general", [False, True])
@pytest.mark.parametrize(("values", "decisions"), [(1, 3), (3, 1), (1, 1)])
def test_one_row_or_one_decision_is_a_leaf(general: bool, values: int, decisions: int) -> None:
    codes, decided = random_tables(4, 3, 70 if general else 9, 4, values, decisions)
    costs = costs_of_tables(codes, decided, values=values, n_decisions=decisions)
    assert (costs.minimum == [0, 0, 1, 0, 1]).all()
    assert (costs.greedy == [0, 0, 1, 0, 1]).all()
    assert costs.rows.tolist() == ([1, 1, 1] if values == 1 else [len(np.unique(table, axis=0)) for table in codes])


def test_a_table_costs_the_same_alone_and_in_any_company() -> None:
    codes, decided = random_tables(5, 12, 40, 6, 3, 3)
    codes[3] = codes[3, 0]  # one row, between tables that leave their marks in the arrays that are used again
    decided[7] = 2
    together = costs_of_tables(codes, decided, values=3, n_decisions=3)
    for cut in (1, 5, 11):
        pieces = [
            costs_of_tables(some, some_decided, values=3, n_decisions=3)
            for some, some_decided in zip(np.split(codes, [cut]), np.split(decided, [cut]), strict=True)
        ]
        names = ("rows", "greedy", "minimum")
        assert_same(together, BatchCosts(*(np.concatenate([getattr(part, name) for part in pieces]) for name in names)))
    backwards = costs_of_tables(codes[::-1], decided[::-1], values=3, n_decisions=3)
    assert_same(together, BatchCosts(backwards.rows[::-1], backwards.greedy[::-1], backwards.minimum[::-1]))
    for i in range(12):
        alone = costs_of_tables(codes[i : i + 1], decided[i : i + 1], values=3, n_decisions=3)
        assert_same(
            alone, BatchCosts(together.rows[i : i + 1], together.greedy[i : i + 1], together.minimum[i : i + 1])
        )


@pytest.mark.parametrize("rows", [12, 66])
def test_algorithms_come_in_the_requested_order(rows: int) -> None:
    codes, decided = random_tables(7, 3, rows, 5, 3, 3)
    every = costs_of_tables(codes, decided, values=3, n_decisions=3)
    for numbers in ([], [13], [15, 0, 6], [2, 2]):
        wanted = [IMPURITY_FUNCTIONS[number] for number in numbers]
        some = costs_of_tables(codes, decided, values=3, n_decisions=3, impurity_functions=wanted)
        np.testing.assert_array_equal(some.greedy, every.greedy[:, numbers])
        np.testing.assert_array_equal(some.minimum, every.minimum)


def large_graph() -> Tables:
    return random_tables(8, 3, 60, 12, 2, 2)


def nodes_of_words(codes: NDArray[Any], decisions: NDArray[Any]) -> list[int]:
    """How many nodes the kernel for words has for each table: subtables of four rows or more, not of one decision."""
    graphs = [SubtableGraph.of(DecisionTable.from_codes(c, d)) for c, d in zip(codes, decisions, strict=True)]
    return [int(((graph.size >= 4) & (graph.decision < 0)).sum()) for graph in graphs]


def test_a_graph_larger_than_the_first_nodes_grows() -> None:
    codes, decided = large_graph()
    small, small_decided = random_tables(9, 3, 60, 12, 2, 2)
    small[:, :, 4:] = 0
    codes, decided = np.concatenate([small, codes, small]), np.concatenate([small_decided, decided, small_decided])
    nodes = nodes_of_words(codes, decided)
    assert max(nodes) > 2 * batch.FIRST_NODES > batch.FIRST_NODES > min(nodes)  # it has to grow twice, and not for all
    assert_same(costs_of_tables(codes, decided, values=2, n_decisions=2), one_by_one(codes, decided))


def test_minima_of_too_large_graphs_are_given_up_and_the_others_not() -> None:
    codes, decided = large_graph()
    codes[1, :, 4:] = 0
    full = costs_of_tables(codes, decided, values=2, n_decisions=2)
    limited = costs_of_tables(codes, decided, values=2, n_decisions=2, graph_bytes=0)  # no more than the first nodes
    assert limited.minimum[[0, 2]].tolist() == [[-1] * 5] * 2
    np.testing.assert_array_equal(limited.minimum[1], full.minimum[1])
    np.testing.assert_array_equal(limited.greedy, full.greedy)
    np.testing.assert_array_equal(limited.rows, full.rows)


def test_too_large_graphs_are_given_up_in_general_too() -> None:
    codes, decided = random_tables(10, 2, 70, 8, 2, 2)
    codes[1, :, 2:] = 0
    full = in_general(codes, decided, values=2, n_decisions=2)
    limited = in_general(codes, decided, values=2, n_decisions=2, graph_bytes=60_000)
    assert limited.minimum[0].tolist() == [-1] * 5
    np.testing.assert_array_equal(limited.minimum[1], full.minimum[1])
    np.testing.assert_array_equal(limited.greedy, full.greedy)


def test_graphs_too_large_for_several_words_are_searched_without_edges() -> None:
    codes, decided = random_tables(14, 2, 66, 14, 2, 2)
    codes[1, :, 4:] = 0
    full = costs_of_tables(codes, decided, values=2, n_decisions=2)
    options = {"values": 2, "n_decisions": 2, "impurity_functions": []}
    assert min(nodes_of_words(codes[:1], decided[:1])) > 2 * batch.FIRST_NODES
    limited = costs_of_tables(codes, decided, graph_bytes=2**21, **options)  # the kernels keep to the first nodes
    np.testing.assert_array_equal(limited.minimum, full.minimum)
    limited = costs_of_tables(codes, decided, graph_bytes=2**17, **options)
    assert limited.minimum[0].tolist() == [-1] * 5
    np.testing.assert_array_equal(limited.minimum[1], full.minimum[1])


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint64, np.uint16])
def test_whole_numbers_of_any_type_give_the_same(kind: type) -> None:
    codes, decided = random_tables(11, 3, 20, 5, 3, 3)
    expected = costs_of_tables(codes, decided, values=3, n_decisions=3)
    assert_same(costs_of_tables(codes.astype(kind), decided.astype(kind), values=3, n_decisions=3), expected)


def test_any_strides_give_the_same() -> None:
    codes, decided = random_tables(12, 3, 20, 5, 3, 3)
    expected = costs_of_tables(codes, decided, values=3, n_decisions=3)
    codes.flags.writeable = False
    for other, other_decided in (
        (np.asfortranarray(codes), np.asfortranarray(decided)),
        (np.repeat(codes, 2, axis=2)[:, :, ::2], np.repeat(decided, 3, axis=1)[:, ::3]),
        (np.ascontiguousarray(codes[:, :, ::-1])[:, :, ::-1], np.ascontiguousarray(decided.T).T),
    ):
        assert_same(costs_of_tables(other, other_decided, values=3, n_decisions=3), expected)


@pytest.mark.parametrize("rows", [5, 70])
def test_no_tables_have_no_costs(rows: int) -> None:
    costs = costs_of_tables(np.zeros((0, rows, 2), int), np.zeros((0, rows), int), values=2, n_decisions=2)
    assert (costs.rows.shape, costs.greedy.shape, costs.minimum.shape) == ((0,), (0, 16, 5), (0, 5))


CODES, DECISIONS = random_tables(13, 4, 10, 3, 3, 3)


@pytest.mark.parametrize(
    ("codes", "decisions", "words"),
    [
        (CODES, DECISIONS[:, :5], r"`codes` has shape \(4, 10, 3\) and `decisions` has shape \(4, 5\): expected"),
        (CODES, DECISIONS[:1], r"`decisions` has shape \(1, 10\)"),
        (CODES[:, :5], DECISIONS, r"`codes` has shape \(4, 5, 3\)"),
        (CODES, DECISIONS[0], r"`decisions` has shape \(10,\)"),
        (CODES[0], DECISIONS[0], r"`codes` has shape \(10, 3\)"),
        (CODES[:, :0], DECISIONS[:, :0], "the tables have 0 rows and 3 attributes: expected at least one row and one"),
        (CODES[:, :, :0], DECISIONS, "the tables have 10 rows and 0 attributes"),
        (CODES + 1, DECISIONS, "`codes` has values from 1 to 3: expected 0 to 2"),
        (CODES.astype(int) - 1, DECISIONS, "`codes` has values from -1 to 1: expected 0 to 2"),
        (CODES, DECISIONS + 1, "`decisions` has values from 1 to 3: expected 0 to 2"),
        (CODES.astype(float), DECISIONS, "`codes` has type float64: expected a type of integers"),
        (CODES, DECISIONS > 0, "`decisions` has type bool"),
        (CODES.astype(">i4"), DECISIONS, "`codes` has type >i4: .* byte order"),
        (CODES.astype(object), DECISIONS, "`codes` has type object"),
    ],
)
def test_invalid_tables_are_refused(codes: NDArray[Any], decisions: NDArray[Any], words: str) -> None:
    with pytest.raises(TableError, match=words):
        costs_of_tables(codes, decisions, values=3, n_decisions=3)


def test_an_invalid_impurity_function_is_refused() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        costs_of_tables(CODES, DECISIONS, values=3, n_decisions=3, impurity_functions=[ImpurityFunction("sum", "none")])
