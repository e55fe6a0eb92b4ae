"""Growth of one multiway tree over coded columns, attributes chosen by a score: ID3, gain ratio, DID.

Rows stay where they are: one array of their numbers is parted in place, node by node, so that a level of the tree costs
one pass over the rows whatever their number.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numba import njit

__all__ = [
    "NO_ATTRIBUTE",
    "TIE",
    "ZERO_GAIN",
    "Distance",
    "Growth",
    "Score",
    "Table",
    "Tally",
    "count_decisions",
    "first_least",
    "grow",
    "n_log_n",
    "next_node",
    "part_rows",
    "split_node",
    "tabulate",
    "write_scores",
]

NO_ATTRIBUTE = -1
TIE = 1e-9  # bits by which scores must differ, so that rounding decides nothing
ZERO_GAIN = 1e-6  # bits that count as no gain, in Weka as here
SPARSE = 4  # an attribute of more values than so many times the rows of a node is not gone through value by value


class Distance(IntEnum):
    """From the partition by an attribute A to the partition by decision Y."""

    CONDITIONAL_ENTROPY = 0
    """H(Y | A)."""
    ROKHLIN = 1
    """H(Y | A) + H(A | Y)."""
    MANTARAS = 2
    """1 - I(A; Y) / H(A, Y)."""
    GAIN_RATIO = 3
    """-I(A; Y) / H(A): no distance, but what Quinlan's gain ratio minimises."""


class Score(NamedTuple):
    """-orthogonality_weight H(A) + information_weight distance(A, Y): the attribute of the least is chosen."""

    distance: Any
    orthogonality_weight: Any
    information_weight: Any


class Table(NamedTuple):
    """What growth reads.

    codes       (rows, attributes), as narrow as they fit
    first_value (attributes + 1,): the first of each attribute's values among all values
    decisions   (rows,)
    weights     (rows,), above 0
    n_decisions how many decisions there may be
    """

    codes: Any
    first_value: Any
    decisions: Any
    weights: Any
    n_decisions: Any


class Tally(NamedTuple):
    """Room to count the rows of a node, all 0 when not in use, and what was counted of each attribute.

    joint     (values, decisions): weight of each decision among the rows of each value
    size      (values,): weight of each value's rows
    decisions (decisions,): weight of each decision at the node
    parts, size_term, joint_term, score (attributes,): values that there are, sum of n log2 n over them and over their
              decisions, score
    place     (most values + 1,): room for sorting
    """

    joint: Any
    size: Any
    decisions: Any
    parts: Any
    size_term: Any
    joint_term: Any
    score: Any
    place: Any


class Growth(NamedTuple):
    """Rows, parted; a stack of nodes to come (`next_…`); the nodes so far, in depth-first order (the others).

    rows, scratch        (rows,)
    next_first, next_end, next_parent, next_code, next_level (most values on a path,)
    attribute, parent, code, first, end (2 * rows,): the attribute asked; the code of the edge from the parent; where
                         the node's rows begin and end
    candidates, n_candidates (levels + 1, attributes), (levels + 1,): what nodes of a level may ask
    counts               (2,): nodes to come, nodes so far
    """

    rows: Any
    scratch: Any
    next_first: Any
    next_end: Any
    next_parent: Any
    next_code: Any
    next_level: Any
    attribute: Any
    parent: Any
    code: Any
    first: Any
    end: Any
    candidates: Any
    n_candidates: Any
    counts: Any


@njit(forceinline=True)
def n_log_n(weight):
    """Weight times its log2; 0 for 0."""
    return weight * np.log2(weight) if weight > 0.0 else 0.0


@njit(nogil=True, cache=True)
def tabulate_decisions(table, tally, part):
    """Weigh the decisions of some rows: (the weight of all, sum of n log2 n over decisions, how many there are)."""
    tally.decisions[:] = 0.0
    for row in part:
        tally.decisions[table.decisions[row]] += table.weights[row]
    size, term, there = 0.0, 0.0, 0
    for weight in tally.decisions:
        size += weight
        term += n_log_n(weight)
        there += int(weight > 0.0)
    return size, term, there


@njit(nogil=True, cache=True)
def tabulate(table, tally, part, candidates):
    """Write `parts`, `size_term` and `joint_term` of each candidate over some rows."""
    values = 0
    for attribute in candidates:
        tally.parts[attribute] = 0
        tally.size_term[attribute] = tally.joint_term[attribute] = 0.0
        values += table.first_value[attribute + 1] - table.first_value[attribute]
    if values > len(part) * len(candidates):
        _tabulate_few(table, tally, part, candidates)
        return
    for row in part:
        decision, weight = table.decisions[row], table.weights[row]
        for attribute in candidates:
            tally.joint[table.first_value[attribute] + table.codes[row, attribute], decision] += weight
    for attribute in candidates:
        for value in range(table.first_value[attribute], table.first_value[attribute + 1]):
            size = 0.0
            for decision in range(table.n_decisions):
                weight = tally.joint[value, decision]
                if weight > 0.0:
                    size += weight
                    tally.joint_term[attribute] += n_log_n(weight)
                    tally.joint[value, decision] = 0.0
            if size > 0.0:
                tally.parts[attribute] += 1
                tally.size_term[attribute] += n_log_n(size)


@njit(nogil=True, cache=True)
def _tabulate_few(table, tally, part, candidates):
    """As `tabulate`, for fewer rows than there are values: looks at those values alone that the rows have."""
    for row in part:
        decision, weight = table.decisions[row], table.weights[row]
        for attribute in candidates:
            value = table.first_value[attribute] + table.codes[row, attribute]
            tally.joint[value, decision] += weight
            tally.size[value] += weight
    for row in part:
        decision = table.decisions[row]
        for attribute in candidates:
            value = table.first_value[attribute] + table.codes[row, attribute]
            if tally.size[value] > 0.0:
                tally.parts[attribute] += 1
                tally.size_term[attribute] += n_log_n(tally.size[value])
                tally.size[value] = 0.0
            if tally.joint[value, decision] > 0.0:
                tally.joint_term[attribute] += n_log_n(tally.joint[value, decision])
                tally.joint[value, decision] = 0.0


@njit(nogil=True, cache=True)
def write_scores(tally, candidates, score, size, decision_term):
    """Write the score of each candidate that was tabulated; infinite where it is constant."""
    whole = n_log_n(size)
    decision = (whole - decision_term) / size
    for attribute in candidates:
        if tally.parts[attribute] < 2:
            tally.score[attribute] = np.inf
            continue
        own = (whole - tally.size_term[attribute]) / size
        joint = (whole - tally.joint_term[attribute]) / size
        if score.distance == Distance.CONDITIONAL_ENTROPY:
            distance = joint - own
        elif score.distance == Distance.ROKHLIN:
            distance = 2 * joint - own - decision
        elif score.distance == Distance.MANTARAS:
            distance = (2 * joint - own - decision) / joint
        else:
            distance = (joint - own - decision) / own
        tally.score[attribute] = score.information_weight * distance - score.orthogonality_weight * own


@njit(nogil=True, cache=True)
def first_least(tally, candidates, score):
    """The first candidate of least score; NO_ATTRIBUTE where all are infinite."""
    tie = TIE * (abs(score.orthogonality_weight) + abs(score.information_weight))
    chosen, least = NO_ATTRIBUTE, np.inf
    for attribute in candidates:
        if tally.score[attribute] < least - tie or (chosen == NO_ATTRIBUTE and tally.score[attribute] < np.inf):
            chosen, least = attribute, tally.score[attribute]
    return chosen


@njit(nogil=True, cache=True)
def part_rows(table, place, rows, scratch, first, end, attribute, ends):
    """Lay the rows of each value side by side, by increasing code and else in order: how many parts there are.

    `ends` takes where each part ends.
    """
    n_values = table.first_value[attribute + 1] - table.first_value[attribute]
    parts = 0
    if n_values > SPARSE * (end - first):
        codes = np.empty(end - first, np.int64)
        for i in range(first, end):
            codes[i - first] = table.codes[rows[i], attribute]
        scratch[first:end] = rows[first:end][np.argsort(codes, kind="mergesort")]
        rows[first:end] = scratch[first:end]
        for i in range(first + 1, end + 1):
            if i == end or table.codes[rows[i], attribute] != table.codes[rows[i - 1], attribute]:
                ends[parts] = i
                parts += 1
        return parts
    place[: n_values + 1] = 0
    for i in range(first, end):
        place[table.codes[rows[i], attribute] + 1] += 1
    for value in range(n_values):
        if place[value + 1]:
            ends[parts] = first + place[value] + place[value + 1]
            parts += 1
        place[value + 1] += place[value]
    for i in range(first, end):
        value = table.codes[rows[i], attribute]
        scratch[first + place[value]] = rows[i]
        place[value] += 1
    rows[first:end] = scratch[first:end]
    return parts


@njit(nogil=True, cache=True)
def next_node(growth):
    """Take a node from the stack and number it: (node, first row, end of rows, level)."""
    growth.counts[0] -= 1
    top, node = growth.counts[0], growth.counts[1]
    growth.counts[1] += 1
    growth.attribute[node] = NO_ATTRIBUTE
    growth.parent[node], growth.code[node] = growth.next_parent[top], growth.next_code[top]
    growth.first[node], growth.end[node] = growth.next_first[top], growth.next_end[top]
    return node, growth.next_first[top], growth.next_end[top], growth.next_level[top]


@njit(nogil=True, cache=True)
def split_node(table, tally, growth, ends, node, level, attribute):
    """Let a node ask an attribute: part its rows, and put its children on the stack, the first on top."""
    growth.attribute[node] = attribute
    first, end = growth.first[node], growth.end[node]
    parts = part_rows(table, tally.place, growth.rows, growth.scratch, first, end, attribute, ends)
    for part in range(parts - 1, -1, -1):
        top = growth.counts[0]
        growth.next_first[top] = ends[part - 1] if part else first
        growth.next_end[top] = ends[part]
        growth.next_parent[top], growth.next_level[top] = node, level + 1
        growth.next_code[top] = table.codes[growth.rows[growth.next_first[top]], attribute]
        growth.counts[0] += 1


@njit(nogil=True, cache=True)
def grow(table, tally, growth, score, stop_at_zero_gain):
    """Grow the tree in which every node that has several decisions asks the first attribute of least score.

    Attributes constant on a node are not asked. With `stop_at_zero_gain` a node is terminal where the attribute chosen
    tells nothing of the decision.
    """
    ends = np.zeros(len(tally.place), np.int64)
    while growth.counts[0]:
        node, first, end, level = next_node(growth)
        part = growth.rows[first:end]
        size, decision_term, there = tabulate_decisions(table, tally, part)
        if there == 1:
            continue
        candidates = growth.candidates[level, : growth.n_candidates[level]]
        tabulate(table, tally, part, candidates)
        write_scores(tally, candidates, score, size, decision_term)
        chosen = first_least(tally, candidates, score)
        if chosen == NO_ATTRIBUTE:
            continue
        gain = n_log_n(size) - decision_term - tally.size_term[chosen] + tally.joint_term[chosen]
        if stop_at_zero_gain and gain < ZERO_GAIN * size:
            continue
        below = 0
        for attribute in candidates:
            if attribute != chosen and tally.parts[attribute] > 1:
                growth.candidates[level + 1, below] = attribute
                below += 1
        growth.n_candidates[level + 1] = below
        split_node(table, tally, growth, ends, node, level, chosen)


@njit(nogil=True, cache=True)
def count_decisions(table, growth, counts):
    """Add up `counts` (nodes, decisions), all 0: the weight of each decision among the rows of each node."""
    for node in range(len(counts) - 1, -1, -1):
        if growth.attribute[node] == NO_ATTRIBUTE:
            for i in range(growth.first[node], growth.end[node]):
                row = growth.rows[i]
                counts[node, table.decisions[row]] += table.weights[row]
        if node:
            for decision in range(table.n_decisions):
                counts[growth.parent[node], decision] += counts[node, decision]
