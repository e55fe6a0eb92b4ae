"""Minima of a subtable of at most 64 rows by branch and bound, without most of the graph below it.

The subtables below it are sets of rows, a machine word with a bit for each row. A split is skipped if bounds show that
it improves none of the five costs; its branches are then not searched. Bounds come from the weights of the branches and
from known minima. Minima are stored in a hash table, whose key is the word of `row_words_search`: every search that
meets the same subtable uses them.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner, outer
from algorithms._numba.primitives import lane_min, lowest, popcount
from algorithms.exact.packed_cost import (
    KNOWN_DEPTHS,
    KNOWN_SUMS,
    PAIR,
    TERMINAL,
    cost_of_three,
    deeper,
    nonterminal,
    ways_to_split_three,
)
from algorithms.exact.slots import hash_of_word
from algorithms.kernel_arrays import array

MOST_ROWS = 64
FEWEST_KEPT = np.uint64(5)
"""The fewest rows of a subtable whose minima are stored. With fewer rows, it is faster to compute the minima again."""

ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
DEPTH_SHIFT = np.uint64(56)
TERMINAL_SUMS = KNOWN_SUMS[TERMINAL]
SPLIT_SUMS = KNOWN_SUMS[PAIR] - TWO
"""The sums word of one split into two leaves, without path length. With the weight of the rows added, which is its path
length, it is a lower bound for any subtable with several decisions."""
NO_SUMS, NO_DEPTH = KNOWN_SUMS[-1], KNOWN_DEPTHS[-1]
"""The packed costs of no tree at all."""


class FewRows(NamedTuple):
    """A subtable of at most 64 rows, scratch for the search below it, and the known minima.

    Row i is bit i of a set of rows. Costs are packed as in `packed_cost`; the caller ensures that the total path length
    of any tree fits its lane. The search is depth-first: an array of `levels` has an entry for each subtable in
    progress, the root first.

    A slot of `minima` is the word of a subtable, followed by its minima in one more machine word. Bits 0 to 55 are the
    sums word, whose highest lane needs only 8 bits, since there are at most 64 leaves; bits 56 to 63 are the depth. A
    slot is empty if its first word is 0, which no subtable has. The table has linear probing.
    """

    word: Any = array("rows words", np.uint64)  # the word of each row, as in `row_words_search.CodedTable`
    tops: Any = array("words", np.uint64)  # the highest bit of the code of each attribute
    rests: Any = array("words", np.uint64)  # the other bits of the codes
    other: Any = array("65", np.uint64)  # the rows whose decision differs from that of a row; the last is 0
    part: Any = array("parts", np.uint64)  # the rows of each branch of each attribute on which the rows differ
    first_part: Any = array("attributes+1")  # where the branches of each of these attributes begin in `part`
    number: Any = array("branches", np.uint8)  # all 0: scratch for the number of each branch of an attribute
    key: Any = array("1 words", np.uint64)  # scratch: the word of the subtable that was looked up last
    plane: Any = array("bits", np.uint64)  # plane k: the rows whose weight less 1 has bit k; none if all weights are 1
    rows: Any = array("levels", np.uint64)  # the rows of the subtable
    least: Any = array("levels", np.uint64)  # the least costs so far, packed, without the subtable's own node
    least_depth: Any = array("levels", np.uint64)
    sums: Any = array("levels", np.uint64)  # a lower bound of the costs of the split in progress
    depth: Any = array("levels", np.uint64)
    next_open: Any = array("levels")  # index in `open` of the next attribute
    next_part: Any = array("levels")  # index in `part` of the next branch of the split in progress
    last_part: Any = array("levels")  # the end of its branches
    first_varying: Any = array("levels+1")  # where the attributes of the subtable begin in `varying`
    first_open: Any = array("levels+1")  # where they begin in `open` and `bound`
    varying: Any = array("levels*attributes", np.uint32)  # the attributes on which the rows differ
    open: Any = array("levels*attributes", np.uint32)  # those whose split has a branch that needs a search
    bound: Any = array("levels*attributes", np.uint64)  # lower bounds, as sums words, of the splits by these
    minima: Any = array("slots words+1", np.uint64)  # hash table of known minima, see above
    known: Any = array("1")  # how many of its slots are taken


@inlined
def load_few(table, few, stack, first, end):
    """Load the rows `first` to `end` of a stack, at most 64: (number of attributes on which they differ, all rows).

    The rows, and the attributes on which they differ, are numbered from 0 on.
    """
    decision = (ONE << table.bits[len(table.bits) - 1]) - ONE
    for i in range(end - first):
        for k in range(few.word.shape[1]):
            few.word[i, k] = table.word[stack.boxes[first + i], k]
    every_row = ~ZERO >> np.uint64(MOST_ROWS - (end - first))
    left = every_row
    while left != ZERO:
        decision_of_row, alike = few.word[lowest(left), 0] & decision, ZERO
        for i in range(end - first):
            alike |= np.uint64(few.word[i, 0] & decision == decision_of_row) << np.uint64(i)
        for i in range(end - first):
            if alike >> np.uint64(i) & ONE != ZERO:
                few.other[i] = every_row & ~alike
        left &= ~alike
    for k in range(len(few.plane)):
        few.plane[k] = ZERO
        for i in range(first, end):
            few.plane[k] |= (np.uint64(stack.sizes[i] - 1) >> np.uint64(k) & ONE) << np.uint64(i - first)
    parts, attributes = 0, 0
    for attribute in range(len(table.bits) - 1):
        begin = parts
        for i in range(first, end):
            branch = table.branch[stack.boxes[i], attribute]
            if few.number[branch] == 0:
                few.part[parts] = ZERO
                parts += 1
                few.number[branch] = parts - begin
            few.part[begin + few.number[branch] - 1] |= ONE << np.uint64(i - first)
        for i in range(first, end):
            few.number[table.branch[stack.boxes[i], attribute]] = 0
        if parts == begin + 1:
            parts = begin
        else:
            attributes += 1
            few.first_part[attributes] = parts
    return attributes, every_row


@inlined
def _find(few, rows):
    """The slot of `minima` for a set of rows, empty if their minima are not known; writes their word to `key`."""
    width = few.word.shape[1]
    for k in range(width):
        word, left = ZERO, rows
        while left != ZERO:
            word |= few.word[lowest(left), k]
            left &= left - ONE
        few.key[0, k] = word
    last = np.uint64(len(few.minima) - 1)
    slot = hash_of_word(few.key, 0, width) & last
    while few.minima[slot, 0] != ZERO:
        equal = few.minima[slot, 0] == few.key[0, 0]
        for k in range(1, width):
            equal &= few.minima[slot, k] == few.key[0, k]
        if equal:
            break
        slot = (slot + ONE) & last
    return slot


@outer
def rehash_minima(minima, larger):
    """Copy all minima of a hash table into `larger`, an empty one."""
    last, width = np.uint64(len(larger) - 1), minima.shape[1] - 1
    for old in range(len(minima)):
        if minima[old, 0] != ZERO:
            slot = hash_of_word(minima, old, width) & last
            while larger[slot, 0] != ZERO:
                slot = (slot + ONE) & last
            for k in range(width + 1):
                larger[slot, k] = minima[old, k]


@inlined
def _differing(few, k, i, j):
    """The attributes with fields in machine word k on which two rows differ, as the highest bits of their codes."""
    difference = few.word[i, k] ^ few.word[j, k]
    return ((difference & few.rests[k]) + few.rests[k] | difference) & few.tops[k]


@inlined
def _cost_of_three(few, rows):
    """The index in KNOWN_SUMS of the minima of three rows of several decisions: split by decision, in three, or twice.

    As `batch.small_subtables.splits_of_three`, for the words of this module.
    """
    i, rest = lowest(rows), rows & (rows - ONE)
    j, k = lowest(rest), lowest(rest & (rest - ONE))
    unlike_ij, unlike_ik, unlike_jk = few.other[i] >> j & ONE, few.other[i] >> k & ONE, few.other[j] >> k & ONE
    by_decision, in_three = ZERO, ZERO
    for at in range(few.word.shape[1]):
        ij, ik, jk = _differing(few, at, i, j), _differing(few, at, i, k), _differing(few, at, j, k)
        two, three = ways_to_split_three(ij, ik, jk, unlike_ij, unlike_ik, unlike_jk)
        by_decision, in_three = by_decision | two, in_three | three
    return cost_of_three(by_decision, in_three)


@inlined
def _weight(few, rows):
    """Sum of row weights."""
    weight = popcount(rows)
    for k in range(len(few.plane)):
        weight += popcount(rows & few.plane[k]) << np.uint64(k)
    return weight


@inlined
def _list_attributes(few, level, attributes, rows):
    """List the attributes on which the rows of a level differ, and begin its minima.

    If no branch of a split needs a search, its costs lower the minima at once. Otherwise the attribute is listed in
    `open`, with a lower bound.
    """
    above, above_end, end = np.int64(0), np.int64(attributes), np.int64(0)
    if level:
        above, above_end = few.first_varying[level - 1], few.first_varying[level]
        end = above_end
    first_open = np.int64(few.first_open[level])
    last_open = first_open
    least, least_depth = NO_SUMS, NO_DEPTH
    for i in range(above, above_end):
        attribute = np.int64(few.varying[i]) if level else i
        sums, depth, is_open, constant = ZERO, ZERO, False, False
        for at in range(few.first_part[attribute], few.first_part[attribute + 1]):
            part = rows & few.part[at]
            size = popcount(part)
            several = ZERO - np.uint64(part & few.other[lowest(part)] != ZERO)  # all ones or 0
            sums += (TERMINAL_SUMS if part != ZERO else ZERO) + (
                several & (SPLIT_SUMS - TERMINAL_SUMS + _weight(few, part))
            )
            depth |= several & ONE
            is_open |= (several != ZERO) & (size > TWO)
            constant |= part == rows
        few.varying[end] = attribute
        end += np.int64(not constant)
        few.open[last_open], few.bound[last_open] = attribute, sums
        last_open += np.int64(is_open & (not constant))
        if not (is_open | constant):
            least, least_depth = lane_min(least, sums), least_depth & depth
    few.least[level], few.least_depth[level] = least, least_depth
    few.first_varying[level + 1], few.first_open[level + 1] = end, last_open


@inlined
def _improves(sums, depth, least, least_depth):
    """Whether at least one of five packed costs is below the least so far."""
    return (lane_min(sums, least) != least) | (least_depth & ~depth != ZERO)


@inlined
def _sums(few, slot):
    """The sums word of the minima in a slot."""
    return few.minima[slot, few.word.shape[1]] & ((ONE << DEPTH_SHIFT) - ONE)


@inlined
def _depth(few, slot):
    """The depth word of the minima in a slot."""
    return (ONE << (few.minima[slot, few.word.shape[1]] >> DEPTH_SHIFT)) - ONE


@inner
def minima_of_few(few, attributes, every_row):
    """(sums, depth, fits): the packed minima of the rows that `load_few` loaded, which have several decisions.

    `fits` is False if `minima` is too full; a search with a larger table begins again, with all minima found so far.
    """
    slot = _find(few, every_row)
    if few.minima[slot, 0] != ZERO:
        return _sums(few, slot), _depth(few, slot), True
    level, rows, entering = 0, every_row, True
    while True:
        if entering:
            _list_attributes(few, level, attributes, rows)
            least, least_depth = few.least[level], few.least_depth[level]
            at, end = np.int64(few.first_open[level]), np.int64(few.first_open[level + 1])
            part_at = part_end = np.int64(0)
            sums = depth = ZERO
        # take the open splits in order, up to a part whose minima are not known
        missing = ZERO
        while missing == ZERO:
            if part_at == part_end:
                while at < end and not _improves(few.bound[at], ONE, least, least_depth):
                    at += 1
                if at == end:
                    break
                attribute = np.int64(few.open[at])
                part_at, part_end = np.int64(few.first_part[attribute]), np.int64(few.first_part[attribute + 1])
                sums, depth = few.bound[at], ONE
                at += 1
            part = rows & few.part[part_at]
            part_at += 1
            size = popcount(part)
            if size > TWO and part & few.other[lowest(part)] != ZERO:
                known_sums, known_depth = ZERO, ZERO
                if size == THREE and len(few.plane) == 0:
                    known = _cost_of_three(few, part)
                    known_sums, known_depth = KNOWN_SUMS[known], KNOWN_DEPTHS[known]
                elif size >= FEWEST_KEPT:
                    slot = _find(few, part)
                    if few.minima[slot, 0] != ZERO:
                        known_sums, known_depth = _sums(few, slot), _depth(few, slot)
                if known_sums == ZERO:
                    missing = part
                    break
                sums += known_sums - SPLIT_SUMS - _weight(few, part)
                depth |= known_depth
                if not _improves(sums, depth, least, least_depth):
                    part_at = part_end
            if part_at == part_end:
                least, least_depth = lane_min(least, sums), least_depth & depth
        # search that part first, one level down
        if missing != ZERO:
            few.rows[level], few.least[level], few.least_depth[level] = rows, least, least_depth
            few.sums[level], few.depth[level], few.next_open[level] = sums, depth, at
            few.next_part[level], few.last_part[level] = part_at, part_end
            level += 1
            rows, entering = missing, True
            continue
        # all splits are done: store the minima of these rows, and return to the split in progress one level up
        total, total_depth = nonterminal(least, _weight(few, rows)), deeper(least_depth)
        if popcount(rows) >= FEWEST_KEPT:
            if 3 * few.known[0] >= 2 * len(few.minima):
                return ZERO, ZERO, False
            slot = _find(few, rows)
            for k in range(few.word.shape[1]):
                few.minima[slot, k] = few.key[0, k]
            few.minima[slot, few.word.shape[1]] = total | popcount(total_depth) << DEPTH_SHIFT
            few.known[0] += 1
        if level == 0:
            return total, total_depth, True
        level -= 1
        sums = few.sums[level] + total - SPLIT_SUMS - _weight(few, rows)
        depth = few.depth[level] | total_depth
        rows, least, least_depth = few.rows[level], few.least[level], few.least_depth[level]
        at, end = np.int64(few.next_open[level]), np.int64(few.first_open[level + 1])
        part_at, part_end, entering = np.int64(few.next_part[level]), np.int64(few.last_part[level]), False
        if not _improves(sums, depth, least, least_depth):
            part_at = part_end
        if part_at == part_end:
            least, least_depth = lane_min(least, sums), least_depth & depth
