"""Figures of every grid in a real browser: what their marks say, where these lead, what is switched off."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from pipeline.grid import RESULTS_TABLE
from pipeline.report.drawings import figures_of
from pipeline.report.page import page
from pipeline.show.command import _parser, _row_of
from pipeline.show.rows import matching, rebuilt_of
from pipeline.summary.record import missed, read_summary
from tests.pipeline.grids.every_grid import CASES, grid_composed
from tests.pipeline.record.made_up import made_up_run
from tests.pipeline.report.made_up import reported_run
from tests.pipeline.report.windows import COLOURS, DESK, PHONE, opened, size, tab_to, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

WIDTHS = (1920, 1280, 768, PHONE)
WITHOUT_MARKS = {"catalogue", "did_mean_precision", "did_vs_svm", "parallel_proof", "printed", "worked_examples"}
"""Grids without figures, those whose small runs leave nothing to draw, and one whose figures are trees."""
WITH_MARKS = sorted(set(CASES) - WITHOUT_MARKS)
LARGEST = 5_000_000
MARKS = "figure.chart g[tabindex]"
STRANGER = "compare_builders"
COLOURLESS = {"rules": {"color-contrast": {"enabled": False}}}
BY_KEYS = """marks => {
  marks[0].focus();
  return marks.map(() => {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    const tip = document.querySelector('.tip:not([hidden])'), box = tip.getBoundingClientRect();
    return box.left >= 0 && box.right <= innerWidth ? tip.firstChild.textContent : 'out of the window';
  });
}"""
"""What the tip says first after each stroke of the right arrow."""
BY_MOUSE = """marks => marks.map(mark => {
  mark.scrollIntoView({ block: 'center', inline: 'center' });
  const path = mark.querySelector('use') ? null : mark.querySelector('path'), box = mark.getBoundingClientRect();
  let place = [box.x + box.width / 2, box.y + box.height / 2];
  for (let share = 0; path && share <= 1; share += 1 / 64) {
    const point = path.getPointAtLength(share * path.getTotalLength()).matrixTransform(path.getScreenCTM());
    if (document.elementsFromPoint(point.x, point.y).includes(path)) place = [point.x, point.y];
  }
  const [clientX, clientY] = place;
  const moved = new PointerEvent('pointermove', { clientX, clientY, bubbles: true });
  document.elementFromPoint(...place).dispatchEvent(moved);
  return Array.from(document.querySelectorAll('.tip:not([hidden]) div'), line => line.textContent);
})"""
"""The lines of the tip where each mark is pointed at: in its middle or, of a line, where its panel shows it."""
SIZES = """[...document.querySelectorAll('figure.chart .scroll svg')].filter(one => {
  const pixels = one.clientWidth / one.viewBox.baseVal.width, { left, right } = one.getBoundingClientRect();
  return pixels < 0.55 || left < 0 || right > innerWidth;
}).map(one => [one.getAttribute('aria-label').slice(0, 40), one.clientWidth / one.viewBox.baseVal.width])"""
"""The charts of which a point has less than 0.55 pixels, or that are not all in view."""
FOCUS_LAST = """marks => {
  const seen = mark => mark.getClientRects().length && document.getElementById(mark.dataset.row);
  const last = [...document.querySelectorAll(marks)].findLast(seen);
  last?.focus();
  return Boolean(last);
}"""
"""Move the keyboard to the last mark that is to be seen and whose row is there, if any."""


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory, small_run: Callable[[str], Path]) -> Callable[[str], str]:
    """What gives the address of the page of a grid's small run, which is made once."""
    folder = tmp_path_factory.mktemp("figures")

    @cache
    def of(name: str) -> str:
        (summaries,) = small_run(name).glob(f"outputs/summaries/grid={name}/run=*")
        run = made_up_run(summaries.parents[2], name, summaries.name.removeprefix("run="), noun="tables")
        summary = read_summary(summaries, run.id, name)
        trees = (missed("a tree", {}, "made up"),) if summary.trees else ()
        parts = {"grid": name, "finding": summary.finding, "tables": summary.tables, "figures": summary.figures}
        shown = replace(reported_run(run.output, **parts, trees=trees), run=run)
        file = folder / f"{name}.html"
        file.write_text(page(shown, figures_of(shown), ()), encoding="utf-8", errors="replace")
        return file.as_uri()

    return of


@pytest.fixture(scope="module", params=WITH_MARKS)
def figures(request: pytest.FixtureRequest, browser: Browser, page_of: Callable[[str], str]) -> Iterator[Page]:
    """The page of each grid whose figures have marks, loaded once for the tests that leave all marks on."""
    with opened(browser, page_of(request.param), 1280, whole=False) as shown:
        yield shown


def labels(result: Locator) -> list[str]:
    """What marks say."""
    return result.evaluate_all("all => all.map(one => one.ariaLabel)")  # type: ignore[no-any-return]


def tip(shown: Page) -> list[str]:
    """The lines of the tip."""
    return shown.evaluate("[...document.querySelectorAll('.tip:not([hidden]) div')].map(one => one.textContent)")  # type: ignore[no-any-return]


@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.long)], ids=["few", "many"])
@pytest.mark.parametrize("name", sorted(CASES))
def test_a_page_fits_every_window_and_can_be_read(
    browser: Browser, page_of: Callable[[str], str], name: str, many: bool
) -> None:
    """A few rows and marks represent all. Colours are looked at in a small light window and in a large dark one.

    many : more rows and marks, and colours of the large light window, too
    """
    rows, marks = (10, 30) if many else (3, 6)
    with opened(browser, page_of(name), WIDTHS[0]) as shown:
        twice = "ids => ids.filter((one, place) => ids.indexOf(one) !== place)"
        assert shown.evaluate(f"({twice})([...document.querySelectorAll('[id]')].map(one => one.id))") == []
        for width in WIDTHS:
            shown.set_viewport_size({"width": width, "height": 800})
            assert shown.evaluate("document.documentElement.scrollWidth") <= width
            beyond = shown.evaluate(
                """width => [...document.querySelectorAll('main *')].filter(one => {
                   const told = one.closest('.laid') && one.matches('.ours, .theirs, .mark');
                   const box = one.getBoundingClientRect();
                   return (told || !one.closest('.scroll, pre')) && box.right > width + 1 || told && box.width === 0;
                 }).map(one => one.outerHTML.slice(0, 100))""",
                width,
            )
            assert beyond == []
            shown.wait_for_function(f"() => !({SIZES}).length", timeout=10_000)  # charts follow the window by script
        assert size(shown) < LARGEST
        for rest in (f"tbody tr:nth-child(n + {rows})", f"figure g[role=img]:nth-of-type(n + {marks})"):
            shown.evaluate("rest => document.querySelectorAll(rest).forEach(one => one.remove())", rest)
        for details in shown.locator(".tools details").all():
            details.evaluate("one => { one.open = true; }")
        shown.locator(".switch[aria-pressed]").first.click() if shown.locator(".switch").count() else None
        for width in (PHONE, DESK):
            shown.set_viewport_size({"width": width, "height": 800})
            assert violations(shown, **COLOURLESS) == []
            if many or width == PHONE:
                assert violations(shown, runOnly=COLOURS) == []
        shown.emulate_media(color_scheme="dark")
        assert violations(shown, runOnly=COLOURS) == []
        if shown.evaluate(FOCUS_LAST, f"{MARKS}[data-row]"):
            shown.keyboard.press("Enter")
            assert violations(shown, **COLOURLESS) == []
            assert violations(shown, "dialog", runOnly=COLOURS) == []


def test_keyboard_and_mouse_reach_every_mark(figures: Page) -> None:
    assert figures.locator(MARKS).count() > 0
    for figure in figures.locator("figure.chart").all():
        marks = figure.locator("g[tabindex]")
        titles = labels(marks)
        assert marks.evaluate_all(BY_KEYS) == [*titles[1:], titles[0]]
        for label, lines in zip(titles, marks.evaluate_all(BY_MOUSE), strict=True):
            assert label in lines or any("more here" in line for line in lines)


def test_tab_goes_to_a_figure_and_on(browser: Browser, page_of: Callable[[str], str]) -> None:
    with opened(browser, page_of(STRANGER)) as shown:
        tab_to(shown, ".switch")
        tab_to(shown, MARKS)
        tab_to(shown, ".switch, .scroll")


def test_a_group_of_buttons_shows_the_look_of_all_or_of_none(figures: Page) -> None:
    looks = """all => all.map(group => Array.from(group.querySelectorAll('[aria-pressed]'),
      button => Boolean(button.querySelector('svg'))))"""
    for group in figures.locator(".tools [role=group]:has([aria-pressed])").evaluate_all(looks):
        assert len(set(group)) == 1


def test_panels_below_each_other_keep_their_titles(browser: Browser, page_of: Callable[[str], str]) -> None:
    """No text of the figure is left over the panels, which are apart and as wide as the window at most."""
    measured = """all => all.map(picture => {
      const own = picture.getBoundingClientRect(), boxes = name => Array.from(
        picture.querySelectorAll(name), one => one.getBoundingClientRect());
      const ends = boxes('g[id*=axes_]').map(({ left, top, right, bottom }) => [left, top, right, bottom]);
      const over = boxes('g[id*=figure_] > g[id*=text_]').filter(({ width, left, right }) =>
        width && left < own.right && right > own.left);
      return [over.length, own.left, own.right, ends];
    })"""
    with opened(browser, page_of("worked_examples"), PHONE) as shown:
        shown.wait_for_function(f"() => !({SIZES}).length", timeout=10_000)
        pictures = shown.locator("figure.chart .scroll svg").evaluate_all(measured)
    assert pictures
    for over, left, right, panels in pictures:
        assert over == 0
        assert all(left - 1 <= panel[0] and panel[2] <= right + 1 for panel in panels)
        assert all(above[3] < below[1] for above, below in pairwise(panels))


def test_a_button_switches_its_marks_off_and_on(figures: Page) -> None:
    hidden = "all => all.filter(one => one.getAttribute('display') === 'none').length"
    for details in figures.locator(".tools details").all():
        details.evaluate("one => { one.open = true; }")
    for tools in figures.locator("main > section#figures > .tools").all():
        figure = tools.locator("xpath=following-sibling::figure[1]")
        for group in tools.locator("[role=group]:has([aria-pressed])").all():
            attribute = f"data-of-{(group.get_attribute('aria-label') or '').replace(' ', '-')}"
            button = group.locator("[aria-pressed]").first
            value = button.inner_text()
            own = figure.locator(f"[{attribute}={value!r}]")
            assert own.count() > 0
            button.focus()
            figures.keyboard.press("Space")
            assert button.get_attribute("aria-pressed") == "false"
            assert own.evaluate_all(hidden) == own.count() == figure.locator("g").evaluate_all(hidden)
            figures.keyboard.press("Space")
            assert figure.locator("g").evaluate_all(hidden) == 0
            every, of_group = group.locator("button").last, figure.locator(f"[{attribute}]")
            every.click()
            assert of_group.evaluate_all(hidden) == of_group.count()
            every.click()
            assert figure.locator("g").evaluate_all(hidden) == 0


def test_a_printed_figure_has_its_whole_key(browser: Browser, page_of: Callable[[str], str]) -> None:
    with opened(browser, page_of(STRANGER)) as shown:
        switches = shown.locator("[aria-label=builder]").first.locator("[aria-pressed]").all_inner_texts()
        assert len(switches) > 1
        entries = shown.locator("figure.chart").first.locator(".key li")
        assert entries.filter(visible=True).count() == 0
        shown.emulate_media(media="print")
        assert shown.locator(".switch").filter(visible=True).count() == 0
        assert set(switches) <= {text.strip() for text in entries.filter(visible=True).all_inner_texts()}


def test_a_mark_leads_to_its_row(figures: Page) -> None:
    marks = figures.locator(f"{MARKS}[data-row]")
    assert marks.count() > 0
    lost = "all => all.filter(one => !document.getElementById(one.dataset.row)).length"
    assert marks.evaluate_all(lost) == 0
    mark = marks.last
    row = figures.locator(f"[id='{mark.get_attribute('data-row')}']")
    mark.focus()
    figures.keyboard.press("Enter")
    dialog = figures.locator("dialog")
    assert dialog.locator("h2").inner_text() == mark.get_attribute("aria-label")
    figures.keyboard.press("Escape")
    assert mark.evaluate("one => one === document.activeElement")
    figures.keyboard.press("Enter")
    dialog.get_by_role("link", name="Show this row in its table").first.click()
    dialog.wait_for(state="detached")
    target = figures.locator(":target")
    assert target.is_visible()
    laid = target.evaluate("one => one.querySelector('a')?.hash.slice(1) ?? one.id")
    assert laid == row.get_attribute("id")


@pytest.mark.parametrize("name", WITH_MARKS)
def test_the_command_of_a_row_builds_a_tree(
    page_of: Callable[[str], str], small_run: Callable[[str], Path], name: str
) -> None:
    grid = grid_composed(name, *CASES[name])
    content = Path(page_of(name).removeprefix("file://")).read_text(encoding="utf-8")
    commands = set(map(unescape, re.findall(r'<tr [^>]*data-tree="([^"]*)"', content)))
    assert commands or name not in {"compare_builders", "did_vs_c45", "greedy_vs_dp", "removed_features"}
    table = grid.tree_table if grid.tree_table in grid.tables else RESULTS_TABLE
    parts = small_run(name).glob(f"outputs/{table}/grid=*/run=*/part-*.parquet")
    rows = [row for part in sorted(parts) for row in pq.ParquetFile(part).read().to_pylist()]
    for command in commands:
        requested = _row_of(_parser().parse_args(shlex.split(command)))
        item = [row for row in rows if row["source"] == requested.get("source", row["source"])]
        assert rebuilt_of(grid, matching(item, requested), requested)[1].tree.nodes > 0


def test_marks_at_one_position_are_all_named(browser: Browser, page_of: Callable[[str], str]) -> None:
    with opened(browser, page_of("evo_vs_exact"), 1280) as shown:
        middles = """all => all.map(one => { const box = one.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2]; })"""
        marks = shown.locator(f"{MARKS}:has(use)")
        positions, titles = marks.evaluate_all(middles), labels(marks)
        together = [
            (each, other)
            for each in range(len(positions))
            for other in range(each)
            if max(abs(a - b) for a, b in zip(positions[each], positions[other], strict=True)) < 1
        ]
        assert together
        for each, other in together:
            marks.nth(each).focus()
            assert {titles[each], titles[other]} <= set(tip(shown))


def test_a_figure_of_many_marks_is_enlarged(browser: Browser, page_of: Callable[[str], str]) -> None:
    with opened(browser, page_of("removed_features"), 1280) as shown:
        picture = shown.locator("figure.chart .scroll svg").first

        def view() -> list[float]:
            return [float(each) for each in (picture.get_attribute("viewBox") or "").split()]

        whole = view()
        shown.get_by_role("button", name="Zoom in").first.click()
        assert view()[2:] == pytest.approx([whole[2] / 2, whole[3] / 2])
        shown.locator(MARKS).first.focus()
        shown.keyboard.press("+")
        assert view()[2] == pytest.approx(whole[2] / 4)
        shown.keyboard.press("ArrowLeft")  # the last mark is out of view, and comes into it
        box, frame = shown.locator(":focus").bounding_box(), picture.bounding_box()
        assert box is not None
        assert frame is not None
        assert frame["x"] <= box["x"] <= frame["x"] + frame["width"]
        assert frame["y"] <= box["y"] <= frame["y"] + frame["height"]
        shown.keyboard.press("0")
        assert view() == pytest.approx(whole)
        picture.scroll_into_view_if_needed()
        frame = picture.bounding_box()
        assert frame is not None
        left, top = frame["x"] + frame["width"] / 4, max(frame["y"], 0) + 60
        shown.mouse.move(left, top)
        shown.mouse.down()
        shown.mouse.move(left + frame["width"] / 4, top + 20, steps=4)
        shown.mouse.up()
        assert view()[2] == pytest.approx(whole[2] / 4, rel=0.02)
        assert shown.locator("dialog, .frame").count() == 0
        shown.get_by_role("button", name="Whole figure").first.click()
        assert view() == pytest.approx(whole)
