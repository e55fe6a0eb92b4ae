"""The attributes that a tree tests."""

from __future__ import annotations

import numpy as np

from algorithms.data.data_set import DataSet
from algorithms.data.rule_sets import RULE_SETS
from algorithms.pruning.subtrees import pruned
from tests.algorithms.grown_trees import generate_tree
from tests.algorithms.trees import TERMINAL, every_kind, tree_of


def test_of_every_kind_of_node() -> None:
    """Codes of 0, bounds of 1, and the sum 2 x1 - x2."""
    assert every_kind().attributes_tested().tolist() == [0, 1, 2]
    assert pruned(every_kind(), np.array([1])).attributes_tested().tolist() == [0, 1, 2]
    assert pruned(every_kind(), np.array([2])).attributes_tested().tolist() == [0, 1]
    assert tree_of([TERMINAL], [-1], [0], [0, 0], [], []).attributes_tested().tolist() == []


def test_of_a_rule_are_those_that_it_names() -> None:
    """MONK-1 is about a1, a2 and a5; a tree of these alone is the same tree."""
    data: DataSet = RULE_SETS["monks-1"]()
    tree = generate_tree(data)
    tested = tree.attributes_tested()
    assert [data.attributes[index].name for index in tested] == ["a1", "a2", "a5"]
    chosen = data.select(tested.tolist())
    again = generate_tree(chosen)
    assert again.predict(chosen.values()).tolist() == data.decisions.tolist()
    assert tested[again.attribute].tolist()[:1] == [tree.attribute[0]]
    assert len(generate_tree(RULE_SETS["corral"]()).attributes_tested()) < len(RULE_SETS["corral"]().attributes)
