"""Rules in order: the first rule that covers a row decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.array_types import Numbers, unmasked
from algorithms.data.table import Labels
from algorithms.plurals import counted
from algorithms.rules.condition import Condition
from algorithms.trees.text import decision_name, rows_text

__all__ = ["Rule", "RuleList", "with_counts"]

MOST_SHOWN = 100
"""The most rules that a notebook shows in a table."""


@dataclass(frozen=True)
class Rule:
    """A decision for the rows that meet all conditions; without conditions, for all rows.

    Parameters
    ----------
    conditions : tuple of Condition
    decision : int
        The index of a class.
    counts : tuple of float, default ()
        The weight of each decision among the training rows that this rule of a list decides; () if it is not known.

    Examples
    --------
    >>> from orchard import Rule
    >>> Rule((), decision=1, counts=(1.0, 3.0)).accuracy
    0.75
    """

    conditions: tuple[Condition, ...]
    decision: int
    counts: tuple[float, ...] = ()

    @property
    def covered(self) -> float:
        """The weight of the training rows that this rule of a list decides."""
        return sum(self.counts)

    @property
    def accuracy(self) -> float:
        """The share of the rule's decision among the training rows that it decides; NaN if it decides no row."""
        right = self.counts[self.decision] if self.decision < len(self.counts) else 0.0
        return right / self.covered if self.covered else np.nan

    def covers(self, values: Numbers) -> NDArray[np.bool_]:
        """(rows,): whether each row of `values` meets all conditions; a missing value is NaN."""
        met = np.ones(len(values), np.bool_)
        for condition in self.conditions:
            met &= condition.holds(values)
        return met

    def text(self, labels: Labels | None = None) -> str:
        """As text, such as `if outlook = rain and wind = weak then play`."""
        conditions = " and ".join(condition.text(labels) for condition in self.conditions)
        decision = decision_name(self.decision, labels)
        return f"if {conditions} then {decision}" if conditions else f"else {decision}"


@dataclass(frozen=True, repr=False)
class RuleList:
    """Rules in order: the first rule that covers a row decides it. A notebook shows the rules as a table.

    Parameters
    ----------
    rules : tuple of Rule
        The last rule is the default: it has no conditions and covers every row.

    Raises
    ------
    ValueError
        There are no rules, or the last rule has conditions.

    Examples
    --------
    >>> from orchard import TreeRulesClassifier
    >>> rows, classes = [["red"], ["red"], ["blue"], ["blue"]], ["stop", "stop", "go", "go"]
    >>> TreeRulesClassifier().fit(rows, classes).rules_
    <RuleList: 2 rules, 1 condition>
    """

    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        """Check that there is a default rule."""
        if not self.rules or self.rules[-1].conditions:
            raise ValueError("the list has no default rule: expected a last rule without conditions")

    def __repr__(self) -> str:
        conditions = sum(len(rule.conditions) for rule in self.rules)
        return f"<{type(self).__name__}: {counted(len(self.rules), 'rule')}, {counted(conditions, 'condition')}>"

    def _repr_html_(self) -> str:
        return self.html()

    def first_rules(self, values: ArrayLike) -> NDArray[np.int64]:
        """(rows,): the index of the rule that decides each row of `values`; a missing value is NaN."""
        numbers = np.asarray(unmasked(values), np.float64)
        first = np.full(len(numbers), len(self.rules) - 1)
        undecided = np.arange(len(numbers))
        for index, rule in enumerate(self.rules[:-1]):
            covers = rule.covers(numbers[undecided])
            first[undecided[covers]] = index
            undecided = undecided[~covers]
        return first

    def predict(self, values: ArrayLike) -> NDArray[np.int32]:
        """(rows,): the decision for each row of `values`; a missing value is NaN."""
        decisions = np.array([rule.decision for rule in self.rules], np.int32)
        return decisions[self.first_rules(values)]

    def coverage(self) -> Numbers:
        """(rules,): the share of the weight of all training rows that each rule decides."""
        covered = np.array([rule.covered for rule in self.rules])
        return covered / covered.sum() if covered.any() else covered

    def distributions(self, decisions: int) -> Numbers:
        """(rules, decisions): the share of each decision among the training rows that each rule decides.

        If a rule decides no training row, the share of its own decision is 1.
        """
        shares = np.zeros((len(self.rules), decisions))
        for share, rule in zip(shares, self.rules, strict=True):
            if rule.covered:
                share[: len(rule.counts)] = np.array(rule.counts) / rule.covered
            else:
                share[rule.decision] = 1
        return shares

    def text(self, labels: Labels | None = None) -> str:
        """A line for each rule, with the share of the training rows that it decides, and its accuracy on these rows."""
        lines = []
        for rule, share in zip(self.rules, self.coverage().tolist(), strict=True):
            right = f", {100 * rule.accuracy:.1f} % of them right" if rule.covered else ""
            lines.append(f"{rule.text(labels)}  [{100 * share:.1f} % of rows{right}]")
        return "\n".join(lines)

    def html(self, labels: Labels | None = None) -> str:
        """A table with a line for each rule: its conditions, its decision, and its training rows by decision.

        If there are more than 100 rules, the first 99 and the default are shown.
        """
        decisions = max((len(rule.counts) for rule in self.rules), default=0)
        by_decision = [decision_name(k, labels) for k in range(decisions)]
        shown = self.rules if len(self.rules) <= MOST_SHOWN else (*self.rules[: MOST_SHOWN - 1], self.rules[-1])
        lines = [_line("th", ["", "if", "then", *(["rows"] if decisions else []), *by_decision])]
        for number, rule in enumerate(shown, 1):
            if number == MOST_SHOWN < len(self.rules):
                lines.append(_line("td", ["…", counted(len(self.rules) - MOST_SHOWN, "more rule")]))
            conditions = " and ".join(condition.text(labels) for condition in rule.conditions) or "else"
            counts = [rows_text(weight) for weight in (rule.covered, *rule.counts)] if decisions else []
            position = number if rule is not self.rules[-1] else len(self.rules)
            lines.append(_line("td", [str(position), conditions, decision_name(rule.decision, labels), *counts]))
        return "\n".join(["<table>", *lines, "</table>"])


def _line(cell: str, words: Sequence[str]) -> str:
    """A line of a table, with numbers aligned right, conditions and decisions left."""
    sides = ["left" if column in (1, 2) else "right" for column in range(len(words))]
    cells = [
        f'<{cell} style="padding: .1em .5em; text-align: {side}">{escape(word)}</{cell}>'
        for side, word in zip(sides, words, strict=True)
    ]
    return f"<tr>{''.join(cells)}</tr>"


def with_counts(rules: Sequence[Rule], values: ArrayLike, decisions: NDArray[np.int32], weights: Numbers) -> RuleList:
    """The list of these rules with counts of the rows that each decides; `decisions` and `weights` are (rows,)."""
    bare = RuleList(tuple(rules))
    classes = 1 + int(max(decisions.max(initial=0), *(rule.decision for rule in rules)))
    counts = np.zeros((len(rules), classes))
    np.add.at(counts, (bare.first_rules(values), decisions), weights)
    return RuleList(tuple(replace(rule, counts=tuple(row)) for rule, row in zip(rules, counts.tolist(), strict=True)))
