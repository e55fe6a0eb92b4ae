"""Tiny instances of every kind for trying every tree, as Hypothesis strategies; and what identifies a tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from algorithms.data.data_set import MISSING
from algorithms.optimal.instance import Instance, MissingRule
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of

KINDS = ("binary", "multiway", "numeric", "mixed")

VALUES = {"binary": [[0, 1]], "multiway": [[0, 1, 2], [0, 1, 2, 3], [1, 4]], "numeric": [[-1.5, 0.0, 0.1, 0.25, 1, 7]]}


def instances(
    kind: str | None = None,
    max_rows: int = 10,
    max_attributes: int = 3,
    max_depth: int | None = None,
    *,
    missing: bool = False,
) -> st.SearchStrategy[Instance]:
    """1-10 rows, 1-3 attributes, 1-4 classes; equal rows of different classes, constant attributes, absent codes.

    kind      : "binary", "multiway", "numeric", "mixed"; None for any
    max_depth : the greatest that is drawn; None for any, no limit among them
    missing   : whether values may be missing, which go to the better side

    Only a seed is drawn, for what Hypothesis draws itself has one class or one row too often.
    """

    def of_seed(seed: int) -> Instance:
        generator = np.random.default_rng(seed)
        instance = random_instance(generator, kind, max_rows, max_attributes, max_depth)
        return with_missing(instance, generator, "best_side") if missing else instance

    return st.integers(0, 2**63).map(of_seed)


def random_instance(
    generator: np.random.Generator, kind: str | None, max_rows: int, max_attributes: int, max_depth: int | None
) -> Instance:
    """Weights and most alphas are fractions that floats hold exactly: rounding makes no ties and breaks none."""
    kind = KINDS[generator.integers(4)] if kind is None else kind
    n = max_rows - int(max_rows * generator.random() ** 3)
    classes = int(generator.choice([1, 2, 2, 2, 2, 3, 3, 4]))
    latent = generator.random(n)
    numeric, columns = [], []
    for _ in range(generator.integers(1, max_attributes + 1)):
        drawn = str(generator.choice(list(VALUES))) if kind == "mixed" else kind
        values = VALUES[drawn][generator.integers(len(VALUES[drawn]))]
        hidden = np.where(generator.random(n) < 0.3, latent, generator.random(n))
        numeric.append(drawn == "numeric")
        columns.append([values[int(part * len(values))] for part in hidden])
    followed = (latent * generator.choice([1, 2])) % 1
    decisions = (np.where(generator.random(n) < 0.7, followed, generator.random(n)) * classes).astype(int).tolist()
    small, large = generator.integers(1, 5, n), generator.integers(1, 1 << 33, n)
    weights = [np.ones(n), small * 1.0, generator.integers(1, 21, n) / 8, large * 1.0]
    depths = [0, 1, 2, 2, 3, 3, None, None] if max_depth is None else list(range(max_depth + 1))
    return Instance(
        data_set_of(columns, decisions, numeric, classes),
        weights[generator.integers(4)],
        max_depth=depths[generator.integers(len(depths))],
        min_samples_leaf=min(n, int(generator.choice([1, 1, 2, 3]))),
        max_splits=[None, None, None, 0, 1, 2, 3, 4][generator.integers(8)],
        alpha=float(generator.choice([0, 0, 1 / 64, 1 / 32, 1 / 16, 0.1, 0.25, 1, 3])),
        penalty=("splits", "splits", "leaves")[generator.integers(3)],
    )


def noise(rows: int, attributes: int, digits: int | None, max_depth: int, max_splits: int | None = None) -> Instance:
    """Attributes and two classes that have nothing in common; numbers of so many decimals, or two labels if None."""
    generator, numeric = np.random.default_rng(0), digits is not None
    columns = [
        (generator.integers(0, 2, rows) if digits is None else generator.random(rows).round(digits)).tolist()
        for _ in range(attributes)
    ]
    data = data_set_of(columns, generator.integers(0, 2, rows).tolist(), [numeric] * attributes, 2)
    return Instance(data, np.ones(rows), max_depth=max_depth, max_splits=max_splits)


def with_missing(instance: Instance, generator: np.random.Generator, rule: MissingRule) -> Instance:
    """The instance with some values missing, and trees that send them by a rule."""
    columns = []
    for column in instance.data.columns:
        lacking = generator.random(len(column)) < generator.choice([0.0, 0.2, 0.5])
        columns.append(np.where(lacking, np.nan if column.dtype.kind == "f" else MISSING, column).astype(column.dtype))
    return replace(instance, data=replace(instance.data, columns=tuple(columns)), missing=rule)


def structure(tree: DecisionTree, instance: Instance) -> Any:
    """What identifies a tree: the attribute that each node tests, and the rows that reach each of its children."""
    rows = {node: frozenset(there.tolist()) for node, there in tree.rows_of_nodes(instance.data.values())}
    return frozenset(
        (rows[node], int(tree.attribute[node]), frozenset(rows[child] for child in tree.children(node)))
        for node in range(tree.nodes)
    )
