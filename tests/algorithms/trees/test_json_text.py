"""Trees as JSON and back: the same tree, and nothing that is no tree."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.exact.graph import SubtableGraph
from algorithms.greedy import greedy_tree
from algorithms.measures.impurity import IMPURITY_FUNCTIONS
from algorithms.trees.arrays import TreeError
from algorithms.trees.costs import NODES
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.json_text import FORMAT, from_json, to_json
from tests.algorithms.strategies import GivenTable, tables
from tests.algorithms.trees import LINEAR, every_kind, stump


def assert_same(left: DecisionTree, right: DecisionTree) -> None:
    for field in fields(DecisionTree):
        mine, other = getattr(left, field.name), getattr(right, field.name)
        assert mine.dtype == other.dtype, field.name
        assert mine.shape == other.shape, field.name
        np.testing.assert_array_equal(mine, other, err_msg=field.name)


def test_all_kinds_of_node_come_back() -> None:
    assert_same(from_json(to_json(every_kind())), every_kind())


@given(tables(), st.sampled_from(IMPURITY_FUNCTIONS))
def test_built_trees_come_back(given_table: GivenTable, function: Any) -> None:
    for tree in (greedy_tree(given_table.table, function), SubtableGraph.of(given_table.table).optimal_tree(NODES)):
        assert_same(from_json(to_json(tree)), tree)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_bounds_and_coefficients_keep_every_bit(bound: float, coefficient: float) -> None:
    tree = stump(
        LINEAR, edge_bound=[bound, np.inf], coefficients=[[coefficient]], counts=[[bound, 1], [1 / 3, 0], [0, 1]]
    )
    assert_same(from_json(to_json(tree)), tree)


def test_it_is_strict_json_with_its_format() -> None:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    parsed = json.loads(to_json(every_kind()), parse_constant=refuse)
    assert parsed.pop("format") == FORMAT == "orchard.tree/1"
    assert set(parsed) == {field.name for field in fields(DecisionTree)}
    assert parsed["edge_bound"] == [None, None, None, 0.5, 2.0, None, 1.0, None]


GOOD = json.loads(to_json(every_kind()))


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key != name}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        (b"\xff", "not JSON"),
        (None, "not JSON"),
        ("null", 'expected a JSON object with "format": "orchard.tree/1"'),
        ("[]", 'expected a JSON object with "format"'),
        ("{}", 'expected a JSON object with "format"'),
        (json.dumps(GOOD | {"format": "orchard.tree/2"}), 'expected a JSON object with "format"'),
        (json.dumps(without("format")), 'expected a JSON object with "format"'),
        (json.dumps(GOOD | {"colour": []}), "has the unknown arrays colour"),
        (json.dumps(GOOD | {"edge_to": [1, 2, 1, 4, 5, 6, 8, 7]}), "node 7 has 2 parents"),
        (json.dumps(GOOD | {"kind": []}), "expected 0"),
    ],
)
def test_an_invalid_tree_is_refused(text: Any, words: str) -> None:
    with pytest.raises(TreeError, match=words):
        from_json(text)


NAMES = [field.name for field in fields(DecisionTree)]
WHOLE = ["kind", "attribute", "decision", "edges", "edge_code", "edge_to", "unknown_to"]


@pytest.mark.parametrize("name", NAMES)
def test_every_array_must_be_there(name: str) -> None:
    with pytest.raises(TreeError, match=f"lacks the arrays {name}"):
        from_json(json.dumps(without(name)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "wrong", [None, 3, "abc", {}, ["1"], [True], [[1], [1, 2]], [[[1]]], [{}], [10**400], [float("nan")]], ids=str
)
def test_every_array_must_be_of_numbers(name: str, wrong: Any) -> None:
    with pytest.raises(TreeError, match=f"not a tree: `{name}`"):
        from_json(json.dumps(GOOD | {name: wrong}))


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("wrong", [0.5, 1e30, -(2**31) - 1 / 2, None, float("inf")])
def test_whole_numbers_must_fit_their_type(name: str, wrong: float | None) -> None:
    with pytest.raises(TreeError, match=f"not a tree: `{name}`"):
        from_json(json.dumps(GOOD | {name: [wrong, *GOOD[name][1:]]}))


def test_kinds_do_not_wrap_around() -> None:
    with pytest.raises(TreeError, match="`kind` is not an array of uint8"):
        from_json(json.dumps(GOOD | {"kind": [257, *GOOD["kind"][1:]]}))
