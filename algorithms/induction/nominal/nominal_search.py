"""Trees by a search among separable subtables, within a memory limit: for look-ahead and mid-level search."""

from __future__ import annotations

import numpy as np

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.exact.coded import field_positions, write_fields
from algorithms.exact.slots import Slots
from algorithms.exact.subtables import GraphTooLargeError
from algorithms.induction.nominal.nominal_growth import empty_growth, empty_tally, nominal_table, tree_of
from algorithms.induction.nominal.subtable_memo import RowWords, SubtableMemo
from algorithms.induction.nominal.subtable_search import LookAheadRule, SubtableLevels, SubtableSearch, grow_by_search
from algorithms.induction.nominal.tally import NominalTable
from algorithms.kernel_arrays import arrays_of
from algorithms.trees.decision_tree import DecisionTree

DEFAULT_LIMIT = 2**31
"""Bytes for the stored subtables: 2 GiB."""

FIRST_SLOTS = 2**10


def searched_tree(data: DataSet, weights: Numbers, rule: LookAheadRule, limit: int) -> DecisionTree:
    """The tree of a search by this rule; horizon and width are capped at the number of attributes.

    Raises GraphTooLargeError if the stored subtables would take more than `limit` bytes.
    """
    table = nominal_table(data, weights)
    rows, attributes = table.codes.shape
    # with one level more than there are attributes, nothing has to be estimated
    horizon = attributes + 1 if rule.horizon >= attributes else rule.horizon
    rule = rule._replace(horizon=horizon, width=min(rule.width, attributes))
    words = _words(table)
    growth = empty_growth(table)
    levels = arrays_of(
        SubtableLevels,
        levels=min(rows, attributes) + 2,
        attributes=attributes,
        values=int(table.first_value[-1]),
        words=words.word.shape[1] + 1,
    )
    search = SubtableSearch(table, words, empty_tally(table), growth, rule, levels, limit)
    slots = Slots(np.zeros((FIRST_SLOTS, levels.word.shape[1]), np.uint64), np.zeros(FIRST_SLOTS, np.int64))
    entries = FIRST_SLOTS // 2
    memo = SubtableMemo(slots, np.zeros(entries), np.zeros(entries, np.int32), np.zeros(1, np.int64))
    if not grow_by_search(search, memo):
        raise GraphTooLargeError(
            f"the search for a tree for {rows:,} rows and {attributes:,} attributes outgrew its limit of {limit:,} "
            "bytes for stored subtables. Raise `limit`, reduce the depth or width of the search, or give fewer "
            "attributes or rows."
        )
    return tree_of(table, growth)


def _words(table: NominalTable) -> RowWords:
    """The rows as words, the field of the decision first, so that no word is 0."""
    bits = [max(1, int(values - 1).bit_length()) for values in (table.n_decisions, *np.diff(table.first_value))]
    in_word, shift = field_positions(bits)
    words = np.zeros((len(table.weights), in_word[-1] + 1), np.uint64)
    columns = [table.decisions, *table.codes.T]
    write_fields(words, [(width, column.astype(np.int64)) for width, column in zip(bits, columns, strict=True)])
    return RowWords(words, *(np.array(field[1:] + field[:1], np.uint64) for field in (in_word, shift, bits)))
