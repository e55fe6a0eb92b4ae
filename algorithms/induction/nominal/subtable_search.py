"""Search among the separable subtables below a node, some levels deep and some attributes wide: look-ahead, mid-level.

The least cost of a subtable whose rows have several decisions is: with no level left, `estimate` times their weight
times the entropy of their decisions; else `step` times their weight plus the least, over the attributes that are
expanded, of the sum of what its parts cost with a level less. That of one decision costs nothing. Where rows of several
decisions differ nowhere, it is with a step nothing, for nothing more is asked, and else as with no level left.

What was found of a subtable is kept with its word and the levels left: it is met again on other paths.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import allocating, kernel
from algorithms.exact.slots import find_slot, is_empty, put
from algorithms.induction.nominal.score_growth import next_node, part_rows, split_node
from algorithms.induction.nominal.subtable_memo import varies, with_room, write_varying, write_word
from algorithms.induction.nominal.tally import (
    NO_ATTRIBUTE,
    TIE,
    first_least,
    n_log_n,
    tabulate,
    tabulate_decisions,
    write_scores,
)

__all__ = ["Levels", "Rule", "Search", "grow_by_search"]


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


class Search(NamedTuple):
    """All that a search reads and works in: Table, Words, Tally, Growth, Rule, Levels, and bytes for the memo."""

    table: Any
    words: Any
    tally: Any
    growth: Any
    rule: Any
    levels: Any
    limit: Any


class Phase(IntEnum):
    """What the search does next."""

    ENTER = 0
    NEXT_ATTRIBUTE = 1
    NEXT_PART = 2
    LEAVE = 3


@allocating
def _keep_best(search, part, candidates):
    """Move as many candidates of least score to the front as the search is wide, the least first."""
    score, tally = search.rule.score, search.tally
    size, decision_term, _ = tabulate_decisions(search.table, tally, part)
    tabulate(search.table, tally, part, candidates)
    write_scores(tally, candidates, score, size, decision_term)
    for place in range(search.rule.width):
        best = first_least(tally, candidates[place:], score)  # the others stand in order
        if best == NO_ATTRIBUTE:  # no score is a number
            return
        at = place
        while candidates[at] != best:
            at += 1
        while at > place:
            candidates[at] = candidates[at - 1]
            at -= 1
        candidates[place] = best


@allocating
def _least_step(search, part, candidates, size):
    """(least cost, first attribute that has it) with one level left, from the decisions of the attributes' values."""
    rule, tally = search.rule, search.tally
    tabulate(search.table, tally, part, candidates)
    least, chosen = np.inf, NO_ATTRIBUTE
    for attribute in candidates:
        cost = rule.step * size + rule.estimate * max(0.0, tally.size_term[attribute] - tally.joint_term[attribute])
        if cost < least - TIE * size:
            least, chosen = cost, attribute
    return least, chosen


@allocating
def _least_cost(search, memo, first, end, horizon):
    """Least cost of the subtable of the rows from `first` to `end`, which it reorders: (memo, cost, attribute).

    The attribute is the first that has it, NO_ATTRIBUTE where there is nothing to ask. The cost is NaN where the memo
    would outgrow its limit.
    """
    table, words, tally, rule, levels = search.table, search.words, search.tally, search.rule, search.levels
    rows, scratch = search.growth.rows, search.growth.scratch
    last_word = words.word.shape[1]
    level, cost, attribute, phase = 0, 0.0, NO_ATTRIBUTE, Phase.ENTER
    levels.first[0], levels.end[0], levels.last_part[0] = first, end, 0
    while True:
        word = levels.word[level]
        if phase == Phase.ENTER:
            first, end = levels.first[level], levels.end[level]
            cost, attribute, phase = 0.0, NO_ATTRIBUTE, Phase.LEAVE
            write_word(words, rows, first, end, word)
            if not varies(words, word, len(words.bits) - 1):
                continue
            part = rows[first:end]
            varying = write_varying(words, word, levels.candidates[level])
            candidates = levels.candidates[level, :varying]
            left = min(horizon - level, varying + 1)  # so many levels are as good as any number
            size, decision_term, _ = tabulate_decisions(table, tally, part)
            if varying == 0:
                if rule.step == 0:
                    cost = rule.estimate * (n_log_n(size) - decision_term)
                continue
            if left == 1:
                cost, attribute = _least_step(search, part, candidates, size)
                continue
            word[last_word] = np.uint64(left)
            slot = find_slot(memo.slots, levels.word, level)
            if not is_empty(memo.slots, slot):
                place = memo.slots.number[slot]
                cost, attribute = memo.value[place], memo.attribute[place]
                continue
            if rule.width < varying:
                _keep_best(search, part, candidates)
            levels.n_candidates[level], levels.candidate[level] = min(rule.width, varying), -1
            levels.size[level], levels.least[level], levels.choice[level] = size, np.inf, NO_ATTRIBUTE
            levels.first_part[level] = levels.last_part[level]
            phase = Phase.NEXT_ATTRIBUTE
        elif phase == Phase.NEXT_ATTRIBUTE:
            levels.candidate[level] += 1
            if levels.candidate[level] == levels.n_candidates[level]:
                cost, attribute = levels.least[level], levels.choice[level]
                memo = with_room(memo, search.limit)
                place = memo.used[0]
                if place == len(memo.value):
                    return memo, np.nan, NO_ATTRIBUTE
                memo.value[place], memo.attribute[place] = cost, attribute
                put(memo.slots, find_slot(memo.slots, levels.word, level), levels.word, level, place)
                memo.used[0] += 1
                phase = Phase.LEAVE
                continue
            asked, at = levels.candidates[level, levels.candidate[level]], levels.first_part[level]
            first, end = levels.first[level], levels.end[level]
            parts = part_rows(table, tally.place, rows, scratch, first, end, asked, levels.ends[at:])
            levels.part[level], levels.last_part[level] = at, at + parts
            levels.sum[level] = rule.step * levels.size[level]
            phase = Phase.NEXT_PART
        elif phase == Phase.NEXT_PART:
            at, better = levels.part[level], levels.least[level] - TIE * levels.size[level]
            if levels.sum[level] >= better:  # however little the parts to come cost
                phase = Phase.NEXT_ATTRIBUTE
            elif at == levels.last_part[level]:
                levels.least[level] = levels.sum[level]
                levels.choice[level] = levels.candidates[level, levels.candidate[level]]
                phase = Phase.NEXT_ATTRIBUTE
            else:
                levels.part[level] += 1
                begin = levels.ends[at - 1] if at > levels.first_part[level] else levels.first[level]
                levels.first[level + 1], levels.end[level + 1] = begin, levels.ends[at]
                levels.last_part[level + 1] = levels.last_part[level]
                level, phase = level + 1, Phase.ENTER
        else:
            if level == 0:
                return memo, cost, attribute
            level -= 1
            levels.sum[level] += cost
            phase = Phase.NEXT_PART


@allocating
def _cost_ahead(search, memo, first, end, asked, horizon):
    """Least cost, within so many levels, of the subtable of some rows if it asks this attribute: (memo, cost)."""
    growth, ends = search.growth, search.levels.ends_of_root
    parts = part_rows(search.table, search.tally.place, growth.rows, growth.scratch, first, end, asked, ends)
    total = 0.0
    for part in range(parts):
        memo, cost, _ = _least_cost(search, memo, ends[part - 1] if part else first, ends[part], horizon - 1)
        total += cost
    return memo, total


@allocating
def _first_ahead(search, memo, first, end):
    """The first attribute of least cost, ties told apart at shorter and shorter horizons: (memo, cost, attribute)."""
    tally, levels = search.tally, search.levels
    part = search.growth.rows[first:end]
    write_word(search.words, search.growth.rows, first, end, levels.word[0])
    tied = levels.tied[: write_varying(search.words, levels.word[0], levels.tied)]
    if len(tied) == 0:
        return memo, 0.0, NO_ATTRIBUTE
    size, _, _ = tabulate_decisions(search.table, tally, part)
    costs = np.zeros(len(tied))
    for horizon in range(min(search.rule.horizon, len(tied) + 1), 0, -1):
        if horizon == 1:
            tabulate(search.table, tally, part, tied)
        for place in range(len(tied)):
            if horizon == 1:
                costs[place] = tally.size_term[tied[place]] - tally.joint_term[tied[place]]
                continue
            memo, costs[place] = _cost_ahead(search, memo, first, end, tied[place], horizon)
            if np.isnan(costs[place]):
                return memo, np.nan, NO_ATTRIBUTE
        least, kept = costs[: len(tied)].min(), 0
        for place in range(len(tied)):
            if costs[place] <= least + TIE * size:
                tied[kept] = tied[place]
                kept += 1
        tied = tied[:kept]
        if kept == 1:
            break
    return memo, 0.0, tied[0]


@kernel
def grow_by_search(search, memo):
    """Grow the tree in which every node asks the first attribute that the search below it finds best.

    False where what is found would take more bytes than the limit; the tree is unfinished then.
    """
    growth = search.growth
    while growth.counts[0]:
        node, first, end, level = next_node(growth)
        _, _, there = tabulate_decisions(search.table, search.tally, growth.rows[first:end])
        if there == 1:
            continue
        if search.rule.shorter:
            memo, cost, chosen = _first_ahead(search, memo, first, end)
        else:
            memo, cost, chosen = _least_cost(search, memo, first, end, search.rule.horizon)
        if np.isnan(cost):
            return False
        if chosen != NO_ATTRIBUTE:
            split_node(search.table, search.tally, growth, search.levels.ends_of_root, node, level, chosen)
    return True
