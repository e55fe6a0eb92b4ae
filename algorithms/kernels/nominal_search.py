"""Search among the separable subtables below a node, some levels deep and some attributes wide: look-ahead, mid-level.

The least cost of a subtable whose rows have several decisions is: with no level left, `estimate` times their weight
times the entropy of their decisions; else `step` times their weight plus the least, over the attributes that are
expanded, of the sum of what its parts cost with a level less. That of one decision costs nothing. Where rows of several
decisions differ nowhere, it is with a step nothing, for nothing more is asked, and else as with no level left.

A subtable is told apart from all others by its word, the OR of those of its rows, in which every attribute has a field
(see `algorithms.kernels.subtable_graph`). What was found of it is kept with its word and the levels left.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.nominal_growth import (
    NO_ATTRIBUTE,
    TIE,
    first_least,
    n_log_n,
    next_node,
    part_rows,
    split_node,
    tabulate,
    tabulate_decisions,
    write_scores,
)
from algorithms.kernels.subtable_slots import Slots, find_slot, is_empty, put, rehash

__all__ = ["Levels", "Memo", "Rule", "Words", "grow_by_search"]

ONE = np.uint64(1)


class Rule(NamedTuple):
    """What is searched for.

    horizon : levels looked ahead; more than there are attributes where none is the last
    width   : how many of the attributes of least score are expanded in a subtable; all where the horizon is less
    score   : the Score by which they are chosen; read where not all are
    step, estimate : see the module
    shorter : whether attributes that tie at the horizon are told apart at shorter ones
    """

    horizon: Any
    width: Any
    score: Any
    step: Any
    estimate: Any
    shorter: Any


class Words(NamedTuple):
    """The rows as words.

    word (rows, machine words) uint64; in_word, shift, bits (attributes + 1,) uint64: where the field of each attribute
    is, and last that of the decision; half the width of the field
    """

    word: Any
    in_word: Any
    shift: Any
    bits: Any


class Memo(NamedTuple):
    """What was found: the word of a subtable and, as one machine word more, the levels left lead to its place.

    value, attribute (half as many as slots,): the least cost, and the first attribute that has it
    used (1,)        : how many there are
    """

    slots: Any
    value: Any
    attribute: Any
    used: Any


class Levels(NamedTuple):
    """The subtables being searched, each a part of the one before it.

    word              (levels, machine words + 1) uint64
    first, end        (levels,): where its rows begin and end
    size, least, sum  (levels,): its weight; the least cost so far; that of the attribute in hand
    choice            (levels,): the attribute of `least`
    candidates        (levels, attributes); n_candidates, candidate (levels,): those that are expanded; the one in hand
    ends              (values,): where its parts end, level by level
    first_part, part, last_part (levels,): places in `ends`
    tied, ends_of_root : room for the attributes that tie at a node of the tree, and for its parts
    """

    word: Any
    first: Any
    end: Any
    size: Any
    least: Any
    sum: Any
    choice: Any
    candidates: Any
    n_candidates: Any
    candidate: Any
    ends: Any
    first_part: Any
    part: Any
    last_part: Any
    tied: Any
    ends_of_root: Any


class Phase(IntEnum):
    """What the search does next."""

    ENTER = 0
    NEXT_ATTRIBUTE = 1
    NEXT_PART = 2
    LEAVE = 3


@njit(nogil=True, cache=True)
def _write_word(words, rows, first, end, into):
    width = words.word.shape[1]
    for k in range(width):
        into[k] = words.word[rows[first], k]
    for i in range(first + 1, end):
        for k in range(width):
            into[k] |= words.word[rows[i], k]


@njit(nogil=True, cache=True)
def _varies(words, word, attribute):
    """Whether the rows of a word differ in an attribute, or in decision."""
    field = word[words.in_word[attribute]] >> words.shift[attribute]
    bits = words.bits[attribute]
    return field & (field >> bits) & ((ONE << bits) - ONE) != 0


@njit(nogil=True, cache=True)
def _write_varying(words, word, into):
    """Write the attributes on which the rows of a word differ: how many they are."""
    varying = 0
    for attribute in range(len(words.bits) - 1):
        if _varies(words, word, attribute):
            into[varying] = attribute
            varying += 1
    return varying


@njit(nogil=True, cache=True)
def _keep_best(table, tally, part, candidates, width, score):
    """Move the `width` candidates of least score to the front, the least first."""
    size, decision_term, _ = tabulate_decisions(table, tally, part)
    tabulate(table, tally, part, candidates)
    write_scores(tally, candidates, score, size, decision_term)
    for place in range(width):
        # those before have their turn behind them, the others stand in order
        best = first_least(tally, candidates[place:], score)
        at = place
        while candidates[at] != best:
            at += 1
        while at > place:
            candidates[at] = candidates[at - 1]
            at -= 1
        candidates[place] = best


@njit(nogil=True, cache=True)
def _least_step(table, tally, part, candidates, rule, size):
    """(least cost, first attribute that has it) with one level left, from the decisions of the attributes' values."""
    tabulate(table, tally, part, candidates)
    least, chosen = np.inf, NO_ATTRIBUTE
    for attribute in candidates:
        cost = rule.step * size + rule.estimate * max(0.0, tally.size_term[attribute] - tally.joint_term[attribute])
        if cost < least - TIE * size:
            least, chosen = cost, attribute
    return least, chosen


@njit(nogil=True, cache=True)
def _with_room(memo, limit):
    """The memo with room for a finding more; as it is where that would take more than `limit` bytes."""
    if memo.used[0] < len(memo.value):
        return memo
    length, width = 2 * len(memo.slots.number), memo.slots.word.shape[1]
    entry = 8 * (width + 1) + 6  # of a slot, with half of a value and an attribute
    if (length + length // 2) * entry > limit:  # old and new are held at one time
        return memo
    slots = Slots(np.zeros((length, width), np.uint64), np.zeros(length, np.int64))
    rehash(memo.slots, slots)
    value, attribute = np.zeros(length // 2), np.zeros(length // 2, np.int32)
    value[: memo.used[0]], attribute[: memo.used[0]] = memo.value, memo.attribute
    return Memo(slots, value, attribute, memo.used)


@njit(nogil=True, cache=True)
def _least_cost(table, words, tally, rows, scratch, first, end, horizon, rule, levels, memo, limit):
    """Least cost of the subtable of the rows from `first` to `end`, which it reorders: (memo, cost, attribute).

    The attribute is the first that has it, NO_ATTRIBUTE where there is nothing to ask. The cost is NaN where the memo
    would outgrow `limit` bytes.
    """
    last_word = words.word.shape[1]
    level, cost, attribute, phase = 0, 0.0, NO_ATTRIBUTE, Phase.ENTER
    levels.first[0], levels.end[0], levels.last_part[0] = first, end, 0
    while True:
        word = levels.word[level]
        if phase == Phase.ENTER:
            first, end = levels.first[level], levels.end[level]
            cost, attribute, phase = 0.0, NO_ATTRIBUTE, Phase.LEAVE
            _write_word(words, rows, first, end, word)
            if not _varies(words, word, len(words.bits) - 1):
                continue
            part = rows[first:end]
            varying = _write_varying(words, word, levels.candidates[level])
            left = min(horizon - level, varying + 1)  # so many levels are as good as any number
            size, decision_term, _ = tabulate_decisions(table, tally, part)
            if varying == 0:
                if rule.step == 0:
                    cost = rule.estimate * (n_log_n(size) - decision_term)
                continue
            if left == 1:
                candidates = levels.candidates[level, :varying]
                cost, attribute = _least_step(table, tally, part, candidates, rule, size)
                continue
            word[last_word] = np.uint64(left)
            slot = find_slot(memo.slots, levels.word, level)
            if not is_empty(memo.slots, slot):
                found = memo.slots.number[slot]
                cost, attribute = memo.value[found], memo.attribute[found]
                continue
            if rule.width < varying:
                _keep_best(table, tally, part, levels.candidates[level, :varying], rule.width, rule.score)
            levels.n_candidates[level], levels.candidate[level] = min(rule.width, varying), -1
            levels.size[level], levels.least[level], levels.choice[level] = size, np.inf, NO_ATTRIBUTE
            levels.first_part[level] = levels.last_part[level]
            phase = Phase.NEXT_ATTRIBUTE
        elif phase == Phase.NEXT_ATTRIBUTE:
            levels.candidate[level] += 1
            if levels.candidate[level] == levels.n_candidates[level]:
                cost, attribute = levels.least[level], levels.choice[level]
                memo = _with_room(memo, limit)
                found = memo.used[0]
                if found == len(memo.value):
                    return memo, np.nan, NO_ATTRIBUTE
                memo.value[found], memo.attribute[found] = cost, attribute
                put(memo.slots, find_slot(memo.slots, levels.word, level), levels.word, level, found)
                memo.used[0] += 1
                phase = Phase.LEAVE
                continue
            asked = levels.candidates[level, levels.candidate[level]]
            at = levels.first_part[level]
            parts = part_rows(
                table, tally.place, rows, scratch, levels.first[level], levels.end[level], asked, levels.ends[at:]
            )
            levels.part[level], levels.last_part[level] = at, at + parts
            levels.sum[level] = rule.step * levels.size[level]
            phase = Phase.NEXT_PART
        elif phase == Phase.NEXT_PART:
            part_at, better = levels.part[level], levels.least[level] - TIE * levels.size[level]
            if part_at < levels.last_part[level] and levels.sum[level] < better:
                below = level + 1
                begun = part_at > levels.first_part[level]
                levels.first[below] = levels.ends[part_at - 1] if begun else levels.first[level]
                levels.end[below], levels.last_part[below] = levels.ends[part_at], levels.last_part[level]
                levels.part[level] += 1
                level, phase = below, Phase.ENTER
                continue
            if levels.sum[level] < better:
                levels.least[level] = levels.sum[level]
                levels.choice[level] = levels.candidates[level, levels.candidate[level]]
            phase = Phase.NEXT_ATTRIBUTE
        else:
            if level == 0:
                return memo, cost, attribute
            level -= 1
            levels.sum[level] += cost
            phase = Phase.NEXT_PART


@njit(nogil=True, cache=True)
def _first_ahead(table, words, tally, growth, first, end, rule, levels, memo, limit):
    """The first attribute of least cost, ties told apart at shorter and shorter horizons: (memo, attribute, whether)."""
    _write_word(words, growth.rows, first, end, levels.word[0])
    tied = levels.tied[: _write_varying(words, levels.word[0], levels.tied)]
    part = growth.rows[first:end]
    size, _, _ = tabulate_decisions(table, tally, part)
    costs = np.zeros(len(tied))
    for horizon in range(min(rule.horizon, len(tied) + 1), 0, -1):
        if len(tied) < 2:
            break
        if horizon == 1:
            tabulate(table, tally, part, tied)
        for place in range(len(tied)):
            if horizon == 1:
                costs[place] = tally.size_term[tied[place]] - tally.joint_term[tied[place]]
                continue
            parts = part_rows(
                table, tally.place, growth.rows, growth.scratch, first, end, tied[place], levels.ends_of_root
            )
            costs[place], begin = 0.0, first
            for i in range(parts):
                stop = levels.ends_of_root[i]
                memo, cost, _ = _least_cost(
                    table, words, tally, growth.rows, growth.scratch, begin, stop, horizon - 1, rule, levels, memo, limit
                )
                if np.isnan(cost):
                    return memo, NO_ATTRIBUTE, False
                costs[place] += cost
                begin = stop
        least = costs[: len(tied)].min()
        kept = 0
        for place in range(len(tied)):
            if costs[place] <= least + TIE * size:
                tied[kept] = tied[place]
                kept += 1
        tied = tied[:kept]
    return memo, tied[0] if len(tied) else NO_ATTRIBUTE, True


@njit(nogil=True, cache=True)
def grow_by_search(table, words, tally, growth, rule, levels, memo, limit):
    """Grow the tree in which every node asks the first attribute that the search below it finds best.

    Returns how many findings are held at the end, or -1 where these would have taken more than `limit` bytes.
    """
    while growth.counts[0]:
        node, first, end, level = next_node(growth)
        _, _, there = tabulate_decisions(table, tally, growth.rows[first:end])
        if there == 1:
            continue
        if rule.shorter:
            memo, chosen, enough = _first_ahead(table, words, tally, growth, first, end, rule, levels, memo, limit)
        else:
            memo, cost, chosen = _least_cost(
                table, words, tally, growth.rows, growth.scratch, first, end, rule.horizon, rule, levels, memo, limit
            )
            enough = not np.isnan(cost)
        if not enough:
            return -1
        if chosen != NO_ATTRIBUTE:
            split_node(table, tally, growth, levels.ends_of_root, node, level, chosen)
    return memo.used[0]
