"""Hypothesis strategies for small decision tables, all that is awkward about them included."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from algorithms.data.table import DecisionTable
from tests.oracles import brute_force as bf


class GivenTable(NamedTuple):
    """What a table is made from, equal rows and all."""

    codes: list[list[int]]
    decisions: list[int]
    weights: list[int] | None

    @property
    def table(self) -> DecisionTable:
        return DecisionTable.from_codes(self.codes, self.decisions, weights=self.weights)

    @property
    def oracle(self) -> bf.Table:
        return bf.table_of(self.codes, self.decisions, self.weights)


@st.composite
def tables(draw: Any, max_rows: int = 8, max_attributes: int = 5, weights: bool | None = None) -> GivenTable:
    """1-8 rows, 1-5 attributes of 2-4 values: with equal and contradictory rows, constant attributes, one decision."""
    n = draw(st.integers(1, max_rows))
    attributes = draw(st.integers(1, max_attributes))
    tops = [draw(st.sampled_from([0, 1, 1, 2, 2, 3])) for _ in range(attributes)]
    row = st.tuples(*(st.integers(0, top) for top in tops)).map(list)
    codes = draw(st.lists(row, min_size=n, max_size=n))
    decisions = draw(st.lists(st.integers(0, draw(st.sampled_from([0, 1, 1, 2, 2, 3]))), min_size=n, max_size=n))
    weighted = draw(st.booleans()) if weights is None else weights
    weight = st.lists(st.integers(1, 5), min_size=n, max_size=n)
    return GivenTable(codes, decisions, draw(weight) if weighted else None)


def random_given_table(
    generator: np.random.Generator, rows: int, attributes: int, values: int, decisions: int
) -> GivenTable:
    codes = generator.integers(0, values, (rows, attributes))
    return GivenTable(codes.tolist(), generator.integers(0, decisions, rows).tolist(), None)
