"""C4.5 against Weka's J48, by the figures that Weka 3.6.14 printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms.data_set import DataSet
from algorithms.induction.c45 import C45Classifier, weka_size
from algorithms.weka_folds import weka_folds
from tests.algorithms.grown_trees import c45_tree
from tests.oracles.weka_reference import OTHER_ROW_ORDER, weka_data, weka_leaves, weka_rows

ROUNDING = 5.1e-5  # of printed figures of four digits

OPTIONS: dict[str, dict[str, Any]] = {
    "J48": {},
    "J48-unpruned": {"pruned": False},
    "J48-unpruned-M1": {"pruned": False, "min_rows": 1},
    "J48-nosubtreeraising": {"raising": False},
    "J48-binarysplits": {"binary": True},
}


def right(data: DataSet, train: np.ndarray, test: np.ndarray, options: dict[str, Any]) -> int:
    """How many test rows are classified rightly."""
    fitted = C45Classifier(**options).fit(data.take(train))
    held = data.take(test)
    return int((fitted.predict(held) == np.array(data.classes)[held.decisions]).sum())


@pytest.mark.parametrize("algorithm", OPTIONS)
def test_training_leaves_sizes_and_accuracies_are_wekas(shared: Path, algorithm: str) -> None:
    compared = 0
    for row in weka_rows(shared, {algorithm}, "train"):
        data = weka_data(shared, row["dataset"])
        tree = c45_tree(data, **OPTIONS[algorithm])
        results = [weka_leaves(tree, data), weka_size(tree, data)]
        assert results == [int(row["leaves"]), int(row["size"])], row["dataset"]
        accuracy = 100 * float((tree.predict(data.values()) == data.decisions).mean())
        assert accuracy == pytest.approx(float(row["accuracy"]), abs=ROUNDING), row["dataset"]
        compared += 1
    assert compared == 18


@pytest.mark.parametrize("algorithm", ["J48", "J48-unpruned"])
def test_accuracies_of_cross_validation_are_wekas(shared: Path, algorithm: str) -> None:
    compared = 0
    for row in weka_rows(shared, {algorithm}, "10cv-seed1"):
        if row["dataset"] in OTHER_ROW_ORDER:
            continue
        data = weka_data(shared, row["dataset"])
        folds = weka_folds(data.decisions, 10, seed=1)
        correct = sum(right(data, train, test, OPTIONS[algorithm]) for train, test in folds)
        assert 100 * correct / data.rows == pytest.approx(float(row["accuracy"]), abs=ROUNDING), row["dataset"]
        compared += 1
    assert compared == 16


@pytest.mark.parametrize("algorithm", ["J48", "J48-unpruned"])
def test_accuracies_of_5x2_cross_validation_are_wekas(shared: Path, algorithm: str) -> None:
    compared = 0
    for row in weka_rows(shared, {algorithm}, "5x2cv-seeds1..5"):
        if row["dataset"] in OTHER_ROW_ORDER:
            continue
        data = weka_data(shared, row["dataset"])
        runs = []
        for seed in range(1, 6):
            folds = weka_folds(data.decisions, 2, seed=seed)
            correct = sum(right(data, train, test, OPTIONS[algorithm]) for train, test in folds)
            runs.append(100 * correct / data.rows)
        assert np.mean(runs) == pytest.approx(float(row["accuracy"]), abs=ROUNDING), row["dataset"]
        assert np.std(runs, ddof=1) == pytest.approx(float(row["accuracy_sd"]), abs=ROUNDING), row["dataset"]
        compared += 1
    assert compared == 16
