"""Missing values in the trees of an exact search: each test may send them to any of its sides.

A data set with missing values is read as a complete one. A number becomes two attributes: its missing values lie below
all others in the first, and above them in the second. So does a nominal attribute of two labels. But if all attributes
have at most two values, each becomes three, one for each way to split it in two, which a faster search can use. Any
other nominal attribute gets a label for missing values. The complete data set is searched. Its trees are then
translated back, with a branch for missing values at each node. A number whose missing values have a branch of their own
stays as it is, since the search has such splits.

These are the splits of Twala, Jones and Hand (2008), *Good methods for coping with missing data in decision trees*
("missingness incorporated in attributes"), and those of numbers that scikit-learn's trees choose from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.data.attributes.thresholds import cut_between
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, Column, DataSet, DataSetError, missing_in
from algorithms.optimal.instance import Instance, MissingRule
from algorithms.optimal.solution import Frontier, Solution
from algorithms.trees.arrays import NO_NODE, NodeKind
from algorithms.trees.decision_tree import DecisionTree

FAR, FARTHEST = 1e30, float(np.finfo(np.float64).max)
"""Numbers beyond all others, which stand for missing ones. FAR is used where possible: CART computes in float32, which
holds sums of it. FARTHEST is the largest float."""


class _Reading(NamedTuple):
    """How an attribute of the complete data set is made from one of the data set with missing values."""

    attribute: int  # of the data set
    groups: tuple[tuple[float, ...], ...] = ()  # the values or codes behind each label, NaN for missing ones
    far: float = 0.0  # of a number without `groups`: the number that replaces missing ones; 0 if there are none


class _Split(NamedTuple):
    """The children of a node that tests the data set with missing values."""

    to: dict[float, int]  # the child for each value or code, or for each bound
    unknown: int = NO_NODE  # the child for missing values


@dataclass(frozen=True, eq=False)
class WithMissing:
    """A data set with missing values, and the complete one that is searched."""

    original: DataSet  # with missing values
    data: DataSet  # the complete one, with the same rows and classes
    readings: tuple[_Reading, ...]  # how each attribute of `data` is made from one of `original`

    @staticmethod
    def of(original: DataSet, rule: MissingRule = "best_side") -> WithMissing:
        """Make a data set complete, except for missing numbers with a branch of their own, and rows that are shared.

        Raises DataSetError if a number is so large that missing ones cannot lie beyond it.
        """
        indices = range(len(original.attributes))
        values = cache(lambda index: np.unique(original.columns[index][~missing_in(original.columns[index])]).tolist())
        few = all(len(values(index)) <= 2 for index in indices)
        readings = tuple(reading for index in indices for reading in _readings(original, index, values, rule, few))
        attributes = tuple(
            Attribute(str(index), AttributeKind.NOMINAL, tuple(map(str, reading.groups)))
            if reading.groups or not (reading.far or original.columns[reading.attribute].dtype.kind == "f")
            else Attribute(str(index), AttributeKind.NUMERIC)
            for index, reading in enumerate(readings)
        )
        columns = tuple(_column(original.columns[reading.attribute], reading) for reading in readings)
        return WithMissing(original, replace(original, attributes=attributes, columns=columns), readings)

    def select(self, rows: NDArray[np.integer[Any]], attributes: Container[int]) -> WithMissing:
        """The same for some rows and some attributes of `original`, whose trees keep the attributes' indices."""
        readings = tuple(reading for reading in self.readings if reading.attribute in attributes)
        return WithMissing(self.original.take(rows), self.data_of(rows, attributes), readings)

    def data_of(self, rows: NDArray[np.integer[Any]], attributes: Container[int]) -> DataSet:
        """The complete data set of some rows and some attributes of `original`."""
        chosen = [index for index, reading in enumerate(self.readings) if reading.attribute in attributes]
        return self.data.select(chosen).take(rows)

    def solution(self, result: Solution) -> Solution:
        """The solution for `original`, from the one for `data`."""
        return replace(result, tree=self.tree(result.tree), frontier=self.frontier(result.frontier))

    def frontier(self, result: Frontier) -> Frontier:
        """The frontier for `original`, from the one for `data`."""
        return Frontier(replace(point, tree=self.tree(point.tree)) for point in result)

    def tree(self, result: DecisionTree) -> DecisionTree:
        """The tree for `original`, from the one for `data`, with the same nodes.

        Where no row of a node lacks its value, missing values go to the child of greatest weight, as in scikit-learn's
        trees; at a nominal attribute of more than two values they stay at the node, as unknown labels do.
        """
        weight = result.counts.sum(axis=1)
        splits = [self._split(result, node, rows, weight) for node, rows in result.rows_of_nodes(self.data.values())]
        inner = result.kind != NodeKind.TERMINAL
        attribute, kind = result.attribute.copy(), result.kind.copy()
        attribute[inner] = [self.readings[searched].attribute for searched in attribute[inner].tolist()]
        numeric = np.array([about.kind is AttributeKind.NUMERIC for about in self.original.attributes])
        kind[inner] = np.where(numeric[attribute[inner]], NodeKind.BOUNDS, NodeKind.CODES)
        number = [len(split.to) for split in splits]
        value = np.array([value for split in splits for value in split.to], np.float64)
        by_bound = np.repeat(kind == NodeKind.BOUNDS, number)
        return replace(
            result,
            kind=kind,
            attribute=attribute,
            edges=np.cumsum([0, *number]),
            edge_code=np.where(by_bound, 0, value).astype(np.int32),
            edge_bound=np.where(by_bound, value, np.inf),
            edge_to=np.array([to for split in splits for to in split.to.values()], np.int32),
            unknown_to=np.array([split.unknown for split in splits], np.int32),
        )

    def _split(self, tree: DecisionTree, node: int, rows: NDArray[np.int64], weight: NDArray[np.float64]) -> _Split:
        """The children of a node, which rows of `data` reach."""
        if tree.kind[node] == NodeKind.TERMINAL:
            return _Split({})
        reading = self.readings[tree.attribute[node]]
        edges = tree.edges_of(node)
        to = tree.edge_to[edges].tolist()
        column = self.original.columns[reading.attribute]
        if reading.groups:
            split = _by_groups(reading.groups, tree.edge_code[edges].tolist(), to)
            if column.dtype.kind == "f":
                split = split._replace(to=_bounded(split.to))
        elif reading.far:
            split = _by_bound(reading.far, float(tree.edge_bound[edges][0]), to, column)
            if column.dtype.kind != "f":
                split = split._replace(to=_by_code(split.to, column))
        else:
            split = _Split(dict(zip(tree.edge_bound[edges].tolist(), to, strict=True)), int(tree.unknown_to[node]))
        may_lack = reading.attribute in self.original.incomplete and (split.unknown != NO_NODE or not reading.groups)
        if may_lack and not missing_in(column[rows]).any():
            split = split._replace(unknown=max(to, key=lambda child: weight[child]))
        return split


def can_be_completed(instance: Instance) -> bool:
    """Whether an instance has the same trees as an instance with a complete data set."""
    return not instance.data.incomplete or instance.missing == "best_side" or has_branches_for_labels(instance)


def has_branches_for_labels(instance: Instance) -> bool:
    """Whether only labels are missing, and have a branch of their own: the search takes such rows as they are."""
    attributes, incomplete = instance.data.attributes, instance.data.incomplete
    nominal = all(attributes[index].kind is AttributeKind.NOMINAL for index in incomplete)
    return instance.missing == "own_branch" and nominal


def solved(instance: Instance, solve: Callable[[Instance], Solution]) -> Solution:
    """The solution of an instance that can be completed, by a function that solves complete ones."""
    if not instance.data.incomplete or has_branches_for_labels(instance):
        return solve(instance)
    completed = WithMissing.of(instance.data, instance.missing or "best_side")
    return completed.solution(solve(replace(instance, data=completed.data)))


def _readings(
    original: DataSet, index: int, values: Callable[[int], list[float]], rule: MissingRule, all_few: bool
) -> Iterator[_Reading]:
    """The attributes that an attribute of a data set becomes.

    values  : gives the known values of the attribute at an index
    all_few : whether all attributes have at most two values
    """
    about = original.attributes[index]
    numeric = about.kind is AttributeKind.NUMERIC
    as_it_is = rule == "all_branches" or (rule == "own_branch" and numeric)
    if as_it_is or index not in original.incomplete:
        yield _Reading(index, () if numeric else tuple((code,) for code in range(len(about.labels))))
        return
    known = values(index)
    few = len(known) <= 2 and rule == "best_side"
    if len(known) < 2 or (few and (all_few or known[-1] - known[0] > FAR)):
        yield _Reading(index, (tuple(known), (np.nan,)))
        if len(known) == 2:
            yield _Reading(index, ((known[0], np.nan), (known[1],)))
            yield _Reading(index, ((known[0],), (known[1], np.nan)))
    elif numeric or few:
        far = _beyond(about.name, max(-known[0], known[-1]))
        yield _Reading(index, far=-far)
        yield _Reading(index, far=far)
    else:
        yield _Reading(index, (*((code,) for code in known), (np.nan,)))


def _beyond(name: str, largest: float) -> float:
    """A number so far beyond the largest of an attribute that a cut halfway to it is beyond the largest, too."""
    for far in (FAR, FARTHEST):
        if largest < far / 4:
            return far
    raise DataSetError(
        f"attribute {name!r} has missing values and a number of size {largest:g}: expected numbers from "
        f"-{FARTHEST / 4:g} to {FARTHEST / 4:g} in such an attribute; scale the numbers, or fill the missing values"
    )


def _column(column: Column, reading: _Reading) -> Column:
    """The column of the complete data set."""
    absent = missing_in(column)
    if not absent.any() or not (reading.groups or reading.far):
        return column
    if not reading.groups:
        return np.where(absent, reading.far, column)
    codes = np.full(len(column), MISSING, np.int32)
    for code, group in enumerate(reading.groups):
        for value in group:
            codes[absent if math.isnan(value) else column == value] = code
    return codes


def _by_groups(groups: Sequence[Sequence[float]], codes: Sequence[int], to: Sequence[int]) -> _Split:
    """A split by labels that stand for groups."""
    child_of = {value: child for code, child in zip(codes, to, strict=True) for value in groups[code]}
    unknown = [child for value, child in child_of.items() if np.isnan(value)]
    return _Split({value: child for value, child in child_of.items() if not np.isnan(value)}, *unknown)


def _bounded(to: dict[float, int]) -> dict[float, int]:
    """The children by bound of a number that has one value or two."""
    least, most = min(to), max(to)
    return {np.inf: to[most]} if to[least] == to[most] else {cut_between(least, most): to[least], np.inf: to[most]}


def _by_code(to: dict[float, int], column: Column) -> dict[float, int]:
    """The children by code of an attribute of two labels, from those by bound."""
    codes = np.unique(column[~missing_in(column)])
    return {code: next(to[bound] for bound in sorted(to) if code <= bound) for code in codes.tolist()}


def _by_bound(far: float, bound: float, to: Sequence[int], column: Column) -> _Split:
    """A split in two at a bound, which may lie beyond all numbers, so that missing ones are alone."""
    with_missing, without = to if far < 0 else to[::-1]
    known = column[~missing_in(column)]
    if not known.min() <= bound < known.max():
        return _Split({np.inf: without}, with_missing)
    return _Split({bound: to[0], np.inf: to[1]}, with_missing)
