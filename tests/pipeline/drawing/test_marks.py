"""The marks that figures share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.figure
import numpy as np
import pytest
from matplotlib.axes import Axes

from pipeline.drawing import frame as drawing
from pipeline.drawing.frame import Frame, Inches, framed, grid_shape
from pipeline.drawing.marks import (
    band,
    entry_of,
    interval,
    judged,
    judged_entries,
    log_axis,
    name_lines,
    names_width,
    ring,
)
from pipeline.summary.verdicts import CONTRADICTED, Verdict


@pytest.fixture
def axes() -> Axes:
    return matplotlib.figure.Figure().subplots()


def test_an_interval_without_ends_is_not_drawn(axes: Axes) -> None:
    interval(axes, None, None, 3)
    interval(axes, 1, 2, 3, color="red")
    interval(axes, 1, 2, 3, upright=True, linewidth=1.2)
    assert [(list(line.get_xdata()), list(line.get_ydata())) for line in axes.lines] == [
        ([1, 2], [3, 3]),
        ([3, 3], [1, 2]),
    ]
    assert [line.get_linewidth() for line in axes.lines] == [1.8, 1.2]


def test_a_band_is_as_narrow_as_its_line_where_there_is_no_interval(axes: Axes) -> None:
    rows: list[dict[str, Any]] = [
        {"mean": 0.2, "low": 0.1, "high": 0.3},
        {"mean": 0.4, "low": None, "high": None},
        {"mean": None, "low": None, "high": None},
    ]
    band(axes, [1, 2, 3], rows, scale=100, color="red")
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), [20, 40, np.nan])
    corners = axes.collections[0].get_paths()[0].vertices
    assert {float(y) for x, y in corners if x == 1} == {10, 30}
    assert {float(y) for x, y in corners if x == 2} == {40}


@pytest.mark.parametrize(
    ("verdict", "printed", "drawn"),
    [
        (Verdict.DIFFERS, 7.0, 4),
        (Verdict.MISPRINT, 7.0, 4),
        (Verdict.FOLLOWS, 7.0, 4),
        (Verdict.AGREES, 7.0, 3),
        (None, None, 2),
    ],
)
def test_a_mean_that_differs_is_linked_with_its_printed_value(
    axes: Axes, verdict: Verdict | None, printed: float | None, drawn: int
) -> None:
    row = {"mean": 0.05, "low": 0.04, "high": 0.06, "printed": printed and printed / 100, "verdict": verdict}
    judged(axes, 0, row, "mean", "blue", 100)
    assert len(axes.lines) == drawn
    assert axes.lines[-1].get_xdata() == [5]
    assert [entry.get_label() for entry in judged_entries([verdict])][:1] == ["this run, 95 % interval"]
    marks = [(line.get_marker(), line.get_markerfacecolor()) for line in judged_entries(CONTRADICTED)[2:]]
    assert len(set(marks)) == len(CONTRADICTED)  # told apart
    assert len(judged_entries([verdict])) == {Verdict.AGREES: 2, None: 1}.get(verdict, 3)


def test_no_ring_is_drawn_around_nothing(axes: Axes) -> None:
    ring(axes, None, 1)
    assert not axes.lines


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [(0.9, 12, ["1", "2", "3", "5", "10"]), (1, 100, ["1", "3", "10", "30", "100"]), (1, 1e4, ["1", "10", "100"])],
)
def test_a_logarithmic_axis_has_plain_numbers(axes: Axes, low: float, high: float, labels: list[str]) -> None:
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    log_axis(axes.xaxis)
    shown = [
        axes.xaxis.get_major_formatter()(tick, index)
        for index, tick in enumerate(axes.xaxis.get_majorticklocs())
        if low <= tick <= high
    ]
    assert shown[: len(labels)] == labels
    assert not len(axes.xaxis.get_minorticklocs())


def test_lines_are_named_from_the_top(axes: Axes) -> None:
    name_lines(axes, ["first", "x" * 99])
    assert next(label.get_text() for label in axes.get_yticklabels()) == "first"
    top, bottom = axes.get_ylim()[1], axes.get_ylim()[0]
    assert top < 0 < 1 < bottom
    assert names_width(["x" * 99]) <= names_width(["x" * 34]) <= 3.4
    assert names_width(["xx"]) > names_width(["x"])


def test_a_builder_has_the_same_colour_in_every_key() -> None:
    assert entry_of("cart").get_color() == entry_of("cart", "CART", marker="o").get_color()


@pytest.mark.parametrize(("panels", "shape"), [(1, (1, 2)), (3, (1, 3)), (4, (2, 3)), (7, (3, 3))])
def test_panels_fill_rows(panels: int, shape: tuple[int, int]) -> None:
    assert grid_shape(panels, most=3, least=2) == shape


def test_each_title_has_a_panel_and_the_others_are_hidden(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(drawing, "save", lambda *_: ())
    drawn: list[Frame] = []
    titles = ["one", "two", "three", "four"]
    with framed(
        tmp_path, "name", ("It is so", "and so"), "of all", Inches(9, 6, 1, 1, 1, 1), grid_shape(4, 3), sharex=True
    ) as frame:
        panels = frame.titled(titles, "x", "y")
        drawn.append(frame)
    assert [axes.get_title(loc="left") for axes in panels.values()] == titles
    assert [axes.get_xlabel() for axes in panels.values()] == ["", "x", "x", "x"]
    assert [axes.get_ylabel() for axes in panels.values()] == ["y", "", "", "y"]
    assert [axes.get_visible() for axes in frame.panels.flat] == [True] * 4 + [False] * 2
    written = [text.get_text() for text in frame.figure.texts]
    assert written == ["It is so", "and so", "of all"]
