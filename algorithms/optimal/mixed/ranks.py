"""The ranks of values, which are their places among the distinct ones, and lists of rows by them."""

from __future__ import annotations

from algorithms._numba.decorators import outer
from algorithms.optimal.mixed.packed_rows import RANK_SHIFT, ROW_BITS, ROW_MASK

__all__ = ["lay_words", "write_ranks", "write_words"]


@outer
def write_ranks(cells, order, ranks, distinct, number):
    """Write the ranks of values and the distinct ones, increasing, of the rows of `cells`, and how many there are.

    cells, ranks, distinct (attributes, rows); order (attributes, rows) : the rows by their values; number (attributes,)
    """
    for attribute in range(len(cells)):
        rank = -1
        for row in order[attribute]:
            value = cells[attribute, row]
            if rank < 0 or value != distinct[attribute, rank]:
                rank += 1
                distinct[attribute, rank] = value
            ranks[attribute, row] = rank
        number[attribute] = rank + 1


@outer
def write_words(ranks, classes, words, free, by_class):
    """Write the rows as words, each list of `words` (attributes, rows) in their order, from ranks of the same shape.

    free (rows or classes and one more,), by_class (rows,) : room to work in
    """
    attributes, rows = ranks.shape
    free[:] = 0
    for row in range(rows):
        free[classes[row] + 1] += 1
    for c in range(len(free) - 1):
        free[c + 1] += free[c]
    for row in range(rows):
        by_class[free[classes[row]]] = row
        free[classes[row]] += 1
    for attribute in range(attributes):
        free[:] = 0
        for row in range(rows):
            free[ranks[attribute, row] + 1] += 1
        for rank in range(rows):
            free[rank + 1] += free[rank]
        for row in by_class:
            rank = ranks[attribute, row]
            words[attribute, free[rank]] = (rank << RANK_SHIFT) | (classes[row] << ROW_BITS) | row
            free[rank] += 1


@outer
def lay_words(words, rows, chosen, arena):
    """Write the lists of `words` (attributes, rows), of these rows alone, to the arena after a table of attributes.

    chosen (rows,) bool : all false
    """
    for row in rows:
        chosen[row] = True
    at = 2 * len(words)
    for attribute in range(len(words)):
        arena[2 * attribute] = attribute
        for word in words[attribute]:
            if chosen[word & ROW_MASK]:
                arena[at] = word
                at += 1
