"""Count the rows of a node by attribute value and decision, and score its attributes."""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import allocating, of_words
from algorithms.kernel_arrays import array
from algorithms.trees.node_kinds import NO_ATTRIBUTE

TIE = 1e-9  # scores that differ by no more bits are equal, so that rounding decides nothing


class Distance(IntEnum):
    """Distances between the partition by an attribute A and the partition by decision Y."""

    CONDITIONAL_ENTROPY = 0
    """H(Y | A)."""
    ROKHLIN = 1
    """H(Y | A) + H(A | Y)."""
    MANTARAS = 2
    """1 - I(A; Y) / H(A, Y) (López de Mántaras 1991)."""
    GAIN_RATIO = 3
    """-I(A; Y) / H(A): not a distance, but minimising it maximises the gain ratio (Quinlan)."""


class Score(NamedTuple):
    """-orthogonality_weight * H(A) + information_weight * distance(A, Y): the attribute of least score is chosen."""

    distance: Any
    orthogonality_weight: Any
    information_weight: Any


class NominalTable(NamedTuple):
    """The input of the growth."""

    codes: Any  # (rows, attributes), in the narrowest type
    first_value: Any  # (attributes + 1,): code c of attribute a is value first_value[a] + c among all values
    decisions: Any  # (rows,)
    weights: Any  # (rows,), above 0
    n_decisions: Any  # int


class NominalTally(NamedTuple):
    """Counters for the rows of a node, and the sums of each attribute. `joint` and `size` are 0 between calls."""

    joint: Any = array("values decisions", np.float64)  # weight of each decision among the rows of each value
    size: Any = array("values", np.float64)  # weight of each value's rows
    decisions: Any = array("decisions", np.float64)  # weight of each decision at the node
    n_values: Any = array("attributes")  # distinct values among the rows
    size_term: Any = array("attributes", np.float64)  # sum of n log2 n over the weights n of the values
    joint_term: Any = array("attributes", np.float64)  # sum of n log2 n over the weights n of each value and decision
    score: Any = array("attributes", np.float64)
    next_index: Any = array("most+1")  # scratch for `partition_rows`: `most` values of an attribute


@of_words
def n_log_n(weight):
    """Return n log2 n of a weight n; 0 for 0."""
    return weight * np.log2(weight) if weight > 0.0 else 0.0


@allocating
def tabulate_decisions(table, tally, part):
    """Sum the weights of some rows by decision: (sum of all, sum of n log2 n over decisions, number of decisions)."""
    tally.decisions[:] = 0.0
    for row in part:
        tally.decisions[table.decisions[row]] += table.weights[row]
    size, term, decisions = 0.0, 0.0, 0
    for weight in tally.decisions:
        size += weight
        term += n_log_n(weight)
        decisions += int(weight > 0.0)
    return size, term, decisions


@allocating
def tabulate(table, tally, part, candidates):
    """Write `n_values`, `size_term` and `joint_term` of each candidate attribute for the rows `part`."""
    values = 0
    for attribute in candidates:
        tally.n_values[attribute] = 0
        tally.size_term[attribute] = tally.joint_term[attribute] = 0.0
        values += table.first_value[attribute + 1] - table.first_value[attribute]
    if values * table.n_decisions > len(part) * len(candidates):
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
                tally.n_values[attribute] += 1
                tally.size_term[attribute] += n_log_n(size)


@allocating
def _tabulate_few(table, tally, part, candidates):
    """As `tabulate`, for few rows: visits only the values and decisions of the rows, not all of the attributes."""
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
                tally.n_values[attribute] += 1
                tally.size_term[attribute] += n_log_n(tally.size[value])
                tally.size[value] = 0.0
            if tally.joint[value, decision] > 0.0:
                tally.joint_term[attribute] += n_log_n(tally.joint[value, decision])
                tally.joint[value, decision] = 0.0


@allocating
def write_scores(tally, candidates, score, size, decision_term):
    """Write the score of each tabulated candidate; it is infinite for a constant attribute.

    size, decision_term : as from `tabulate_decisions`

    If one row outweighs all others, the entropy to divide by may be rounded to 0. The attribute then counts as without
    information.
    """
    whole = n_log_n(size)
    decision = (whole - decision_term) / size
    for attribute in candidates:
        if tally.n_values[attribute] < 2:
            tally.score[attribute] = np.inf
            continue
        own = (whole - tally.size_term[attribute]) / size
        joint = (whole - tally.joint_term[attribute]) / size
        if score.distance == Distance.CONDITIONAL_ENTROPY:
            distance = joint - own
        elif score.distance == Distance.ROKHLIN:
            distance = 2 * joint - own - decision
        elif score.distance == Distance.MANTARAS:
            distance = (2 * joint - own - decision) / joint if joint > TIE else 1.0
        else:
            distance = (joint - own - decision) / own if own > TIE else 0.0
        tally.score[attribute] = score.information_weight * distance - score.orthogonality_weight * own


@allocating
def first_least(tally, candidates, score):
    """The first candidate of least score; NO_ATTRIBUTE if all are infinite."""
    tie = TIE * (abs(score.orthogonality_weight) + abs(score.information_weight))
    chosen, least = NO_ATTRIBUTE, np.inf
    for attribute in candidates:
        if tally.score[attribute] < least - tie or (chosen == NO_ATTRIBUTE and tally.score[attribute] < np.inf):
            chosen, least = attribute, tally.score[attribute]
    return chosen
