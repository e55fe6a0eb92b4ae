from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.java_random import random_state, shuffle
from algorithms.data.weka_folds import weka_folds

# What Weka 3.6.14 itself prints for 23 rows, row i of class (7 i^2 + i // 3) mod 3, in 5 folds, with seed 1.
WEKA = """
0 19 7 4 15 10 11 3 20 1 5 8 17 12 13 9 14 16 | 22 6 21 2 18
21 18 13 1 8 4 2 0 6 11 12 22 9 14 20 10 3 7 | 15 5 19 17 16
22 18 5 9 16 15 3 6 20 0 19 1 11 17 13 2 4 21 | 14 12 10 7 8
12 16 20 21 1 15 10 19 7 8 14 17 9 2 6 5 18 22 13 | 4 3 11 0
11 19 0 7 16 4 5 2 6 18 10 17 22 12 3 14 15 21 8 | 13 20 1 9
"""


def classes(rows: int) -> np.ndarray:
    row = np.arange(rows)
    return (7 * row * row + row // 3) % 3


def test_folds_are_wekas() -> None:
    expected = [[[int(row) for row in part.split()] for part in line.split("|")] for line in WEKA.strip().splitlines()]
    assert [[train.tolist(), test.tolist()] for train, test in weka_folds(classes(23), 5, seed=1)] == expected


def test_shuffle_is_that_of_java_util_random() -> None:
    order = np.arange(8)
    state = shuffle(order, random_state(42))
    expected, drawn = list(range(8)), (42 ^ 0x5DEECE66D) % 2**48
    for j in range(7, 0, -1):
        while True:  # exact integers of Python, and the rejection of java.util.Random.nextInt in its own words
            drawn = (drawn * 0x5DEECE66D + 0xB) % 2**48
            bits = drawn >> 17
            if bits - bits % (j + 1) + j < 2**31:
                break
        chosen = bits * (j + 1) >> 31 if (j + 1) in {2, 4, 8} else bits % (j + 1)
        expected[j], expected[chosen] = expected[chosen], expected[j]
    assert order.tolist() == expected
    assert state == drawn


@given(st.lists(st.integers(0, 4), min_size=2, max_size=60), st.data())
def test_folds_part_the_rows_and_are_stratified(decisions: list[int], data: st.DataObject) -> None:
    folds = data.draw(st.integers(2, len(decisions)))
    parts = list(weka_folds(decisions, folds, data.draw(st.integers(-(2**40), 2**40))))
    assert sorted(row for _, test in parts for row in test) == list(range(len(decisions)))
    for train, test in parts:
        assert sorted([*train, *test]) == list(range(len(decisions)))
    for decision in set(decisions):
        held = [sum(decisions[row] == decision for row in test) for _, test in parts]
        assert max(held) - min(held) <= 1


@pytest.mark.parametrize("folds", [1, 0, 6])
def test_folds_that_cannot_be_drawn_are_refused(folds: int) -> None:
    with pytest.raises(ValueError, match=f"folds is {folds}: expected 2 to 5"):
        weka_folds([0, 1, 0, 1, 0], folds)
