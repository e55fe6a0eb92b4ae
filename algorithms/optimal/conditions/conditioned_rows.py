"""The rows, tests and costs of an instance under conditions, as the kernels need them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.attributes.thresholds import cut_between
from algorithms.data_set import AttributeKind
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.conditions.one_test import Coded, Scratch
from algorithms.optimal.conditions.terms import Terms
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.ranked_rows import check_sets
from algorithms.optimal.plan import ByBounds, ByCodes, Plan

__all__ = ["ConditionedRows", "Rows"]

Rows = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class ConditionedRows:
    """An instance under conditions, coded."""

    coded: Coded
    scratch: Scratch
    values: list[NDArray[np.float64]]  # of each attribute, increasing
    attribute: NDArray[np.int64]  # (tests,) the attribute of each test
    classes: NDArray[np.int64]  # (classes,) from low to high
    scale: float  # the cost of a tree of objective 1
    unavoidable: float  # the weight of the rows that every tree misclassifies

    @staticmethod
    def of(instance: Instance, terms: Terms, *, subsets: bool) -> ConditionedRows:
        """Code an instance; with `subsets` nominal attributes are also split into two sets of labels.

        Raises DataSetError if an attribute has too many labels for that.
        """
        data, plain = instance.data, bool((terms.cost == 1 - np.eye(len(terms.cost))).all())
        columns = [np.unique(column, return_inverse=True) for column in data.columns]  # (values, code of each row)
        numeric = np.array([attribute.kind is AttributeKind.NUMERIC for attribute in data.attributes], np.bool_)
        chosen = []
        for attribute, (values, _) in zip(data.attributes, columns, strict=True):
            if attribute.kind is AttributeKind.NUMERIC:
                chosen.append(np.zeros(max(len(values) - 1, 0), np.uint64))
                continue
            if subsets:
                check_sets(attribute, len(values))
            sets = 1 << (len(values) - 1) if subsets and len(values) > 2 else 1
            chosen.append(np.arange(sets, dtype=np.uint64))
        decision = np.argsort(terms.classes)[data.decisions].astype(np.int32)
        of_class = np.bincount(decision, instance.weights, len(terms.cost))
        scale = float((of_class @ terms.cost).min()) or 1.0
        alike = _alike([codes for _, codes in columns], data.rows)
        price = instance.alpha * scale
        coded = Coded(
            code=np.array([codes for _, codes in columns], np.int32).reshape(len(columns), data.rows),
            values=np.array([len(values) for values, _ in columns], np.int64),
            numeric=numeric,
            monotone=terms.monotone,
            first=np.concatenate([[0], np.cumsum([len(sets) for sets in chosen])]).astype(np.int64),
            chosen=np.concatenate([np.zeros(0, np.uint64), *chosen]),
            decision=decision,
            weight=instance.weights,
            forced=_forced(alike, decision, instance.weights, terms.cost),
            cost=np.ascontiguousarray(terms.cost),
            plain=plain,
            least=instance.min_samples_leaf,
            split=price if instance.penalty == "splits" else 0.0,
            leaf=price if instance.penalty == "leaves" else 0.0,
        )
        return ConditionedRows(
            coded,
            arrays_of(Scratch, sums=len(terms.cost) + 1, values=int(coded.values.max(initial=1))),
            [values.astype(np.float64) for values, _ in columns],
            np.repeat(np.arange(len(columns)), np.diff(coded.first)),
            terms.classes,
            scale,
            float(_forced(alike, decision, instance.weights, 1 - np.eye(len(terms.cost))).sum()),
        )

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.coded.decision)

    @property
    def nbytes(self) -> int:
        """The size of the largest array, in bytes."""
        return int(self.coded.code.nbytes)

    def parts(self, rows: Rows, test: int) -> list[Rows]:
        """The rows of each branch of a test, in the order of the values."""
        coded, attribute = self.coded, int(self.attribute[test])
        codes, index = coded.code[attribute][rows], test - int(coded.first[attribute])
        if coded.numeric[attribute]:
            left = codes <= index
        elif index > 0:
            left = (coded.chosen[test] >> codes.astype(np.uint64) & np.uint64(1)).astype(np.bool_)
        else:
            return [rows[codes == code] for code in np.unique(codes)]
        return [rows[left], rows[~left]]

    def split(self, rows: Rows, test: int, threshold: float | None, children: tuple[Plan, ...]) -> Plan:
        """The node that tests these rows; without a threshold, the cut is midway between the values beside it."""
        attribute = int(self.attribute[test])
        codes = [np.unique(self.coded.code[attribute][part]) for part in self.parts(rows, test)]
        values = [self.values[attribute][part_codes] for part_codes in codes]
        if not self.coded.numeric[attribute]:
            return ByCodes(attribute, tuple(tuple(labels.astype(int).tolist()) for labels in values), children)
        cut = cut_between(float(values[0][-1]), float(values[1][0])) if threshold is None else threshold
        return ByBounds(attribute, (cut,), children)


def _alike(codes: list[NDArray[np.int64]], rows: int) -> NDArray[np.int64]:
    """(rows,): a number for each row, the same for rows of equal values."""
    group = np.zeros(rows, np.int64)
    for column in codes:
        group = np.unique(group * (column.max() + 1) + column, return_inverse=True)[1]
    return group


def _forced(alike: NDArray[np.int64], decision: NDArray[np.int32], weight: Numbers, cost: Numbers) -> Numbers:
    """(rows,): the least cost of each set of equal rows in one leaf, at the first of them; 0 at the others."""
    by_class = np.zeros((alike.max() + 1, len(cost)))
    np.add.at(by_class, (alike, decision), weight)
    forced = np.zeros(len(alike))
    forced[np.unique(alike, return_index=True)[1]] = (by_class @ cost).min(axis=1)
    return forced
