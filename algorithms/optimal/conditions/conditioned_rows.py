"""The rows, tests and costs of an instance under conditions, as the kernels need them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.data.data_set import Attribute, AttributeKind, Column, DataSet, missing_in
from algorithms.kernel_arrays import arrays_of
from algorithms.measures.partitions import Partition
from algorithms.optimal.conditions.split_costs import APART, COUNT_TOLERANCE, WITH_ABOVE, WITH_BELOW, Coded, RowSums
from algorithms.optimal.conditions.terms import ConditionTerms
from algorithms.optimal.conditions.two_level_costs import ValueSums
from algorithms.optimal.equivalent_points import class_weights_of_points, points_of
from algorithms.optimal.instance import Instance, MissingRule
from algorithms.optimal.mixed.ranked_rows import check_sets
from algorithms.optimal.plan import Plan, split_by_values
from algorithms.trees.arrays import ALL_BRANCHES, NO_NODE


class RowShares(NamedTuple):
    """Some rows, and the share of each."""

    indices: NDArray[np.int32]
    shares: Numbers

    def where(self, chosen: NDArray[np.bool_], share: Numbers | float = 1.0) -> RowShares:
        """The chosen rows, with this part of the share of each."""
        return RowShares(self.indices[chosen], (self.shares * share)[chosen])


class Branches(NamedTuple):
    """The branches of a test for some rows."""

    parts: list[RowShares]  # the rows of each branch, none of them empty
    in_order: bool  # whether the values of the first are below those of the second


class _AttributeTests(NamedTuple):
    """The values of an attribute, and its tests: see `Coded`."""

    values: Numbers  # increasing; NaN, the last, if missing is one of the values
    code: NDArray[np.int32]  # (rows,)
    cut: NDArray[np.int64]
    missing: NDArray[np.int64]
    chosen: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class ConditionedRows:
    """An instance under conditions, coded."""

    coded: Coded
    scratch: RowSums
    values: list[Numbers]  # of each attribute, see `_AttributeTests`
    data: DataSet
    attribute: NDArray[np.int64]  # (tests,) the attribute of each test
    classes: NDArray[np.int64]  # (classes,) from low to high
    scale: float  # the cost of a tree of objective 1
    unavoidable: float  # the weight of the rows that every tree misclassifies

    @staticmethod
    def of(instance: Instance, terms: ConditionTerms, *, subsets: bool) -> ConditionedRows:
        """Code an instance; with `subsets` nominal attributes are also split into two sets of labels.

        Raises DataSetError if an attribute has too many labels for that.
        """
        data, plain = instance.data, bool((terms.cost == 1 - np.eye(len(terms.cost))).all())
        rule = instance.missing
        tests = [
            _tests_of(attribute, column, rule, subsets=subsets)
            for attribute, column in zip(data.attributes, data.columns, strict=True)
        ]
        codes = [of_attribute.code for of_attribute in tests]
        decision = np.argsort(terms.classes)[data.decisions].astype(np.int32)
        of_class = np.bincount(decision, instance.weights, len(terms.cost))
        scale = float((of_class @ terms.cost).min()) or 1.0
        point = points_of(codes, data.rows)
        by_class = class_weights_of_points(point, decision, instance.weights, len(terms.cost))
        price = instance.alpha * scale
        none = _AttributeTests(*(np.zeros(0, dtype) for dtype in (float, np.int32, np.int64, np.int64, np.uint64)))
        coded = Coded(
            code=np.array(codes, np.int32).reshape(len(codes), data.rows),
            values=np.array([len(of_attribute.values) for of_attribute in tests], np.int64),
            numeric=np.array([attribute.kind is AttributeKind.NUMERIC for attribute in data.attributes], np.bool_),
            monotone=terms.monotone,
            first=np.cumsum([0, *(len(of_attribute.cut) for of_attribute in tests)]).astype(np.int64),
            cut=np.concatenate([of_attribute.cut for of_attribute in (none, *tests)]),
            missing=np.concatenate([of_attribute.missing for of_attribute in (none, *tests)]),
            chosen=np.concatenate([of_attribute.chosen for of_attribute in (none, *tests)]),
            shared=rule == "all_branches",
            decision=decision,
            weight=instance.weights,
            forced=_forced(point, by_class, terms.cost),
            cost=np.ascontiguousarray(terms.cost),
            plain=plain,
            least=instance.min_samples_leaf - COUNT_TOLERANCE,
            split=price if instance.penalty == "splits" else 0.0,
            leaf=price if instance.penalty == "leaves" else 0.0,
        )
        return ConditionedRows(
            coded,
            arrays_of(RowSums, sums=len(terms.cost) + 2, values=int(coded.values.max(initial=1)) + 1),
            [of_attribute.values for of_attribute in tests],
            data,
            np.repeat(np.arange(len(tests)), np.diff(coded.first)),
            terms.classes,
            scale,
            float(_forced(point, by_class, 1 - np.eye(len(terms.cost))).sum()),
        )

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.coded.decision)

    def all_rows(self) -> RowShares:
        """All rows, each whole."""
        return RowShares(np.arange(self.rows, dtype=np.int32), np.ones(self.rows))

    @property
    def nbytes(self) -> int:
        """The size of the largest array, in bytes."""
        return int(self.coded.code.nbytes)

    @property
    def bytes_of_sums(self) -> int:
        """The size of `value_sums`, in bytes: five tables of float64."""
        return 40 * len(self.scratch.here) * int((self.coded.values + 1).sum())

    @cached_property
    def value_sums(self) -> ValueSums:
        """Buffers for the trees of two levels, and where the values of each attribute begin."""
        coded, cells = self.coded, self.coded.values + 1
        sums = arrays_of(
            ValueSums,
            attributes=len(cells),
            cells=int(cells.sum()),
            sums=len(self.scratch.here),
            rows=self.rows,
            values=int(cells.max()),
            tests=len(coded.cut),
        )
        sums.first[1:] = cells.cumsum()
        return sums

    def branches(self, rows: RowShares, test: int, last: int | None = None) -> Branches:
        """The branches of a test, in the order of the values, missing ones apart from others at the end.

        last : a later cut of the same attribute. The rows between the two are left out
        """
        lacking, parts = self._known_parts(rows, test, test if last is None else last)
        in_order = bool(parts[0].any() and parts[1].any())
        if self.coded.shared and lacking.any():
            return Branches(self._shared(rows, parts, lacking), in_order)
        if self.coded.missing[test] == APART:
            parts.append(lacking)
        else:
            side = 0 if self.coded.missing[test] == WITH_BELOW else 1
            parts[side] = parts[side] | lacking
        return Branches([rows.where(part) for part in parts if part.any()], in_order)

    def _known_parts(self, rows: RowShares, test: int, last: int) -> tuple[NDArray[np.bool_], list[NDArray[np.bool_]]]:
        """(rows,): which lack the value that a test looks at, and which have each of its outcomes."""
        coded, attribute = self.coded, int(self.attribute[test])
        codes = coded.code[attribute][rows.indices]
        lacking = codes == coded.values[attribute]
        if coded.numeric[attribute]:
            return lacking, [codes <= coded.cut[test], (codes > coded.cut[last]) & ~lacking]
        if coded.chosen[test]:
            inside = (coded.chosen[test] >> codes.astype(np.uint64) & np.uint64(1)).astype(np.bool_)
            return lacking, [inside & ~lacking, ~inside & ~lacking]
        return lacking, [codes == code for code in np.unique(codes[~lacking])]

    def _shared(self, rows: RowShares, parts: list[NDArray[np.bool_]], lacking: NDArray[np.bool_]) -> list[RowShares]:
        """The rows of each branch if those that lack the value go down all, by the weights of the known ones."""
        weights = [(self.coded.weight[rows.indices] * rows.shares)[part].sum() for part in parts]
        shares = [weight / sum(weights) for weight in weights]
        return [
            rows.where(part | lacking, np.where(lacking, share, 1.0)) for part, share in zip(parts, shares, strict=True)
        ]

    def split(self, rows: RowShares, test: int, threshold: float | None, children: tuple[Plan, ...]) -> Plan:
        """The node that tests these rows; without a threshold, the cut is midway between the values beside it.

        Where no row of a node lacks its value, missing ones go as in `WithMissing.tree`.
        """
        attribute = int(self.attribute[test])
        parts = self.branches(rows, test).parts
        codes = [np.unique(self.coded.code[attribute][part.indices]) for part in parts]
        values = [np.append(self.values[attribute], np.nan)[of_branch] for of_branch in codes]
        elsewhere = ALL_BRANCHES if self.coded.shared else NO_NODE
        if self.coded.shared:  # rows that lack the value are in every branch
            values = [of_branch[~np.isnan(of_branch)] for of_branch in values]
        elif attribute in self.data.incomplete and (self.coded.numeric[attribute] or self.coded.chosen[test]):
            elsewhere = int(np.argmax([self.coded.weight[part.indices].sum() for part in parts]))
        return split_by_values(self.data, attribute, values, children, elsewhere=elsewhere, threshold=threshold)


def _tests_of(attribute: Attribute, column: Column, rule: MissingRule | None, *, subsets: bool) -> _AttributeTests:
    """The values of an attribute, the code of each row, and the tests.

    A nominal attribute of two labels whose missing values go to the better side splits three values into two sets.
    """
    lacking = missing_in(column)
    incomplete = bool(lacking.any())
    values, known_code = np.unique(column[~lacking].astype(np.float64), return_inverse=True)
    code = np.full(len(column), len(values), np.int32)
    code[~lacking] = known_code
    if attribute.kind is AttributeKind.NUMERIC:
        cuts = np.arange(max(len(values) - 1, 0))
        with_last = np.arange(len(values))  # the last cut has missing values above it, and nothing else
        cut, missing = cuts, np.full(len(cuts), WITH_ABOVE)
        if incomplete and rule == "own_branch":
            cut, missing = with_last, np.full(len(with_last), APART)
        elif incomplete and rule == "best_side":
            cut = np.concatenate([with_last, cuts])
            missing = np.repeat([WITH_ABOVE, WITH_BELOW], [len(with_last), len(cuts)])
        return _AttributeTests(values, code, cut, missing, np.zeros(len(cut), np.uint64))
    two_sides = incomplete and rule == "best_side" and len(values) <= 2
    if incomplete and rule != "all_branches":
        values = np.append(values, np.nan)
    if subsets:
        check_sets(attribute, len(values))
    sets = 1 << (len(values) - 1) if (subsets or two_sides) and len(values) > 2 else 1
    chosen = np.arange(1 if two_sides and sets > 1 else 0, sets, dtype=np.uint64)
    return _AttributeTests(values, code, np.zeros(len(chosen), np.int64), np.zeros(len(chosen), np.int64), chosen)


def _forced(point: Partition, by_class: Numbers, cost: Numbers) -> Numbers:
    """(rows,): the least cost of each equivalent point in one leaf, at the first of its rows; 0 at the others."""
    forced = np.zeros(len(point))
    forced[np.unique(point, return_index=True)[1]] = (by_class @ cost).min(axis=1)
    return forced
