"""Trees as text and as Graphviz, to the letter."""

from __future__ import annotations

import shutil
import subprocess
from xml.etree import ElementTree

import numpy as np
import pytest

from algorithms.data.data_set import DAYS, SECONDS, Attribute, AttributeKind, DataSet
from algorithms.data.table import Labels
from algorithms.induction.c45 import C45Classifier
from algorithms.rules.rule_classifiers import TreeRulesClassifier
from algorithms.trees.export import to_graphviz
from algorithms.trees.text import export_text, threshold_text
from tests.algorithms.trees import BOUNDS, CODES, LINEAR, TERMINAL, every_kind, stump, tree_of

LABELS = Labels(("colour", "size", 'the "age"'), (("red", "green", "blue"), (), ()), ("no", "yes", "may\\be"))


def test_text_with_labels() -> None:
    assert export_text(every_kind(), LABELS).splitlines() == [
        "colour in {red, blue}",
        "|   size <= 0.5: no",
        "|   size in (0.5, 2]: yes",
        "|   size > 2: may\\be",
        "|   size unknown: no",
        "colour = green",
        '|   2 size + -1 the "age" <= 1: yes',
        '|   2 size + -1 the "age" > 1: may\\be',
        "colour unknown: yes",
    ]


def test_text_without_labels() -> None:
    assert export_text(every_kind()).splitlines()[:2] == ["f1 in {0, 2}", "|   f2 <= 0.5: 0"]
    assert export_text(every_kind()).splitlines()[6] == "|   2 f2 + -1 f3 <= 1: 1"


def test_text_of_a_leaf() -> None:
    leaf = tree_of([TERMINAL], [-1], [1], [0, 0], [], [])
    assert export_text(leaf) == ": 1"
    assert export_text(leaf, LABELS) == ": yes"


def test_intervals_that_lead_to_one_node_are_joined() -> None:
    inf = float("inf")
    joined = stump(BOUNDS, edge_to=[1, 2, 2], edge_bound=[1, 2, inf])
    assert export_text(joined) == "f1 <= 1: 0\nf1 > 1: 1"
    below = stump(BOUNDS, edge_to=[1, 1, 2], edge_bound=[1, 2, inf])
    assert export_text(below) == "f1 <= 2: 0\nf1 > 2: 1"
    known = stump(BOUNDS, edge_to=[1], edge_bound=[inf], unknown_to=[2, -1, -1])
    assert export_text(known) == "f1 known: 0\nf1 unknown: 1"


def test_a_child_that_unknown_values_join_is_shown_once() -> None:
    inf = float("inf")
    tree = stump(BOUNDS, edge_bound=[1, inf], unknown_to=[2, -1, -1])
    assert export_text(tree) == "f1 <= 1: 0\nf1 > 1 or unknown: 1"
    assert [line for line in to_graphviz(tree).splitlines() if "->" in line] == [
        '  0 -> 1 [label="<= 1"];',
        '  0 -> 2 [label="> 1 or unknown"];',
    ]


def test_a_linear_test_of_nothing_is_zero() -> None:
    zero = stump(LINEAR, edge_bound=[0, float("inf")], coefficients=[[0]])
    assert export_text(zero).splitlines() == ["0 <= 0: 0", "0 > 0: 1"]


def test_to_graphviz() -> None:
    inf = float("inf")
    tree = tree_of(
        kind=[CODES, LINEAR, TERMINAL, TERMINAL, TERMINAL],
        attribute=[0, 0, -1, -1, -1],
        decision=[0, 0, 1, 0, 2],
        edges=[0, 2, 4, 4, 4, 4],
        edge_code=[0, 1, 0, 0],
        edge_to=[1, 2, 3, 4],
        edge_bound=[inf, inf, 1.25, inf],
        coefficients=[[0, 0, 0.1]],
    )
    assert to_graphviz(tree, LABELS) == "\n".join(
        [
            "digraph tree {",
            '  node [shape=box, style=rounded, fontname="sans-serif"];',
            '  edge [fontname="sans-serif"];',
            '  0 [label="colour"];',
            '  1 [label="0.1 the \\"age\\""];',
            '  2 [label="yes", style=filled, fillcolor=gray92];',
            '  3 [label="no", style=filled, fillcolor=gray92];',
            '  4 [label="may\\\\be", style=filled, fillcolor=gray92];',
            '  0 -> 1 [label="= red"];',
            '  0 -> 2 [label="= green"];',
            '  1 -> 3 [label="<= 1.25"];',
            '  1 -> 4 [label="> 1.25"];',
            "}",
        ]
    )


def test_graphviz_keeps_a_line_break_inside_a_label() -> None:
    labels = Labels(("two\nlines",), (("a", "b"),), (0, 1))
    tree = stump()
    assert '  0 [label="two\\nlines"];' in to_graphviz(tree, labels).splitlines()


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws_names_as_they_are_whatever_they_hold() -> None:
    names = ("<b>x</b>", '"];evil[label="', "\\N \\l \\", "&amp; &lt;", "漢字", "{a|b}", "//c", "#", "%s")
    labels = Labels(names[:3], (names,) * 3, names)
    drawn = subprocess.run(
        ["dot", "-Tsvg"], input=to_graphviz(every_kind(), labels), capture_output=True, encoding="utf-8", check=True
    )
    assert drawn.stderr == ""
    output = [each.text for each in ElementTree.fromstring(drawn.stdout).iter() if each.tag.endswith("}text")]
    tree = every_kind()
    for node in range(tree.nodes):
        word = names[tree.decision[node]] if tree.kind[node] == TERMINAL else names[tree.attribute[node]]
        assert word in output or tree.kind[node] == LINEAR
    assert "in {<b>x</b>, \\N \\l \\}" in output


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws_a_test_of_many_labels() -> None:
    names = tuple(f"label {code:05}" for code in range(4000))
    graph = to_graphviz(stump(edge_to=(1, *(2,) * 3999)), Labels(("x",), (names,), ("&" * 10**6, "b")))
    drawn = subprocess.run(["dot", "-Tplain"], input=graph, capture_output=True, encoding="utf-8", check=True)
    assert drawn.stderr == ""
    assert "label 00076, label 0…" in graph


def test_graphviz_gets_no_control_characters() -> None:
    labels = Labels(("\x1b[2J\x00\ud800\u202e",), (("a", "b"),), (0, 1))
    tree = stump()
    assert '  0 [label="\N{REPLACEMENT CHARACTER}[2J' + 3 * "\N{REPLACEMENT CHARACTER}" + '"];' in to_graphviz(
        tree, labels
    )


@pytest.mark.parametrize(
    ("number", "unit", "words"),
    [
        (20484.5, DAYS, "2026-01-31"),
        (-0.5, DAYS, "1969-12-31"),
        (1769867100.5, SECONDS, "2026-01-31 13:45:00.500000"),
        (1769867100.0, SECONDS + "Z", "2026-01-31 13:45:00Z"),
        (1e300, DAYS, "1e+300"),
        (np.inf, SECONDS, "inf"),
        (20484.5, "", "20484.5"),
    ],
)
def test_thresholds_in_days_and_seconds_are_dates_and_times(number: float, unit: str, words: str) -> None:
    assert threshold_text(number, unit) == words


def test_trees_and_rules_test_dates_as_dates() -> None:
    attributes = (Attribute("admitted", AttributeKind.NUMERIC, unit=DAYS), Attribute("age", AttributeKind.NUMERIC))
    columns = (np.array([20484.0, 20485.0, 20500.0, 20501.0]), np.array([30.0, 40.0, 30.0, 40.0]))
    data = DataSet(attributes, columns, ("early", "late"), np.array([0, 0, 1, 1], np.int32))
    model = C45Classifier(min_rows=1).fit(data)
    assert export_text(model).startswith("admitted <= 2026-02-01")
    assert "<= 2026-02-01" in to_graphviz(model)
    assert "admitted <= 2026-02-01" in TreeRulesClassifier(C45Classifier(min_rows=1)).fit(data).export_text()
