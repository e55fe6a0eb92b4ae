"""Rules learned one at a time: grown, pruned, and the covered rows removed (Alpaydin, ch. 9, "Rule Learning")."""

from __future__ import annotations

import numpy as np

from algorithms.array_types import Numbers, Rows
from algorithms.data.attributes.thresholds import cut_between
from algorithms.data.data_set import AttributeKind, Column, DataSet
from algorithms.rounding import EQUAL_RATIO, EQUAL_SHARE, first_largest
from algorithms.rules.condition import Condition, Interval, Mask, OneOf
from algorithms.rules.rule_list import Rule, RuleList, with_counts
from algorithms.rules.simplified import pessimistic_error_rates, without_idle_conditions


def sequential_covering(data: DataSet, weights: Numbers, *, confidence: float = 0.25) -> RuleList:
    """A list of rules for all classes but one, learned one at a time, and a default.

    Classes are taken from the rarest to the most common, as in Cohen's RIPPER (1995); equally rare classes keep their
    order. For a class, among the rows left:

    - A rule is grown condition by condition (depth first). Each condition is the first condition of most gain
      p1 (log2 p1/s1 - log2 p0/s0). s0 and s1 are the weights of the rows that the rule covers before and after the
      condition is added; p0 and p1 are the weights of those rows that are of the class (Quinlan's FOIL, 1990). A
      condition is a code of a nominal attribute, or at most or above a cut midway between two numbers. Growth ends when
      the rule covers no other class, or every condition has a negative gain; a gain of 0 is allowed, as in an XOR.
    - The rule is pruned: conditions are dropped while its pessimistic error rate at the `confidence` does not rise (as
      in C4.5rules; Alpaydin does not say how to prune).
    - If that rate is below 1/2, the rule is added to the list, and the rows that it covers are removed. Otherwise the
      next class follows.

    The default is the most common class of the remaining rows, or of all rows if none remain. Missing values fulfil no
    condition. The result is deterministic.

    weights: (rows,), positive. No class is missing.
    """
    values = data.values()
    order = [
        np.argsort(column, kind="stable")[: int((~np.isnan(column)).sum())]
        if attribute.kind is AttributeKind.NUMERIC
        else np.flatnonzero(column >= 0)
        for attribute, column in zip(data.attributes, data.columns, strict=True)
    ]
    shares = np.bincount(data.decisions, weights, len(data.classes))
    left, rules = np.ones(data.rows, np.bool_), []
    for decision in np.argsort(np.round(shares / shares.sum(), 9), kind="stable")[:-1].tolist():
        while (left & (data.decisions == decision)).any():
            rule = _grown(data, values, weights, order, left, decision)
            rows = np.flatnonzero(left)
            rule = without_idle_conditions(rule, values[rows], data.decisions[rows], weights[rows], confidence)
            covered = rows[rule.covers(values[rows])]
            wrong = weights[covered][data.decisions[covered] != decision].sum()
            rate = pessimistic_error_rates(weights[covered].sum(), wrong, confidence)
            if not rule.conditions or rate >= 0.5:
                break
            rules.append(rule)
            left[covered] = False
            order = [known[left[known]] for known in order]
    rest = np.bincount(data.decisions[left], weights[left], len(data.classes)) if left.any() else shares
    return with_counts([*rules, Rule((), int(first_largest(rest)))], values, data.decisions, weights)


def _grown(data: DataSet, values: Numbers, weights: Numbers, order: list[Rows], left: Mask, decision: int) -> Rule:
    """A rule for a decision, grown on the remaining rows; pruning may drop the tighter of two bounds on one side.

    order : for each attribute, the remaining rows that have a value, by increasing number
    """
    covered = left.copy()
    conditions: tuple[Condition, ...] = ()
    positive = np.where(data.decisions == decision, weights, 0.0)
    while (covered & (positive == 0)).any():
        condition = _best_condition(data, weights, positive, order, covered)
        if condition is None:
            break
        covered &= condition.holds(values)
        order = [rows[covered[rows]] for rows in order]
        conditions += (condition,)
    return Rule(conditions, decision)


def _best_condition(
    data: DataSet, weights: Numbers, positive: Numbers, order: list[Rows], covered: Mask
) -> Condition | None:
    """The first condition of most gain on the covered rows, those of `order`; None if every gain is negative."""
    size, of_class = float(weights[covered].sum()), float(positive[covered].sum())
    margin = EQUAL_SHARE * of_class
    best, result = -2 * margin, None
    for attribute, column in enumerate(data.columns):
        rows = order[attribute]
        if data.attributes[attribute].kind is AttributeKind.NUMERIC:
            cuts = _cuts(column[rows])
            sizes, shares = _of_sides(weights[rows], cuts), _of_sides(positive[rows], cuts)
        else:
            sizes, shares = (np.bincount(column[rows], each[rows]).astype(np.float64) for each in (weights, positive))
        gains = _gains(sizes, shares, size, of_class)
        if gains.max(initial=-np.inf) > best + margin:
            index = int(np.argmax(gains >= gains.max() - margin))
            best, result = float(gains[index]), _condition(data, attribute, rows, index)
    return result


def _gains(sizes: Numbers, shares: Numbers, size: float, of_class: float) -> Numbers:
    """FOIL's gain of conditions that leave these weights and shares of the class, of `size` and `of_class`.

    Minus infinity for conditions that leave no row of the class, or all rows.
    """
    useful = (shares > EQUAL_SHARE * of_class) & (sizes < size * EQUAL_RATIO)
    purity = np.divide(shares, sizes, out=np.ones(len(sizes)), where=useful)
    return np.where(useful, shares * (np.log2(purity) - np.log2(of_class / size)), -np.inf)


def _cuts(numbers: Column) -> Rows:
    """The last index before each cut of increasing numbers."""
    return np.flatnonzero(numbers[1:] > numbers[:-1])


def _of_sides(weights: Numbers, cuts: Rows) -> Numbers:
    """The weights at most and above each cut, one after the other."""
    below, sides = np.cumsum(weights), np.empty((len(cuts), 2))
    sides[:, 0] = below[cuts]
    sides[:, 1] = below[-1:] - sides[:, 0]
    return sides.ravel()


def _condition(data: DataSet, attribute: int, rows: Rows, index: int) -> Condition:
    """The condition whose gain has this index; `rows` are the covered rows, sorted if the attribute is numeric."""
    if data.attributes[attribute].kind is AttributeKind.NOMINAL:
        return OneOf(attribute, (index,))
    numbers = data.columns[attribute][rows]
    cut = _cuts(numbers)[index // 2]
    bound = cut_between(float(numbers[cut]), float(numbers[cut + 1]))
    return Interval(attribute, lower=bound) if index % 2 else Interval(attribute, upper=bound)
