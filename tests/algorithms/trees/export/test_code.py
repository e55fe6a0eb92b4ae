"""Trees as SQL, C and Python, executed: the same decisions as the tree's own, whatever the tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.induction.id3 import ID3Classifier
from algorithms.table import Labels
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.export import ExportError, to_c, to_python, to_sql
from tests.algorithms.trees import CODES, LINEAR, TERMINAL, every_kind, tree_of
from tests.algorithms.trees.export import made_trees as made
from tests.algorithms.trees.export.execution import by_c, by_python, by_sql
from tests.algorithms.trees.test_shares import shared_tree, trees_and_rows


@made.each_file
def test_decisions_are_those_of_the_tree(file: str, shared: Path, tmp_path: Path) -> None:
    tree, values, labels = made.grown(shared, file)
    for exported in (tree, made.with_missing_to(tree, "last"), made.with_missing_to(tree, "stays")):
        codes = exported.predict(values)
        expected = [labels.decisions[code] for code in codes]
        assert by_sql(exported, values, labels) == expected
        assert by_python(exported, values, labels) == expected
        assert by_c(exported, values, tmp_path, labels) == codes.tolist()


@given(trees_and_rows())
@settings(max_examples=60)
def test_random_trees(tmp_path_factory: pytest.TempPathFactory, made_tree: tuple[DecisionTree, Any, Any]) -> None:
    tree, rows, _ = made_tree
    values = made.without_negatives(rows)
    expected = tree.predict(values).tolist()
    assert by_sql(tree, values) == expected
    assert by_python(tree, values) == expected


@given(trees_and_rows())
@settings(max_examples=15)
def test_random_trees_in_c(tmp_path_factory: pytest.TempPathFactory, made_tree: tuple[DecisionTree, Any, Any]) -> None:
    tree, rows, _ = made_tree
    assert by_c(tree, np.array(rows), tmp_path_factory.mktemp("c")) == tree.predict(rows).tolist()


@pytest.mark.parametrize("tree_and_rows", [made.bounds_apart(), made.sums_apart()], ids=["bounds", "sums"])
def test_numbers_are_compared_to_the_last_bit(tree_and_rows: Any, tmp_path: Path) -> None:
    tree, values = tree_and_rows
    expected = tree.predict(values).tolist()
    assert len(set(expected)) > 1
    assert by_sql(tree, values) == by_python(tree, values) == by_c(tree, values, tmp_path) == expected


NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=6)


@given(st.lists(NAMES, min_size=6, max_size=6, unique_by=str.casefold))
@settings(max_examples=40)
def test_names_and_labels_may_hold_anything(names: list[str]) -> None:
    tree = tree_of([CODES, 0, 0], [1, -1, -1], [0, 0, 1], [0, 2, 2, 2], [0, 1], [1, 2], unknown_to=[2, -1, -1])
    labels = Labels(("first", names[0]), ((), tuple(names[2:4])), tuple(names[4:]))
    values = np.array([[0, 0], [0, 1], [0, np.nan], [0, 2]])
    expected = [names[4], names[5], names[5], names[5]]
    assert by_sql(tree, values, labels) == by_python(tree, values, labels) == expected


def test_strings_of_c_hold_anything(tmp_path: Path) -> None:
    tree = tree_of([TERMINAL], [-1], [0], [0, 0], [], [])
    labels = Labels(('a"\\\n??/é', "*/ b"), ((), ()), ("%d\0x",))
    assert by_c(tree, np.zeros((1, 2)), tmp_path, labels) == [0]
    assert '"a\\"\\\\\\012\\?\\?/\\303\\251"' in to_c(tree, labels)


def test_labels_of_an_estimator_are_the_values_that_it_was_fitted_to() -> None:
    fitted = ID3Classifier().fit(np.array([[1.5], [2]]), [10, 20])
    assert '"f1" = 1.5E0 THEN 10' in to_sql(fitted)
    truths = ID3Classifier().fit(np.array([[True], [False]]), ["x", "y"])
    assert '"f1" = FALSE' in to_sql(truths)
    assert "value == False" in to_python(truths)


def test_a_deep_tree(tmp_path: Path) -> None:
    """300 tests below one another: more than Python nests, and than C compilers have to."""
    levels = 300
    kinds = [CODES, TERMINAL] * levels + [TERMINAL]
    edges, to = [0], []
    for node in range(2 * levels):
        to += [node + 1, node + 2] if node % 2 == 0 else []
        edges.append(len(to))
    edges.append(len(to))
    attributes = [node // 2 if node % 2 == 0 else -1 for node in range(2 * levels)] + [-1]
    tree = tree_of(kinds, attributes, [node % 3 for node in range(2 * levels + 1)], edges, [0, 1] * levels, to)
    values = np.tril(np.ones((levels + 1, levels + 1)), -1)[:, :levels]
    expected = tree.predict(values).tolist()
    assert len(set(expected)) == 3
    assert by_python(tree, values) == by_c(tree, values, tmp_path) == by_sql(tree, values) == expected


def test_complete_leaves_missing_values_out() -> None:
    sql, code = to_sql(shared_tree(), complete=True), to_c(shared_tree(), complete=True)
    assert "NULL" not in sql
    assert "share" not in sql + code
    assert "isnan" not in code


def test_what_cannot_be_expressed_is_refused_by_name() -> None:
    tree = every_kind()
    with pytest.raises(ExportError, match="SQL cannot express node 1, which asks 'A': 'a' and 'A' are one name"):
        to_sql(tree, Labels(("a", "A", "b"), (tuple("xyz"), (), ()), tuple("pqr")))
    with pytest.raises(ExportError, match=r"node 0, which asks 'a': values are of several types, such as 1, 'z', 'y'"):
        to_sql(tree, Labels(("a", "b", "c"), ((1, "y", "z"), (), ()), tuple("pqr")))
    with pytest.raises(ExportError, match="SQL cannot express the decisions: values are of several types"):
        to_sql(tree, Labels(("a", "b", "c"), (tuple("xyz"), (), ()), (0, "q", "r")))
    infinite = tree_of(
        [LINEAR, 0, 0], [0, -1, -1], [0, 0, 1], [0, 2, 2, 2], [0, 0], [1, 2], edge_bound=[0, np.inf],
        coefficients=[[np.inf]],
    )  # fmt: skip
    for export in (to_sql, to_c, to_python):
        with pytest.raises(ExportError, match="node 0, which asks 'f1': a coefficient is infinite"):
            export(infinite)
    with pytest.raises(TypeError, match="expected a DecisionTree or a fitted estimator"):
        to_sql("a tree")  # type: ignore[arg-type]
