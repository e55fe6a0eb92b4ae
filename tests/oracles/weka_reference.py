"""The results of Weka 3.6.14 on 18 data sets: leaves, sizes and accuracies, and its data."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms.data.data_set import MISSING, DataSet
from algorithms.data.weka_folds import weka_folds
from algorithms.induction.c45 import weka_size
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree
from tests.oracles.uci_files import nominal_data_set, rows_of_file

FILES = {
    "balance-scale-nominal": "balance-scale/balance-scale.data",
    "balance-scale-numeric": "balance-scale/balance-scale.data",
    "breast-tissue": "breast-tissue/BreastTissue.csv",
    "diabetes": "pima/pima-indians-diabetes.data",
    "hayes-roth-train": "hayes-roth/hayes-roth.data",
    "monks-1-train": "monks-1/monks-1.train",
    "seeds": "seeds/seeds_dataset.txt",
    "winequality-red": "winequality-red/winequality-red.csv",
    "zoo-nominal": "zoo/zoo.data",
}
NUMERIC = {"balance-scale-numeric", "breast-tissue", "diabetes", "ecoli", "glass", "iris", "seeds", "winequality-red"}
WITH_MISSING = {"breast-cancer", "house-votes-84"}
OTHER_ROW_ORDER = {"breast-cancer", "glass"}
"""Weka has files of its own for these, whose rows are in another order."""

ROUNDING = 5.1e-5
"""Of printed figures of four decimals."""
PROTOCOLS = {"10cv-seed1": (10, [1]), "5x2cv-seeds1..5": (2, [1, 2, 3, 4, 5])}
"""Folds and seeds."""

AGES = [f"{low}-{low + 9}" for low in range(10, 100, 10)]
SIZES = [f"{low}-{low + 4}" for low in range(0, 60, 5)]
NODES = [*(f"{low}-{low + 2}" for low in range(0, 36, 3)), "36-39"]
DECLARED = {"breast-cancer": {0: AGES, 2: SIZES, 3: NODES}, "kr-vs-kp": {35: ["n", "t", "f"]}}
"""By index of the attribute, the labels of Weka's own files; some are on no row."""
CLASSES = {"kr-vs-kp": ("won", "nowin")}
"""In Weka's order, where it is not the sorted one; it settles ties."""


def weka_rows(shared: Path, algorithms: Iterable[str], protocol: str) -> list[dict[str, str]]:
    """The rows of the reference on some algorithms by one protocol."""
    with (shared / "notes" / "weka_reference.csv").open(newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["algorithm"] in algorithms and row["protocol"] == protocol]


@cache
def weka_data(shared: Path, name: str) -> DataSet:
    """A data set of the reference, with the labels that Weka had declared for it."""
    names, rows = rows_of_file(shared, FILES.get(name, f"{name}/{name}.data"))
    data = nominal_data_set(
        names, rows, missing={"?"} if name in WITH_MISSING else set(), numeric=names if name in NUMERIC else ()
    )
    for index, labels in DECLARED.get(name, {}).items():
        data = _declared(data, index, tuple(labels))
    classes = CLASSES.get(name, data.classes)
    return replace(data, classes=classes, decisions=_recoded(data.decisions, data.classes, classes))


def accuracies(model: Any, data: DataSet, protocol: str) -> list[float]:
    """The percentage of rows that an estimator classifies correctly on Weka's folds, for each seed."""
    folds, seeds = PROTOCOLS[protocol]
    labels, result = np.array(data.classes)[data.decisions], []
    for seed in seeds:
        correct = 0
        for train, test in weka_folds(data.decisions, folds, seed=seed):
            correct += np.count_nonzero(model.fit(data.take(train)).predict(data.take(test)) == labels[test])
        result.append(100 * correct / data.rows)
    return result


def check_cross_validation(shared: Path, algorithm: str, protocol: str, model: Any) -> None:
    """That an estimator has Weka's accuracies on all data sets whose rows are in Weka's order."""
    rows = [row for row in weka_rows(shared, {algorithm}, protocol) if row["dataset"] not in OTHER_ROW_ORDER]
    assert len(rows) == 16
    for row in rows:
        results = accuracies(model, weka_data(shared, row["dataset"]), protocol)
        assert np.mean(results) == pytest.approx(float(row["accuracy"]), abs=ROUNDING), row["dataset"]
        if len(results) > 1:
            assert np.std(results, ddof=1) == pytest.approx(float(row["accuracy_sd"]), abs=ROUNDING), row["dataset"]


def _declared(data: DataSet, index: int, labels: tuple[str, ...]) -> DataSet:
    attributes, columns = list(data.attributes), list(data.columns)
    columns[index] = _recoded(columns[index], attributes[index].labels, labels)
    attributes[index] = attributes[index]._replace(labels=labels)
    return replace(data, attributes=tuple(attributes), columns=tuple(columns))


def _recoded(codes: np.ndarray, labels: tuple[str, ...], others: tuple[str, ...]) -> np.ndarray:
    new = np.array([*(others.index(label) for label in labels), MISSING], np.int32)
    return new[codes]  # MISSING is -1, the last


def weka_leaves(tree: DecisionTree, data: DataSet) -> int:
    """The number of leaves as Weka counts them, with empty branches; see `weka_size`."""
    return weka_size(tree, data) - int((tree.kind != NodeKind.TERMINAL).sum())
