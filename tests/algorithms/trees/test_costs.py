"""Cost functions: the paper's psi-zero and F, with the misprint of the terminal nodes put right."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.trees.costs import COST_FUNCTIONS, COUNTED_COSTS, CostFunction, Costs

PARTS = st.lists(st.integers(0, 50), min_size=2, max_size=5)


@pytest.mark.parametrize(
    ("name", "psi_zero", "of_seven_rows_and_parts_1_2_3"),
    [
        ("average_depth", 0, 13),
        ("depth", 0, 4),
        ("nodes", 1, 7),
        ("nonterminal_nodes", 0, 7),
        ("terminal_nodes", 1, 6),
    ],
)
def test_cost_functions_are_those_of_the_paper(name: str, psi_zero: int, of_seven_rows_and_parts_1_2_3: int) -> None:
    cost = COST_FUNCTIONS[name]
    assert cost.name == name
    assert cost.psi_zero == psi_zero
    assert cost.combine(7, [1, 2, 3]) == of_seven_rows_and_parts_1_2_3
    assert cost.per_row == (name == "average_depth")


@pytest.mark.parametrize("cost", COST_FUNCTIONS.values(), ids=list(COST_FUNCTIONS))
@given(n=st.integers(2, 100), parts=PARTS, index=st.integers(0, 4), more=st.integers(1, 9))
def test_all_five_are_monotone(cost: CostFunction, n: int, parts: list[int], index: int, more: int) -> None:
    larger = list(parts)
    larger[index % len(parts)] += more
    assert cost.combine(n, larger) >= cost.combine(n, parts)


@pytest.mark.parametrize("cost", COST_FUNCTIONS.values(), ids=list(COST_FUNCTIONS))
def test_a_pickle_of_a_cost_function_is_the_same_one(cost: CostFunction) -> None:
    assert pickle.loads(pickle.dumps(cost)) == cost


def test_costs_have_names() -> None:
    costs = Costs(1, 2, 0.5, 4, 5, 6)
    assert [costs[name] for name in COUNTED_COSTS] == [1, 2, 4, 5, 6]
    assert costs["average_depth"] == 0.5


@pytest.mark.parametrize("name", ["dept", "__class__", "__getitem__"])
def test_other_names_are_no_costs(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        Costs(1, 2, 0.5, 4, 5, 6)[name]
