"""The free shares of axes, which the tests of published figures are about, on figures that are known."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from tests.pipeline.drawing.axis_ends import free_shares


@pytest.mark.parametrize(("begins", "marker", "before", "after"), [(-10, "o", 0.25, 0.5), (0, "", 0.0, 2 / 3)])
def test_space_before_and_after_what_is_drawn_is_free(begins: float, marker: str, before: float, after: float) -> None:
    panel = Figure().subplots()
    panel.plot([0, 10], [0, 1], marker=marker, markersize=0.01, linewidth=0.01)
    panel.set_xlim(begins, 30)
    assert free_shares(panel.figure)["0x"] == pytest.approx([before, after], abs=0.001)


def test_a_mark_beyond_an_axis_is_cut_off_and_a_line_ends_there() -> None:
    lines, marks = Figure().subplots(), Figure().subplots()
    lines.plot([0, 100], [0, 1])
    marks.plot([0, 100], [0, 1], "o")
    for panel in (lines, marks):
        panel.set_xlim(-10, 50)
    assert free_shares(lines.figure)["0x"][1] == 0
    assert free_shares(marks.figure)["0x"][1] < -0.5


def test_space_is_not_free_where_another_panel_of_the_axis_is_drawn() -> None:
    first, second = Figure().subplots(1, 2, sharex=True)
    first.plot([1, 2], [0, 1], "o")
    second.plot([1, 20], [0, 1], "o")
    assert max(free_shares(first.figure)["0x"]) < 0.1
