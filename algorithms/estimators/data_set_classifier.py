"""The base classes of all estimators: they read rows in any form as a data set, and return classes."""

from __future__ import annotations

import sys
from abc import ABCMeta, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Number, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from algorithms.array_types import Numbers, unmasked
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet, Matrix
from algorithms.data.data_set_of import checked_classes, labelled
from algorithms.data.inputs import Frame, Nominal, data_set_as_fitted, frame_as_fitted, frame_of, header, values_of
from algorithms.data.recoding import Values
from algorithms.data.tables_from_data import numbers_as_values
from algorithms.estimators.estimator import estimator
from algorithms.estimators.version_stamp import VersionStamped
from algorithms.options import Choice, Columns, Constraints, check_parameters
from algorithms.plurals import counted
from algorithms.rounding import first_largest

MOST_WEIGHT = 1e300
"""Limit on the total weight of the rows, so that sums of weights times logarithms in scores are finite."""

LEAST_WEIGHT = 1e-300
"""The least total weight of the rows: below it, shares and products of weights are inexact."""


@estimator
class DataSetClassifier(VersionStamped, ClassifierMixin, BaseEstimator, metaclass=ABCMeta):  # type: ignore[misc]
    """A scikit-learn classifier that learns from a data set, given as rows of any form.

    X may be a numpy array, a list of rows, a pandas or polars frame, an Arrow table, or a `DataSet` (then without y).
    Numbers are numeric attributes; strings, booleans and categories are nominal.

    Subclasses that have these parameters and attributes share their documentation: see the decorator `estimator`.

    Parameters
    ----------
    class_weight : dict, "balanced" or None, default=None
        A factor for the weights of the rows of each class; 1 for classes that the dict leaves out. "balanced" gives
        all classes the same total weight.
    categorical_features : "auto" or list of str, int or bool, default="auto"
        Columns of numbers that are nominal attributes: their names, their positions or a mask. "auto": no column of
        numbers is nominal. Text, booleans and categories are nominal in any case.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes: those in y in sorted order, or all classes of the data set.
    attributes_ : tuple of Attribute
        The attributes, each with its labels in the order of their codes.
    n_features_in_ : int
        The number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        The names of the attributes, if X has names.

    Notes
    -----
    Rows to predict may hold equal values in another type (True == 1 == 1.0). Text in a column that had numbers or
    booleans in `fit` is an error, and so are numbers in a column that had text.

    A label that `fit` has not seen gets a new code, for which no test has a branch. `unseen` reports such values.
    """

    handles_missing: ClassVar[bool] = False
    """Whether values may be missing (NaN, None, pandas.NA); otherwise they are refused."""
    fills_missing: ClassVar[bool] = False
    """Whether a missing value is replaced by the mean or the most common label before the first test."""
    handles_numeric: ClassVar[bool] = True
    """Whether attributes may be numeric; otherwise each distinct number is a label."""
    _parameter_constraints: ClassVar[Constraints] = {
        "categorical_features": [Choice(("auto",)), Columns()],
        "class_weight": [Choice(("balanced",)), Mapping, None],
    }
    """The allowed values of each parameter, checked when `fit` begins; subclasses add their own parameters."""

    class_weight: Mapping[Any, float] | str | None = None
    categorical_features: Nominal = "auto"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:  # noqa: N803
        """Learn from rows, their classes and, optionally, their weights.

        If it raises an error, the estimator stays as it was.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), pandas or polars frame, Arrow table, or DataSet
            The rows. Numbers, text, booleans and categories; NaN and None are missing values.
        y : array-like of shape (n_samples,)
            The class of each row; None if X is a `DataSet`, which has the classes. Rows of a `DataSet` whose class is
            missing are left out.
        sample_weight : array-like of shape (n_samples,), optional
            The weight of each row, by default 1. Rows of weight 0 are left out.

        Returns
        -------
        self : estimator

        Raises
        ------
        ParameterError
            A parameter has a wrong type or is out of its range.
        ValueError, TypeError
            scikit-learn does not accept X, y or the weights; their lengths differ; y is given beside a `DataSet`; a
            value is missing and `handles_missing` is False; the weights add up to 1e300 or more, or to less than
            1e-300; `class_weight` has a key that is not a class, or a weight that is not a finite number above 0; or no
            row is left.
        """
        with self._restored_after_errors():
            data, weights = self._rows_to_learn(X, y, sample_weight)
            if not self.handles_numeric:
                data = numbers_as_values(data)
            self._learn_all(data, weights)
        return self

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Predict the class of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), pandas or polars frame, Arrow table, or DataSet
            Rows with the columns of `fit`.

        Returns
        -------
        ndarray of shape (n_samples,)

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ValueError
            The columns are not those of `fit`; or they have text where `fit` read numbers, or numbers where it read
            text; or values are missing although `handles_missing` is False.
        TypeError
            X has a type that `fit` does not read.
        """
        data = self._read(X)
        return np.asarray(self.classes_[self._decisions(data)])

    def unseen(self, X: Any) -> NDArray[np.bool_]:  # noqa: N803
        """Return whether each value is a label that no row of `fit` had. For missing values this is False.

        Returns
        -------
        ndarray of bool, of shape (n_samples, n_features)
        """
        data = self._read(X)
        result = np.zeros((data.rows, len(data.columns)), bool)
        for index, seen in self._seen.items():
            known = np.pad(seen, (0, len(data.attributes[index].labels) - len(seen) + 1))
            known[-1] = True  # MISSING
            result[:, index] = ~known[data.columns[index]]
        return result

    @contextmanager
    def _restored_after_errors(self) -> Iterator[None]:
        """Give the estimator the attributes that it had before if the block raises an error."""
        before = self.__dict__.copy()
        try:
            yield
        except BaseException:
            self.__dict__ = before
            raise

    def _check_parameters(self) -> None:
        """Raise ParameterError unless each parameter has a declared type and range."""
        constraints = self._parameter_constraints
        check_parameters(constraints, {name: getattr(self, name) for name in constraints})

    def _learn_all(self, data: DataSet, weights: Numbers) -> None:
        """Learn from a data set with the final attributes, and note which labels its rows have, for `unseen`."""
        self.attributes_: tuple[Attribute, ...] = data.attributes
        self._seen = _labels_seen(data)
        self._learn(data, weights)

    @abstractmethod
    def _learn(self, data: DataSet, weights: Numbers) -> None:
        """Learn from a data set in which no class is missing, with positive weights (rows,)."""

    @abstractmethod
    def _decisions(self, data: DataSet) -> NDArray[np.integer[Any]]:
        """(rows,): the index in `classes_` of the class of each row of `attributes_`, which may have further labels."""

    def _rows_to_learn(self, X: Any, y: Any, sample_weight: Any) -> tuple[DataSet, Numbers]:  # noqa: N803
        """The rows that `fit` learns from and their weights, those of their classes included."""
        self._check_parameters()
        data, weights = self._training(X, y, sample_weight)
        return data, self._weighted_by_class(data, weights)

    def _training(self, X: Any, y: Any, sample_weight: Any) -> tuple[DataSet, Numbers]:  # noqa: N803
        """The rows to learn from, and their weights; sets the attributes that scikit-learn requires."""
        if isinstance(X, DataSet):
            if y is not None:
                raise ValueError("X is a data set, which already has classes: call fit without y")
            data = X
            self.n_features_in_ = len(X.attributes)  # as `validate_data` would set both, which takes longer
            self.feature_names_in_ = np.array(_names(X), dtype=object)
            self._fitted: tuple[Values, ...] = values_of(X)
            self.classes_ = np.array(X.classes)
        else:
            data = self._labelled(X, y)
        weights = self._weights(sample_weight, data)
        self._check_missing(data)
        if sample_weight is None and data.rows and not data.unlabelled:
            return data, weights
        kept = (weights > 0) & (data.decisions != MISSING)
        if not kept.any():
            raise ValueError("no row has a class and a positive weight: expected at least one row with both")
        return (data, weights) if kept.all() else (data.take(kept), weights[kept])

    def _weights(self, sample_weight: Any, data: DataSet) -> Numbers:
        if sample_weight is None:
            return np.ones(data.rows)
        given = unmasked(sample_weight)
        array = np.asarray(given)
        single = array.dtype == object and not array.ndim
        if array.dtype.kind not in "biufO" or (single and not isinstance(given, Number)):
            found = type(sample_weight).__name__ if array.dtype == object else f"array of {array.dtype}"
            raise TypeError(f"sample_weight is of type {found}: expected a number of 0 or more for each row")
        checked = _check_sample_weight(given, data.decisions, dtype=np.float64, ensure_non_negative=True)
        weights: Numbers = np.array(checked)  # contiguous and writable, as kernels are compiled for
        _check_total(weights)
        return weights

    def _weighted_by_class(self, data: DataSet, weights: Numbers) -> Numbers:
        """The weights (rows,) times those of their classes; no other method uses `class_weight`."""
        if self.class_weight is None:
            return weights
        of_class = weights_of_classes(self.class_weight, self.classes_, data.decisions, weights)
        with np.errstate(over="ignore"):
            weighted = weights * of_class[data.decisions]
        _check_total(weighted)
        return np.asarray(weighted)

    def _labelled(self, X: Any, y: Any) -> DataSet:  # noqa: N803
        given = frame_of(X, self)
        targets = y
        if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biu" and not given.named:
            self.n_features_in_ = len(given.names)  # the checks below would pass
            self.__dict__.pop("feature_names_in_", None)
        else:
            validate_data(self, header(given.names) if given.named else X, y=y, skip_check_array=True)
            targets = checked_classes(y, type(self).__name__)
        self._fitted = values_of(given)
        data, self.classes_ = labelled(given, targets, self.categorical_features)
        return data

    def _read(self, X: Any) -> DataSet:  # noqa: N803
        """Read rows to predict as a data set of `attributes_`."""
        check_is_fitted(self)
        if isinstance(X, DataSet):
            validate_data(self, header(_names(X)), reset=False, skip_check_array=True)
            data = data_set_as_fitted(X, self.attributes_, self._fitted)
        else:
            given = frame_of(X, self)
            validate_data(self, header(given.names) if given.named else X, reset=False, skip_check_array=True)
            self._check_order(given)
            classes = [str(label) for label in self.classes_.tolist()]
            data = frame_as_fitted(given, self.attributes_, self._fitted, classes)
        self._check_missing(data)
        return data

    def _check_order(self, given: Frame) -> None:
        """Raise ValueError if names that are no text, which scikit-learn does not compare, have another order."""
        if given.named or isinstance(given.columns, Matrix) or hasattr(self, "feature_names_in_"):
            return
        names = [attribute.name for attribute in self.attributes_]
        if [*given.names] != names and sorted(given.names) == sorted(names):
            index = next(index for index, name in enumerate(names) if given.names[index] != name)
            raise ValueError(
                f"column {index} of X is {given.names[index]}, but in fit it was {names[index]}: expected the columns "
                "in the order of fit"
            )

    def _check_missing(self, data: DataSet) -> None:
        if self.handles_missing or not data.incomplete:
            return
        index = data.incomplete[0]
        absent = data.select([index]).missing[:, 0]
        found = f"{counted(absent.sum(), 'missing value')} in {counted(data.rows, 'row')}"
        raise ValueError(
            f"Input X contains NaN: attribute {data.attributes[index].name!r} has {found}, the first in row "
            f"{absent.argmax()}. {type(self).__name__} does not accept missing values: fill them, or leave out the "
            "attribute or the rows that have them"
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.handles_missing
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class ProbabilisticClassifier(DataSetClassifier):
    """A classifier that gives each class a probability and predicts the most probable class.

    If several classes are the most probable, the first of these is predicted. Probabilities count as equal if they
    differ by less than one part in 10⁹, so that rounding errors do not decide.
    """

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """Return the probability of each class for each row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The columns are in the order of `classes_`.
        """
        return self._distribution(self._read(X))

    @abstractmethod
    def _distribution(self, data: DataSet) -> Numbers:
        """(rows, classes): the probability of each class for rows of `attributes_`, which may have further labels."""

    def _decisions(self, data: DataSet) -> NDArray[np.integer[Any]]:
        return first_largest(self._distribution(data))


def weights_of_classes(
    class_weight: Mapping[Any, float] | str, classes: NDArray[Any], decisions: NDArray[np.int32], weights: Numbers
) -> Numbers:
    """(classes,): the factor by which the rows of each class weigh more, by label, or "balanced".

    "balanced" gives all classes the same total weight. It uses the weights of the rows, so that a row of weight 2
    equals two rows. Raises ValueError if a weight is not positive and finite, or is given for a label that is no class.
    """
    result = np.ones(len(classes))
    if isinstance(class_weight, str):
        totals = np.bincount(decisions, weights, minlength=len(classes))
        present = totals > 0
        result[present] = totals.sum() / (present.sum() * totals[present])
        return result
    labels = classes.tolist()
    for label, weight in class_weight.items():
        if label not in labels:
            raise ValueError(
                f"class_weight has the key {label!r}, which is not a class: expected keys among {labels[:9]}"
            )
        if not (isinstance(weight, Real) and 0 < weight <= sys.float_info.max):
            raise ValueError(f"class_weight of {label!r} is {weight!r}: expected a finite number above 0")
        result[labels.index(label)] = weight
    return result


def check_least_weight(total: float, rows: str = "") -> None:
    """Raise ValueError if the total weight of all rows, or of these `rows`, is so small that its shares are inexact."""
    if 0 < total < LEAST_WEIGHT:
        expected = f"expected at least {LEAST_WEIGHT:g}; multiply all weights by the same number"
        raise ValueError(f"the weights{rows} add up to {total}: {expected}")


def _check_total(weights: Numbers) -> None:
    """Raise ValueError if sums of the weights, or shares of them, may be infinite or inexact."""
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not total < MOST_WEIGHT:
        raise ValueError(
            f"the weights add up to {total}: expected less than {MOST_WEIGHT:g}; divide all weights by the same number"
        )
    check_least_weight(total)


def _labels_seen(data: DataSet) -> dict[int, NDArray[np.bool_]]:
    """By the index of each nominal attribute, (labels,): whether some row has the label."""
    labels = {
        index: len(attribute.labels)
        for index, attribute in enumerate(data.attributes)
        if attribute.kind is AttributeKind.NOMINAL
    }
    if labels and isinstance(data.columns, Matrix):
        present = np.array([(data.columns.cells == code).any(axis=0) for code in range(max(labels.values()))])
        return {index: present[:number, index] for index, number in labels.items()}
    seen = {index: np.zeros(number + 1, bool) for index, number in labels.items()}
    for index, present in seen.items():
        present[data.columns[index]] = True  # MISSING indexes the last entry
    return {index: present[:-1] for index, present in seen.items()}


def _names(data: DataSet) -> tuple[str, ...]:
    return tuple(attribute.name for attribute in data.attributes)
