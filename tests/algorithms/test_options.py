"""Parameters: each estimator declares what each may be, and `fit` refuses what is not, whatever it is."""

from __future__ import annotations

import inspect
from dataclasses import field
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pytest

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.estimators.data_set_classifier import DataSetClassifier
from algorithms.estimators.estimator import estimator
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.pruned import PessimisticClassifier
from algorithms.options import (
    RANDOM_STATE,
    Choice,
    Columns,
    Number,
    ParameterError,
    Whole,
    check_choice,
    check_parameters,
    check_whole,
    declared,
)
from tests.algorithms.estimators import every_estimator

ESTIMATORS = every_estimator()
DATA = DataSet((Attribute("a", AttributeKind.NUMERIC),), (np.arange(2.0),), ("x", "y"), np.arange(2, dtype=np.int32))
COLUMNS = "a list of names or positions of columns, or a mask of all columns"
ROWS, LABELS = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]], ["a", "b", "a", "b"]


def parameters(kind: type[DataSetClassifier]) -> list[str]:
    return list(inspect.signature(kind).parameters)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_parameter_is_declared_and_its_default_is_allowed(kind: type[DataSetClassifier]) -> None:
    assert set(parameters(kind)) <= set(kind._parameter_constraints)
    kind()._check_parameters()


@pytest.mark.parametrize(
    ("hint", "allowed"),
    [
        (Annotated[int, Whole(1)], (Whole(1),)),
        (Annotated[int, Whole(1)] | None, [Whole(1), None]),
        (Annotated[float, Whole(1), Number(0, 1)] | Literal["a", "b"], [Whole(1), Number(0, 1), Choice(("a", "b"))]),
        (Annotated[Any, RANDOM_STATE], RANDOM_STATE),
        (bool, [bool]),
        (DataSet | None, [DataSet, None]),
        (int, []),
        (int | None, []),
        (ClassVar[bool], []),
    ],
    ids=str,
)
def test_an_annotation_declares_what_a_parameter_may_be(hint: Any, allowed: Any) -> None:
    assert declared(hint) == allowed


def test_constraints_of_an_annotation_add_to_those_of_the_bases_and_replace_them() -> None:
    @estimator
    class Base(DataSetClassifier):
        first: Annotated[int, Whole(1)] = 1
        second: bool = False

    @estimator
    class Derived(Base):
        first: int = 2
        second: Annotated[float, Number(0)] = 0.0
        learnt_: bool = field(init=False)

    known = DataSetClassifier._parameter_constraints
    assert Base._parameter_constraints == known | {"first": (Whole(1),), "second": [bool]}
    assert Derived._parameter_constraints == known | {"first": (Whole(1),), "second": (Number(0),)}


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_value_of_a_wrong_type_is_refused_by_name_when_fit_begins(kind: type[DataSetClassifier]) -> None:
    for name in parameters(kind):
        with pytest.raises(ParameterError, match=f'^{name} is <object object at .*>: expected [a-zA-Z"]'):
            kind(**{name: object()}).fit(ROWS, LABELS)


def test_a_wrong_type_is_an_error_that_says_what_is_allowed() -> None:
    with pytest.raises(ValueError, match=r"^confidence is 'x': expected a number from 1e-06 to 0.5$"):
        C45Classifier(confidence="x").fit(ROWS, LABELS)
    with pytest.raises(TypeError, match=r"^confidence is 'x': "):
        C45Classifier(confidence="x").fit(DATA)
    with pytest.raises(ParameterError, match=r"^max_depth is True: expected a whole number of 1 or more, or None$"):
        CARTClassifier(max_depth=True).fit(ROWS, LABELS)


def test_the_builder_that_an_estimator_is_made_around_is_checked_too() -> None:
    with pytest.raises(ParameterError, match=r"^min_rows is 0: expected a whole number of 1 or more$"):
        PessimisticClassifier(C45Classifier(min_rows=0)).fit(ROWS, LABELS)


@pytest.mark.parametrize(
    ("allowed", "right", "wrong", "text"),
    [
        (Whole(1), [1, np.int8(3), 2**62], [0, 1.0, True, None, "1"], "a whole number of 1 or more"),
        (Whole(0, 9), [0, 9], [10, -1], "a whole number from 0 to 9"),
        (Whole(0, 2**64 - 1), [2**64 - 1], [2**64], "a whole number from 0 to 2**64 - 1"),
        (Number(0, 1), [0, 1, 0.5, np.float32(1)], [1.1, np.nan, "0", True], "a number from 0 to 1"),
        (Number(0, 1, "left"), [0, 0.99], [1.0, -1e-9], "a number, at least 0 and below 1"),
        (Number(0, 1, "right"), [1.0], [0.0], "a number above 0 and at most 1"),
        (Number(0, 1, "neither", "share"), [0.5], [0, 1], "a share above 0 and below 1"),
        (Number(0, 1, "left", "share of the rows"), [0], [1], "a share of the rows, at least 0 and below 1"),
        (Number(0, closed="left"), [0, Fraction(1, 2)], [np.inf, np.nan, 10**400], "a finite number of 0 or more"),
        (Number(0, closed="right"), [np.inf, 1e-9], [0.0], "a number above 0"),
        (Choice(("a", "b")), ["a"], ["c", 1, ["a"]], "one of a, b"),
        (Columns(), [[0], ("a",), np.array([1])], ["auto", 3, {0: 1}, iter([1]), np.array(1)], COLUMNS),
        (bool, [True, np.bool_(0)], [1, "yes", None], "True or False"),
        (None, [None], [0, False], "None"),
    ],
)  # fmt: skip
def test_what_is_allowed(allowed: Any, right: list[Any], wrong: list[Any], text: str) -> None:
    for value in right:
        check_parameters({"it": [allowed]}, {"it": value})
    for value in wrong:
        with pytest.raises(ParameterError) as error:
            check_parameters({"it": [allowed]}, {"it": value})
        assert str(error.value) == f"it is {value!r}: expected {text}"


def test_a_random_state_is_what_scikit_learn_takes() -> None:
    for value in (0, 2**32 - 1, np.random.RandomState(1), None):
        check_parameters({"random_state": RANDOM_STATE}, {"random_state": value})
    with pytest.raises(ParameterError, match=r"to 2\*\*32 - 1, or a RandomState, or None$"):
        check_parameters({"random_state": RANDOM_STATE}, {"random_state": -1})


def test_single_values() -> None:
    assert type(check_whole("it", np.int8(3), 1)) is int
    check_choice("it", "a", ["a", "b"])
    with pytest.raises(KeyError, match="it is 'c': expected one of a, b"):
        check_choice("it", "c", ["a", "b"], type("Both", (KeyError, ValueError), {}))
