"""Trees as ONNX, PMML and scikit-learn's, executed: the same decisions as the tree's own, or a refusal by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

from algorithms.data.table import Labels
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.id3 import ID3Classifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier
from algorithms.trees.arrays import ALL_BRANCHES, NO_NODE
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.export import ExportError, to_c, to_onnx, to_pmml, to_python, to_sklearn, to_sql
from tests.algorithms.trees import BOUNDS, LINEAR, every_kind, stump, tree_of
from tests.algorithms.trees.export import made_trees as made
from tests.algorithms.trees.export.execution import by_onnx, by_pmml
from tests.algorithms.trees.test_shares import shared_tree, trees_and_rows


@made.each_file
def test_decisions_of_onnx(file: str, shared: Path) -> None:
    tree, values, labels = made.grown(shared, file)
    with pytest.raises(ExportError, match=r"ONNX cannot express node 0, .* all branches by shares. complete=True"):
        to_onnx(tree, labels)
    for exported in (made.with_missing_to(tree, "last"), made.with_missing_to(tree, "stays")):
        assert by_onnx(exported, values, labels) == [labels.decisions[code] for code in exported.predict(values)]
    known = values[~np.isnan(values).any(axis=1)]
    if len(known):
        assert by_onnx(tree, known, labels, complete=True) == [labels.decisions[code] for code in tree.predict(known)]


@made.each_file
def test_decisions_of_pmml(file: str, shared: Path, tmp_path: Path) -> None:
    tree, values, labels = made.grown(shared, file)
    values = values[:: max(1, len(values) // 300)]
    with pytest.raises(ExportError, match=r"PMML cannot express node 0, .* all branches by shares. complete=True"):
        to_pmml(tree, labels)
    for exported in (made.with_missing_to(tree, "last"), made.with_missing_to(tree, "stays")):
        expected = [labels.decisions[code] for code in exported.predict(values)]
        assert by_pmml(exported, values, tmp_path, labels) == expected
    known = values[~np.isnan(values).any(axis=1)]
    expected = [labels.decisions[code] for code in tree.predict(known)]
    assert by_pmml(tree, known, tmp_path, labels, complete=True) == expected


def without_shares(tree: DecisionTree) -> DecisionTree:
    return replace(tree, unknown_to=np.where(tree.unknown_to == ALL_BRANCHES, NO_NODE, tree.unknown_to))


@given(trees_and_rows())
@settings(max_examples=60)
def test_random_trees_in_onnx(made_tree: tuple[DecisionTree, Any, Any]) -> None:
    tree, values = without_shares(made_tree[0]), made.without_negatives(made_tree[1])
    assert by_onnx(tree, values) == tree.predict(values).tolist()


@given(trees_and_rows())
@settings(max_examples=30)
def test_random_trees_in_pmml(tmp_path_factory: pytest.TempPathFactory, made_tree: Any) -> None:
    tree, values = without_shares(made_tree[0]), made.without_negatives(made_tree[1])
    result = by_pmml(tree, values, tmp_path_factory.mktemp("pmml"))
    assert result == [str(code) for code in tree.predict(values)]


@pytest.mark.parametrize("tree_and_rows", [made.bounds_apart(), made.sums_apart()], ids=["bounds", "sums"])
def test_numbers_are_compared_to_the_last_bit(tree_and_rows: Any, tmp_path: Path) -> None:
    tree, values = tree_and_rows
    expected = tree.predict(values).tolist()
    assert by_onnx(tree, values) == expected
    assert by_pmml(tree, values, tmp_path) == [str(code) for code in expected]


@pytest.mark.parametrize("file", made.NUMERIC)
def test_decisions_of_scikit_learn(file: str, shared: Path) -> None:
    """Of numbers as single precision holds them, which is what scikit-learn reads."""
    data = made.given(shared, file)
    values = data.values().astype(np.float32).astype(np.float64)
    tree = C45Classifier().fit(data).tree_
    exported = to_sklearn(tree, made.labels_of(data), complete=True)
    expected = [data.classes[code] for code in tree.predict(values)]
    assert exported.predict(values).tolist() == expected
    assert (exported.get_n_leaves(), exported.get_depth()) == (len(tree.kind) // 2 + 1, tree.depths().max())
    with pytest.raises(ExportError, match="scikit-learn cannot express node 0"):
        to_sklearn(tree, made.labels_of(data))


def test_an_estimator_is_exported_with_its_labels_and_shares() -> None:
    generator = np.random.default_rng(0)
    rows = generator.integers(0, 9, (80, 3)).astype(np.float64)
    fitted = CARTClassifier(max_depth=3).fit(rows, np.where(rows[:, 0] + rows[:, 1] > 8, "much", "little"))
    exported = to_sklearn(fitted)
    assert exported.predict(rows).tolist() == fitted.predict(rows).tolist() == by_onnx(fitted, rows)
    np.testing.assert_array_equal(exported.predict_proba(rows), fitted.predict_proba(rows))


@pytest.mark.parametrize("classes", [[5, 5], [0, 7], [0, 1], ["a", "a"], ["b", "a"], [3, 5]])
def test_onnx_has_one_decision_or_any_two(classes: list[Any]) -> None:
    rows = np.array([[0.0], [1.0]])
    fitted = CARTClassifier().fit(rows, classes)
    assert by_onnx(fitted, rows) == fitted.predict(rows).tolist() == classes


def test_large_weights_are_exported_to_scikit_learn() -> None:
    fitted = CARTClassifier().fit([[0.0], [1.0]], [0, 1], sample_weight=[1e298, 3e298])
    assert to_sklearn(fitted).predict_proba([[0.0], [1.0]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert to_sklearn(fitted).tree_.weighted_n_node_samples.tolist() == [4e298, 1e298, 3e298]


@pytest.mark.parametrize("low", [True, False])
def test_missing_values_follow_a_branch_in_scikit_learn(low: bool) -> None:
    tree = stump(BOUNDS, edge_bound=[0.5, np.inf], unknown_to=[1 if low else 2, -1, -1])
    rows = np.array([[0.5], [0.75], [np.nan]])
    assert to_sklearn(tree).predict(rows).tolist() == tree.predict(rows).tolist() == [0, 1, 0 if low else 1]


def test_what_scikit_learn_cannot_express_is_refused_by_name() -> None:
    linear = stump(LINEAR, edge_bound=[0.5, np.inf], coefficients=[[0, 1, 2]])
    with pytest.raises(ExportError, match="node 0, which tests 'f2' and 'f3': the node tests a sum"):
        to_sklearn(linear)
    three = tree_of(
        [BOUNDS, *[0] * 3], [0, *[-1] * 3], [0, 0, 1, 2], [0, 3, 3, 3, 3], [0] * 3, [1, 2, 3], edge_bound=[1, 2, np.inf]
    )
    with pytest.raises(ExportError, match="node 0, which tests 'f1': a node of scikit-learn has two branches"):
        to_sklearn(three, complete=True)
    around = stump(BOUNDS, edge_to=[1, 2, 1], edge_bound=[1, 2, np.inf])
    with pytest.raises(ExportError, match="node 0, which tests 'f1': a node of scikit-learn has two branches"):
        to_sklearn(around, complete=True)
    codes = stump(edge_to=[1, 2, 1])
    with pytest.raises(ExportError, match="node 0, which tests 'a': no bound separates the codes"):
        to_sklearn(codes, Labels(("a",), (tuple("xyz"),), (0, 1)), complete=True)
    with pytest.raises(
        ExportError, match="node 0, which tests 'f1': rows may have values for which the node has no branch"
    ):
        to_sklearn(codes, complete=True)
    stays = stump(BOUNDS, edge_bound=[0.5, np.inf])
    with pytest.raises(
        ExportError, match=r"a missing value stays at the node, whose decision is the answer. complete=True"
    ):
        to_sklearn(stays)


@pytest.mark.parametrize("classes", [[False, True], [0, 1], ["n", "y"]])
def test_pmml_declares_the_decisions_of_its_nodes(classes: list[Any]) -> None:
    document = ElementTree.fromstring(to_pmml(CARTClassifier().fit(np.array([[0.0], [1.0]]), classes)))
    declared = {value.get("value") for value in document.findall(".//{*}DataField[@name='decision']/{*}Value")}
    assert {node.get("score") for node in document.findall(".//{*}Node")} == declared
    assert {share.get("value") for share in document.findall(".//{*}ScoreDistribution")} == declared


def test_pmml_declares_numbers_as_continuous() -> None:
    """PMML4S takes all categories that are numbers for the first."""
    document = ElementTree.fromstring(to_pmml(ID3Classifier().fit(np.array([[0.5], [2.0]]), ["a", "b"])))
    field = document.find(".//{*}DataField[@name='f1']")
    assert field is not None
    assert (field.get("optype"), field.get("dataType"), len(field)) == ("continuous", "double", 0)


def test_pmml_has_probabilities_at_nodes_without_rows() -> None:
    tree = stump(BOUNDS, edge_bound=[0.5, np.inf], counts=[[2, 1], [2, 1], [0, 0]])
    nodes = ElementTree.fromstring(to_pmml(tree, complete=True)).iter("{http://www.dmg.org/PMML-4_4}Node")
    shares = [[float(share.get("probability", "")) for share in node.findall("{*}ScoreDistribution")] for node in nodes]
    assert shares == [[2 / 3, 1 / 3], [2 / 3, 1 / 3], [0, 1]]


def test_pmml_of_a_deep_tree() -> None:
    """More levels than Python's functions may call each other."""
    levels = 1200
    inner = [node % 2 == 0 and node < 2 * levels for node in range(2 * levels + 1)]
    tree = tree_of(
        [BOUNDS if tests else 0 for tests in inner],
        [0 if tests else -1 for tests in inner],
        [0] * len(inner),
        [0, *np.cumsum([2 * tests for tests in inner]).tolist()],
        [0] * 2 * levels,
        list(range(1, len(inner))),
        edge_bound=[bound for level in range(levels) for bound in (level, np.inf)],
    )
    document = to_pmml(tree, complete=True)
    assert len(ElementTree.fromstring(document).findall(".//{*}Node")) == document.count("<Node ") == len(inner)


def test_texts_of_pmml_hold_anything() -> None:
    name, label = "<\"\n&\t'> \r", 'a]]>"\n'
    tree = stump()
    document = ElementTree.fromstring(to_pmml(tree, Labels((name,), ((label, "b"),), ("p", label)), complete=True))
    predicate = document.find(".//{*}SimplePredicate")
    assert predicate is not None
    assert (predicate.get("field"), predicate.get("value")) == (name, label)


@pytest.mark.parametrize("label", [0.0, 1e-290, 5e-324, 2.0**64, 1e288])
def test_equal_numbers_in_onnx_are_equal_to_the_last_bit(label: float) -> None:
    fitted = ID3Classifier().fit([[label], [-1.0], [1.0], [2.0]], ["label", "other", "other", "other"])
    rows = np.array([[label], [math.nextafter(label, math.inf)], [math.nextafter(label, -math.inf)], [1.0]])
    assert by_onnx(fitted, rows) == fitted.predict(rows).tolist() == ["label", "other", "other", "other"]


def test_attributes_of_onnx_may_be_called_as_its_own_numbers_are() -> None:
    fitted = ID3Classifier().fit(pa.table({"factor of large_0": [0.0, 1.0, 2.0]}), ["a", "b", "c"])
    rows, labels = np.array([[0.0], [1.0], [2.0]]), replace(fitted.labels_, values=((0, 1, 2),))
    assert by_onnx(fitted.tree_, rows, labels) == ["a", "b", "c"]


def test_numbers_that_onnx_cannot_compare_are_refused() -> None:
    """They are tested for equality in products, which would be infinite, or values that onnxruntime joins wrongly."""
    for number, reason in ((1e290, "large"), (2.0**-64, "near zero")):
        model = ID3Classifier().fit([[0.0], [number], [1.0]], [0, 1, 0])
        with pytest.raises(ExportError, match=f"ONNX cannot express node 0, .* has the number .* too {reason}"):
            to_onnx(model)


@pytest.mark.parametrize("exporter", [to_c, to_onnx, to_pmml, to_python, to_sklearn, to_sql])
def test_an_estimator_that_fills_missing_values_is_exported_for_complete_rows(exporter: Callable[..., Any]) -> None:
    rows = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [math.nan, 0.0]])
    for model in (LogisticTreeClassifier(), EVOTreeClassifier(missing="fill", generations=2, individuals=10)):
        model.fit(rows, [0, 1, 0, 1])
        with pytest.raises(ExportError, match=f"{type(model).__name__} fills missing values .* Give complete=True"):
            exporter(model)
    assert exporter(model, complete=True)


def test_what_models_cannot_express_is_refused_by_name() -> None:
    identifiers = pa.table({"id": pa.array([2**60 + 1, 2**60 + 2]).dictionary_encode()})
    for export in (to_onnx, to_pmml):
        with pytest.raises(
            ExportError, match="node 0, which tests 'id': the attribute has two numbers that are equal in double"
        ):
            export(ID3Classifier().fit(identifiers, ["x", "y"]))
        with pytest.raises(ExportError, match="node 0, which tests 'f1': a missing value goes down all branches"):
            export(shared_tree())
    labels = Labels(("scores", "b", "c"), (tuple("xyz"), (), ()), tuple("pqr"))
    with pytest.raises(ExportError, match="ONNX cannot express node 0, which tests 'scores': an output has"):
        to_onnx(every_kind(), labels)
    with pytest.raises(
        ExportError, match="ONNX cannot express node 0, which tests '': the name of the attribute is empty; rename"
    ):
        to_onnx(every_kind(), replace(labels, attributes=("", "b", "c")))
    with pytest.raises(ExportError, match=r"PMML cannot express node 0, .* has characters that XML does not allow"):
        to_pmml(every_kind(), replace(labels, values=(("x", "y", "\x01"), (), ())))
    with pytest.raises(ExportError, match=r"PMML cannot express node 0, .* has characters that XML does not allow"):
        to_pmml(every_kind(), replace(labels, values=(("x", "y", "z", "\x01 of no branch"), (), ())))
    with pytest.raises(ExportError, match=r"PMML cannot express node 0, .* several types, such as 1, '1', 'z'"):
        to_pmml(every_kind(), replace(labels, values=((1, "1", "z"), (), ())))
    with pytest.raises(ExportError, match=r"PMML cannot express node 0, which tests '': the name .* is empty; rename"):
        to_pmml(every_kind(), replace(labels, attributes=("", "b", "c")))


def test_texts_and_numbers_that_files_cannot_hold_are_refused_by_name() -> None:
    tree, labels = every_kind(), Labels(("a", "b", "c"), (tuple("xyz"), (), ()), tuple("pqr"))
    for export in (to_onnx, to_sql):
        for changed, found in ((("\ud800", "b", "c"), "node 0"), (("a", "b", "\udfff"), "node [0-9]")):
            with pytest.raises(ExportError, match=rf"{found}, .* has a surrogate character"):
                export(tree, replace(labels, attributes=changed))
        with pytest.raises(ExportError, match=r"node 0, which tests 'a': .* has a surrogate character"):
            export(tree, replace(labels, values=(("x", "y", "\ud800"), (), ())))
        with pytest.raises(ExportError, match=r"express the decisions: .* has a surrogate character"):
            export(tree, replace(labels, decisions=("p", "q", "\ud800")))
    for export in (to_onnx, to_pmml):
        with pytest.raises(ExportError, match=r"node 0, which tests 'a': .* too large for double precision"):
            export(tree, replace(labels, values=((1, 2, 10**400), (), ())))
    with pytest.raises(ExportError, match=r"express the decisions: some decisions do not fit into integers"):
        to_onnx(tree, replace(labels, decisions=(1, 2, 2**63)))
