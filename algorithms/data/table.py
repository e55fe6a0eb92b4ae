"""Decision tables: coded categorical attributes and a decision, rows pairwise different (Alkhalid et al. 2013)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.array_types import unmasked
from algorithms.data.data_set import Attribute, is_missing
from algorithms.measures.partitions import joint_numbers
from algorithms.options import check_choice, check_type, made_by
from algorithms.plurals import counted

__all__ = ["MAX_CODE", "DecisionTable", "DecisionTies", "EqualRows", "Labels", "TableError"]

MAX_CODE = 2**20 - 1
CODES, WEIGHTS = range(MAX_CODE + 1), range(1, 2**40 + 1)
MENDS = {
    CODES: "Fill missing values; if the values are labels, use DecisionTable.from_labels",
    WEIGHTS: "Leave out rows without weight; divide or multiply all weights by the same number",
}
"""What to do about numbers outside of these ranges."""

EqualRows = Literal["majority", "refuse"]
DecisionTies = Literal["sorted", "first_seen"]
Integers = NDArray[np.integer[Any]]


class TableError(ValueError):
    """The arguments do not make a decision table; the message says why."""


@dataclass(frozen=True)
class Labels:
    """The names behind the numbers of a table or a tree.

    Parameters
    ----------
    attributes : tuple of str
        The name of each attribute.
    values : tuple of sequences
        For each attribute, the label of each code.
    decisions : sequence
        The label of each decision.
    units : tuple of str, default ()
        The unit of each attribute's numbers. An empty tuple means that no attribute has a unit.

    Examples
    --------
    >>> from orchard import Labels
    >>> Labels(("wind",), (("strong", "weak"),), ("play", "stay")).values[0][1]
    'weak'
    """

    attributes: tuple[str, ...]
    values: tuple[Sequence[Hashable], ...]
    decisions: Sequence[Hashable]
    units: tuple[str, ...] = ()

    @staticmethod
    def of(attributes: Sequence[Attribute], decisions: Sequence[Hashable]) -> Labels:
        """The labels of a table that has these attributes of a data set, and these labels of decisions."""
        return Labels(
            attributes=tuple(attribute.name for attribute in attributes),
            values=tuple(attribute.labels for attribute in attributes),
            decisions=decisions,
            units=tuple(attribute.unit for attribute in attributes),
        )

    @staticmethod
    def numbered(values: Sequence[int], decisions: int) -> Labels:
        """Names f1, f2, … for attributes with these numbers of values; codes and decisions are labelled by number."""
        return Labels(tuple(f"f{i + 1}" for i in range(len(values))), tuple(map(range, values)), range(decisions))


@made_by("DecisionTable.from_labels(columns, decisions)")
@dataclass(frozen=True, eq=False)
class DecisionTable:
    """Rows of coded attributes, each with a decision. `from_codes` and `from_labels` make and check a table.

    Attributes
    ----------
    codes : ndarray of shape (rows, attributes), int32
        The code of each value, 0 or more.
    decisions : ndarray of shape (rows,), int32
        The decision of each row, 0 or more.
    weights : ndarray of shape (rows,), int64
        The weight of each row, 1 or more.
    labels : Labels
        The names of the attributes, codes and decisions.

    Examples
    --------
    >>> from orchard import DecisionTable
    >>> columns = {"outlook": ["sun", "rain", "sun"], "wind": ["weak", "weak", "weak"]}
    >>> DecisionTable.from_labels(columns, ["play", "stay", "play"])
    <DecisionTable: 2 rows, 2 attributes, 2 decisions>
    """

    codes: NDArray[np.int32]
    decisions: NDArray[np.int32]
    weights: NDArray[np.int64]
    labels: Labels

    def __repr__(self) -> str:
        sizes = (self.rows, "row"), (self.attributes, "attribute"), (self.n_decisions, "decision")
        return f"<DecisionTable: {', '.join(counted(*size) for size in sizes)}>"

    @property
    def rows(self) -> int:
        """Number of rows, whatever their weights."""
        return len(self.decisions)

    @property
    def attributes(self) -> int:
        """Number of attributes."""
        return int(self.codes.shape[1])

    @property
    def size(self) -> int:
        """N(T): the sum of the row weights; the number of rows if all weights are 1."""
        return int(self.weights.sum())

    @property
    def values(self) -> NDArray[np.int64]:
        """(attributes,): the number of codes that each attribute may have."""
        return np.array([len(labels) for labels in self.labels.values], dtype=np.int64)

    @property
    def n_decisions(self) -> int:
        """The number of decisions that rows may have."""
        return len(self.labels.decisions)

    def decision_counts(self, rows: Integers | None = None) -> NDArray[np.int64]:
        """(decisions,): the total weight of each decision, over all rows or over the rows with the given indices."""
        chosen = slice(None) if rows is None else rows
        return _sums(self.weights[chosen], self.decisions[chosen], self.n_decisions)

    @staticmethod
    def from_codes(
        codes: ArrayLike,
        decisions: ArrayLike,
        *,
        weights: ArrayLike | None = None,
        equal_rows: EqualRows = "majority",
        decision_ties: DecisionTies = "sorted",
        labels: Labels | None = None,
    ) -> DecisionTable:
        """A table from codes of shape (rows, attributes) and decisions of shape (rows,).

        Codes and decisions are whole numbers from 0 to `MAX_CODE`. Equal rows are merged: they become one row, at the
        position of the first, with their most common decision (Alkhalid et al. 2013, section 5). If several decisions
        are the most common, `decision_ties="sorted"` takes the smallest code, and `decision_ties="first_seen"` takes
        the decision that comes first in the order of the rows. With `equal_rows="refuse"`, equal rows are an error.

        Without `weights`, each row of the table has weight 1, even if it was merged from several rows. With `weights`,
        the weight of a merged row is the sum of the weights of its rows, and its decision is the decision with the most
        weight. With `weights=np.ones(rows)`, the weight of a merged row is the number of its rows.

        A table without attributes has one row. By default the `labels` are the codes themselves.

        Raises
        ------
        TableError
            There are no rows, or rows of different lengths; `codes`, `decisions` and `weights` differ in length; codes
            are missing, negative, fractional or too large; weights are below 1, fractional or above 2**40; there are
            too few labels; equal rows are refused; or `equal_rows` or `decision_ties` has an unknown value.
        """
        check_choice("equal_rows", equal_rows, get_args(EqualRows), TableError)
        check_choice("decision_ties", decision_ties, get_args(DecisionTies), TableError)
        coded = _whole_numbers(codes, "codes", dimensions=2)
        decided = _whole_numbers(decisions, "decisions", dimensions=1)
        if len(coded) != len(decided):
            sizes = f"{counted(len(coded), 'row')} for {counted(len(decided), 'decision')}"
            raise TableError(f"`codes` has {sizes}: give one decision per row")
        if not len(decided):
            raise TableError("the table has no rows: a decision table needs at least one row")
        counts = np.ones(len(decided), np.int64)
        if weights is not None:
            counts = _whole_numbers(weights, "weights", dimensions=1, allowed=WEIGHTS).astype(np.int64)
            if len(counts) != len(decided):
                sizes = f"{counted(len(counts), 'entry', 'entries')} for {counted(len(decided), 'row')}"
                raise TableError(f"`weights` has {sizes}: give one weight per row")
        if labels is None:
            labels = Labels.numbered((coded.max(axis=0) + 1).tolist(), int(decided.max()) + 1)
        else:
            check_type("labels", labels, Labels, "Labels.numbered(values, decisions)")
            _check_labels(labels, coded, decided)
        return _without_equal_rows(
            coded, decided, counts, labels, equal_rows, decision_ties, keep_weights=weights is not None
        )

    @staticmethod
    def from_labels(
        columns: Mapping[str, Sequence[Hashable]],
        decisions: Sequence[Hashable],
        *,
        weights: ArrayLike | None = None,
        equal_rows: EqualRows = "majority",
        decision_ties: DecisionTies = "sorted",
    ) -> DecisionTable:
        """A table from columns of labels, by the names of their attributes, and the decision of each row.

        The columns may also be a pandas frame. Labels are coded in sorted order, or in the order of first appearance if
        they cannot be sorted. Everything else is as in `from_codes`.

        Raises
        ------
        TypeError
            The columns have no names.
        TableError
            As in `from_codes`; also if a label is missing (None, NaN, pandas.NA), columns have different lengths or two
            columns have the same name.
        """
        if not hasattr(columns, "items"):
            raise TypeError(
                f"`columns` is of type {type(columns).__name__}: expected a dict from the name "
                "of each attribute to its labels, or a data frame"
            )
        coded_columns: dict[str, tuple[NDArray[np.int64], tuple[Hashable, ...]]] = {}
        for name, labels_of_rows in ((str(name), labels) for name, labels in columns.items()):
            if name in coded_columns:
                raise TableError(f"two columns are called {name!r}: rename one of them")
            coded_columns[name] = _coded(name, labels_of_rows)
        decided, decision_labels = _coded("the decision", decisions)
        for name, (codes, _) in coded_columns.items():
            if len(codes) != len(decided):
                sizes = f"{counted(len(codes), 'label')} for {counted(len(decided), 'decision')}"
                raise TableError(f"attribute {name!r} has {sizes}: expected one label for each decision")
        columns_of_codes = [codes for codes, _ in coded_columns.values()]
        codes = np.array(columns_of_codes, np.int64).reshape(len(columns_of_codes), len(decided)).T
        labels = Labels(
            attributes=tuple(coded_columns),
            values=tuple(values for _, values in coded_columns.values()),
            decisions=decision_labels,
        )
        return DecisionTable.from_codes(
            codes, decided, weights=weights, equal_rows=equal_rows, decision_ties=decision_ties, labels=labels
        )


def _whole_numbers(given: ArrayLike, name: str, *, dimensions: int, allowed: range = CODES) -> Integers:
    try:
        numbers = np.asarray(unmasked(given))
    except ValueError as error:
        raise TableError(f"the rows of `{name}` have different lengths: expected rows of the same length") from error
    if dimensions == 2 and numbers.size == 0 and numbers.ndim == 1:
        numbers = numbers.reshape(0, 0)
    if numbers.ndim != dimensions:
        raise TableError(
            f"`{name}` has shape {numbers.shape}: expected {'(rows, attributes)' if dimensions == 2 else '(rows,)'}"
        )
    if numbers.size == 0:
        return numbers.astype(np.int32)
    if numbers.dtype.kind not in "iuf":
        raise TableError(f"`{name}` has type {numbers.dtype}: expected whole numbers. {MENDS[allowed]}")
    wrong = np.isnan(numbers) | (numbers != np.floor(numbers)) | (numbers < allowed[0]) | (numbers > allowed[-1])
    if wrong.any():
        cell = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f"row {cell[0]}" + (f", attribute {cell[1]}" if dimensions == 2 else "")
        value = numbers[cell]
        found = "a missing value" if np.isnan(value) else value
        expected = f"expected a whole number from {allowed[0]} to {allowed[-1]}"
        raise TableError(f"`{name}` has {found} in {where}: {expected}. {MENDS[allowed]}")
    return numbers.astype(np.int64 if allowed is WEIGHTS else np.int32)


def _check_labels(labels: Labels, codes: Integers, decisions: Integers) -> None:
    if len(labels.attributes) != codes.shape[1] or len(labels.values) != codes.shape[1]:
        raise TableError(
            f"`labels` has names for {counted(len(labels.attributes), 'attribute')} and values for "
            f"{len(labels.values)}: expected both for each of the table's {counted(codes.shape[1], 'attribute')}"
        )
    tops = [*(int(top) for top in codes.max(axis=0)), int(decisions.max())]
    names = [*labels.attributes, "the decision"]
    for name, top, values in zip(names, tops, [*labels.values, labels.decisions], strict=True):
        if top >= len(values):
            raise TableError(
                f"{name} has code {top}, but only {counted(len(values), 'label')}: expected codes below {len(values)}"
            )


def _without_equal_rows(
    codes: Integers,
    decisions: Integers,
    weights: NDArray[np.int64],
    labels: Labels,
    equal_rows: EqualRows,
    decision_ties: DecisionTies,
    *,
    keep_weights: bool,
) -> DecisionTable:
    first, merged = _first_of_equal(codes)
    if len(first) < len(codes):
        if equal_rows == "refuse":
            later = int(np.setdiff1d(np.arange(len(codes)), first)[0])
            earlier = int(first[merged[later]])
            which = "different decisions" if decisions[later] != decisions[earlier] else "the same decision"
            raise TableError(
                f"rows {earlier} and {later} have equal values and {which}: no two rows may have equal values. "
                'equal_rows="majority" merges them into one row.'
            )
        # only those pairs of a set of equal rows and a decision that occur: most of all pairs do not
        pair, first_row, pair_of = np.unique(
            merged * len(labels.decisions) + decisions, return_index=True, return_inverse=True
        )
        votes, set_of_pair = _sums(weights, pair_of, len(pair)), merged[first_row]
        best = np.lexsort((first_row if decision_ties == "first_seen" else pair, -votes, set_of_pair))
        decisions = decisions[first_row[best[np.unique(set_of_pair, return_index=True)[1]]]]
        weights = _sums(weights, merged, len(first)) if keep_weights else np.ones(len(first), np.int64)
        codes = codes[first]
    return DecisionTable(
        codes=_frozen(codes, np.int32),
        decisions=_frozen(decisions, np.int32),
        weights=_frozen(weights, np.int64),
        labels=labels,
    )


def _sums(weights: NDArray[np.int64], groups: Integers, number: int) -> NDArray[np.int64]:
    sums = np.zeros(number, np.int64)
    np.add.at(sums, groups, weights)
    return sums


def _first_of_equal(codes: Integers) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(the index of the first row of each set of equal rows, in order; the set that each row belongs to)."""
    _, first, kind = np.unique(joint_numbers(len(codes), codes.T), return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[kind]


def _frozen(array: Integers, kind: type[Any]) -> NDArray[Any]:
    copy = np.array(array, dtype=kind, order="C")
    copy.flags.writeable = False
    return copy


def _coded(name: str, column: Sequence[Hashable]) -> tuple[NDArray[np.int64], tuple[Hashable, ...]]:
    iterable = hasattr(column, "__iter__") or hasattr(column, "__getitem__")
    if isinstance(column, Mapping | set | frozenset) or not iterable:
        raise TypeError(f"{name} is of type {type(column).__name__}: expected a list with a label for each row")
    labels = [label.item() if isinstance(label, np.generic) else label for label in column]
    try:
        absent = next((row for row, label in enumerate(labels) if is_missing(label)), None)
        distinct = list(dict.fromkeys(labels))
    except (TypeError, ValueError) as error:  # arrays are not hashable, and equal or not in each element
        raise TableError(
            f"{name} has a label that is not a single value ({error}): expected labels such as text or numbers"
        ) from error
    if absent is not None:
        raise TableError(f"{name} has no value in row {absent}: fill missing values, or give them a label of their own")
    with suppress(TypeError):  # labels of several kinds keep the order in which they appear
        distinct = sorted(distinct)  # type: ignore[type-var]
    code = {label: index for index, label in enumerate(distinct)}
    return np.array([code[label] for label in labels], dtype=np.int64), tuple(distinct)
