"""C4.5 against Weka's J48, by the figures that Weka 3.6.14 printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from algorithms.induction.c45 import C45Classifier, weka_size
from tests.algorithms.grown_trees import c45_tree
from tests.oracles.weka_reference import PROTOCOLS, ROUNDING, check_cross_validation, weka_data, weka_leaves, weka_rows

OPTIONS: dict[str, dict[str, Any]] = {
    "J48": {},
    "J48-unpruned": {"pruned": False},
    "J48-unpruned-M1": {"pruned": False, "min_rows": 1},
    "J48-nosubtreeraising": {"raising": False},
    "J48-binarysplits": {"binary": True},
}


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


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("algorithm", ["J48", "J48-unpruned"])
def test_accuracies_of_cross_validation_are_wekas(shared: Path, algorithm: str, protocol: str) -> None:
    check_cross_validation(shared, algorithm, protocol, C45Classifier(**OPTIONS[algorithm]))
