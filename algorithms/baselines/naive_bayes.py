"""Naive Bayes as Weka computes it, and as Jankowski & Jackowski (2014) used it; attributes of both kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, softmax

from algorithms.array_types import Numbers
from algorithms.data.data_set import MISSING, AttributeKind, DataSet
from algorithms.estimators.data_set_classifier import ProbabilisticClassifier
from algorithms.estimators.estimator import estimator

__all__ = ["NaiveBayesClassifier"]

LEAST = 1e-75
"""Weka's least probability of a value in a class."""
DEFAULT_PRECISION = 0.01
"""Weka's precision of an attribute that has one number."""


@estimator
class NaiveBayesClassifier(ProbabilisticClassifier):
    """Naive Bayes as Weka computes it.

    The probability of a class for a row is proportional to the probability of the class, times the probabilities of the
    row's values in the class. Laplace's correction adds 1 to the count of each class and, in each class, to the count
    of each label of an attribute. Numbers have a normal distribution in each class. They are rounded to the attribute's
    precision, which is the mean distance between neighbouring distinct numbers in training; the probability of a number
    is that of the interval of this width around it. The standard deviation is at least a sixth of the precision.
    Missing values, and labels that the attribute did not have in training, are left out of the product.

    Notes
    -----
    Jankowski & Jackowski 2014 compare with it.

    References
    ----------
    - Jankowski & Jackowski (2014), *Evolutionary Algorithm for Decision Tree Induction*, section 5.3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import NaiveBayesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NaiveBayesClassifier().fit(X, y)
    >>> model.predict(X[:3])
    array([0, 0, 0])
    >>> round(model.score(X, y), 2)
    0.96
    """

    handles_missing = True

    def _learn(self, data: DataSet, weights: Numbers) -> None:
        classes = len(self.classes_)
        of_class = np.bincount(data.decisions, weights=weights, minlength=classes)
        self._log_prior = np.log((of_class + 1) / (of_class.sum() + classes))
        self._parts: list[_Labels | _Normal] = [
            _Labels(column, len(attribute.labels), data.decisions, weights, classes)
            if attribute.kind is AttributeKind.NOMINAL
            else _Normal(column, data.decisions, weights, classes)
            for attribute, column in zip(data.attributes, data.columns, strict=True)
        ]

    def _distribution(self, data: DataSet) -> Numbers:
        logs = np.tile(self._log_prior, (data.rows, 1))
        for part, column in zip(self._parts, data.columns, strict=True):
            logs += part.logs(column)
        return np.asarray(softmax(logs, axis=1))


class _Labels:
    """The probability of each label of an attribute in each class."""

    def __init__(
        self, column: NDArray[Any], labels: int, decisions: NDArray[np.int32], weights: Numbers, classes: int
    ) -> None:
        known = column != MISSING
        cells = decisions[known].astype(np.int64) * labels + column[known]
        counts = np.bincount(cells, weights=weights[known], minlength=classes * labels).reshape(classes, labels) + 1
        self._logs = np.zeros((labels + 1, classes))  # the last row is for unknown values: probability 1
        self._logs[:labels] = np.log(counts / counts.sum(axis=1, keepdims=True)).T

    def logs(self, column: NDArray[Any]) -> Numbers:
        """(rows, classes): the logarithm of each value's probability in each class."""
        unknown = len(self._logs) - 1
        return self._logs[np.where((column == MISSING) | (column > unknown), unknown, column)]


class _Normal:
    """The normal distribution of an attribute's numbers in each class."""

    def __init__(self, column: NDArray[Any], decisions: NDArray[np.int32], weights: Numbers, classes: int) -> None:
        known = ~np.isnan(column)
        self._precision = _mean_gap(np.unique(column[known]))
        numbers, weight, decision = self._rounded(column[known]), weights[known], decisions[known]
        of_class = np.bincount(decision, weights=weight, minlength=classes)
        total = np.maximum(of_class, np.finfo(float).tiny)
        least = numbers.min(initial=np.inf)  # sums of differences from it are exact where those of numbers are not
        above = np.bincount(decision, weights=weight * (numbers - least), minlength=classes) / total
        self._mean = np.where(of_class > 0, least + above, 0.0)
        squares = np.bincount(decision, weights=weight * (numbers - self._mean[decision]) ** 2, minlength=classes)
        self._deviation = np.maximum(np.sqrt(squares / total), 1 / 6)

    def _rounded(self, numbers: Numbers) -> Numbers:
        """Numbers in units of the precision, whose squares stay finite at any scale."""
        return np.asarray(np.rint(numbers / self._precision))

    def logs(self, column: NDArray[Any]) -> Numbers:
        """(rows, classes): the logarithm of each value's probability in each class."""
        distance = self._rounded(column)[:, None] - self._mean
        probability = ndtr((distance + 0.5) / self._deviation) - ndtr((distance - 0.5) / self._deviation)
        return np.where(np.isnan(probability), 0.0, np.log(np.maximum(probability, LEAST)))


def _mean_gap(distinct: Numbers) -> float:
    """The mean distance between neighbours of sorted distinct numbers: summed one by one, then divided, as in Weka.

    Numbers on the border of two intervals are rounded the other way if the last digit of the mean differs.
    """
    gaps = len(distinct) - 1
    if gaps < 1:
        return DEFAULT_PRECISION
    with np.errstate(over="ignore"):
        mean = float(np.add.accumulate(np.diff(distinct))[-1]) / gaps
    return mean if np.isfinite(mean) else float(np.diff(distinct / gaps).sum())
