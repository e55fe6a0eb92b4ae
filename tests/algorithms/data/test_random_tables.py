"""Random tables: the same whatever is drawn beside them, and distributed as requested."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from algorithms.data.random_tables import STREAM, RandomTables
from algorithms.data.table import TableError
from tests.oracles import brute_force as bf

PINNED_ROWS = [[1, 0, 2, 0, 1, 0, 2, 2, 1, 2], [1, 1, 1, 1, 1, 2, 2, 2, 0, 0]]
PINNED_DECISIONS = [0, 1, 0, 0, 1, 2, 2, 0, 2, 1]

SMALL = RandomTables(rows=6, attributes=4, values=3, decisions=2)


def test_a_table_is_the_same_in_any_chunk() -> None:
    codes, decisions = SMALL.draw(7, 2, 1, 40)
    for first, count in ((1, 1), (1, 39), (17, 1), (17, 9), (40, 1), (39, 2), (5, 0)):
        some, some_decisions = SMALL.draw(7, 2, first, count)
        np.testing.assert_array_equal(some, codes[first - 1 : first - 1 + count])
        np.testing.assert_array_equal(some_decisions, decisions[first - 1 : first - 1 + count])


def test_far_tables_need_no_others_before_them() -> None:
    codes, _ = SMALL.draw(7, 2, 10**15, 2)
    np.testing.assert_array_equal(SMALL.draw(7, 2, 10**15 + 1, 1)[0][0], codes[1])


def test_tables_are_the_words_of_the_generator_in_order() -> None:
    """Cells row by row, then decisions, one word each: anything else would be other tables for the same seed."""
    words = np.random.PCG64DXSM(np.random.SeedSequence(2**40 + 11, spawn_key=(STREAM, 3))).random_raw(5 * 30)
    codes, decisions = SMALL.draw(2**40 + 11, 3, 1, 5)
    for i, of_table in enumerate(words.reshape(5, 30).tolist()):
        assert codes[i].ravel().tolist() == [word * 3 >> 64 for word in of_table[:24]]
        assert decisions[i].tolist() == [word * 2 >> 64 for word in of_table[24:]]


def test_these_very_tables_are_what_results_were_computed_from() -> None:
    """Pinned: if this changes, every stored result is of other tables, and the results version must be raised."""
    codes, decisions = RandomTables().draw(2011, 1, 1, 1)
    assert codes[0, :2].tolist() == PINNED_ROWS
    assert decisions[0, :10].tolist() == PINNED_DECISIONS


def test_shapes_and_types() -> None:
    codes, decisions = SMALL.draw(0, 1, 1, 5)
    assert (codes.shape, decisions.shape) == ((5, 6, 4), (5, 6))
    assert codes.dtype == decisions.dtype == np.uint8
    assert codes.max() == 2
    assert decisions.max() == 1


def test_a_code_is_the_number_of_cumulative_probabilities_that_a_word_exceeds() -> None:
    probabilities = (0.1, 0.2, 0.3, 0.4)
    words = np.random.PCG64DXSM(np.random.SeedSequence(1, spawn_key=(STREAM, 1))).random_raw(500).tolist()
    tables = RandomTables(100, 4, 4, 4, value_probabilities=probabilities, decision_probabilities=probabilities)
    codes, decisions = tables.draw(1, 1, 1, 1)
    shares = [Fraction(part) for part in probabilities]
    ends = [sum(shares[:k]) / sum(shares) * 2**64 for k in (1, 2, 3)]
    expected = [sum(word + 1 > end for end in ends) for word in words]
    assert [*codes.ravel().tolist(), *decisions.ravel().tolist()] == expected


@pytest.mark.parametrize(
    ("probabilities", "drawn"),
    [
        ((1, 0, 0), {0}),
        ((0, 1, 0), {1}),
        ((0, 0, 1), {2}),
        ((0.5, 0, 0.5), {0, 2}),
        ((0, 0.5, 0.5), {1, 2}),
        ((0.5, 0.5, 0), {0, 1}),
    ],
)
def test_probability_0_never_happens_and_1_always(probabilities: tuple[float, ...], drawn: set[int]) -> None:
    tables = RandomTables(50, 10, 3, 3, value_probabilities=probabilities, decision_probabilities=probabilities)
    codes, decisions = tables.draw(3, 1, 1, 20)
    assert set(np.unique(codes)) == set(np.unique(decisions)) == drawn


def test_equal_probabilities_draw_the_same_as_none() -> None:
    even = RandomTables(6, 4, 4, 2, value_probabilities=(0.25,) * 4, decision_probabilities=(0.5, 0.5))
    for mine, other in zip(even.draw(0, 1, 1, 9), RandomTables(6, 4, 4, 2).draw(0, 1, 1, 9), strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (3, 2, 256, 256), (2, 70, 2, 2)])
def test_extreme_shapes(shape: tuple[int, int, int, int]) -> None:
    codes, decisions = RandomTables(*shape).draw(0, 1, 1, 200)
    assert codes.max() < shape[2]
    assert decisions.max() < shape[3]
    if shape[2] == 256:
        assert set(np.unique(codes)) >= {0, 255}


def test_a_table_is_the_drawn_one_with_equal_rows_merged() -> None:
    tables = RandomTables(rows=30, attributes=2, values=3, decisions=3)
    codes, decisions = tables.draw(0, 1, 4, 1)
    table = tables.table(0, 1, 4)
    oracle = bf.table_of(codes[0].tolist(), decisions[0].tolist())
    assert [tuple(row) for row in table.codes.tolist()] == [row for row, _, _ in oracle]
    assert table.decisions.tolist() == [decision for _, decision, _ in oracle]
    assert table.weights.tolist() == [1] * table.rows
    assert table.labels.attributes == ("f1", "f2")
    assert table.values.tolist() == [3, 3]  # also where a value was not drawn
    assert table.n_decisions == 3
    with pytest.raises(TableError, match="no two rows may have equal values"):
        tables.table(0, 1, 4, equal_rows="refuse")


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"rows": 0}, "rows is 0: expected a whole number from 1 to 1048576"),
        ({"rows": 2**20 + 1}, "rows is 1048577: expected"),
        ({"attributes": 0}, "attributes is 0: expected a whole number from 1 to 4096"),
        ({"values": 257}, "values is 257: expected a whole number from 1 to 256"),
        ({"values": -1}, "values is -1"),
        ({"decisions": 0}, "decisions is 0: expected a whole number from 1 to 256"),
        ({"value_probabilities": (0.5, 0.5)}, "value_probabilities has 2 entries: expected 3, one for each"),
        ({"value_probabilities": ()}, "value_probabilities has 0 entries"),
        (
            {"value_probabilities": (0.5, 0.6, -0.1)},
            "value_probabilities is .* expected numbers of 0 or more, with the sum 1",
        ),
        ({"value_probabilities": (0.5, 0.3, 0.1)}, "with the sum 0.9: expected"),
        ({"decision_probabilities": (float("nan"), 0.5, 0.5)}, "decision_probabilities is .*with the sum nan"),
        ({"decision_probabilities": (float("inf"), 0, 0)}, "decision_probabilities is .*with the sum inf"),
    ],
)
def test_invalid_shapes_and_probabilities_are_refused(parameters: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        RandomTables(**parameters)


@pytest.mark.parametrize("where", [(-1, 1, 1, 1), (0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, -1)])
def test_indices_below_the_first_are_refused(where: tuple[int, int, int, int]) -> None:
    with pytest.raises(
        ValueError, match="expected 0 or more for `seed` and `count`, 1 or more for `group` and `first`"
    ):
        SMALL.draw(*where)


def test_sizes_may_be_numpy_integers() -> None:
    tables = RandomTables(rows=np.uint8(200), attributes=np.uint8(2))
    np.testing.assert_equal(tables.draw(0, 1, 1, 1), RandomTables(rows=200, attributes=2).draw(0, 1, 1, 1))
