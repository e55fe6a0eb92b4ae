"""Trees as SQL, C and Python, executed: the same decisions as the tree's own, whatever the tree."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from algorithms.data.table import Labels
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.id3 import ID3Classifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier
from algorithms.trees.arrays import ALL_BRANCHES
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.export import ExportError, to_c, to_graphviz, to_onnx, to_pmml, to_python, to_sklearn, to_sql
from algorithms.trees.export.sql import OF_SESSION
from tests.algorithms.trees import BOUNDS, CODES, LINEAR, TERMINAL, every_kind, stump, tree_of
from tests.algorithms.trees.export import made_trees as made
from tests.algorithms.trees.export.execution import by_c, by_python, by_sql, by_sqlite
from tests.algorithms.trees.test_shares import shared_tree, trees_and_rows


@made.each_file
def test_decisions_are_those_of_the_tree(file: str, shared: Path, tmp_path: Path) -> None:
    tree, values, labels = made.grown(shared, file)
    for exported in (tree, made.with_missing_to(tree, "last"), made.with_missing_to(tree, "stays")):
        codes = exported.predict(values)
        expected = [labels.decisions[code] for code in codes]
        assert by_sql(exported, values, labels) == expected
        assert by_sqlite(exported, values, labels) == expected
        assert by_python(exported, values, labels) == expected
        assert by_c(exported, values, tmp_path, labels) == codes.tolist()


@given(trees_and_rows())
@settings(max_examples=60)
def test_random_trees(made_tree: tuple[DecisionTree, Any, Any]) -> None:
    tree, rows, _ = made_tree
    values = made.without_negatives(rows)
    expected = tree.predict(values).tolist()
    assert by_sql(tree, values) == by_sqlite(tree, values) == by_python(tree, values) == expected


@given(trees_and_rows())
@settings(max_examples=15)
def test_random_trees_in_c(tmp_path_factory: pytest.TempPathFactory, made_tree: tuple[DecisionTree, Any, Any]) -> None:
    tree, rows, _ = made_tree
    assert by_c(tree, np.array(rows), tmp_path_factory.mktemp("c")) == tree.predict(rows).tolist()


def test_a_sum_of_nothing_in_c_needs_no_product(tmp_path: Path) -> None:
    tree = stump(LINEAR, edge_bound=[1, np.inf], unknown_to=[-1, -1, -1], coefficients=[[0, 0]])
    values = np.array([[3.0, np.nan]])
    assert by_c(tree, values, tmp_path) == tree.predict(values).tolist() == [0]


@pytest.mark.parametrize("tree_and_rows", [made.bounds_apart(), made.sums_apart()], ids=["bounds", "sums"])
def test_numbers_are_compared_to_the_last_bit(tree_and_rows: Any, tmp_path: Path) -> None:
    tree, values = tree_and_rows
    expected = tree.predict(values).tolist()
    assert len(set(expected)) > 1
    assert by_sql(tree, values) == by_sqlite(tree, values) == expected
    assert by_python(tree, values) == by_c(tree, values, tmp_path) == expected


NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=6)


@given(st.lists(NAMES, min_size=6, max_size=6, unique_by=str.casefold))
@settings(max_examples=40)
def test_names_and_labels_may_hold_anything(names: list[str]) -> None:
    tree = stump(attribute=1, unknown_to=[2, -1, -1])
    labels = Labels(("first", names[0]), ((), tuple(names[2:4])), tuple(names[4:]))
    values = np.array([[0, 0], [0, 1], [0, np.nan], [0, 2]])
    expected = [names[4], names[5], names[5], names[5]]
    assert by_sql(tree, values, labels) == by_sqlite(tree, values, labels) == expected
    assert by_python(tree, values, labels) == expected


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
    identifiers = [2**60 + 1, 2**60 + 2]  # equal as float64
    fitted = ID3Classifier().fit(pa.table({"id": pa.array(identifiers).dictionary_encode()}), ["x", "y"])
    scope: dict[str, Any] = {}
    exec(to_python(fitted), scope)
    assert [scope["predict"]({"id": identifier}) for identifier in identifiers] == ["x", "y"]
    assert f'"id" = {2**60 + 2} THEN' in to_sql(fitted)


def chain(goes_on: list[int], kind: int, unknown: int) -> tuple[DecisionTree, np.ndarray]:
    """Tests below one another: level i asks attribute i, and goes on at its first (0) or second (1) branch.

    A missing value stays, or follows branch `unknown`. There is a row for each leaf, and one for each missing value.
    """
    levels = len(goes_on)
    nodes = 2 * levels + 1  # below node 2 i are the leaf 2 i + 1 and the next level
    branches = [(2 * i + 2, 2 * i + 1) if on == 0 else (2 * i + 1, 2 * i + 2) for i, on in enumerate(goes_on)]
    inner = [i // 2 if i % 2 == 0 and i < 2 * levels else -1 for i in range(nodes)]
    tree = tree_of(
        [TERMINAL if level < 0 else kind for level in inner],
        inner,
        [node % 3 for node in range(nodes)],
        [0, *np.cumsum([0 if level < 0 else 2 for level in inner]).tolist()],
        [0, 1] * levels if kind == CODES else [0, 0] * levels,
        [child for pair in branches for child in pair],
        edge_bound=([0.5, np.inf] if kind == BOUNDS else [np.inf, np.inf]) * levels,
        unknown_to=[-1 if level < 0 or unknown < 0 else branches[level][unknown] for level in inner],
    )
    on, at_leaf = np.array(goes_on, float), np.eye(levels, dtype=bool)
    return tree, np.concatenate([np.where(at_leaf, 1 - on, on), [on], np.where(at_leaf, np.nan, on)])


@pytest.mark.parametrize("kind", [CODES, BOUNDS])
@pytest.mark.parametrize(
    ("goes_on", "unknown"),
    [([1] * 300, -1), ([0] * 300, -1), *(([0, 1, 1] * 100, unknown) for unknown in (-1, 0, 1))],
    ids=["second", "first", "both", "both, missing to the first", "both, missing to the second"],
)
def test_a_deep_tree(goes_on: list[int], kind: int, unknown: int, tmp_path: Path) -> None:
    """300 tests below one another: more than Python or SQLite nests, and than C compilers have to."""
    tree, values = chain(goes_on, kind, unknown)
    expected = tree.predict(values).tolist()
    assert len(set(expected)) == 3
    assert by_sql(tree, values) == by_sqlite(tree, values) == by_python(tree, values) == expected
    if unknown == -1:
        assert by_c(tree, values, tmp_path) == expected


@pytest.mark.parametrize("on", [0, 1])
def test_shares_of_a_deep_tree(on: int) -> None:
    tree, values = chain([on] * 60, BOUNDS, -1)
    counts = np.eye(3)[np.arange(tree.nodes) % 3] * (tree.kind == TERMINAL)[:, None]
    for node, parent in reversed(list(enumerate(tree.parents().tolist()))[1:]):
        counts[parent] += counts[node]
    shared = replace(tree, counts=counts, unknown_to=np.where(tree.kind == TERMINAL, -1, ALL_BRANCHES).astype(np.int32))
    assert by_sql(shared, values) == by_sqlite(shared, values) == shared.predict(values).tolist()


def test_sql_of_shares_grows_with_the_labels_and_not_with_their_square() -> None:
    lengths = []
    for labels in (50, 200):
        rows = pa.table({"label": [f"label {index % labels}" for index in range(2 * labels)]})
        lengths.append(len(to_sql(C45Classifier(min_rows=1, pruned=False).fit(rows, np.arange(2 * labels) % 2))))
    assert lengths[1] < 5 * lengths[0]


def test_many_intervals_of_one_branch() -> None:
    """More than SQLite joins by OR."""
    bounds = 2400
    tree = stump(BOUNDS, edge_to=[1, 2] * 1200, edge_bound=[*range(bounds - 1), np.inf])
    values = np.arange(-0.5, bounds, 0.5).reshape(-1, 1)
    assert by_sql(tree, values) == by_sqlite(tree, values) == tree.predict(values).tolist()


def wide(labels: int) -> tuple[DecisionTree, np.ndarray]:
    """Two nodes of this many branches; rows that lack the root's value add the shares of both."""
    decision = np.concatenate([[0, 0, 0], np.arange(labels) % 3, np.arange(labels) % 2])
    counts = np.zeros((len(decision), 3))
    counts[3:] = np.eye(3)[decision[3:]]
    counts[1], counts[2] = counts[3 : 3 + labels].sum(axis=0), counts[3 + labels :].sum(axis=0)
    counts[0] = counts[1] + counts[2]
    tree = tree_of(
        [CODES] * 3 + [TERMINAL] * (2 * labels),
        [0, 1, 1] + [-1] * (2 * labels),
        decision.tolist(),
        [0, 2, 2 + labels] + [2 + 2 * labels] * (2 * labels + 1),
        [0, 1, *range(labels), *range(labels)],
        list(range(1, 3 + 2 * labels)),
        counts=counts,
        unknown_to=[ALL_BRANCHES] + [-1] * (2 * labels + 2),
    )
    codes = [*range(0, labels, 37), labels - 1]
    return tree, np.array([[root, code] for root in (0, 1, np.nan) for code in codes])


def test_a_node_of_more_branches_than_an_if_statement_may_have(tmp_path: Path) -> None:
    tree, values = wide(3000)
    assert by_python(tree, values) == by_sqlite(tree, values) == tree.predict(values).tolist()
    tree, values = wide(250)
    assert by_c(tree, values, tmp_path) == tree.predict(values).tolist()


def test_a_deep_tree_of_many_branches() -> None:
    """Subtrees of any depth on both sides, so that the deepest of several is nested."""
    generator = np.random.default_rng(0)
    leaves, to, nodes = [0], {}, 1
    while nodes < 3001:
        node = leaves.pop(int(len(leaves) * generator.random() ** 0.1))
        to[node] = [nodes, nodes + 1]
        leaves, nodes = [*leaves, nodes, nodes + 1], nodes + 2
    tree = tree_of(
        [BOUNDS if node in to else TERMINAL for node in range(nodes)],
        [int(generator.integers(20)) if node in to else -1 for node in range(nodes)],
        generator.integers(9, size=nodes).tolist(),
        [0, *np.cumsum([2 * (node in to) for node in range(nodes)]).tolist()],
        [0] * (nodes - 1),
        [child for node in range(nodes) for child in to.get(node, ())],
        edge_bound=[bound for _ in to for bound in (generator.random(), np.inf)],
        unknown_to=[int(generator.choice([-1, *to[node]])) if node in to else -1 for node in range(nodes)],
    )
    assert tree.depths().max() > 50
    values = generator.random((500, 20))
    values[generator.random(values.shape) < 0.1] = np.nan
    assert by_sql(tree, values) == by_sqlite(tree, values) == tree.predict(values).tolist()


def test_sql_asks_once_whether_a_value_is_missing() -> None:
    rows = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [np.nan]]
    sql = to_sql(C45Classifier(pruned=False).fit(rows * 9, [1, 1, 0, 0, 1, 1, 0] * 9))
    assert sql.count("<=") > sql.count("IS NULL THEN NULL") == 1


@pytest.mark.parametrize("export", [to_c, to_graphviz, to_pmml, to_python, to_sklearn, to_sql])
def test_an_estimator_that_is_not_fitted_is_refused(export: Any) -> None:
    with pytest.raises(NotFittedError, match="This ID3Classifier instance is not fitted yet"):
        export(ID3Classifier())


def test_complete_leaves_missing_values_out() -> None:
    sql, code = to_sql(shared_tree(), complete=True), to_c(shared_tree(), complete=True)
    assert "NULL" not in sql
    assert "share" not in sql + code
    assert "isnan" not in code


def test_what_cannot_be_expressed_is_refused_by_name() -> None:
    tree = every_kind()
    with pytest.raises(ExportError, match="SQL cannot express node 1, which tests 'A': 'a' and 'A' are the same name"):
        to_sql(tree, Labels(("a", "A", "b"), (tuple("xyz"), (), ()), tuple("pqr")))
    for name in ("", "a\0b"):
        with pytest.raises(
            ExportError,
            match=r"SQL cannot express node 0, .*: the name of an attribute is empty or has a NUL character",
        ):
            to_sql(tree, Labels((name, "b", "c"), (tuple("xyz"), (), ()), tuple("pqr")))
    with pytest.raises(ExportError, match=r"node 0, which tests 'a': the values are of several types, such as 1, 'z'"):
        to_sql(tree, Labels(("a", "b", "c"), ((1, "y", "z"), (), ()), tuple("pqr")))
    with pytest.raises(ExportError, match=r"node 0, which tests 'a': a value is infinite or NaN"):
        to_sql(tree, Labels(("a", "b", "c"), ((1.0, 2.0, np.inf), (), ()), tuple("pqr")))
    with pytest.raises(
        ExportError, match=r"decisions: SQLite would read the values True and False as the column 'True'"
    ):
        to_sql(CARTClassifier().fit(pa.table({"a": [0.0, 1.0], "True": [0.0, 1.0]}), [False, True]))
    with pytest.raises(ExportError, match="SQL cannot express the decisions: the values are of several types"):
        to_sql(tree, Labels(("a", "b", "c"), (tuple("xyz"), (), ()), (0, "q", "r")))
    for factor in (np.inf, np.nan):
        infinite = stump(LINEAR, edge_bound=[0, np.inf], coefficients=[[factor]])
        for export in (to_sql, to_c, to_python):
            with pytest.raises(ExportError, match="node 0, which tests 'f1': a coefficient is infinite"):
                export(infinite)
    with pytest.raises(TypeError, match="expected a DecisionTree or a fitted estimator"):
        to_sql("a tree")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(OF_SESSION))
def test_names_that_duckdb_reads_as_the_session_are_refused_in_a_subquery(name: str) -> None:
    labels = Labels((name.title(), "b"), (tuple("xyz"), ()), ("p", "q"))
    with pytest.raises(ExportError, match=f"node 0, .*: DuckDB would read '{name.title()}' as a value of the session"):
        to_sql(shared_tree(), labels)
    rows = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    expected = [labels.decisions[code] for code in shared_tree().predict(rows)]
    assert by_sql(shared_tree(), rows, labels, complete=True) == expected
    duckdb = pytest.importorskip("duckdb")
    query = f'SELECT (SELECT "{name}" FROM (SELECT 1)) FROM (SELECT 42 AS "{name}")'
    assert duckdb.execute(query).fetchall() != [(42,)], "now read as the column: take the name from OF_SESSION"


@pytest.mark.parametrize("export", [to_onnx, to_pmml, to_python, to_sql])
def test_attributes_of_the_same_name_are_refused(export: Any) -> None:
    rows = pytest.importorskip("pandas").DataFrame({"a": ["b=c", "x", "b=c", "y"], "a=b": ["c", "c", "d", "d"]})
    fitted = LogisticTreeClassifier().fit(rows, [0, 1, 1, 0])
    with pytest.raises(ExportError, match=r"cannot express node 0, .*: two attributes are called 'a=b=c'; rename one"):
        export(fitted, complete=True)


def test_functions_of_c_fit_into_one_file_and_may_be_called_product(tmp_path: Path) -> None:
    tree, rows = made.sums_apart()
    both = "\n".join(to_c(tree, name=name) for name in ("product", "predict"))
    (tmp_path / "both.c").write_text(both)
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no gcc")
    library = tmp_path / "both.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, tmp_path / "both.c", "-lm"], check=True)
    for name in ("product", "predict"):
        function = getattr(ctypes.CDLL(str(library)), name)
        pointers = [np.ascontiguousarray(row).ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for row in rows]
        assert [function(pointer) for pointer in pointers] == tree.predict(rows).tolist()


@pytest.mark.parametrize(
    ("export", "name"),
    [
        *((to_python, name) for name in ("a b", "class", "max", "\uff4dax")),
        *((to_c, name) for name in ("é", "double", "_Bool", "main", "isnan", "log", "atan2f", "y0l", "M_PI")),
    ],
)
def test_a_name_that_no_function_may_have_is_refused(export: Any, name: str) -> None:
    with pytest.raises(ValueError, match=f"name is '{name}': expected a name that .*(letters|math.h|Python)"):
        export(every_kind(), name=name)
