"""Which method of an item is at fault: each runs alone, and no more often than needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pipeline.failures import Failure
from pipeline.grid import Grid
from pipeline.work.separation import NOT_TRIED, separated
from tests.pipeline.small_grids import grid


class Attempts:
    """The outcome of an item for the builders that run, and of the item itself.

    apart         : those that cannot be computed in one process
    cells_in_time : how many can be in the time that one has
    """

    def __init__(
        self,
        faults: Mapping[int, Failure],
        alone: Failure | None = None,
        *,
        apart: tuple[int, ...] = (),
        cells_in_time: int = 3,
    ) -> None:
        self.faults, self.alone, self.apart, self.cells_in_time = faults, alone, set(apart), cells_in_time
        self.attempted: list[tuple[int, ...]] = []

    def __call__(self, left_out: Mapping[int, Failure], times: int) -> Any:
        present = tuple(index for index in range(3) if index not in left_out)
        self.attempted.append(present)
        result = self.alone or next((self.faults[index] for index in present if index in self.faults), None)
        if self.apart and self.apart <= set(present):
            return KILLED
        if len(present) > times * self.cells_in_time:
            return LATE
        return result or {"results": dict(left_out)}


class ThreeBuilders:
    """The part of a grid of three builders that is needed here."""

    methods = (0, 1, 2)

    def __init__(self, cells: int = 3) -> None:
        self.cells_per_item = cells


KILLED, LATE = Failure("killed", "SIGSEGV"), Failure("time_limit", "late")


def separated_by(attempts: Attempts, *, skip_whole: bool = False, cells: int = 3) -> Any:
    return separated(cast("Grid", ThreeBuilders(cells)), attempts, skip_whole=skip_whole)


def test_an_item_without_fault_is_computed_once() -> None:
    attempts = Attempts({})
    assert separated_by(attempts) == {"results": {}}
    assert attempts.attempted == [(0, 1, 2)]


def test_builders_at_fault_are_lost_and_the_others_run_together() -> None:
    attempts = Attempts({0: KILLED, 2: LATE})
    assert separated_by(attempts) == {"results": {0: KILLED, 2: LATE}}
    assert attempts.attempted == [(0, 1, 2), (), (0,), (1,), (2,), (1,)]


def test_an_item_that_hung_is_not_tried_as_it_is() -> None:
    attempts = Attempts({1: LATE})
    assert separated_by(attempts, skip_whole=True) == {"results": {1: LATE}}
    assert attempts.attempted == [(), (0,), (1,), (2,), (0, 2)]


def test_an_item_that_fails_without_any_builder_is_at_fault_itself() -> None:
    attempts = Attempts({}, alone=LATE)
    assert separated_by(attempts, skip_whole=True) == LATE
    assert attempts.attempted == [()]


def test_an_exception_of_the_item_itself_is_no_builders() -> None:
    failed = Failure("failed", "OSError: no such file")
    attempts = Attempts({}, alone=failed)
    assert separated_by(attempts) == failed
    assert attempts.attempted == [(0, 1, 2), ()]


def test_an_exception_that_a_builder_has_its_item_raise_loses_no_other() -> None:
    failed = Failure("failed", "KeyboardInterrupt: ")
    assert separated_by(Attempts({1: failed})) == {"results": {1: failed}}


def test_builders_each_of_which_is_in_time_have_together_as_much_as_they_are() -> None:
    assert separated_by(Attempts({}, cells_in_time=1), skip_whole=True) == {"results": {}}


def test_of_builders_that_fail_together_the_first_is_kept() -> None:
    failure = Failure(
        "killed", "SIGSEGV; the builder succeeds alone, but fails in one process with the other builders of the grid"
    )
    assert separated_by(Attempts({}, apart=(0, 1))) == {"results": {1: failure}}
    assert separated_by(Attempts({2: LATE}, apart=(0, 1))) == {"results": {1: failure, 2: LATE}}


def test_where_all_builders_are_at_fault_alike_so_is_the_item_unless_it_has_other_cells() -> None:
    faults = dict.fromkeys(range(3), KILLED)
    assert separated_by(Attempts(faults)) == KILLED
    assert separated_by(Attempts(faults), cells=4) == {"results": faults}
    assert separated_by(Attempts(faults | {1: LATE})) == {"results": faults | {1: LATE}}


def test_rows_of_skipped_methods_say_so() -> None:
    rows = grid().leaving_out({0: NOT_TRIED, 2: NOT_TRIED}).work(0, 1)["results"].to_pylist()
    assert [(row["status"], row["error"]) for row in rows] == [
        ("skipped", NOT_TRIED.error),
        ("ok", None),
        ("skipped", NOT_TRIED.error),
    ]
