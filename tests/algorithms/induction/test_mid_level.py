"""Mid-level search: DID at width 1, the exact minimum at full width, and the definition in between."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from algorithms.exact.graph import exact_costs
from algorithms.exact.subtables import GraphTooLargeError
from algorithms.trees.arrays import NodeKind
from tests.algorithms.data_sets import uci_table
from tests.algorithms.grown_trees import did_tree, mid_level_tree
from tests.algorithms.induction.data_sets import coded, data_of, data_of_table, oracle_of, path_length, weights_of
from tests.algorithms.induction.test_look_ahead import EXACT_TABLES
from tests.algorithms.strategies import GivenTable, random_given_table, tables
from tests.oracles import dual_information as oracle
from tests.oracles.tree_for_table import check_tree_for_table

DISTANCES = ("conditional_entropy", "rokhlin", "mantaras")
APART = random_given_table(np.random.default_rng(10), rows=10, attributes=5, values=3, decisions=3)
"""Its path length is another if any but the two attributes of least score are tried."""


@example(given_table=APART, width=2, w1=Fraction(1), distance="conditional_entropy")
@given(
    given_table=tables(max_rows=10),
    width=st.integers(1, 5),
    w1=st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1)]),
    distance=st.sampled_from(DISTANCES),
)
def test_path_lengths_are_least_of_the_trees_that_are_tried(
    given_table: GivenTable, width: int, w1: Fraction, distance: Any
) -> None:
    data, weights, table = data_of(given_table), weights_of(given_table), oracle_of(given_table)
    score = oracle.dual(w1, Fraction(1), distance)
    tree = mid_level_tree(data, weights, width=width, orthogonality_weight=float(w1), distance=distance)
    assert path_length(tree, data, weights) == oracle.least_path_length(table, width, score)
    for node, rows in tree.rows_of_nodes(data.values()):
        if tree.kind[node] != NodeKind.TERMINAL:
            assert tree.attribute[node] in oracle.ranked(tuple(table[row] for row in rows), score)[:width]


@given(given_table=tables(max_rows=14))
def test_full_width_has_the_least_average_depth(given_table: GivenTable) -> None:
    table = given_table.table
    tree = mid_level_tree(data_of_table(table), table.weights.astype(float), width=None)
    check_tree_for_table(tree, table)
    assert tree.costs(table).total_path_length == exact_costs(table).total_path_length


@pytest.mark.parametrize("file", EXACT_TABLES)
def test_widths_from_did_to_the_exact_minimum_on_the_notes_tables(file: str, shared: Path) -> None:
    table = uci_table(shared, file)
    data = data_of_table(table)
    lengths = [did_tree(data).costs(table).total_path_length]
    for width in (1, 2, 3, None):
        tree = mid_level_tree(data, width=width)
        check_tree_for_table(tree, table)
        lengths.append(tree.costs(table).total_path_length)
    assert lengths[0] == lengths[1]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] == exact_costs(table).total_path_length


def test_words_of_many_machine_words() -> None:
    """Forty attributes of many values: a row takes several machine words, and some labels are on no row."""
    generator = np.random.default_rng(1)
    codes, decisions = generator.integers(0, 3, (40, 40)) * 127, generator.integers(0, 3, 40)
    dense = mid_level_tree(coded(codes // 127, decisions), width=3)
    spread = mid_level_tree(coded(codes, decisions), width=3)
    np.testing.assert_array_equal(spread.attribute, dense.attribute)
    np.testing.assert_array_equal(spread.edge_code, dense.edge_code * 127)


def test_the_memory_it_takes_has_a_ceiling() -> None:
    generator = np.random.default_rng(0)
    data = coded(generator.integers(0, 2, (200, 14)), generator.integers(0, 2, 200))
    with pytest.raises(GraphTooLargeError, match=r"outgrew its limit of 100,000 bytes.* reduce the depth or width"):
        mid_level_tree(data, width=None, limit=100_000)
    assert mid_level_tree(data, width=None).nodes > 1
