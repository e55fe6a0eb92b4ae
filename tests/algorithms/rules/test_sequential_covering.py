"""Rules found one at a time: against a slow search of every condition, and concepts that are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.data.rule_sets import RULE_SETS
from algorithms.rules.rule_classifiers import SequentialCoveringClassifier, TreeRulesClassifier
from algorithms.rules.sequential_covering import sequential_covering
from tests.algorithms.data_sets import data_set_of, data_sets
from tests.algorithms.rules.test_simplified import added, as_oracle, rows_of
from tests.oracles import covering


@given(data_sets(max_rows=14, missing=True), st.data())
def test_against_a_search_of_every_condition(data: DataSet, draw: st.DataObject) -> None:
    weights = np.array(draw.draw(st.lists(st.integers(1, 6), min_size=data.rows, max_size=data.rows)), float)
    numeric = [attribute.kind is AttributeKind.NUMERIC for attribute in data.attributes]
    rows = rows_of(data, weights)
    expected = covering.rules(rows, numeric, len(data.classes), added)
    result = sequential_covering(data, weights)
    assert [(sorted(set(as_oracle(rule)[0])), rule.decision) for rule in result.rules] == [
        (sorted(_tightest(conditions)), decision) for conditions, decision in expected
    ]
    assert result.predict(data.values()).tolist() == [covering.decision_of(expected, row) for row in rows]


def _tightest(conditions: list[covering.Condition]) -> set[covering.Condition]:
    """Of several bounds of one attribute on one side, the tightest."""
    kept = set()
    for attribute, test, bound in conditions:
        bounds = [other for index, kind, other in conditions if (index, kind) == (attribute, test)]
        kept.add((attribute, test, {"=": bound, "<=": min(bounds), ">": max(bounds)}[test]))
    return kept


def test_pruning_drops_the_tighter_of_two_bounds_and_keeps_the_other() -> None:
    """At most 0.125 has a rate below a half; at most -0.75, which the rule grew to, has none."""
    numbers = [*[np.nan] * 7, 0.0, 0.0, -1.5, np.nan, -1.5, 0.25]
    data = data_set_of([numbers], [0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 0, 1], [True])
    rules = sequential_covering(data, np.array([1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1.0]))
    assert [as_oracle(rule)[0] for rule in rules.rules] == [[(0, "<=", 0.125)], []]


def test_monk_3_is_found_without_fault() -> None:
    data = RULE_SETS["monks-3"]()
    rules = sequential_covering(data, np.ones(data.rows))
    assert rules.predict(data.values()).tolist() == data.decisions.tolist()
    assert len(rules.rules) <= 6


def test_tic_tac_toe_is_lost_on_eight_lines() -> None:
    """The rarer class is that x does not win: the rules are all lines of o; draws are left to the default."""
    data = RULE_SETS["tic-tac-toe"]()
    rules = sequential_covering(data, np.ones(data.rows))
    assert [len(rule.conditions) for rule in rules.rules] == [3] * 8 + [0]
    assert {rule.decision for rule in rules.rules[:-1]} == {data.classes.index("negative")}
    assert (rules.predict(data.values()) != data.decisions).sum() == 16


def test_a_class_of_too_few_rows_gets_no_rule() -> None:
    """One row in a hundred is no evidence, at a pessimistic error rate of 0.75."""
    data = data_set_of([list(range(100))], [1] + [0] * 99, [False])
    assert len(sequential_covering(data, np.ones(100)).rules) == 1
    assert len(sequential_covering(data, np.full(100, 3.0)).rules) == 2


def test_of_equally_rare_classes_the_first_comes_first_however_sums_are_rounded() -> None:
    for rows in range(8, 30):
        classes = np.repeat([0, 1], [rows, 7])
        model = SequentialCoveringClassifier(class_weight="balanced").fit(classes[:, None], classes)
        assert [rule.decision for rule in model.rules_.rules] == [0, 1], rows


def test_a_missing_value_fulfils_no_condition() -> None:
    data = data_set_of([[0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, -1]], [0] * 5 + [1] * 7, [False])
    rules = sequential_covering(data, np.ones(12))
    assert [rule.text() for rule in rules.rules] == ["if f1 = 0 then 0", "else 1"]
    assert rules.predict([[np.nan], [7], [0]]).tolist() == [1, 1, 0]


def test_estimators_read_what_people_have() -> None:
    x = [["a", 1.0], ["a", 2.0], ["b", 3.0], ["b", None]] * 4
    y = ["no", "no", "yes", "yes"] * 4
    fitted = SequentialCoveringClassifier().fit(x, y)
    assert fitted.predict([["a", None], ["b", None]]).tolist() == ["no", "yes"]
    assert fitted.rules_.text(fitted.labels_).splitlines() == [
        "if f1 = a then no  [50.0 % of rows, 100.0 % of them right]",
        "else yes  [50.0 % of rows, 100.0 % of them right]",
    ]
    assert fitted.predict_proba([["a", 1.0]]).tolist() == [[1, 0]]
    with pytest.raises(ValueError, match="contains NaN: attribute 'f2'"):
        TreeRulesClassifier().fit(x, y)


def test_rules_of_a_tree_that_are_not_simplified_predict_as_the_tree() -> None:
    data = RULE_SETS["tic-tac-toe"]()
    rules = TreeRulesClassifier(simplify=False).fit(data)
    tree = TreeRulesClassifier()._builder().fit(data)
    assert rules.predict(data).tolist() == tree.predict(data).tolist()
    assert rules.predict_proba(data).tolist() == tree.predict_proba(data).tolist()


def test_the_order_of_rows_does_not_decide_between_rules_that_cover_as_much() -> None:
    values, classes, weights = np.array([1, 1, 1, 0, 0]), np.array([0, 0, 0, 1, 1]), np.array([0.1, 0.6, 0.2, 0.3, 0.6])
    first = [
        TreeRulesClassifier().fit(values[rows][:, None], classes[rows], weights[rows]).rules_.rules[0].decision
        for rows in (np.arange(5), np.arange(5)[::-1])
    ]
    assert first[0] == first[1]
