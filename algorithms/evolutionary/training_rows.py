"""Training rows as EVO-Tree reads them: ranks of distinct values, and the possible tests between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words, packed
from algorithms.data.attributes.thresholds import cut_between
from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.evolutionary.correct_rows import BitPlanes
from algorithms.evolutionary.population import Tests
from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan
from algorithms.row_weights import whole_weights
from algorithms.trees.node_kinds import NO_ATTRIBUTE

NominalTests = Literal["integers", "labels"]
"""Tests of nominal attributes: codes up to a cut against greater codes (Jankowski & Jackowski 2014), or one label
against the others.
"""

LeafLabels = Literal["evolved", "majority"]
"""The class of a leaf: evolved (Jankowski & Jackowski 2014), or the most common of the rows that reach it."""

WORD = 64

MOST_BITS = 1 << 35
"""Bits of the planes of labels: 4 GiB."""


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Rows without missing values, and the tests of the attributes that differ among them."""

    data: DataSet  # the rows
    attribute: tuple[int, ...]  # (tested,) index in the data set of each attribute that may be tested
    values: tuple[NDArray[Any], ...]  # (tested,) its distinct values or codes, increasing
    labels: NDArray[np.bool_]  # (tested,) whether tests are for one label, not cuts
    classes: NDArray[np.int32]  # the classes that occur
    rows: BitPlanes  # the rows as the kernels read them
    tests: Tests  # the tests that may be drawn
    total: int  # the weight of all rows, in the unit of `rows.weight`

    @staticmethod
    def of(
        data: DataSet,
        weights: Numbers,
        nominal_tests: NominalTests = "integers",
        leaf_labels: LeafLabels = "evolved",
    ) -> TrainingRows:
        """The rows of a data set with positive weights (rows,).

        A weight of less than a part in 10¹⁵ of their sum may be rounded to 0. The row then has no influence on which
        tree is better, but still counts in the nodes of the tree. Raises ValueError if tests of labels need more than
        `MOST_BITS`.
        """
        attribute: list[int] = []
        values: list[NDArray[Any]] = []
        planes: list[Words] = []
        first = [0]
        labels: list[bool] = []
        for index, column in enumerate(data.columns):
            distinct, rank = np.unique(column, return_inverse=True)
            if len(distinct) < 2:
                continue
            by_label = data.attributes[index].kind is AttributeKind.NOMINAL and nominal_tests == "labels"
            attribute.append(index)
            values.append(distinct)
            labels.append(by_label)
            if by_label and (len(planes) + len(distinct)) * data.rows > MOST_BITS:
                raise ValueError(
                    f"attribute {data.attributes[index].name!r} has {len(distinct):,} labels in {data.rows:,} rows: "
                    f"with one test per label, all tests need more than {MOST_BITS // 2**33} GiB; leave the attribute "
                    "out, or set nominal_tests='integers'"
                )
            sets = (rank == code for code in range(len(distinct))) if by_label else _digits(rank, invert=True)
            planes += map(packed, sets)  # one at a time, because they are large
            first.append(len(planes))
        whole, _ = whole_weights(weights)
        weight = whole // np.gcd.reduce(whole)
        classes = np.unique(data.decisions)
        rows = BitPlanes(
            planes=np.array(planes, np.uint64).reshape(len(planes), -(-data.rows // WORD)),
            first=np.array(first, np.int64),
            ordered=~np.array(labels, np.bool_),
            of_class=np.array([packed(data.decisions == label) for label in classes]),
            weight=np.array([packed(digit) for digit in _digits(weight)]),
            every=packed(np.ones(data.rows, np.bool_)),
            majority=leaf_labels == "majority",
        )
        cuts = [len(distinct) - (not by_label) for distinct, by_label in zip(values, labels, strict=True)]
        tests = Tests(np.array(cuts, np.int64), len(classes))
        return TrainingRows(
            data, tuple(attribute), tuple(values), ~rows.ordered, classes, rows, tests, int(weight.sum())
        )

    @property
    def can_evolve(self) -> bool:
        """Whether there are several classes, and an attribute to test."""
        return len(self.classes) > 1 and bool(self.attribute)

    def plan(self, tree: NDArray[np.void]) -> Plan:
        """A tree (nodes,) of the kernels as a plan over the attributes of the data."""
        plans: list[Plan] = [Leaf()] * len(tree)
        for index in reversed(range(len(tree))):  # children come after their parent
            node = tree[index]
            if node["attribute"] == NO_ATTRIBUTE:
                plans[index] = Leaf(None if self.rows.majority else int(self.classes[node["label"]]))
            else:
                below = plans[node["left"]], plans[node["left"] + 1]
                plans[index] = self._split(int(node["attribute"]), int(node["cut"]), below)
        return plans[0]

    def _split(self, tested: int, cut: int, below: tuple[Plan, Plan]) -> Plan:
        """The node of a test. Labels that no row has are cut by their code, or go with the other labels."""
        index, values = self.attribute[tested], self.values[tested]
        attribute = self.data.attributes[index]
        if attribute.kind is AttributeKind.NUMERIC:
            return ByBounds(index, (cut_between(float(values[cut]), float(values[cut + 1])),), below)
        codes = range(len(attribute.labels))
        if self.labels[tested]:
            left = {int(values[cut])}
        else:
            left = set(range((int(values[cut]) + int(values[cut + 1])) // 2 + 1))
        groups = tuple(sorted(left)), tuple(code for code in codes if code not in left)
        return ByCodes(index, groups, below)


def _digits(numbers: NDArray[np.int64], *, invert: bool = False) -> Iterator[NDArray[np.bool_]]:
    """The binary digits of integers (rows,), the lowest first, as many as the greatest integer has."""
    for digit in range(int(numbers.max()).bit_length()):
        yield (numbers >> digit & 1).astype(bool) ^ invert
