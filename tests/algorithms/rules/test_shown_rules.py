"""Rule lists show themselves: as a table in a notebook, as text elsewhere."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from sklearn.exceptions import NotFittedError

from algorithms.data.table import Labels
from algorithms.rules.condition import Interval, OneOf
from algorithms.rules.rule_classifiers import SequentialCoveringClassifier
from algorithms.rules.rule_list import MOST_SHOWN, Rule, RuleList

LABELS = Labels(("out<look", "wind"), (("rain", "sun & fog"), ()), ("stay", "play"))
RULES = RuleList(
    (
        Rule((OneOf(0, (1,)), Interval(1, upper=2.5)), 1, (1.5, 1200.0)),
        Rule((), 0, (3.0, 0.0)),
    )
)


def cells(html: str) -> list[list[str]]:
    return [[cell.text or "" for cell in line] for line in ElementTree.fromstring(html)]


def test_a_table_has_conditions_decision_and_rows_of_each_rule() -> None:
    assert cells(RULES.html(LABELS)) == [
        ["", "if", "then", "rows", "stay", "play"],
        ["1", "out<look = sun & fog and wind <= 2.5", "play", "1,201.5", "1.5", "1,200"],
        ["2", "else", "stay", "3", "3", "0"],
    ]
    assert cells(RULES._repr_html_())[1][1:3] == ["f1 = 1 and f2 <= 2.5", "1"]
    bare = RuleList((Rule((), 0),))
    assert cells(bare.html(LABELS)) == [["", "if", "then"], ["1", "else", "stay"]]


def test_a_long_list_shows_its_first_rules_and_the_default() -> None:
    rules = RuleList((*[Rule((OneOf(0, (0,)),), 0)] * 250, Rule((), 1)))
    shown = cells(rules.html(LABELS))[1:]
    assert [line[0] for line in shown] == [*map(str, range(1, MOST_SHOWN)), "…", "251"]
    assert shown[-2] == ["…", "151 more rules"]
    over = RuleList((*[Rule((OneOf(0, (0,)),), 0)] * MOST_SHOWN, Rule((), 1)))
    assert cells(over.html())[-2] == ["…", "1 more rule"]
    exact = RuleList((*[Rule((OneOf(0, (0,)),), 0)] * (MOST_SHOWN - 1), Rule((), 1)))
    assert [line[0] for line in cells(exact.html())[1:]] == [*map(str, range(1, MOST_SHOWN + 1))]


def test_a_list_says_its_size() -> None:
    assert repr(RULES) == "<RuleList: 2 rules, 2 conditions>"


def test_an_estimator_shows_its_parameters_and_then_its_rules() -> None:
    estimator = SequentialCoveringClassifier(confidence=0.1)
    with pytest.raises(NotFittedError):
        estimator.export_text()
    assert "<table><tr><th" not in estimator._repr_html_().replace("\n", "")
    estimator.fit([["a", 1.0], ["a", 2.0], ["b", 3.0], ["b", None]] * 4, ["no", "no", "yes", "yes"] * 4)
    shown = estimator._repr_mimebundle_()["text/html"]
    assert shown.index("confidence") < shown.index(estimator.rules_.html(estimator.labels_))
    assert ">f1 = a</td>" in shown
    assert estimator.export_text() == estimator.rules_.text(estimator.labels_)
