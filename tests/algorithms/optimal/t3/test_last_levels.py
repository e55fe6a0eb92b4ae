"""Trees of two levels with a given root, against `best_cuts` with every interval counted plainly."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.optimal.solution import Effort, Stopped
from algorithms.optimal.t3 import last_levels
from algorithms.optimal.t3.coded_rows import CodedRows
from algorithms.optimal.t3.cuts import Cuts, best_cuts
from algorithms.optimal.t3.last_levels import LastLevels
from algorithms.optimal.t3.limits import Form, Spent
from algorithms.optimal.t3.one_level import NO_CLASS, attribute_errors, interval_cuts
from algorithms.optimal.t3.two_level_cuts import EVALUATED
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.test_kernels import from_python

errors_of_attribute = from_python(attribute_errors)


def coded_rows(seed: int, *, whole: bool = True) -> CodedRows:
    """10 to 60 rows of three numbers and two labels, with ties and unknown values, and classes that depend on them."""
    generator = np.random.default_rng(seed)
    rows, classes = int(generator.integers(10, 61)), int(generator.integers(2, 5))
    numbers = generator.normal(size=(3, rows)).round(int(generator.integers(0, 3)))
    numbers[generator.random((3, rows)) < generator.choice([0, 0.1])] = np.nan
    labels = generator.integers(-1, 4, (2, rows))
    score = np.nan_to_num(numbers[0]) + np.nan_to_num(numbers[1]) * labels[0]
    decisions = np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)
    noise = generator.random(rows) < generator.choice([0.1, 0.4])
    decisions[noise] = generator.integers(0, classes, int(noise.sum()))
    columns = [*numbers.tolist(), *labels.tolist()]
    data = data_set_of(columns, decisions.tolist(), [True] * 3 + [False] * 2, classes)
    weights = generator.integers(1, 4, rows) * (1.0 if whole else 0.3)
    return CodedRows.of(data, weights.astype(float), frozenset(), None)


def form_of(most: int, intervals: int = 3, acceptable: float = 0.0) -> Form:
    return Form(3, acceptable, intervals, most)


def plainly(rows: CodedRows, attribute: int, fewest: int, form: Form, limit: float) -> tuple[Cuts, int]:
    """The cuts, and the work that they take."""
    ordered, work, levels = rows.ordered(attribute), [0], LastLevels(rows, form, Spent(Effort()))

    def errors(first: int, stop: int, _: float) -> float:
        there = ordered.between(first, stop)
        work.append(len(there) * len(rows.attributes))
        return levels.one_level(rows, there)[0]

    before = rows.weight_before(ordered)
    cuts = best_cuts(before, errors, fewest=fewest, most=form.inner_intervals, limit=limit, tie=rows.tie)
    return cuts, sum(work)


@given(st.integers(0, 2**32 - 1), st.integers(1, 2), st.integers(2, 3), st.sampled_from([1e9, 8.0, 3.0]), st.booleans())
@settings(max_examples=200, deadline=None)
def test_cuts_and_work_are_those_of_plain_search(seed: int, fewest: int, most: int, limit: float, whole: bool) -> None:
    rows, form = coded_rows(seed, whole=whole), form_of(most)
    spent = Spent(Effort())
    search, expected_work = LastLevels(rows, form, spent), 0
    for node in (rows, rows.take(np.flatnonzero(rows.codes[3] != 1))):
        for attribute in range(3):
            cuts = search.cuts(node, attribute, fewest, limit)
            expected, work = plainly(node, attribute, fewest, form, limit)
            assert cuts.starts == expected.starts
            assert cuts.errors == pytest.approx(expected.errors, abs=rows.tie)
            expected_work += work
    assert spent.work == expected_work or not whole  # rounding may prune a little more, or less


@pytest.mark.parametrize("changed", [{"SLICE_WORK": 1}, {"FIRST_SLOTS": 2}, {"MOST_ENTRIES": 0}, {}])
def test_no_limit_of_what_is_remembered_changes_anything(
    changed: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in changed.items():
        monkeypatch.setattr(last_levels, name, value)
    slices = []

    def counted(*arguments: Any) -> Any:
        slices.append(arguments)
        return cut_number(*arguments)

    cut_number = last_levels.cut_number
    monkeypatch.setattr(last_levels, "cut_number", counted)
    for seed in range(10):
        rows, form, spent = coded_rows(seed), form_of(3), Spent(Effort())
        search, expected_work = LastLevels(rows, form, spent), 0
        for attribute in range(3):
            expected, work = plainly(rows, attribute, 2, form, 1e9)
            expected_work += work
            assert search.cuts(rows, attribute, 2, 1e9) == expected
        assert spent.work == expected_work
    assert (len(slices) > 30) == ("SLICE_WORK" in changed or "FIRST_SLOTS" in changed)


def test_results_in_the_memo_are_not_computed_again() -> None:
    rows, form = coded_rows(7), form_of(3)
    search = LastLevels(rows, form, Spent(Effort()))
    tally = search._scratch.tally
    search.cuts(rows, 0, 2, 1e9)
    assert tally[EVALUATED] > 0
    search.cuts(rows.take(np.arange(len(rows.indices))[::-1].copy()), 0, 2, 1e9)
    assert tally[EVALUATED] == 0


def test_work_ends_the_search() -> None:
    rows, form = coded_rows(3), form_of(3)
    _, work = plainly(rows, 0, 2, form, 1e9)
    LastLevels(rows, form, Spent(Effort(work=work))).cuts(rows, 0, 2, 1e9)
    with pytest.raises(Stopped):
        LastLevels(rows, form, Spent(Effort(work=work - 1))).cuts(rows, 0, 2, 1e9)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.2]), st.sampled_from([1e9, 8.0]))
@settings(max_examples=100, deadline=None)
def test_parts_by_label_have_the_errors_of_their_best_trees(seed: int, acceptable: float, limit: float) -> None:
    rows, form = coded_rows(seed), form_of(3, acceptable=acceptable)
    search = LastLevels(rows, form, Spent(Effort()))
    for attribute in (3, 4):
        expected = 0.0
        for part in map(rows.take, rows.by_value(attribute).values()):
            leaf = part.leaf_errors()
            expected += leaf if leaf <= acceptable * part.weight else search.one_level(part)[0]
        result = search.by_label(rows, attribute, limit)
        assert result == expected if expected < limit else limit <= result <= expected


@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.floats(0, 30))
@settings(max_examples=200, deadline=None)
def test_the_errors_of_an_attribute_are_exact_below_the_limit(seed: int, intervals: int, limit: float) -> None:
    rows = coded_rows(seed)
    search = LastLevels(rows, form_of(3, intervals), Spent(Effort()))
    node, scratch = search._node(rows, 0.0), search._scratch
    positions = np.arange(len(rows.indices))
    for attribute in range(len(rows.attributes)):
        pieces = intervals if rows.numeric[attribute] else 0
        result = errors_of_attribute(node, attribute, positions, limit, scratch)
        expected = exact_errors(rows, attribute, pieces)
        assert result == expected if expected < limit else limit <= result <= expected
        assert not scratch.counts.any()
        assert not scratch.present.any()
        assert (scratch.only == NO_CLASS).all()


def exact_errors(rows: CodedRows, attribute: int, intervals: int) -> float:
    """Of a tree of one level, by cuts that are computed with all steps recorded."""
    width = int(rows.width[attribute])
    table = np.zeros((width + 1, rows.classes))
    np.add.at(table, (rows.codes[attribute], rows.decisions), rows.weights)
    parts = [*table] if not intervals else [table[width]]
    if intervals and width:
        cuts = interval_cuts(table[:width], min(intervals, width), 1e-9).tolist()
        parts += [table[first:stop].sum(axis=0) for first, stop in pairwise((0, *cuts, width))]
    return float(sum(part.sum() - part.max() for part in parts))
