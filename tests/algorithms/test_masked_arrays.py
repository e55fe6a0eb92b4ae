"""What is below the mask of a masked array is never read: neither as a class, a weight, a code nor a group."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from algorithms.data_set_of import data_set_of
from algorithms.induction.c45 import C45Classifier
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.search import OCTClassifier
from algorithms.options import ParameterError
from algorithms.pruning.reduced_error import reduced_error
from algorithms.table import DecisionTable, TableError
from algorithms.trees.arrays import TreeError

ROWS = [[0.0], [1.0], [2.0], [3.0]]
MASKED = np.ma.array([0, 1, 9, 1], mask=[False, False, True, False])


@cache
def good_trees() -> RashomonSet:
    """Made in a test, not when tests are collected."""
    return OCTClassifier(max_depth=1).rashomon_set(ROWS, [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("read", "error", "words"),
    [
        (lambda: C45Classifier().fit(ROWS, MASKED), ValueError, "y contains NaN: row 2 has None instead of a class"),
        (lambda: data_set_of(ROWS, MASKED), ValueError, "y contains NaN: row 2 has None instead of a class"),
        (lambda: C45Classifier().fit(ROWS, [0, 1, 0, 1], sample_weight=MASKED), ValueError, "contains NaN"),
        (lambda: DecisionTable.from_codes([[0], [1], [2], [3]], MASKED), TableError, "`decisions` has type object"),
        (lambda: DecisionTable.from_codes(MASKED[:, None], [0, 1, 0, 1]), TableError, "`codes` has type object"),
        (lambda: good_trees().smallest().predict(MASKED[:, None]), TreeError, "type object: expected numbers"),
        (lambda: reduced_error(good_trees().smallest(), ROWS, MASKED), TypeError, "`decisions` has type object"),
        (lambda: good_trees().fairest(MASKED), ParameterError, "`groups` has no value for row 2"),
    ],
)
def test_values_below_a_mask_are_not_read(read: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        read()


def test_a_mask_without_masked_cells_changes_nothing() -> None:
    plain = np.array([0, 1, 1, 0])
    assert data_set_of(ROWS, np.ma.array(plain)).decisions.tolist() == plain.tolist()
    assert data_set_of(ROWS, pa.array(["n", "y", "y", "n"])).decisions.tolist() == plain.tolist()


@pytest.mark.parametrize("label", [1, True, Decimal(1)])
def test_classes_of_several_types_are_named(label: object) -> None:
    with pytest.raises(
        ValueError, match=rf"Unknown label type: y is an array of objects, and its row 1 is {re.escape(repr(label))}"
    ):
        data_set_of(ROWS, np.array(["a", label, "b", "a"], dtype=object))
