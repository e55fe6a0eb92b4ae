"""Trees that the tests of exporters share: random ones of all kinds of nodes, and those of data sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from algorithms.data.data_set import DataSet
from algorithms.data.table import Labels
from algorithms.trees.arrays import NO_NODE
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.grown_trees import c45_tree
from tests.algorithms.trees import BOUNDS, LINEAR, TERMINAL, stump, tree_of
from tests.oracles.uci_files import nominal_data_set, rows_of_file

FILES = [
    "soybean-large/soybean-large.data",  # many labels and classes, missing values
    "credit-approval/crx.data",  # labels, numbers and missing values
    "glass/glass.data",  # numbers
    "lymphography/lymphography.data",  # labels
    "house-votes-84/house-votes-84.data", "audiology/audiology.standardized.data", "iris/iris.data",
    "hepatitis/hepatitis.data", "car/car.data", "tic-tac-toe/tic-tac-toe.data", "balance-scale/balance-scale.data",
    "breast-cancer/breast-cancer.data", "primary-tumor/primary-tumor.data", "anneal/anneal.data",
    "heart-cleveland/processed.cleveland.data", "zoo/zoo.data", "wine/wine.data", "ecoli/ecoli.data",
    "vehicle/vehicle.data", "yeast/yeast.data", "hypothyroid/hypothyroid.data", "dermatology/dermatology.data",
]  # fmt: skip
QUICK = 4
"""The files from here on are for the long run."""

each_file = pytest.mark.parametrize(
    "file", [pytest.param(file, marks=[pytest.mark.long] if at >= QUICK else []) for at, file in enumerate(FILES)]
)

NUMERIC = ["iris/iris.data", "glass/glass.data", "wine/wine.data", "ecoli/ecoli.data", "vehicle/vehicle.data"]


def given(shared: Path, file: str) -> DataSet:
    """A file of the data sets; columns of more than 6 numbers are numeric, `?` is missing."""
    names, rows = rows_of_file(shared, file)
    numeric = [name for index, name in enumerate(names) if _is_numeric([row[index] for row in rows])]
    return nominal_data_set(names, rows, missing={"?"}, numeric=numeric)


def _is_numeric(cells: list[str]) -> bool:
    there = {cell for cell in cells if cell != "?"}
    try:
        return len({float(cell) for cell in there}) > 6
    except ValueError:
        return False


def labels_of(data: DataSet) -> Labels:
    return Labels(
        tuple(attribute.name for attribute in data.attributes),
        tuple(attribute.labels for attribute in data.attributes),
        data.classes,
    )


def grown(shared: Path, file: str) -> tuple[DecisionTree, np.ndarray, Labels]:
    """C4.5's tree of a file, where missing values go down all branches; rows with further ones, and unseen labels."""
    data = given(shared, file)
    return c45_tree(data), harder(data), labels_of(data)


def harder(data: DataSet) -> np.ndarray:
    """The rows, and as many of which each value is missing or a label never seen by a chance of 10 %."""
    values, generator = data.values(), np.random.default_rng(7)
    more = values.copy()
    more[generator.random(values.shape) < 0.1] = np.nan
    for index, attribute in enumerate(data.attributes):
        if attribute.labels:
            more[generator.random(len(more)) < 0.05, index] = len(attribute.labels)
    return np.concatenate([values, more])


def with_missing_to(tree: DecisionTree, where: str) -> DecisionTree:
    """The tree whose missing values stay at a node, or follow the first or the last of its branches."""
    to = np.full(tree.nodes, NO_NODE, np.int32)
    for node in np.flatnonzero(tree.kind != TERMINAL).tolist():
        if where != "stays":
            to[node] = tree.children(node)[0 if where == "first" else -1]
    return replace(tree, unknown_to=to)


def without_negatives(rows: list[list[float]]) -> np.ndarray:
    """Rows in which -1, which is a number to one node and a missing code to another, is missing to all."""
    values = np.array(rows, np.float64)
    values[values < 0] = np.nan
    return values


def bounds_apart() -> tuple[DecisionTree, np.ndarray]:
    """A tree of bounds that no short decimal is, and the numbers on both sides of each; sums that rounding decides."""
    generator = np.random.default_rng(3)
    bounds = np.sort(np.concatenate([generator.standard_normal(12), [0.1, 0.3, 1 / 3, 1e-300, 12345678.901234567]]))
    leaves = len(bounds) + 1
    tree = tree_of(
        kind=[BOUNDS, *[TERMINAL] * leaves],
        attribute=[0, *[-1] * leaves],
        decision=[0, *range(leaves)],
        edges=[0, *[leaves] * (leaves + 1)],
        edge_code=[0] * leaves,
        edge_to=list(range(1, leaves + 1)),
        edge_bound=[*bounds, np.inf],
    )
    sides = [np.nextafter(bounds, -np.inf), bounds, np.nextafter(bounds, np.inf)]
    return tree, np.concatenate(sides).reshape(-1, 1)


def sums_apart() -> tuple[DecisionTree, np.ndarray]:
    """A linear test whose bound is a sum of three products as it is rounded, and rows about it."""
    generator = np.random.default_rng(5)
    factors, row = generator.standard_normal(3), generator.standard_normal(3)
    bound = 0.0
    for factor, value in zip(factors.tolist(), row.tolist(), strict=True):
        bound += factor * value
    tree = stump(LINEAR, edge_bound=[bound, np.inf], coefficients=[factors])
    rows = [row]
    for index in range(3):
        for side in (-np.inf, np.inf):
            beside = row.copy()
            beside[index] = np.nextafter(beside[index], side)
            rows.append(beside)
    return tree, np.array(rows)
