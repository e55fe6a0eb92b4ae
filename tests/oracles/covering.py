"""Rules simplified and rules learned one at a time, slow and plain: one row, one condition at a time.

A condition is (attribute, "=", code), (attribute, "<=", cut) or (attribute, ">", cut); a rule (conditions, decision).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import log2
from typing import Any

Condition = tuple[int, str, float]
Rule = tuple[list[Condition], int]
Row = tuple[list[float], int, float]  # values, decision, weight
Added = Callable[[float, float], float]

ROUNDING = 1e-9


def holds(condition: Condition, row: Row) -> bool:
    attribute, test, bound = condition
    value = row[0][attribute]
    return {"=": value == bound, "<=": value <= bound, ">": value > bound}[test]


def weights(rows: list[Row], rule: Rule) -> tuple[float, float]:
    """(weight covered, weight of these that has another decision)."""
    covered = [row for row in rows if all(holds(condition, row) for condition in rule[0])]
    return sum(row[2] for row in covered), sum(row[2] for row in covered if row[1] != rule[1])


def rate(rows: list[Row], rule: Rule, added: Added) -> float:
    size, wrong = weights(rows, rule)
    return (wrong + added(size, wrong)) / size if size else 1.0


def without_idle_conditions(rows: list[Row], rule: Rule, added: Added) -> Rule:
    conditions, decision = rule
    while conditions:
        shorter = [conditions[:index] + conditions[index + 1 :] for index in range(len(conditions))]
        rates = [rate(rows, (fewer, decision), added) for fewer in shorter]
        best = next(index for index, result in enumerate(rates) if result <= min(rates) + ROUNDING)
        if rates[best] > rate(rows, (conditions, decision), added) + ROUNDING:
            break
        conditions = shorter[best]
    return conditions, decision


def candidates(rows: list[Row], numeric: list[bool]) -> list[Condition]:
    result: list[Condition] = []
    for attribute, is_numeric in enumerate(numeric):
        known = sorted({row[0][attribute] for row in rows if row[0][attribute] == row[0][attribute]})
        if is_numeric:
            for lower, upper in pairwise(known):
                result += [(attribute, "<=", (lower + upper) / 2), (attribute, ">", (lower + upper) / 2)]
        else:
            result += [(attribute, "=", code) for code in known]
    return result


def grown(rows: list[Row], numeric: list[bool], decision: int) -> Rule:
    conditions: list[Condition] = []
    while any(row[1] != decision for row in rows):
        size, wrong = weights(rows, ([], decision))
        gains: list[tuple[float, Any]] = []
        for condition in candidates(rows, numeric):
            there, wrong_there = weights(rows, ([condition], decision))
            if there > wrong_there and there < size:
                gain = log2((there - wrong_there) / there) - log2((size - wrong) / size)
                gains.append(((there - wrong_there) * gain, condition))
        margin = ROUNDING * (size - wrong)
        if not gains or max(gains)[0] < -margin:
            break
        most = max(gain for gain, _ in gains)
        chosen = next(condition for gain, condition in gains if gain >= most - margin)
        conditions.append(chosen)
        rows = [row for row in rows if holds(chosen, row)]
    return conditions, decision


def rules(rows: list[Row], numeric: list[bool], classes: int, added: Added) -> list[Rule]:
    """The rules of sequential covering, default included."""
    shares = [sum(row[2] for row in rows if row[1] == label) for label in range(classes)]
    collected: list[Rule] = []
    left = rows
    for decision in sorted(range(classes), key=lambda label: (shares[label], label))[:-1]:
        while any(row[1] == decision for row in left):
            rule = without_idle_conditions(left, grown(left, numeric, decision), added)
            if not rule[0] or rate(left, rule, added) >= 0.5:
                break
            collected.append(rule)
            left = [row for row in left if not all(holds(condition, row) for condition in rule[0])]
    over = [sum(row[2] for row in left if row[1] == label) for label in range(classes)] if left else shares
    return [*collected, ([], over.index(max(over)))]


def decision_of(result: list[Rule], row: Row) -> int:
    return next(decision for conditions, decision in result if all(holds(condition, row) for condition in conditions))
