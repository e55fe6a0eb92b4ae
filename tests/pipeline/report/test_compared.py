"""Runs compared: what differs and nothing else, the same by Python and by the script, and chosen on the index."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.record.remarks import Note, Remarks
from pipeline.report.compared import ComparedRuns, compared_runs, lanes_of
from pipeline.report.index import index_page
from pipeline.report.runs import ReportedRun
from pipeline.report.several import GridRuns, page_of_runs, write_grids
from pipeline.summary.tables import SummaryTable, Value
from tests.pipeline.record.made_up import made_up_run
from tests.pipeline.report.made_up import HOSTILE, reported_run
from tests.pipeline.report.windows import COLOURS, DESK, PHONE, opened, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

COLUMNS = ("source", "n", "accuracy", "low", "build_seconds", "worst_on", "verdict")
MOST_BYTES = 2_500_000


def run(
    output: Path, number: int, rows: Sequence[Sequence[Value]], keys: str, columns: Sequence[str] = COLUMNS
) -> ReportedRun:
    """A complete run with one table, and with these keys in its notes."""
    table = SummaryTable("accuracies", "Accuracy", columns, rows, "in %")
    result = reported_run(output, run=f"{number:012x}", tables=(table,), finding=f"run {number}")
    result = replace(
        result,
        run=made_up_run(output, run=f"{number:012x}"),
        provenance=replace(result.provenance, finished=datetime(2026, 1, 2, 3, number % 60, tzinfo=UTC)),
    )
    result.run.record_folder.mkdir(parents=True)
    (result.run.record_folder / "config.yaml").write_text(keys)
    return result


def rows(*values: float, verdict: str = "agrees", n: int | None = 5) -> list[tuple[Value, ...]]:
    """Rows with an accuracy each, of data sets a, b, …"""
    return [
        (name, n, value, value - 1, value * 7, f"worst {value > 90}", verdict)
        for name, value in zip("abcdefgh", values, strict=False)
    ]


def beside(runs: Sequence[ReportedRun]) -> ComparedRuns:
    return compared_runs([(run.run, run.page, run.summary) for run in runs], MOST_BYTES)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.sampled_from([None, 1.0, 2.0, -3.25]), min_size=4, max_size=4), min_size=2, max_size=5))
def test_the_cells_that_differ_are_those_of_a_plain_loop(
    tmp_path_factory: pytest.TempPathFactory, values: list[list[float | None]]
) -> None:
    output = tmp_path_factory.mktemp("compared")
    tables = [
        [(name, value) for name, value in zip("abcd", own, strict=True) if value is not None or name == "a"]
        for own in values
    ]
    runs = [run(output, number, own, f"seed: {number}\n", ("source", "value")) for number, own in enumerate(tables)]
    result = beside(runs)
    expected: dict[str, list[float | None]] = {}
    alone = 0
    for name in "abcd":
        of_runs = [dict(own)[name] for own in tables if name in dict(own)]
        alone += len(of_runs) == 1
        if len(of_runs) > 1 and any(run != of_runs[0] for run in of_runs):
            expected[name] = of_runs
    (table,) = result.tables
    lines = [line for measure in table.measures for line in measure.lines]
    assert (sorted(line.names for line in lines), table.alone) == ([(name,) for name in expected], alone)
    for line in lines:
        there = [value for value in expected[line.names[0]] if value is not None]
        if len(runs) >= 3 and there:  # of one setting but for the seed
            assert line.summary.startswith(f"{sum(there) / len(there):.4g}".replace("-", "−").rstrip("0").rstrip("."))
        span = line.span(result.by_lane[0]) if result.bands else None
        placed = dict(zip([dict(own).get(line.names[0]) for own in tables], line.pixels, strict=True))
        ordered = sorted(((value, at) for value, at in placed.items() if value is not None and at is not None))
        assert [at for _, at in ordered] == sorted(at for _, at in ordered)
        if span:
            assert (span[0], span[2]) == (ordered[0][1], ordered[-1][1])


def test_keys_and_columns_that_do_not_differ_are_not_there(tmp_path: Path) -> None:
    first = run(tmp_path, 1, rows(90.0, 80.0), "seed: 0\ncluster: {workers: 1}\nlimit: 3\nsame: 5\n")
    second = run(tmp_path, 2, rows(90.0, 82.5), "seed: 0\ncluster: {workers: 2}\nlimit: 4\nsame: 5\n")
    result = beside([first, second])
    assert result.keys == ("limit",)
    assert [run.label for run in result.runs] == ["limit 3", "limit 4"]
    (table,) = result.tables
    assert [measure.name for measure in table.measures] == ["accuracy"]  # neither bounds, nor times, nor equal texts
    (line,) = table.measures[0].lines
    assert (line.names, line.summary) == (("b",), "+2.5")
    assert (table.total, table.cells) == (1, 8)


def test_names_of_rows_are_those_of_the_pages_of_their_runs(tmp_path: Path) -> None:
    names = ("cart", "my_tree", "my tree")
    runs = [run(tmp_path, n, [(name, n) for name in names], f"of: {n}\n", ("source", "x")) for n in (1, 2)]
    assert [line.names for line in beside(runs).tables[0].measures[0].lines] == [(name,) for name in names]


def test_equal_numbers_do_not_differ_whatever_their_sign_or_type(tmp_path: Path) -> None:
    first, second = (
        run(tmp_path, number, [("a", zero, math.nan, one), ("b", 2.0, 1.0, 1)], "", ("source", "x", "y", "z"))
        for number, (zero, one) in enumerate(((0.0, 1), (-0.0, 1.0)))
    )
    (table,) = beside([first, second]).tables
    assert (table.total, table.cells) == (0, 6)


def test_numbers_that_no_axis_can_have_are_not_drawn(tmp_path: Path) -> None:
    largest = sys.float_info.max
    values = ((0.0, largest), (1.0, -largest), (2.0, math.inf))
    runs = [
        run(tmp_path, number, [("a", *own)], f"of: {number}\n", ("source", "x", "y"))
        for number, own in enumerate(values)
    ]
    drawn, not_drawn = beside(runs).tables[0].measures
    assert None not in drawn.lines[0].pixels
    assert (not_drawn.ticks, not_drawn.lines[0].pixels) == ((), (None, None, None))


def test_runs_that_differ_in_the_seed_alone_share_a_band(tmp_path: Path) -> None:
    values = ((1.0, "never"), (2.0, "never"), (6.0, "never"), (5.0, "late"), (7.0, "late"))
    runs = [
        run(tmp_path, number, rows(value), f"seed: {number}\nprune: {prune}\n")
        for number, (value, prune) in enumerate(values)
    ]
    result = beside(runs)
    assert (result.bands, result.lanes) == (True, ("never", "late"))
    (line,) = result.tables[0].measures[0].lines
    assert line.summary == "never: 3 (1 to 6)\nlate: 6 (5 to 7)"
    low, mean, high = line.span(result.by_lane[0]) or pytest.fail("no band")
    assert low < mean < high
    assert mean - low == pytest.approx((high - low) * 2 / 5, abs=0.1)
    long = [f'["c45", "cart", "did", "id3", "{name}"]' for name in ("oct", "svm")]
    lanes, _ = lanes_of(["builders", "seed"], [(builders, str(seed)) for builders in long for seed in range(3)])
    assert list(dict(lanes).values()) == ['["c45", "cart", "did", "id3"… (1)', '["c45", "cart", "did", "id3"… (2)']
    values = ("mine.csv, naive bayes", "mine.csv, uci/tic-tac-toe, gini", "/" + 40 * "x")
    lanes, _ = lanes_of(["source", "seed"], [(value, str(seed)) for value in values for seed in range(3)])
    assert list(dict(lanes).values()) == ["mine.csv, naive bayes", "mine.csv, uci/tic-tac-toe…", "/" + 28 * "x" + "…"]
    apart = beside(runs[2:])
    assert not apart.bands  # no setting has three seeds
    assert apart.tables[0].measures[0].lines[0].summary == "5 to 7"


def test_a_page_of_many_runs_is_below_5_megabytes(tmp_path: Path) -> None:
    runs = [
        run(tmp_path, number, [(f"set {row}", *[number * row / 7.0] * 12) for row in range(700)], f"seed: {number}\n",
            ("source", *(f"measure_{index}" for index in range(12))))
        for number in range(70)
    ]  # fmt: skip
    kept = [f"compare-{name}0123456789ab.html" for name in ("", "0123456789ab-", "builders-")] + ["x.html"]
    for name in (*kept, "compare-gone.html"):
        (tmp_path / name).touch()
    (page,) = write_grids(tmp_path, runs)
    assert {path.name for path in tmp_path.glob("*.html")} == {page.page, *kept}
    assert len(page.runs) == 60
    assert 500_000 < (tmp_path / page.page).stat().st_size < 5_000_000
    assert "cells that differ." in (tmp_path / page.page).read_text()
    assert write_grids(tmp_path, runs[:1]) == []
    assert {path.name for path in tmp_path.glob("*.html")} == set(kept)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The index and the comparison of six runs, and pages that Python made of some of them alone."""
    output = tmp_path_factory.mktemp("pages")
    settings = [("never", 1), ("never", 2), ("never", 3), ("late", 1), ("late", 2), ("late", 3)]
    runs = []
    for number, (prune, seed) in enumerate(settings):
        accuracies = (90.0, 80.0 + seed + 5 * (prune == "late"), 70.125 - number)
        own = rows(*accuracies, verdict="differs" if seed == 3 else "agrees", n=None if seed == 1 else 5)
        runs.append(run(output, number, own, f"seed: {seed}\nprune: {prune}\n"))
    note = Note("", datetime(2026, 1, 2, tzinfo=UTC), HOSTILE[0])
    runs[0] = replace(runs[0], remarks=Remarks(("base", "late"), (note,)))
    runs[1] = replace(runs[1], remarks=Remarks(("baseline",)))
    other = replace(runs[0], run=replace(runs[0].run, name="other"), remarks=Remarks())
    grids = write_grids(output, runs[::-1])
    assert [grid.page for grid in grids] == ["compare-mine.html"]
    index = index_page(
        runs=[*runs, other],
        waiting=[],
        rejected=[],
        documents=None,
        sweeps=[],
        compared=[*grids, GridRuns(HOSTILE[0], "compare-mine.html", ("x",))],
        output="outputs",
    )
    (output / "index.html").write_text(index, errors="replace")
    for name, chosen in CHOICES.items():
        summary = compared_runs(
            [(runs[index].run, runs[index].page, runs[index].summary) for index in chosen], MOST_BYTES
        )
        page_of_runs(output / f"{name}.html", title=name, finding=summary.finding, compared=summary, index="index.html")
    hostile = [
        run(output, 90 + number, [(name, number) for name in HOSTILE], f"k: {HOSTILE[number]!r}\n", ("a", "b"))
        for number in range(2)
    ]
    summary = beside(hostile)
    page_of_runs(output / "hostile.html", title=HOSTILE[1], finding=HOSTILE[0], compared=summary, index="index.html")
    return output


CHOICES = {"pair": (0, 3), "seeds": (0, 1, 2), "all_of_them": tuple(range(6))}


def visible_cells(shown: Page) -> list[list[str]]:
    """The keys and values that are to be seen, row by row."""
    return shown.locator(".compared tr, .chosen tr:not(.out)").evaluate_all(
        """all => all.filter(row => row.getClientRects().length).map(row =>
           [...row.cells].filter(cell => cell.getClientRects().length && !cell.matches('.strip'))
           .map(cell => cell.innerText.trim()))"""
    )


def marks(shown: Page) -> list[list[float]]:
    """How far along its line, from the least to the greatest, each mark is that is to be seen."""
    result = shown.locator(".compared tr:not(.measure) .strip svg").evaluate_all(
        """all => all.filter(one => one.getClientRects().length).map(one => [...one.querySelectorAll('use[data-run]')]
           .filter(mark => mark.getAttribute('display') !== 'none').map(mark => Number(mark.getAttribute('x'))))"""
    )
    return [[(x - min(line)) / (max(line) - min(line)) for x in line] for line in result]


def test_runs_are_chosen_on_the_index_and_the_script_says_what_python_says(browser: Browser, folder: Path) -> None:
    address = (folder / "index.html").as_uri()
    with opened(browser, address) as shown:
        boxes = shown.locator(".runs input[type=checkbox]")
        assert boxes.count() == 6  # none for the only run of a grid
        bar = shown.locator(".choice")
        assert bar.inner_text() == "Choose runs of one grid to compare them"
        boxes.nth(0).check()
        assert shown.locator(".choice a").is_hidden()
        assert "choose another" in bar.inner_text()
        boxes.nth(3).check()
        shown.locator(".choice a").click()
        shown.wait_for_url(f"**/compare-mine.html#{0:012x},{3:012x}")  # until it is loaded, too
        assert shown.locator(".finding").inner_text() == "2 of 6 runs; cells of their tables that differ: 2."
        assert [[row[0], row[-1]] for row in values_of(visible_cells(shown))] == [["b", "+5"], ["c", "−3"]]
        assert [row[1:] for row in visible_cells(shown) if row[0].endswith(f"{0:012x}")] == [
            ["never"]
        ]  # the seed is the same


@pytest.mark.parametrize("width", [375, 1280])
def test_a_run_is_chosen_beside_the_name_of_its_grid(browser: Browser, folder: Path, width: int) -> None:
    with opened(browser, (folder / "index.html").as_uri(), width=width) as shown:
        shown.locator(".runs th a").first.evaluate("link => { link.textContent = 'compare_many_builders' }")
        boxes = shown.locator(".runs th input").evaluate_all(
            """boxes => boxes.map(box => [box, box.nextElementSibling].map(each => each.getBoundingClientRect()))
               .map(([box, link]) => [box.bottom - link.top, link.left - box.right])"""
        )
        assert all(height > 0 and 0 <= gap < 10 for height, gap in boxes)


@pytest.mark.parametrize("name", ["pair", "seeds", "all_of_them"])
def test_a_narrowed_page_is_the_page_of_those_runs(browser: Browser, folder: Path, name: str) -> None:
    chosen = ",".join(f"{index:012x}" for index in CHOICES[name])
    with opened(browser, f"{(folder / 'compare-mine.html').as_uri()}#{chosen}") as shown:
        narrowed, placed = visible_cells(shown), marks(shown)
    with opened(browser, (folder / f"{name}.html").as_uri(), java_script_enabled=False) as shown:
        whole = visible_cells(shown)
        assert placed == [pytest.approx(line, abs=0.02) for line in marks(shown)]
    assert values_of(narrowed) == values_of(whole)
    assert len(values_of(whole)) >= 2


def values_of(result: list[list[str]]) -> list[list[str]]:
    """The cells of the tables without the names of the runs."""
    return [row for row in result if row[0] in {"a", "b", "c"}]


def test_a_band_is_drawn_from_the_least_to_the_greatest_with_the_mean(browser: Browser, folder: Path) -> None:
    chosen = f"{0:012x},{2:012x},{1:012x}"
    with opened(browser, f"{(folder / 'compare-mine.html').as_uri()}#{chosen}") as shown:
        bands = shown.locator(".compared svg").evaluate_all(
            """all => all.map(one => [
                 [...one.querySelectorAll('use[data-run]:not([display])')].map(mark => Number(mark.getAttribute('x'))),
                 [...one.querySelectorAll('line:not([display])')]
                   .map(line => ['x1', 'x2'].map(x => Number(line.getAttribute(x)))),
                 [...one.querySelectorAll('rect.mean:not([display])')].map(bar => Number(bar.getAttribute('x')) + 1.5),
               ]).filter(([at]) => at.length)"""
        )
        misplaced = shown.locator(".compared use[data-run]:not([display])").evaluate_all(
            """all => all.filter(one => one.getClientRects().length).map(one => {
                 const box = one.getBoundingClientRect(), left = one.ownerSVGElement.getBoundingClientRect().left;
                 return Math.abs((box.left + box.right) / 2 - left - Number(one.getAttribute('x'))); })"""
        )
    assert len(misplaced) == 6
    assert max(misplaced) < 1
    assert len(bands) == 2
    for at, lines, means in bands:
        assert len(at) == 3
        assert lines == [[min(at), max(at)]]
        assert means == [pytest.approx(sum(at) / 3)]


def test_tags_choose_the_runs_that_are_listed(browser: Browser, folder: Path) -> None:
    with opened(browser, (folder / "index.html").as_uri()) as shown:
        listed = shown.locator(".runs tbody tr")
        assert listed.filter(visible=True).count() == 7
        shown.locator(".runs a.tag").first.click()
        assert shown.url.endswith("#tag=base")
        shown.locator(".only").filter(has_text="Runs with the tag base: 1 of 7").wait_for()  # until the page reacts
        assert listed.filter(visible=True).count() == 1  # not the one with the tag `baseline`
        assert HOSTILE[0] in listed.filter(visible=True).inner_text()
        shown.get_by_role("link", name="show all").click()
        shown.locator(".only").wait_for(state="hidden")
        assert listed.filter(visible=True).count() == 7


def test_without_scripts_runs_are_beside_each_other(browser: Browser, folder: Path) -> None:
    with opened(browser, (folder / "index.html").as_uri(), java_script_enabled=False) as shown:
        shown.get_by_role("link", name="mine", exact=True).last.click()
        assert "compare-mine" in shown.url
        assert shown.locator(".compared tbody tr:not(.measure)").filter(visible=True).count() >= 4
        assert shown.locator("main input, main button").count() == 0


@pytest.mark.parametrize("name", ["compare-mine", "hostile", "pair"])
def test_a_comparison_fits_its_window_and_can_be_read(browser: Browser, folder: Path, name: str) -> None:
    with opened(browser, (folder / f"{name}.html").as_uri()) as shown:
        for width in (DESK, PHONE):
            shown.set_viewport_size({"width": width, "height": 800})
            assert shown.evaluate("document.documentElement.scrollWidth") <= width
        beyond = shown.locator(".compared .strip svg, .compared .sum").evaluate_all(
            f"all => all.filter(one => one.getBoundingClientRect().right > {PHONE}).length"
        )
        assert beyond == 0
        keys = shown.locator(".scroll:has(.chosen)")
        shown.locator(".chosen td code").first.evaluate(
            "one => { one.textContent = '[\"sklearn/iris\", '.repeat(40); }"
        )
        assert keys.evaluate("one => one.scrollWidth <= one.clientWidth")
        for scheme in ("light", "dark"):
            shown.emulate_media(color_scheme=scheme)
            assert violations(shown, **({} if scheme == "light" else {"runOnly": COLOURS})) == []
        assert shown.evaluate("window.obeyed") is None
        assert shown.evaluate("document.scripts.length") == 1
