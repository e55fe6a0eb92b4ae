"""Rules made simpler, by what their errors may become on other rows, as C4.5rules does (Quinlan 1993, chapter 5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.array_types import Numbers
from algorithms.pruning.pessimistic import added_errors
from algorithms.rules.condition import conjoined, ends
from algorithms.rules.rule_list import Rule, RuleList, measured

__all__ = ["pessimistic_error_rates", "simplified", "without_idle_conditions"]

ROUNDING = 1e-9

Decisions = NDArray[np.int32]


def simplified(
    rules: RuleList, values: ArrayLike, decisions: Decisions, weights: Numbers, confidence: float = 0.25
) -> RuleList:
    """The rules with fewer conditions, the best first and no more of them than help, and a default; it may differ.

    1. Each rule loses the conditions that it is no worse without (`without_idle_conditions`); of rules that become the
       same one is kept, and rules that lose all conditions, or cover no row, are left out.
    2. They are put in order of their pessimistic error rates, of equal ones that which covers more first.
    3. Down the list, a rule is kept if it is right about a row that no rule before covers.
    4. The list is cut where it and its default have fewest errors, the shortest of several. The default is the most
       common decision of the rows left over, or of all rows where none are.

    Steps 1 and the default are those of C4.5rules. It chooses among the rules of each class by description length and
    puts classes in order; steps 2 to 4 are those of CBA instead (Liu, Hsu and Ma, KDD 1998).

    values (rows, attributes), NaN where missing, decisions and weights (rows,) are the training rows. `confidence` is
    that of `algorithms.pruning.pessimistic.added_errors`.
    """
    given = np.asarray(values, np.float64)
    shorter = [without_idle_conditions(rule, given, decisions, weights, confidence) for rule in rules.rules[:-1]]
    covers = {rule: rule.covers(given) for rule in dict.fromkeys(shorter) if rule.conditions}
    covered = {rule: float(weights[rows].sum()) for rule, rows in covers.items()}
    rate = {
        rule: _rate(covered[rule], float(weights[rows & (decisions != rule.decision)].sum()), confidence)
        for rule, rows in covers.items()
        if covered[rule]
    }
    best_first = sorted(rate, key=lambda rule: (round(rate[rule], 9), -covered[rule]))
    return measured(
        _shortest_best([(rule, covers[rule]) for rule in best_first], decisions, weights), given, decisions, weights
    )


def _shortest_best(
    rules: Sequence[tuple[Rule, NDArray[np.bool_]]], decisions: Decisions, weights: Numbers
) -> list[Rule]:
    """Steps 3 and 4 of `simplified`, for rules and the rows that they cover."""
    left = weights.copy()  # of the rows that no rule kept so far covers
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
    length = int(np.argmax(np.array(errors) <= min(errors) + ROUNDING * weights.sum()))
    return [*kept[:length], Rule((), defaults[length])]


def _default(decisions: Decisions, weights: Numbers, otherwise: int) -> tuple[int, float]:
    """The most common decision of rows, or another where they weigh nothing; and the weight of the other rows."""
    counts = np.bincount(decisions, weights)
    decision = int(counts.argmax()) if counts.any() else otherwise
    return decision, float(counts.sum() - counts[decision])


def without_idle_conditions(
    rule: Rule, values: Numbers, decisions: Decisions, weights: Numbers, confidence: float = 0.25
) -> Rule:
    """The rule without the conditions that keep its pessimistic error rate no lower; intervals lose an end, or both.

    One at a time, that without which the rate is least, the first of several, while the rate does not rise. Rules that
    cover no row have a rate of 1.
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
        for place, fail in enumerate(fails):
            rows = once[fail[once]]  # covered but for this condition
            sizes[place], more[place] = weights[rows].sum(), wrong[rows].sum()
        rates = pessimistic_error_rates(size + sizes, errors + more, confidence)
        best = int(np.argmax(rates <= rates.min() + ROUNDING))
        if rates[best] > _rate(size, errors, confidence) + ROUNDING:
            break
        failed -= fails.pop(best)
        kept.pop(best)
    return Rule(reduce(conjoined, kept, ()), rule.decision)


def pessimistic_error_rates(covered: ArrayLike, errors: ArrayLike, confidence: float = 0.25) -> Numbers:
    """(...,): upper limits of the error rates of rules by the weight of what they cover and get wrong; 1 of none."""
    size, wrong = np.asarray(covered, np.float64), np.asarray(errors, np.float64)
    limit = wrong + added_errors(size, wrong, confidence)
    return np.asarray(np.divide(limit, size, out=np.ones_like(limit), where=size > 0))


def _rate(covered: float, errors: float, confidence: float) -> float:
    return float(pessimistic_error_rates(covered, errors, confidence))
