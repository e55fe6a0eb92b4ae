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

from algorithms.data.attributes.discretisation import equal_width
from algorithms.data.attributes.fayyad_irani import fayyad_irani
from algorithms.data.data_set_of import data_set_of
from algorithms.data.table import DecisionTable, TableError
from algorithms.induction.c45 import C45Classifier
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.search import OCTClassifier
from algorithms.options import ParameterError
from algorithms.pruning.reduced_error import reduced_error
from algorithms.rules.rule_classifiers import SequentialCoveringClassifier
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
        (lambda: reduced_error(good_trees().smallest(), MASKED[:, None], [0, 1, 0, 1]), TreeError, "and type object"),
        (lambda: reduced_error(good_trees().smallest(), ROWS, [0, 1, 0, 1], MASKED), TreeError, "missing weights"),
        (lambda: good_trees().smallest().costs_of_rows(ROWS, MASKED), TreeError, "missing weights"),
        (lambda: good_trees().fairest(MASKED), ParameterError, "`groups` has no value for row 2"),
    ],
)
def test_values_below_a_mask_are_not_read(read: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        read()


def test_masked_numbers_and_classes_are_missing() -> None:
    numbers = np.ma.array([0.0, 1, 2, 99], mask=[False, False, False, True])
    assert equal_width(numbers, 2).cuts == (1.0,)
    assert equal_width(numbers, 2).codes(numbers).tolist() == [0, 0, 1, -1]
    classes = np.ma.array([0, 0, 1, 1, 7] * 5, mask=[False, False, False, False, True] * 5)
    for given in (classes, [None if of_row == 7 else of_row for of_row in classes.data.tolist()]):
        assert fayyad_irani([0, 1, 2, 3, 4] * 5, given).cuts == (1.5,)
    rules = SequentialCoveringClassifier().fit(ROWS * 5, [0, 0, 1, 1] * 5).rules_
    assert (rules.predict(np.ma.array([[3.0], [3.0]], mask=[[True], [False]])) == rules.predict([[np.nan], [3]])).all()


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
