"""Who of those that an item asks is at fault: found by asking each alone, and no more often than need be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pipeline.grids.base import Grid, Separable
from pipeline.work.losses import Loss
from pipeline.work.separation import NOT_ASKED, separated, without
from tests.pipeline.small_grids import grid


class Attempts:
    """What becomes of an item by the builders that are asked, and by the item itself."""

    def __init__(self, faults: Mapping[int, Loss], alone: Loss | None = None) -> None:
        self.faults, self.alone = faults, alone
        self.asked: list[tuple[int, ...]] = []

    def __call__(self, losses: Mapping[int, Loss]) -> Any:
        present = tuple(place for place in range(3) if place not in losses)
        self.asked.append(present)
        found = self.alone or next((self.faults[place] for place in present if place in self.faults), None)
        return found or {"results": dict(losses)}


class ThreeBuilders:
    """As much of a grid that asks three builders as is asked of it."""

    asked = 3

    def __init__(self, cells: int = 3) -> None:
        self.cells_per_item = cells

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda: None


KILLED, LATE = Loss("killed", "SIGSEGV"), Loss("time_limit", "late")


def separated_by(attempts: Attempts, *, hung: bool = False, cells: int = 3) -> Any:
    made = cast("Grid", ThreeBuilders(cells))
    assert isinstance(made, Separable)
    return separated(made, attempts, hung=hung)


def test_an_innocent_item_is_worked_once() -> None:
    attempts = Attempts({})
    assert separated_by(attempts) == {"results": {}}
    assert attempts.asked == [(0, 1, 2)]


def test_builders_at_fault_are_lost_and_the_others_are_asked_together() -> None:
    attempts = Attempts({0: KILLED, 2: LATE})
    assert separated_by(attempts) == {"results": {0: KILLED, 2: LATE}}
    assert attempts.asked == [(0, 1, 2), (), (0,), (1,), (2,), (1,)]


def test_an_item_that_hung_is_not_tried_as_it_is() -> None:
    attempts = Attempts({1: LATE})
    assert separated_by(attempts, hung=True) == {"results": {1: LATE}}
    assert attempts.asked == [(), (0,), (1,), (2,), (0, 2)]


def test_an_item_that_fails_without_any_builder_is_at_fault_itself() -> None:
    attempts = Attempts({}, alone=LATE)
    assert separated_by(attempts, hung=True) == LATE
    assert attempts.asked == [()]


def test_an_exception_of_the_item_itself_is_no_builders() -> None:
    failed = Loss("failed", "OSError: no such file")
    attempts = Attempts({}, alone=failed)
    assert separated_by(attempts) == failed
    assert attempts.asked == [(0, 1, 2)]


def test_where_all_builders_are_at_fault_alike_so_is_the_item_unless_it_has_other_cells() -> None:
    faults = dict.fromkeys(range(3), KILLED)
    assert separated_by(Attempts(faults)) == KILLED
    assert separated_by(Attempts(faults), cells=4) == {"results": faults}
    assert separated_by(Attempts(faults | {1: LATE})) == {"results": faults | {1: LATE}}


def test_those_not_asked_say_so() -> None:
    rows = without(grid(), {0: NOT_ASKED, 2: NOT_ASKED}).work(0, 1)["results"].to_pylist()
    assert [(row["status"], row["error"]) for row in rows] == [
        ("skipped", NOT_ASKED.error),
        ("ok", None),
        ("skipped", NOT_ASKED.error),
    ]
