"""Search of the separable subtables below a node, limited in depth and width: look-ahead and mid-level search.

The least cost of a subtable depends on the number of levels left. A subtable of one decision costs 0. For several
decisions and no level left, the cost is `entropy_factor` times the weight of the rows times the entropy of their
decisions. With levels left, each expanded attribute splits the subtable into branches; the cost is the least sum of the
costs of the branches, with one level less, plus `level_cost` times the weight of the rows. If the rows agree in all
attributes, the cost is 0 if `level_cost` is positive, since no further attribute is tested; otherwise it is as with no
level left.

Results are stored by subtable and levels left, because a subtable may occur again on another path.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import allocating, kernel
from algorithms.exact.row_words_branches import varies
from algorithms.exact.slots import find_slot, is_empty, put
from algorithms.induction.nominal.score_growth import next_node, partition_rows, split_node
from algorithms.induction.nominal.subtable_memo import with_capacity, write_varying, write_word
from algorithms.induction.nominal.tally import (
    TIE,
    first_least,
    n_log_n,
    tabulate,
    tabulate_decisions,
    write_scores,
)
from algorithms.kernel_arrays import array
from algorithms.trees.node_kinds import NO_ATTRIBUTE


class LookAheadRule(NamedTuple):
    """The rule of the search."""

    horizon: Any  # levels to look ahead; more than the number of attributes for no limit
    width: Any  # how many attributes, those of least score, are expanded in a subtable; all if the horizon is limited
    score: Any  # the Score that chooses them; not used if all are expanded
    level_cost: Any  # cost of each unit of weight for each level that it passes
    entropy_factor: Any  # cost of each bit of entropy, times weight, that remains at the horizon
    resolves_ties: Any  # whether ties at the horizon are resolved at shorter horizons


class SubtableLevels(NamedTuple):
    """The subtables in progress, each a branch of the one before it."""

    word: Any = array("levels words", np.uint64)  # its key in the memo: its word, then the levels left
    first: Any = array("levels")  # where its rows begin
    end: Any = array("levels")  # where they end
    size: Any = array("levels", np.float64)  # its weight
    least: Any = array("levels", np.float64)  # the least cost so far
    sum: Any = array("levels", np.float64)  # the cost so far of the attribute in progress
    choice: Any = array("levels")  # the attribute of `least`
    candidates: Any = array("levels attributes")  # the attributes that are expanded
    n_candidates: Any = array("levels")
    candidate: Any = array("levels")  # the index in `candidates` of the attribute in progress
    ends: Any = array("values+1")  # where the branches of this attribute end, level after level
    first_part: Any = array("levels")  # index in `ends` of the first branch
    part: Any = array("levels")  # index in `ends` of the next branch
    last_part: Any = array("levels")  # the end of the branches in `ends`
    tied: Any = array("attributes")  # scratch for the attributes that tie at a node of the tree
    ends_of_root: Any = array("values+1")  # scratch for the parts of a node of the tree


class SubtableSearch(NamedTuple):
    """The data, rule and buffers of a search, and the limit of its memo in bytes."""

    table: Any
    words: Any
    tally: Any
    growth: Any
    rule: Any
    levels: Any
    limit: Any


class SubtablePhase(IntEnum):
    """The next action of the search."""

    ENTER = 0
    NEXT_ATTRIBUTE = 1
    NEXT_PART = 2
    LEAVE = 3


@allocating
def _keep_best(search, part, candidates):
    """Move the `width` candidates of least score to the front, in order of increasing score."""
    score, tally = search.rule.score, search.tally
    size, decision_term, _ = tabulate_decisions(search.table, tally, part)
    tabulate(search.table, tally, part, candidates)
    write_scores(tally, candidates, score, size, decision_term)
    for index in range(search.rule.width):
        best = first_least(tally, candidates[index:], score)  # the others keep their order
        if best == NO_ATTRIBUTE:  # all scores are NaN
            return
        position = index
        while candidates[position] != best:
            position += 1
        while position > index:
            candidates[position] = candidates[position - 1]
            position -= 1
        candidates[index] = best


@allocating
def _least_step(search, part, candidates, size):
    """(least cost, first attribute with this cost) with one level left, from the decision counts of the values."""
    rule, tally = search.rule, search.tally
    tabulate(search.table, tally, part, candidates)
    least, chosen = np.inf, NO_ATTRIBUTE
    for attribute in candidates:
        entropy = max(0.0, tally.size_term[attribute] - tally.joint_term[attribute])
        cost = rule.level_cost * size + rule.entropy_factor * entropy
        if cost < least - TIE * size:
            least, chosen = cost, attribute
    return least, chosen


@allocating
def _least_cost(search, memo, first, end, horizon):
    """Least cost of the subtable of growth.rows[first:end], which is reordered: (memo, cost, attribute).

    `horizon` is the number of levels left. The attribute is the first of least cost, NO_ATTRIBUTE if none is tested.
    The cost is NaN if the memo would exceed its limit. The memo returned replaces that of the argument.
    """
    table, words, tally, rule, levels = search.table, search.words, search.tally, search.rule, search.levels
    rows, scratch = search.growth.rows, search.growth.scratch
    last_word = words.word.shape[1]
    level, cost, attribute, phase = 0, 0.0, NO_ATTRIBUTE, SubtablePhase.ENTER
    levels.first[0], levels.end[0], levels.last_part[0] = first, end, 0
    while True:
        word = levels.word[level]
        if phase == SubtablePhase.ENTER:
            first, end = levels.first[level], levels.end[level]
            cost, attribute, phase = 0.0, NO_ATTRIBUTE, SubtablePhase.LEAVE
            write_word(words, rows, first, end, word)
            if not varies(words, levels.word, level, len(words.bits) - 1):
                continue
            part = rows[first:end]
            varying = write_varying(words, levels.word, level, levels.candidates[level])
            candidates = levels.candidates[level, :varying]
            left = min(horizon - level, varying + 1)  # more levels change nothing
            size, decision_term, _ = tabulate_decisions(table, tally, part)
            if varying == 0:
                if rule.level_cost == 0:
                    cost = rule.entropy_factor * (n_log_n(size) - decision_term)
                continue
            if left == 1:
                cost, attribute = _least_step(search, part, candidates, size)
                continue
            word[last_word] = np.uint64(left)
            slot = find_slot(memo.slots, levels.word, level)
            if not is_empty(memo.slots, slot):
                entry = memo.slots.number[slot]
                cost, attribute = memo.value[entry], memo.attribute[entry]
                continue
            if rule.width < varying:
                _keep_best(search, part, candidates)
            levels.n_candidates[level], levels.candidate[level] = min(rule.width, varying), -1
            levels.size[level], levels.least[level], levels.choice[level] = size, np.inf, NO_ATTRIBUTE
            levels.first_part[level] = levels.last_part[level]
            phase = SubtablePhase.NEXT_ATTRIBUTE
        elif phase == SubtablePhase.NEXT_ATTRIBUTE:
            levels.candidate[level] += 1
            if levels.candidate[level] == levels.n_candidates[level]:
                cost, attribute = levels.least[level], levels.choice[level]
                memo = with_capacity(memo, search.limit)
                entry = memo.used[0]
                if entry == len(memo.value):
                    return memo, np.nan, NO_ATTRIBUTE
                memo.value[entry], memo.attribute[entry] = cost, attribute
                put(memo.slots, find_slot(memo.slots, levels.word, level), levels.word, level, entry)
                memo.used[0] += 1
                phase = SubtablePhase.LEAVE
                continue
            tested, at = levels.candidates[level, levels.candidate[level]], levels.first_part[level]
            first, end = levels.first[level], levels.end[level]
            parts = partition_rows(table, tally.next_index, rows, scratch, first, end, tested, levels.ends[at:])
            levels.part[level], levels.last_part[level] = at, at + parts
            levels.sum[level] = rule.level_cost * levels.size[level]
            phase = SubtablePhase.NEXT_PART
        elif phase == SubtablePhase.NEXT_PART:
            at, better = levels.part[level], levels.least[level] - TIE * levels.size[level]
            if levels.sum[level] >= better:  # the remaining branches cost at least 0
                phase = SubtablePhase.NEXT_ATTRIBUTE
            elif at == levels.last_part[level]:
                levels.least[level] = levels.sum[level]
                levels.choice[level] = levels.candidates[level, levels.candidate[level]]
                phase = SubtablePhase.NEXT_ATTRIBUTE
            else:
                levels.part[level] += 1
                begin = levels.ends[at - 1] if at > levels.first_part[level] else levels.first[level]
                levels.first[level + 1], levels.end[level + 1] = begin, levels.ends[at]
                levels.last_part[level + 1] = levels.last_part[level]
                level, phase = level + 1, SubtablePhase.ENTER
        else:
            if level == 0:
                return memo, cost, attribute
            level -= 1
            levels.sum[level] += cost
            phase = SubtablePhase.NEXT_PART


@allocating
def _cost_ahead(search, memo, first, end, tested, horizon):
    """Least cost of the subtable of growth.rows[first:end] if it tests this attribute: (memo, cost).

    `horizon` is the number of levels left. The level cost of the subtable itself, the same for all attributes, is left
    out.
    """
    growth, ends = search.growth, search.levels.ends_of_root
    parts = partition_rows(search.table, search.tally.next_index, growth.rows, growth.scratch, first, end, tested, ends)
    total = 0.0
    for part in range(parts):
        memo, cost, _ = _least_cost(search, memo, ends[part - 1] if part else first, ends[part], horizon - 1)
        total += cost
    return memo, total


@allocating
def _first_ahead(search, memo, first, end):
    """The first attribute of least cost after ties are resolved at ever shorter horizons: (memo, cost, attribute).

    The cost is 0; or NaN, if the memo would exceed its limit.
    """
    tally, levels = search.tally, search.levels
    part = search.growth.rows[first:end]
    write_word(search.words, search.growth.rows, first, end, levels.word[0])
    tied = levels.tied[: write_varying(search.words, levels.word, 0, levels.tied)]
    if len(tied) == 0:
        return memo, 0.0, NO_ATTRIBUTE
    size, _, _ = tabulate_decisions(search.table, tally, part)
    costs = np.zeros(len(tied))
    for horizon in range(min(search.rule.horizon, len(tied) + 1), 0, -1):
        if horizon == 1:
            tabulate(search.table, tally, part, tied)
        for index in range(len(tied)):
            if horizon == 1:
                costs[index] = tally.size_term[tied[index]] - tally.joint_term[tied[index]]
                continue
            memo, costs[index] = _cost_ahead(search, memo, first, end, tied[index], horizon)
            if np.isnan(costs[index]):
                return memo, np.nan, NO_ATTRIBUTE
        least, kept = costs[: len(tied)].min(), 0
        for index in range(len(tied)):
            if costs[index] <= least + TIE * size:
                tied[kept] = tied[index]
                kept += 1
        tied = tied[:kept]
        if kept == 1:
            break
    return memo, 0.0, tied[0]


@kernel
def grow_by_search(search, memo):
    """Grow the tree in which every node tests the first attribute that the search below it finds best.

    Returns False, with an unfinished tree, if the memo would exceed its limit.
    """
    growth = search.growth
    while growth.counts[0]:
        node, first, end, level = next_node(growth)
        _, _, decisions = tabulate_decisions(search.table, search.tally, growth.rows[first:end])
        if decisions == 1:
            continue
        if search.rule.resolves_ties:
            memo, cost, chosen = _first_ahead(search, memo, first, end)
        else:
            memo, cost, chosen = _least_cost(search, memo, first, end, search.rule.horizon)
        if np.isnan(cost):
            return False
        if chosen != NO_ATTRIBUTE:
            split_node(search.table, search.tally, growth, search.levels.ends_of_root, node, level, chosen)
    return True
