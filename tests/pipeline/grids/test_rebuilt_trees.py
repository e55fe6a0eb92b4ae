"""Any tree, again: of each grid every row's tree is built from what the row is called, and is the tree of the row."""

from __future__ import annotations

import numpy as np
import pytest

from algorithms.trees.arrays import NodeKind
from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.conformance import Row, rows_to_rebuild
from pipeline.data.protocols import Split
from pipeline.data.sources import DataLocation
from pipeline.errors import ConfigError
from pipeline.grammar.comparison.grid import ComparisonGrid
from pipeline.grammar.whole_sources import with_two_branches
from pipeline.grid import RESULTS_TABLE, Grid
from pipeline.kinds import kind_named
from pipeline.words import listed_choices
from tests.oracles.tree_for_table import check_tree_for_table
from tests.pipeline.grids.every_grid import (
    BALLOONS,
    CORRAL,
    IRIS,
    computed,
    grid_named,
    grid_of_case,
)


def with_trees(name: str) -> tuple[Grid, list[Row]]:
    """The grid of a case, and the rows of its table that has trees."""
    grid = grid_of_case(name)
    return grid, computed(name)[grid.tree_table]


@pytest.mark.parametrize("name", ["greedy_vs_dp", "greed_grows", "uci_exact", "induction_gap"])
def test_trees_for_tables_have_the_costs_of_their_rows(name: str) -> None:
    grid, rows = with_trees(name)
    for row in rows:
        table = grid.table(grid.number_of(row))
        for request in rows_to_rebuild(row):
            tree, labels = grid.tree(request)
            costs = tree.costs(table)
            names = [request["cost"]] if "cost" in request else list(COST_FUNCTIONS)
            assert [costs[cost] for cost in names] == [row[cost] for cost in names]
            assert labels.attributes == table.labels.attributes
            if row["builder"] in {"greedy", "exact"}:
                check_tree_for_table(tree, table)


@pytest.mark.parametrize("name", ["compare_builders", "removed_features", "pruning", "evo_tree"])
def test_trees_predict_as_their_rows_say(name: str) -> None:
    """By the split of the protocol and the preparation of the builder, taken here once more."""
    grid, rows = with_trees(name)
    assert isinstance(grid, ComparisonGrid)
    builders = {builder.name: builder for builder in grid.builders}
    for row in (row for row in rows if row["terminal_nodes"] is not None):
        tree, labels = grid.tree(row)
        if (tree.kind == NodeKind.LINEAR).any():  # which asks columns, a label each
            continue
        item = grid.item(grid.number_of(row))
        selected, split = grid.selected_rows(item), grid.split(item)
        kept = [attribute.name for attribute in selected.data.attributes]
        if name == "removed_features":
            assert len(labels.attributes) == len(kept) - row["removed_attributes"]
            kept = [each for each in kept if each in labels.attributes]
        data = selected.data.select(
            [index for index, attribute in enumerate(selected.data.attributes) if attribute.name in kept]
        )
        train, test = builders[row["builder"]].preparation.prepared(data, Split(split.train, split.test))
        for part, accuracy in ((train, row["train_accuracy"]), (test, row["test_accuracy"])):
            assert np.mean(tree.predict(part.values()) == part.decisions) == accuracy


def test_trees_of_all_rows_predict_as_their_rows_say() -> None:
    grid, rows = with_trees("evo_vs_exact")
    for row in rows:
        data = with_two_branches(grid.item(grid.number_of(row)).source, bins=None)  # type: ignore[attr-defined]
        tree, labels = grid.tree(row)
        assert np.mean(tree.predict(data.values()) == data.decisions) == row["train_accuracy"]
        assert labels.attributes == tuple(attribute.name for attribute in data.attributes)


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("greedy_vs_dp", {"builder": "exact"}, "--cost NAME, where NAME is one of average_depth"),
        ("greedy_vs_dp", {"builder": "exact", "cost": "width"}, "cost width: expected one of"),
        ("greedy_vs_dp", {"builder": "cart"}, "builder cart: expected one of greedy, exact"),
        ("greedy_vs_dp", {"impurity_type": "max", "uncertainty": "gni"}, "heuristic max/gni: expected one of"),
        ("greedy_vs_dp", {"group": 3}, "group 3: expected 1 to 2"),
        ("greedy_vs_dp", {"table_index": 4}, "table 4: expected 1 to 3"),
        ("induction_gap", {"builder": "c45"}, "expected one of greedy, id3, cart, random_tree, exact"),
        ("uci_exact", {"source": "uci/zoo"}, f"source uci/zoo: expected one of {CORRAL}, {BALLOONS}"),
        ("compare_builders", {"builder": "id3"}, "builder id3: expected one of c45, cart, evo_tree"),
        ("compare_builders", {"repeat": 2}, "repeat 2: expected 1"),
        ("compare_builders", {"fold": 4}, "fold 4: expected 1 to 3"),
        ("compare_builders", {"source": IRIS, "part": "61 rows"}, f"source {IRIS} (61 rows): expected one of"),
        ("removed_features", {"removed_attributes": 6}, "removed attributes 6: expected 0 to 3"),
        ("removed_features", {"removal_order": "random_2"}, "expected one of information_gain, random_1"),
        ("did_vs_c45", {"source": "rule/monks-2"}, f"expected one of {CORRAL}, {BALLOONS}, rule/monks-3"),
        ("oct_vs_cart", {"builder": "evo"}, "builder evo: expected one of cart, oct"),
        ("oct_vs_cart", {"parameters": '{"max_depth": 3}'}, "max_depth 3: expected one of 1, 2"),
        (
            "smallest_tree",
            {"builder": "fewest_leaves"},
            "the builders that make trees are id3, c45, c45 unpruned, cart",
        ),
        ("evo_vs_exact", {"builder": "c45"}, "builder c45: expected one of evo_tree, cart, oct"),
        ("evo_vs_exact", {"repeat": 3}, "repeat 3: expected 1 to 2"),
        ("solvers", {"builder": "gosdt"}, "builder gosdt: expected oct"),
        ("worked_examples", {"builder": "cart"}, "builder cart: expected"),
    ],
)
def test_an_unknown_name_is_answered_with_the_existing_ones(name: str, row: Row, message: str) -> None:
    grid = grid_of_case(name)
    with pytest.raises(ConfigError) as caught:
        grid.tree(row)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("builder", ["mlp", "svm", "random_forest", "naive_bayes"])
def test_a_builder_without_a_tree_says_so(builder: str) -> None:
    grid = grid_named("compare_builders", f"source=[{IRIS}]", f"builders=[{builder},cart]")
    with pytest.raises(ConfigError, match=r"makes no tree; builders that make trees: cart"):
        grid.tree({"builder": builder})
    assert grid.tree({})[0].nodes > 1


def test_a_class_of_a_plugin_is_not_imported() -> None:
    other = "{name: other, builder: cart}"
    grid = grid_named("compare_builders", f"source=[{IRIS}]", f"builders=[{other}]")
    identity = grid.identity()
    identity["builders"][0] |= {"class": "subprocess.Popen", "parameters": {"args": ["touch", "/nowhere/at/all"]}}
    with pytest.raises(
        ConfigError,
        match=r"the class subprocess.Popen. Commands that read results import plugins only .* --plugins subprocess",
    ):
        kind_named("compare_builders").from_identity(identity, DataLocation()).tree({"builder": "other"})


def test_a_row_that_failed_has_no_tree() -> None:
    grid = grid_named("compare_builders", f"source=[{IRIS}]", "builders=[cart]")
    (row,) = grid.failed_item(0, "killed", "it went away")[RESULTS_TABLE].to_pylist()
    with pytest.raises(ConfigError, match="cart made no tree; its row has the status killed: it went away"):
        grid.tree(row)


def test_a_builder_that_fails_again_says_so() -> None:
    large = "{name: few_leaves, builder: oct, parameters: {min_samples_leaf: 999}}"
    grid = grid_named("compare_builders", f"source=[{IRIS}]", f"builders=[{large}]")
    with pytest.raises(
        ConfigError, match=r"the tree of few_leaves cannot be built again: .* for .* rows: expected 1 to"
    ):
        grid.tree({"builder": "few_leaves"})


def test_a_catalogue_has_no_trees() -> None:
    grid = grid_named("catalogue", f"source=[{IRIS}]")
    with pytest.raises(ConfigError, match="no builders"):
        grid.tree({"source": IRIS})


def test_a_difference_from_the_row_is_named() -> None:
    result = grid_of_case("greedy_vs_dp").rebuilt({"builder": "exact", "cost": "nodes"})
    row = dict.fromkeys(result.measures, -1)
    assert result.differing(row) == ["nodes"]
    assert result._replace(minimum=None).differing(row) == list(result.measures)
    assert result.differing(result.measures) == []


def test_choices_are_listed_in_few_words() -> None:
    assert listed_choices(range(1, 10**12 + 1)) == "1 to 1000000000000"
    assert listed_choices(range(1, 2)) == "1"
    assert listed_choices(["a"]) == "a"
    assert listed_choices(["a", "b"]) == "one of a, b"
    assert listed_choices([]) == "nothing, because no choice is available"
    assert listed_choices([f"s{index}" for index in range(100)]).endswith("s39 and 60 more")
