"""Preparation of the rows of a fold for a builder; everything that is fitted is fitted on the training rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, cast, get_args

import numpy as np

from algorithms.data.attributes.discretisation import MOST_BINS, Method, fitted_thresholds, with_thresholds
from algorithms.data.attributes.one_hot import filled, usual_values
from algorithms.data.data_set import MISSING, AttributeKind, DataSet
from algorithms.data.tables_from_data import missing_as_value
from pipeline.configuration.rules import one_of, whole_number
from pipeline.data.protocols import Split
from pipeline.errors import ConfigError

CHOICES = {
    "numeric": ("keep", *get_args(Method)),
    "missing": ("keep", "fill", "value"),
    "attributes": ("all", "of_tree"),
    "encoding": ("none", "one_hot"),
}


@dataclass(frozen=True)
class Preparation:
    """Steps before a builder, in this order.

    numeric   : numeric attributes are kept, or cut into intervals by a method of
                `algorithms.data.attributes.discretisation`
    bins      : number of intervals of equal width or frequency
    missing   : missing values are kept, filled with the training rows' most common label or mean, or, in attributes
                that are nominal by then, made a value of their own
    attributes: all of them, or `of_tree`: those that GenerateTree tests on the training rows after pessimistic pruning;
                all if it tests none (Alpaydin, "Rule Learning")
    encoding  : `one_hot`: a matrix of numbers with a column for each label, for classes that take no DataSet
    """

    numeric: str = "keep"
    bins: int = 10
    missing: str = "keep"
    attributes: str = "all"
    encoding: str = "none"

    @staticmethod
    def of(given: Mapping[str, Any], where: str, *, encoded: bool, handles_missing: bool) -> Preparation:
        """Make the preparation that a builder's YAML describes; ConfigError, which begins with `where`, if not allowed.

        given           : the YAML's section
        encoded         : default for whether values are encoded, for classes that take no data sets
        handles_missing : default for whether missing values are kept rather than filled
        """
        keys = [field.name for field in fields(Preparation)]
        for key, value in given.items():
            if key not in keys:
                raise ConfigError(
                    f"{where}: `preparation` has the key {key!r}: expected some of the keys {', '.join(keys)}"
                )
            rule = whole_number(1, MOST_BINS) if key == "bins" else one_of(*CHOICES[key])
            rule.check(f"{where}: preparation.{key}", value)
        defaults = {
            "missing": "keep" if handles_missing else "fill",
            "encoding": "one_hot" if encoded else "none",
        }
        return Preparation(**(defaults | dict(given)))

    def whole(self, data: DataSet) -> DataSet:
        """All rows of a data set as training rows."""
        rows = np.arange(data.rows)
        return self.prepared(data, Split(rows, rows))[0]

    def prepared(self, data: DataSet, split: Split) -> tuple[DataSet, DataSet]:
        """The training and the test rows of a data set, with the same attributes and labels, not yet encoded."""
        if self.numeric != "keep":
            training = data.take(split.train)
            data = with_thresholds(data, fitted_thresholds(training, cast("Method", self.numeric), bins=self.bins))
        if self.missing == "value":
            data = missing_as_value(data)
        train, test = data.take(split.train), data.take(split.test)
        if self.missing == "fill":
            train, test = _filled(train, test)
        if self.attributes == "of_tree":
            tested = _tested_by_tree(train)
            train, test = train.select(tested), test.select(tested)
        return train, test


def _filled(train: DataSet, test: DataSet) -> tuple[DataSet, DataSet]:
    """Fill missing values of both with the most common value of the training rows; the first label if there is none.

    Nominal attributes without any value in the data set, and so without labels, are left out.
    """
    with_values = [
        index
        for index, attribute in enumerate(train.attributes)
        if attribute.labels or attribute.kind is AttributeKind.NUMERIC
    ]
    train, test = train.select(with_values), test.select(with_values)
    usual = usual_values(train, np.ones(train.rows))
    values = [
        max(value, 0) if attribute.labels else value for attribute, value in zip(train.attributes, usual, strict=True)
    ]
    return filled(train, values), filled(test, values)


def _tested_by_tree(train: DataSet) -> list[int]:
    """The indices of the attributes that a pruned tree tests; all if it tests none."""
    from algorithms.induction.pruned import PessimisticClassifier

    tree = PessimisticClassifier().fit(_filled(train, train)[0]).tree_
    return tree.attributes_tested().tolist() or list(range(len(train.attributes)))


def unseen_values(train: DataSet, test: DataSet) -> int:
    """The number of nominal cells in the test rows with a value that no training row has; missing does not count."""
    unseen = 0
    for attribute, train_codes, test_codes in zip(train.attributes, train.columns, test.columns, strict=True):
        if attribute.kind is AttributeKind.NOMINAL:
            seen = np.zeros(len(attribute.labels) + 1, bool)  # MISSING is -1, the last index
            seen[train_codes] = True
            seen[MISSING] = True
            unseen += int(np.count_nonzero(~seen[test_codes]))
    return unseen
