"""Rules made simpler: against a slow count of every row, and concepts that are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import DataSet
from algorithms.data.rule_sets import RULE_SETS
from algorithms.pruning.pessimistic import added_errors
from algorithms.rules.condition import Interval, OneOf
from algorithms.rules.rule_list import Rule, RuleList
from algorithms.rules.simplified import simplified, without_idle_conditions
from algorithms.rules.tree_rules import tree_rules
from tests.algorithms.data_sets import data_sets
from tests.algorithms.grown_trees import generate_tree
from tests.oracles import covering


def added(size: float, wrong: float) -> float:
    return float(added_errors(size, wrong))


def as_oracle(rule: Rule) -> covering.Rule:
    conditions: list[covering.Condition] = []
    for condition in rule.conditions:
        if isinstance(condition, OneOf):
            (code,) = condition.codes
            conditions.append((condition.attribute, "=", code))
        elif isinstance(condition, Interval):
            if np.isfinite(condition.lower):
                conditions.append((condition.attribute, ">", condition.lower))
            if np.isfinite(condition.upper):
                conditions.append((condition.attribute, "<=", condition.upper))
    return conditions, rule.decision


def rows_of(data: DataSet, weights: np.ndarray) -> list[covering.Row]:
    return list(zip(data.values().tolist(), data.decisions.tolist(), weights.tolist(), strict=True))


@given(data_sets(max_rows=16), st.data())
def test_conditions_are_dropped_as_counting_says(data: DataSet, draw: st.DataObject) -> None:
    weights = np.array(draw.draw(st.lists(st.integers(1, 3), min_size=data.rows, max_size=data.rows)), float)
    rules = [rule for rule in tree_rules(generate_tree(data)).rules if rule.conditions]
    for rule in rules:
        result = without_idle_conditions(rule, data.values(), data.decisions, weights)
        expected = covering.without_idle_conditions(rows_of(data, weights), as_oracle(rule), added)
        assert (sorted(as_oracle(result)[0]), result.decision) == (sorted(expected[0]), expected[1])


@given(data_sets(max_rows=16))
def test_a_list_has_fewest_errors_of_all_its_beginnings(data: DataSet) -> None:
    weights = np.ones(data.rows)
    values = data.values()
    rules = simplified(tree_rules(generate_tree(data)), values, data.decisions, weights)

    def wrong(chosen: tuple[Rule, ...]) -> int:
        """Of the first rules with the best default there is."""
        return min(
            int((RuleList((*chosen, Rule((), default))).predict(values) != data.decisions).sum())
            for default in range(len(data.classes))
        )

    errors = [wrong(rules.rules[:length]) for length in range(len(rules.rules))]
    assert (rules.predict(values) != data.decisions).sum() == errors[-1]
    assert all(errors[-1] < earlier for earlier in errors[:-1])
    for rule in rules.rules[:-1]:  # each is right about a row that is left to it
        assert rule.counts[rule.decision] > 0


def test_monk_1_is_its_definition() -> None:
    data = RULE_SETS["monks-1"]()
    rules = simplified(tree_rules(generate_tree(data)), data.values(), data.decisions, np.ones(data.rows))
    names = [rule.text() for rule in rules.rules]
    assert names == [
        "if f5 = 0 then 1",
        "if f1 = 0 and f2 = 0 then 1",
        "if f1 = 1 and f2 = 1 then 1",
        "if f1 = 2 and f2 = 2 then 1",
        "else 0",
    ]
    assert rules.coverage().tolist() == pytest.approx([1 / 4, 1 / 12, 1 / 12, 1 / 12, 1 / 2])


def test_tic_tac_toe_is_its_eight_lines() -> None:
    data = RULE_SETS["tic-tac-toe"]()
    rules = simplified(tree_rules(generate_tree(data)), data.values(), data.decisions, np.ones(data.rows))
    lines = {frozenset(condition.attribute for condition in rule.conditions) for rule in rules.rules[:-1]}
    three = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]
    assert lines == set(map(frozenset, three))
    assert rules.predict(data.values()).tolist() == data.decisions.tolist()


@pytest.mark.parametrize("heavy", [5.0, 1e10, 1e17])
def test_a_row_of_any_weight_hides_no_errors_of_the_others(heavy: float) -> None:
    values, weights = np.array([[0.0], [1.0]]), np.array([heavy, 5.0])
    rules = RuleList((Rule((Interval(0, 0.5, np.inf),), 1), Rule((), 0)))
    result = simplified(rules, values, np.array([0, 1], np.int32), weights)
    assert result.predict(values).tolist() == [0, 1]


def test_a_list_of_nothing_but_a_default_stays_one() -> None:
    only = RuleList((Rule((), 0),))
    result = simplified(only, np.zeros((3, 1)), np.array([1, 1, 0], np.int32), np.ones(3))
    assert [rule.text() for rule in result.rules] == ["else 1"]
    assert result.rules[0].counts == (1, 2)
