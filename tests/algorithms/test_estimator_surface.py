"""What scikit-learn's tools need of an estimator beyond fit and predict: HTML, metadata routing, pickles."""

from __future__ import annotations

import copy
import pickle
import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.model_selection import GridSearchCV, cross_validate

from algorithms.baselines.one_hot_classifiers import SVMClassifier
from algorithms.estimators import version_stamp
from algorithms.estimators.data_set_classifier import DataSetClassifier
from algorithms.estimators.version_stamp import OrchardVersionWarning
from algorithms.evolutionary.stream import EVOTreeStreamClassifier
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.id3 import ID3Classifier
from algorithms.induction.pruned import PessimisticClassifier
from algorithms.optimal.search import OCTClassifier
from tests.algorithms.estimators import every_estimator, quick

VALUES, LABELS = load_iris(return_X_y=True)
ESTIMATORS = every_estimator()


@cache
def fitted(kind: type[DataSetClassifier]) -> Any:
    """An estimator of this class, fitted to every third row of iris."""
    return quick(kind).fit(VALUES[::3], LABELS[::3])


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_an_estimator_shows_itself_as_html_without_links(kind: type[DataSetClassifier]) -> None:
    before, after = quick(kind)._repr_html_(), fitted(kind)._repr_html_()
    for shown in (before, after):
        assert kind.__name__ in shown
        assert all(name in shown for name in quick(kind).get_params(deep=False))
        assert "href=" not in shown
    assert before != after  # it says that it is fitted


@pytest.mark.parametrize("kind", [CARTClassifier, EVOTreeStreamClassifier, ID3Classifier, SVMClassifier])
def test_an_estimator_stays_as_it_was_if_fit_fails(kind: type[DataSetClassifier]) -> None:
    model, labels, unknown = (
        copy.deepcopy(fitted(kind)),
        np.array(["a", "b", "c"])[LABELS],
        np.full(len(LABELS), np.nan),
    )
    before = model.predict(VALUES).tolist()
    for rows, weights in ((VALUES, unknown), (VALUES[:, :2], -LABELS), (np.where(VALUES > 5, np.inf, VALUES), None)):
        with pytest.raises(ValueError, match=r"NaN|Negative|infinity"):
            model.fit(rows, labels, sample_weight=weights)
        assert model.predict(VALUES).tolist() == before
    unfitted = quick(kind)
    with pytest.raises(ValueError, match="NaN"):
        unfitted.fit(VALUES, labels, sample_weight=unknown)
    assert not [name for name in vars(unfitted) if name.endswith("_")]


@pytest.mark.parametrize("kind", [C45Classifier, OCTClassifier, PessimisticClassifier])
def test_weights_are_routed_to_fit(kind: type[DataSetClassifier]) -> None:
    weights = np.random.default_rng(0).integers(1, 9, len(LABELS)).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        model = quick(kind).set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        result = cross_validate(
            model, VALUES, LABELS, params={"sample_weight": weights}, return_estimator=True, return_indices=True, cv=3
        )
        unasked = quick(kind)
        with pytest.raises(ValueError, match="sample_weight"):
            cross_validate(unasked, VALUES, LABELS, params={"sample_weight": weights}, cv=3, error_score="raise")
    for fitted, rows in zip(result["estimator"], result["indices"]["train"], strict=True):
        alone = quick(kind).fit(VALUES[rows], LABELS[rows], weights[rows])
        np.testing.assert_array_equal(fitted.predict_proba(VALUES), alone.predict_proba(VALUES))
        assert fitted.tree_.counts[0].sum() == weights[rows].sum()


def test_a_grid_search_says_which_value_is_wrong() -> None:
    search = GridSearchCV(C45Classifier(), {"min_rows": [2, 0]}, error_score="raise")
    with pytest.raises(ValueError, match="min_rows is 0: expected a whole number of 1 or more"):
        search.fit(VALUES, LABELS)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_pickle_of_this_version_is_read_without_a_warning(kind: type[DataSetClassifier]) -> None:
    model = fitted(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
            assert vars(again).keys() == vars(model).keys()
            np.testing.assert_array_equal(again.predict_proba(VALUES), model.predict_proba(VALUES))


def test_a_pickle_of_another_version_is_read_with_a_warning(monkeypatch: Any) -> None:
    model = C45Classifier().fit(VALUES, LABELS)
    written = pickle.dumps(model)
    monkeypatch.setattr(version_stamp, "_version", lambda: "99.0")
    with pytest.warns(InconsistentVersionWarning, match=r"C45Classifier was pickled by .* by 99\.0") as seen:
        again = pickle.loads(written)
    np.testing.assert_array_equal(again.predict(VALUES), model.predict(VALUES))
    warning = seen[0].message
    assert isinstance(warning, OrchardVersionWarning)
    assert (warning.estimator_name, warning.current_version) == ("C45Classifier", "99.0")
    assert f"orchard-trees {warning.original_version} and is" in str(warning)


def test_a_pickle_without_a_version_is_of_an_earlier_one() -> None:
    with pytest.warns(OrchardVersionWarning, match=r"pickled by orchard-trees before 0\.1\.0"):
        C45Classifier().__setstate__({"min_rows": 2})


def test_a_pickle_with_former_names_of_parameters_has_the_present_ones() -> None:
    model = CARTClassifier(min_samples_leaf=3, categorical_features=[0])
    state = model.__getstate__()
    state["min_rows_leaf"], state["nominal"] = state.pop("min_samples_leaf"), state.pop("categorical_features")
    again = CARTClassifier.__new__(CARTClassifier)
    again.__setstate__(state)
    assert again.get_params() == clone(again).get_params() == model.get_params()
    assert again.set_params(min_samples_leaf=4).min_samples_leaf == 4


def test_a_pickle_finds_a_class_by_its_former_path() -> None:
    written = pickle.dumps(OCTClassifier(max_depth=2), protocol=0)
    former = written.replace(b"search\nOCTClassifier", b"search\nOCTSearchClassifier")
    assert former != written
    assert repr(pickle.loads(former)) == "OCTClassifier(max_depth=2)"


def test_sources_that_are_not_installed_have_no_version(monkeypatch: Any) -> None:
    def missing(name: str) -> str:
        raise version_stamp.PackageNotFoundError(name)

    monkeypatch.setattr(version_stamp, "version", missing)
    assert version_stamp._version.__wrapped__() == "unknown"
