"""Functions of trees take a fitted estimator as well, and say what else they were given."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from algorithms.data.table import Labels
from algorithms.induction.c45 import C45Classifier
from algorithms.pruning.cost_complexity import cost_complexity
from algorithms.pruning.pessimistic import pessimistic
from algorithms.pruning.reduced_error import reduced_error
from algorithms.rules.rule_classifiers import SequentialCoveringClassifier
from algorithms.trees.export import to_c, to_graphviz, to_pmml, to_python, to_sql
from algorithms.trees.json_text import to_json
from algorithms.trees.text import export_text
from tests.algorithms.trees import every_kind

X, Y = load_iris(return_X_y=True)
FUNCTIONS: list[Callable[[Any], Any]] = [
    export_text,
    to_json,
    lambda given: to_json(pessimistic(given, confidence=0.01)),
    lambda given: to_json(reduced_error(given, X[::2], Y[::2])),
    lambda given: cost_complexity(given).alphas,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_estimator_stands_for_its_tree(function: Callable[[Any], Any]) -> None:
    model = C45Classifier(pruned=False).fit(X, Y)
    expected = export_text(model.tree_, model.labels_) if function is export_text else function(model.tree_)
    assert function(model) == expected
    with pytest.raises(NotFittedError, match="C45Classifier instance is not fitted"):
        function(C45Classifier())
    with pytest.raises(TypeError, match=r"expected a DecisionTree or a fitted estimator .*, found str"):
        function("a tree")


def test_invalid_labels_are_named() -> None:
    model = C45Classifier().fit(X, Y)
    for export in (export_text, to_sql):
        with pytest.raises(TypeError, match=r"`labels` is of type str: expected `Labels`"):
            export(model, "name")
        with pytest.raises(TypeError, match=r"`labels` is of type int: expected `Labels`"):
            export(model, 3)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"`labels` is of type dict: expected `Labels`"):
            export(model, {f"f{index}": "name" for index in (2, 1, 3, 4)})  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"`labels` is of type set: expected `Labels`"):
            export(model, set("abcd"))  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"`labels` is of type list: expected `Labels`"):
            export(model.tree_, ["x"] * len(model.attributes_))
        with pytest.raises(ValueError, match=rf"`labels` has 1 name for {X.shape[1]} attributes: expected one name"):
            export(model, ["x"])


@pytest.mark.parametrize(
    ("labels", "fault"),
    [
        (Labels(("a",), (), tuple("pqr")), "0 attributes, but the tree needs at least 3"),
        (Labels(tuple("abc"), (("x", "y"), (), ()), tuple("pqr")), "2 values of 'a', but the tree needs at least 3"),
        (Labels(tuple("abc"), (tuple("xyz"), (), ()), ("p",)), "1 decision, but the tree needs at least 3"),
    ],
)
def test_labels_that_do_not_fit_the_tree_are_named(labels: Labels, fault: str) -> None:
    for export in (export_text, to_sql, to_c, to_graphviz):
        with pytest.raises(ValueError, match=f"`labels` has {fault}: expected the labels of the table or"):
            export(every_kind(), labels)


@pytest.mark.parametrize("names", [list, np.array], ids=["list", "array"])
def test_names_beside_an_estimator_are_those_of_its_attributes(names: Callable[[Any], Any]) -> None:
    """Fitted with or without them, it is written with the same names."""
    words = [f"word {index}" for index in range(X.shape[1])]
    named = C45Classifier().fit(pa.table(dict(zip(words, X.T, strict=True))), Y)
    plain = C45Classifier().fit(X, Y)
    assert plain.export_text() != named.export_text() == plain.export_text(feature_names=names(words))
    for export in (export_text, to_sql, to_python, to_c, to_graphviz, partial(to_pmml, complete=True)):
        assert export(plain, names(words)) == export(named), export


def test_what_holds_an_estimator_is_named_with_where_it_has_it() -> None:
    search = GridSearchCV(C45Classifier(), {"min_rows": [2, 5]}).fit(X, Y)
    with pytest.raises(TypeError, match=r"found GridSearchCV \(pass its `best_estimator_`\)"):
        export_text(search)
    with pytest.raises(TypeError, match=r"found Pipeline \(pass its last step, `\[-1\]`"):
        export_text(make_pipeline(C45Classifier()).fit(X, Y))


def test_the_function_that_writes_a_rule_list_is_named() -> None:
    rules = SequentialCoveringClassifier().fit(X, Y)
    with pytest.raises(TypeError, match=r"found SequentialCoveringClassifier \(`export_text\(\)` writes the rules"):
        to_sql(rules)
