"""The bound on the average depth: never above the exact minimum, which many levels reach, and made of certificates."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from algorithms.data.table import DecisionTable
from algorithms.exact.graph import exact_costs
from tests.oracles.certificates import average_depth_bound

TABLES = 60


def random_tables() -> list[DecisionTable]:
    generator = np.random.default_rng(7)
    tables = []
    for _ in range(TABLES):
        attributes, rows, values, decisions = generator.integers([1, 1, 2, 1], [6, 25, 5, 4])
        codes = np.unique(generator.integers(0, values, (rows, attributes)), axis=0)
        drawn = generator.integers(0, decisions, len(codes))
        tables.append(DecisionTable.from_codes(codes, drawn, weights=generator.integers(1, 4, len(codes))))
    return tables


def smallest_certificate(table: DecisionTable, row: int) -> int:
    """The size of the smallest set of attributes on which rows that agree with this one have its decision."""
    for size in range(table.attributes + 1):
        for chosen in combinations(range(table.attributes), size):
            alike = (table.codes[:, chosen] == table.codes[row, chosen]).all(axis=1)
            if (table.decisions[alike] == table.decisions[row]).all():
                return size
    raise AssertionError


def test_without_levels_it_is_the_mean_size_of_the_smallest_certificates() -> None:
    for table in random_tables():
        sizes = [smallest_certificate(table, row) for row in range(table.rows)]
        assert average_depth_bound(table, ahead=0) == pytest.approx(np.average(sizes, weights=table.weights))


def test_levels_raise_it_to_the_minimum_and_not_above() -> None:
    better = 0
    for table in random_tables():
        minimum = exact_costs(table).average_depth
        bounds = [average_depth_bound(table, ahead=levels) for levels in range(table.attributes + 1)]
        assert all(each <= other + 1e-12 for each, other in pairwise(bounds))
        assert bounds[-1] == pytest.approx(minimum)
        better += bounds[0] < bounds[1] < minimum - 1e-12
    assert better > TABLES / 20


def test_no_bound_is_sought_beyond_enough() -> None:
    for table in random_tables():
        minimum = exact_costs(table).average_depth
        for enough in (minimum / 2, minimum, minimum + 1):
            result = average_depth_bound(table, ahead=table.attributes, enough=enough)
            assert min(enough, minimum) - 1e-12 <= result <= minimum + 1e-12


def test_a_table_that_is_too_wide_or_contradicts_itself_is_refused() -> None:
    wide = DecisionTable.from_codes(np.zeros((1, 65), int), [0])
    with pytest.raises(ValueError, match="the table has 65 attributes: expected at most 64"):
        average_depth_bound(wide)
    with pytest.raises(ValueError, match="ahead"):
        average_depth_bound(DecisionTable.from_codes([[0]], [0]), ahead=-1)
