"""Simplifies rules by their estimated errors on new rows, as C4.5rules does (Quinlan 1993, chapter 5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.array_types import Numbers
from algorithms.pruning.pessimistic import added_errors
from algorithms.rounding import EQUAL_RATIO, EQUAL_SHARE, first_largest
from algorithms.rules.condition import conjoined, ends
from algorithms.rules.rule_list import Rule, RuleList, with_counts

Decisions = NDArray[np.int32]


def simplified(
    rules: RuleList, values: ArrayLike, decisions: Decisions, weights: Numbers, confidence: float = 0.25
) -> RuleList:
    """The rules with fewer conditions, the best first, only as many as help, and a new default.

    1. Conditions of each rule are dropped where that makes it no worse (`without_idle_conditions`). Equal rules are
       kept once; rules without conditions, or that cover no row, are left out. 2. Rules are sorted by pessimistic error
       rate; of equal rates, the rule that covers more comes first. 3. In this order, a rule is kept if it is right
       about a row that no earlier rule covers. 4. The list is cut where it and its default have the fewest errors; of
       several, the shortest. The default is the most common decision of the remaining rows, or of all rows if none
       remain.

    Step 1 and the default are those of C4.5rules. Steps 2 to 4 are those of CBA (Liu, Hsu and Ma, KDD 1998). C4.5rules
    instead chooses among the rules of each class by description length, and puts classes in order.

    values (rows, attributes), NaN where missing, decisions and weights (rows,) are the training rows. `confidence` is
    that of `algorithms.pruning.pessimistic.added_errors`.
    """
    numbers = np.asarray(values, np.float64)
    shorter = [without_idle_conditions(rule, numbers, decisions, weights, confidence) for rule in rules.rules[:-1]]
    covers = {rule: rule.covers(numbers) for rule in dict.fromkeys(shorter) if rule.conditions}
    covered = {rule: float(weights[rows].sum()) for rule, rows in covers.items()}
    total = float(weights.sum())
    rate = {
        rule: _rate(covered[rule], float(weights[rows & (decisions != rule.decision)].sum()), confidence)
        for rule, rows in covers.items()
        if covered[rule]
    }
    best_first = sorted(rate, key=lambda rule: (round(rate[rule], 9), -round(covered[rule] / total, 9)))
    return with_counts(
        _shortest_best([(rule, covers[rule]) for rule in best_first], decisions, weights), numbers, decisions, weights
    )


def _shortest_best(
    rules: Sequence[tuple[Rule, NDArray[np.bool_]]], decisions: Decisions, weights: Numbers
) -> list[Rule]:
    """Steps 3 and 4 of `simplified`, for rules and the rows that they cover."""
    left = weights.copy()  # weights of the rows that no kept rule covers
    default, wrong = _default(decisions, left, 0)
    kept: list[Rule] = []
    defaults, errors, by_rules = [default], [wrong], 0.0
    for rule, rows in rules:
        right = decisions == rule.decision
        if not (left[rows & right] > 0).any():
            continue
        kept.append(rule)
        by_rules += float(left[rows & ~right].sum())
        left[rows] = 0
        default, wrong = _default(decisions, left, defaults[0])
        defaults.append(default)
        errors.append(by_rules + wrong)
    length = int(np.argmax(np.array(errors) * EQUAL_RATIO <= min(errors)))
    return [*kept[:length], Rule((), defaults[length])]


def _default(decisions: Decisions, weights: Numbers, fallback: int) -> tuple[int, float]:
    """The most common decision of rows, or `fallback` if they have no weight; and the weight of the other rows."""
    counts = np.bincount(decisions, weights)
    decision = int(first_largest(counts)) if counts.any() else fallback
    return decision, float(np.delete(counts, decision).sum())


def without_idle_conditions(
    rule: Rule, values: Numbers, decisions: Decisions, weights: Numbers, confidence: float = 0.25
) -> Rule:
    """The rule without the conditions that do not lower its pessimistic error rate; intervals lose an end, or both.

    Conditions are dropped one at a time while the rate does not rise; the first whose removal gives the least rate goes
    first. Rules that cover no row have a rate of 1.
    """
    kept = [end for condition in rule.conditions for end in ends(condition)]
    fails = [~condition.holds(values) for condition in kept]
    failed = np.sum(fails, axis=0) if fails else np.zeros(len(values), np.int64)
    wrong = np.where(decisions == rule.decision, 0, weights)
    while kept:
        covered = failed == 0
        size, errors = float(weights[covered].sum()), float(wrong[covered].sum())
        once = np.flatnonzero(failed == 1)
        sizes, more = np.zeros(len(kept)), np.zeros(len(kept))
        for index, fail in enumerate(fails):
            rows = once[fail[once]]  # rows that fail only this condition
            sizes[index], more[index] = weights[rows].sum(), wrong[rows].sum()
        rates = pessimistic_error_rates(size + sizes, errors + more, confidence)
        best = int(np.argmax(rates <= rates.min() + EQUAL_SHARE))
        if rates[best] > _rate(size, errors, confidence) + EQUAL_SHARE:
            break
        failed -= fails.pop(best)
        kept.pop(best)
    return Rule(reduce(conjoined, kept, ()), rule.decision)


def pessimistic_error_rates(covered: ArrayLike, errors: ArrayLike, confidence: float = 0.25) -> Numbers:
    """(...,): upper limits of the error rates of rules, by covered and wrongly classified weight; 1 without rows."""
    size, wrong = np.asarray(covered, np.float64), np.asarray(errors, np.float64)
    limit = wrong + added_errors(size, wrong, confidence)
    return np.asarray(np.divide(limit, size, out=np.ones_like(limit), where=size > 0))


def _rate(covered: float, errors: float, confidence: float) -> float:
    return float(pessimistic_error_rates(covered, errors, confidence))
