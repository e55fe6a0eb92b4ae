"""Fayyad and Irani's discretisation: against its definition, published cut points, and what must not matter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from algorithms.data.attributes.discretisation import fitted_thresholds
from algorithms.data.attributes.fayyad_irani import fayyad_irani
from algorithms.data.attributes.thresholds import Thresholds
from algorithms.data.data_set import MISSING
from tests.oracles import mdl_cuts
from tests.oracles.uci_files import nominal_data_set, rows_of_file

# runs of values of mostly one class, so that cuts are worth accepting
RUNS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 3), st.integers(1, 9)).map(lambda run: [run[:2]] * run[2]),
    min_size=1,
    max_size=16,
).map(lambda runs: [pair for run in runs for pair in run])


def cuts_of(pairs: list[tuple[int, int]]) -> tuple[float, ...]:
    values, classes = zip(*pairs, strict=True)
    return fayyad_irani(np.array(values, float), np.array(classes)).cuts


def oracle_cuts(pairs: list[tuple[int, int]]) -> tuple[float, ...]:
    try:
        return tuple((lower + upper) / 2 for lower, upper in mdl_cuts.cuts(*zip(*pairs, strict=True)))
    except mdl_cuts.TooCloseError:
        assume(False)
        raise


@given(RUNS)
def test_against_the_definition(pairs: list[tuple[int, int]]) -> None:
    assert cuts_of(pairs) == oracle_cuts(pairs)


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("noise", [0.05, 0.15])
def test_against_the_definition_on_more_rows(classes: int, noise: float) -> None:
    generator = np.random.default_rng(classes)
    values = generator.integers(0, 60, 300)
    decisions = np.where(generator.random(300) < noise, generator.integers(0, classes, 300), values // 7 % classes)
    pairs = list(zip(values.tolist(), decisions.tolist(), strict=True))
    cuts = cuts_of(pairs)
    assert cuts == oracle_cuts(pairs)
    assert len(cuts) > 1


@given(RUNS, st.lists(st.tuples(st.integers(-5, 20), st.integers(0, 3)), max_size=5))
def test_missing_values_and_classes_are_left_out(pairs: list[tuple[int, int]], unknown: list[tuple[int, int]]) -> None:
    values, classes = np.array(pairs, float).T
    more_values = [*values, *(value for value, _ in unknown), *(np.nan for _ in unknown)]
    more_classes = [*classes, *(MISSING for _ in unknown), *(label for _, label in unknown)]
    assert fayyad_irani(more_values, more_classes) == fayyad_irani(values, classes)


def test_published_cuts_of_iris(shared: Path) -> None:
    """As printed for this discretisation of iris, by the R package `discretization` for one."""
    names, rows = rows_of_file(shared, "iris/iris.data")
    result = fitted_thresholds(nominal_data_set(names, rows, numeric=names))
    assert [thresholds.cuts for thresholds in result.values()] == [
        (5.55, 6.15),
        (2.95, 3.35),
        (2.45, 4.75),
        (0.8, 1.75),
    ]


@pytest.mark.parametrize(
    "file", ["wine/wine.data", "glass/glass.data", "haberman/haberman.data", "seeds/seeds_dataset.txt"]
)
def test_against_the_definition_on_uci_data(file: str, shared: Path) -> None:
    names, rows = rows_of_file(shared, file)
    data = nominal_data_set(names, rows, numeric=names)
    result = fitted_thresholds(data)
    assert any(thresholds.cuts for thresholds in result.values())
    for name, column in zip(names, data.columns, strict=True):
        expected = mdl_cuts.cuts(column.tolist(), data.decisions.tolist())
        assert result[name].cuts == pytest.approx([(lower + upper) / 2 for lower, upper in expected], rel=1e-11), name


@pytest.mark.parametrize("n", range(8, 40))
def test_of_cuts_that_are_equally_good_the_first_is_taken(n: int) -> None:
    """n rows of class 0, one row of each class, n rows of class 1: either cut is as good, and one alone pays."""
    pairs = [(0, 0)] * n + [(1, 0), (1, 1)] + [(2, 1)] * n
    assert cuts_of(pairs) == oracle_cuts(pairs) == (0.5,)
    mirrored = [(-value, label) for value, label in pairs]
    assert cuts_of(mirrored) == oracle_cuts(mirrored) == (-1.5,)


@given(st.lists(st.integers(1, 30), min_size=3, max_size=5))
def test_cuts_that_differ_by_rounding_are_equally_good(counts: list[int]) -> None:
    """The same with several classes on either side: entropies are summed in another order on the right."""
    n = len(counts)
    pairs = [(0, label) for label in range(n) for _ in range(counts[label])]
    pairs += [(1, 0), (1, 2 * n - 1)]
    pairs += [(2, 2 * n - 1 - label) for label in range(n) for _ in range(counts[label])]
    assert cuts_of(pairs) == oracle_cuts(pairs)


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        ([], []),
        ([1.0], [0]),
        ([2.0] * 9, [0, 1, 2] * 3),
        ([np.nan] * 4, [0, 1, 0, 1]),
        ([1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1]),
        ([1.0, 2.0, 3.0, 4.0], [MISSING] * 4),
        ([1.0, 2.0, 3.0, 4.0], [0, 1, 0, 1]),
    ],
)
def test_where_nothing_pays_there_are_no_cuts(values: list[float], classes: list[int]) -> None:
    assert fayyad_irani(values, classes) == Thresholds()


def test_many_classes() -> None:
    """3^k is no float for 700 classes."""
    classes = np.repeat(np.arange(700), 8)
    result = fayyad_irani(classes.astype(float), classes)
    assert result.cuts == tuple(np.arange(0.5, 699))


def test_invalid_columns_of_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="expected one decision for each value"):
        fayyad_irani([1.0, 2.0], [0])
    with pytest.raises(ValueError, match="the values include infinity: expected shape"):
        fayyad_irani([1.0, np.inf], [0, 1])
    with pytest.raises(ValueError, match=r"the values have shape \(1, 2\)"):
        fayyad_irani([[1.0, 2.0]], [[0, 1]])
