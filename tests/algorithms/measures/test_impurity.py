"""The sixteen impurity functions against exact arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.impurity import IMPURITY_FUNCTIONS, ImpurityFunction, impurity_function
from tests.oracles import brute_force as bf

PARTS = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 20), min_size=n, max_size=n).filter(any), min_size=1, max_size=4)
)


def table_with(parts: list[list[int]]) -> bf.Table:
    """A table whose attribute 0 splits it into these parts."""
    return tuple(((i, d), d, n) for i, part in enumerate(parts) for d, n in enumerate(part) if n)


@pytest.mark.parametrize("function", IMPURITY_FUNCTIONS, ids=lambda f: f.name)
@given(parts=PARTS)
def test_impurities_are_those_of_the_paper(function: ImpurityFunction, parts: list[list[int]]) -> None:
    exact = float(bf.impurity(table_with(parts), 0, function.impurity_type, function.uncertainty))
    assert function(parts) == pytest.approx(exact, rel=1e-12, abs=1e-12)


def test_there_are_sixteen_in_the_papers_order() -> None:
    assert [f.name for f in IMPURITY_FUNCTIONS] == [f"{t}/{m}" for t in bf.TYPES for m in bf.MEASURES]
    assert [f.number for f in IMPURITY_FUNCTIONS] == list(range(16))


def test_a_name_gives_its_function() -> None:
    assert [impurity_function(function.name) for function in IMPURITY_FUNCTIONS] == [*IMPURITY_FUNCTIONS]


@pytest.mark.parametrize("name", ["", "gini", "w_sum", "sum/entropy", "W_SUM/GINI", "w_sum/gini "])
def test_other_names_are_refused_with_the_sixteen(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}' is not an impurity function: expected one of max/ent, .*w_sum/rt"):
        impurity_function(name)
