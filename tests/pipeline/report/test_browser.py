"""The pages in a real browser: what it obeys, what fits a phone, what a keyboard reaches, what can be read."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.report.command import main
from pipeline.summary.tables import SummaryTable
from tests.pipeline.report.made_up import made_up_index, made_up_page, reported_run
from tests.pipeline.report.windows import COLOURS, DESK, PHONE, TABLET, lines, opened, tab_to, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = ("run", "index", "hostile", "hostile_index")
NUMBERS = SummaryTable(
    "numbers",
    "Numbers",
    ("name", "value", "count"),
    [["b10", 0.00012, 3], ["b9", -2.5, 20], ["a", None, 100], ["c", 0.00011, None], ["B1", 12.0, 1]],
    "Rule: such and such.",
    "select avg(depth) as value from results where builder = {name}",
)


@pytest.fixture(scope="module")
def report(finished_once: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Addresses of the pages: of a run that was made, and of one that was made up."""
    folder = tmp_path_factory.mktemp("report")
    shutil.copytree(finished_once / "outputs", folder / "outputs")
    assert main(["--output", str(folder / "outputs")]) == 0
    (made,) = folder.glob("outputs/report/greedy_vs_dp-*.html")
    hostile = reported_run(folder)
    contents = {
        "hostile": made_up_page(hostile, "index.html"),
        "hostile_index": made_up_index(hostile),
        "numbers": made_up_page(reported_run(folder, tables=(NUMBERS,))),
    }
    for name, content in contents.items():
        (folder / f"{name}.html").write_text(content, encoding="utf-8", errors="replace")
    addresses = {name: (folder / f"{name}.html").as_uri() for name in contents}
    return {"run": made.as_uri(), "index": made.with_name("index.html").as_uri(), **addresses}


def column(shown: Page, index: int, table: str = "numbers") -> list[str]:
    """What the rows that are to be seen have in a column."""
    rows = shown.locator(f"#table-{table} tbody tr:not([hidden]):not(.panel)")
    return rows.locator(f"td:nth-child({index})").all_inner_texts()


@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_wider_than_its_window(browser: Browser, report: dict[str, str], name: str) -> None:
    with opened(browser, report[name]) as shown:
        shown.evaluate("document.querySelector('.switch')?.append('_of_a_long_name'.repeat(9))")
        for width in (DESK, TABLET, PHONE):
            shown.set_viewport_size({"width": width, "height": 800})
            assert shown.evaluate("document.documentElement.scrollWidth") <= width
            beyond = shown.evaluate(
                """width => [...document.querySelectorAll('body *')].filter(one => !one.closest('.scroll, .skip, pre')
                   && one.getBoundingClientRect().right > width + 1).map(one => one.outerHTML.slice(0, 100))""",
                width,
            )
            assert beyond == []
        shown.evaluate("document.querySelectorAll('.table details').forEach(each => { each.open = true; })")
        shown.wait_for_function(  # the script makes the rows of a wide table cards
            """() => [...document.querySelectorAll('.table .scroll:has(table.data:not(.runs))')]
               .every(one => one.scrollWidth <= one.clientWidth)"""
        )


@pytest.mark.parametrize("name", ["hostile", "hostile_index"])
def test_names_are_shown_and_not_obeyed(browser: Browser, report: dict[str, str], name: str) -> None:
    with opened(browser, report[name]) as shown:
        assert shown.evaluate("window.obeyed") is None
        assert shown.evaluate("document.scripts.length") == 1
        assert shown.evaluate("document.querySelectorAll('img, iframe, object, foreignObject').length") == 0
        text = shown.inner_text("body")
        assert "{{7*7}}" in text
        assert "<script>window.obeyed = 1</script>" in text
        assert "</script></style><script>" in text
        assert [sign for sign in ("\u202e", "\x1b", "\x00") if sign in text] == []


def test_rows_are_sorted_by_what_they_hold(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["numbers"]) as shown:
        assert column(shown, 1) == ["b10", "b9", "a", "c", "B1"]
        values = shown.get_by_role("button", name="value")
        for order, expected in (
            ("ascending", ["b9", "c", "b10", "B1", "a"]),  # by all digits, where those shown are the same
            ("descending", ["B1", "b10", "c", "b9", "a"]),
            ("none", ["b10", "b9", "a", "c", "B1"]),
        ):
            values.click()
            assert column(shown, 1) == expected
            assert shown.locator(f"#table-numbers th[aria-sort={order}]", has_text="value").count() == 1
        shown.get_by_role("button", name="name").click()
        assert column(shown, 1) == ["a", "B1", "b9", "b10", "c"]
        shown.get_by_role("button", name="count").click()
        assert column(shown, 1) == ["B1", "b10", "b9", "a", "c"]
        assert shown.locator("#table-numbers th[aria-sort=ascending]").count() == 1


def test_rows_are_filtered_by_all_words_of_a_text_in_any_order(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["numbers"]) as shown:
        box = shown.get_by_label("Filter")
        for wanted, expected in (("B1", ["b10", "B1"]), ("b 3", ["b10"]), ("-2.5", ["b9"]), ("nowhere", [])):
            box.fill(wanted)
            assert column(shown, 1) == expected
            assert shown.get_by_role("status").inner_text() == f"{len(expected)} of 5 rows"
        box.fill("")
        assert len(column(shown, 1)) == 5
        assert shown.get_by_role("status").inner_text() == "5 rows"
        box.fill("b")
        shown.get_by_role("button", name="count").click()
        assert column(shown, 1) == ["B1", "b10", "b9"]


def test_our_value_the_printed_one_and_the_verdict_are_in_view(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["run"]) as shown:
        cells = shown.locator("#table-cells .laid td:not(.empty)")
        assert cells.count() == 160
        for width in (PHONE, TABLET, 1280, 1920):
            shown.set_viewport_size({"width": width, "height": 800})
            beyond = shown.evaluate(
                """width => [...document.querySelectorAll('.laid :is(.ours, .theirs, .mark)')].filter(one => {
                   const box = one.getBoundingClientRect();
                   return box.width === 0 || box.left < 0 || box.right > width; }).length""",
                width,
            )
            assert beyond == 0
        parts = cells.first.locator(".ours, .theirs, .mark")
        assert [" ".join(part.split()) for part in parts.all_inner_texts()][2] == "printed 0.138302"


def test_a_cell_of_a_printed_table_shows_all_that_is_known_of_it(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["run"]) as shown:
        tab_to(shown, "#table-cells .laid a")
        shown.keyboard.press("Enter")
        dialog = shown.get_by_role("dialog", name="Group 1, max, ent, average depth", exact=True)
        text = dialog.inner_text()
        assert all(
            word in text for word in ("cost function", "low", "high", "0.138302", "Verdicts are on the difference")
        )
        assert "\"uncertainty\" is not distinct from 'ent'" in dialog.locator("code").last.inner_text().replace(
            "\\", ""
        )
        assert "'depth'" not in dialog.locator("code").last.inner_text()
        tree, _query = dialog.locator("code").all_inner_texts()
        assert tree.endswith("--group 1 --heuristic max/ent")
        verdict = shown.locator("#table-cells .laid .mark .unseen").first.text_content()
        assert dialog.locator(".both .verdict").inner_text().split()[1:] == [verdict]
        assert dialog.locator(".both").inner_text().startswith("ours ")
        assert f"{verdict}: " in dialog.locator(".rule").inner_text()
        assert re.search(r"difference (\S+), its 95 % interval (\S+) to (\S+), tolerance (\S+)", text)
        shown.keyboard.press("Escape")
        assert shown.locator("dialog").count() == 0
        assert shown.evaluate("document.activeElement.matches('.laid a')")
        assert "printed: 0.138302" in (shown.locator(".laid a").first.get_attribute("title") or "")


def test_a_table_far_from_the_window_is_laid_out_when_a_link_leads_to_it(
    browser: Browser, report: dict[str, str]
) -> None:
    in_view = """id => {
      const { top, bottom } = document.getElementById(id).getBoundingClientRect();
      return top >= 0 && top < innerHeight && bottom > 0;
    }"""
    with opened(browser, report["run"], whole=False) as shown:
        rows = shown.locator("section.table").last.locator("table").first
        laid_out = "one => one.checkVisibility({ contentVisibilityAuto: true })"
        assert not rows.evaluate(laid_out)
        name = shown.locator("section.table").last.get_attribute("id")
        shown.evaluate("name => { location.hash = name; }", name)
        shown.wait_for_function(in_view, arg=name)
        shown.wait_for_function(laid_out, arg=rows.element_handle())
        tab_to(shown, "#table-cells .laid a")
        shown.keyboard.press("Enter")
        shown.get_by_role("link", name="Show this row in its table").click()
        shown.wait_for_function(in_view, arg=shown.evaluate("location.hash.slice(1)"))


def test_a_row_leads_to_its_tree_on_the_page(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["run"], whole=False) as shown:
        row = shown.locator("tr[data-drawn]").first
        tree = shown.locator(f"#tree-{row.get_attribute('data-drawn')}")
        shown.evaluate("id => document.querySelector(`.laid a[href='#${id}']`).click()", row.get_attribute("id"))
        link = shown.locator("dialog").get_by_role("link", name=tree.locator("figcaption").inner_text())
        link.click()
        assert shown.locator("dialog").count() == 0
        shown.wait_for_function("one => one.getBoundingClientRect().top < innerHeight", arg=tree.element_handle())


def test_a_jump_within_the_page_closes_a_dialog(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["run"]) as shown:
        shown.evaluate("location.hash = 'tables'")
        shown.locator("#table-cells .laid a").first.click()
        assert shown.locator("dialog").count() == 1
        shown.go_back()
        shown.wait_for_function("!document.querySelector('dialog')")
        shown.locator("#table-cells .laid a").first.click()
        shown.keyboard.press("Escape")
        assert shown.evaluate("document.activeElement.matches('.laid a')")


def test_a_mark_of_a_figure_says_what_it_is(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["run"]) as shown:
        tip, marks = shown.locator(".tip"), shown.locator("figure.chart g[tabindex]")
        assert marks.count() == 80  # each once, with its printed value
        tab_to(shown, "figure.chart g[tabindex='0']")
        first = tip.inner_text()
        assert first.startswith("max/ent, average depth: ")
        assert "95 % interval" in first
        assert "printed" in first
        box = tip.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= DESK
        shown.keyboard.press("ArrowRight")
        assert tip.inner_text().startswith("max/gini, average depth: ")
        shown.keyboard.press("ArrowLeft")
        shown.keyboard.press("ArrowLeft")
        assert tip.inner_text().startswith("w_sum/rt, terminal nodes: ")
        shown.keyboard.press("Escape")
        assert tip.is_hidden()
        marks.nth(5).hover()
        assert tip.inner_text().startswith("sum/gini, average depth: ")
        for mark in marks.all():
            assert mark.get_attribute("role") == "img"


def test_without_scripts_marks_have_titles_and_cells_lead_to_rows(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["run"], java_script_enabled=False) as shown:
        assert shown.locator("figure.chart g > title").count() == 160
        shown.locator("#table-cells .laid a").nth(7).click()
        assert shown.locator("#row-cells-7").is_visible()


def test_a_verdict_is_seen_on_a_tablet_before_a_wide_table_is_moved(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["run"], TABLET) as shown:
        shown.locator("#table-cells details.raw > summary").click()
        for judged in ("#table-cells th.judged", "#table-cells td.judged"):
            left, right = shown.locator(judged).first.evaluate(
                "one => [one.getBoundingClientRect().left, one.getBoundingClientRect().right]"
            )
            assert TABLET / 2 < left < right <= TABLET
        first = shown.locator("#rows-cells .named").last
        first.evaluate("one => { one.closest('.scroll').scrollLeft = 200; }")
        assert (
            first.evaluate(
                "one => one.getBoundingClientRect().left - one.closest('.scroll').getBoundingClientRect().left"
            )
            == 0
        )
        tab_to(shown, "#table-cells th:nth-child(4) button")
        assert shown.evaluate("document.activeElement.getBoundingClientRect().left") < left  # not below it


def test_on_a_phone_a_row_of_a_wide_table_is_a_card_whose_values_have_names(
    browser: Browser, report: dict[str, str]
) -> None:
    with opened(browser, report["run"], PHONE) as shown:
        shown.locator("#table-cells details.raw > summary").click()
        names = shown.locator("#rows-cells th:not(.asks)").all_inner_texts()
        values = shown.locator("#row-cells-0 td:not(.asks)")
        labels = values.evaluate_all("all => all.map(one => getComputedStyle(one, '::before').content)")
        assert labels == [f'"{name}"' for name in names]
        outside = values.evaluate_all(
            "(all, width) => all.filter(one => one.getBoundingClientRect().right > width).length", PHONE
        )
        assert outside == 0
        shown.locator("#rows-cells th:not(.asks) button").first.click()
        shown.locator("#rows-cells .asks button").first.click()
        assert shown.locator("#rows-cells .panel .command").is_visible()
        shown.set_viewport_size({"width": DESK, "height": 800})
        assert values.first.evaluate("one => getComputedStyle(one).display") == "table-cell"


def test_on_a_phone_without_scripts_ours_printed_and_verdict_are_in_view(
    browser: Browser, report: dict[str, str]
) -> None:
    with opened(browser, report["run"], PHONE, java_script_enabled=False) as shown:
        values = shown.locator("#row-pooled-0 td")
        labels = [value.get_attribute("data-label") for value in values.all()]
        assert {"mean relative difference", "printed", "verdict"} < set(labels)
        boxes = [value.bounding_box() for value in values.all()]
        assert max(box["x"] + box["width"] for box in boxes if box) <= PHONE


def test_a_short_name_is_on_one_line(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["numbers"], PHONE) as shown:
        assert lines(shown, "#table-numbers tbody td:not(.asks)") == {1}
    with opened(browser, report["index"]) as shown:
        shown.locator(".runs bdi").first.evaluate("one => { one.textContent = 'compare_builders'; }")
        assert lines(shown, ".runs th bdi") == {1}


def test_everything_is_reached_and_used_by_keyboard(browser: Browser, report: dict[str, str]) -> None:
    from playwright.sync_api import expect

    with opened(browser, report["numbers"]) as shown:
        tab_to(shown, ".skip")
        assert shown.evaluate("document.activeElement.getBoundingClientRect().left") == 0
        tab_to(shown, "#table-numbers .tools input")
        shown.keyboard.type("b")
        assert column(shown, 1) == ["b10", "b9", "B1"]
        tab_to(shown, ".past")
        shown.keyboard.press("Enter")
        shown.keyboard.press("Tab")
        assert not shown.evaluate("document.activeElement.closest('#table-numbers .scroll')")
        shown.keyboard.press("Shift+Tab")
        assert shown.evaluate("document.activeElement.matches('.asks button')")
        shown.locator(".past").focus()
        tab_to(shown, "#table-numbers .scroll")
        tab_to(shown, "th:nth-child(2) button")
        shown.keyboard.press("Enter")
        assert column(shown, 1) == ["b9", "b10", "B1"]
        tab_to(shown, ".asks button")
        shown.keyboard.press("Enter")
        panel = shown.locator("#table-numbers tr.panel")
        assert "Rule: such and such." in panel.inner_text()
        assert "where builder = 'b9'\" --run 0123456789ab" in panel.inner_text()
        assert shown.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
        tab_to(shown, ".panel .command button")
        shown.keyboard.press("Enter")
        expect(shown.locator(":focus")).not_to_have_text("Copy")
        shown.keyboard.press("Shift+Tab")
        shown.keyboard.press("Enter")
        assert panel.count() == 0


def test_a_copied_command_is_the_whole_command(browser: Browser, report: dict[str, str]) -> None:
    from playwright.sync_api import expect

    with opened(browser, report["numbers"], permissions=("clipboard-read", "clipboard-write")) as shown:
        shown.locator(".asks button").nth(1).click()
        shown.locator(".panel .command button").click()
        expect(shown.locator(":focus")).to_have_text("Copied")
        copied = shown.evaluate("navigator.clipboard.readText()")
        assert copied.startswith('python -m pipeline.query "select avg(depth) as value from results where builder = ')
        assert copied.count("--run 0123456789ab") == 1


@pytest.mark.parametrize("name", PAGES)
def test_contrast_names_and_roles_are_as_they_should_be(browser: Browser, report: dict[str, str], name: str) -> None:
    with opened(browser, report[name]) as shown:
        # a few rows of each table represent all; within a picture, announced as a whole, there is nothing to judge
        for many in ("tbody tr:nth-child(n + 10)", "figure svg > *"):
            shown.evaluate("many => document.querySelectorAll(many).forEach(one => one.remove())", many)
        for details in shown.locator("main details").all()[:3]:
            details.evaluate("one => { one.open = true; }")
        if name in {"run", "hostile"}:
            shown.locator(".asks button").filter(visible=True).first.click()
        for scheme in ("light", "dark"):
            shown.emulate_media(color_scheme=scheme)
            assert violations(shown, **({} if scheme == "light" else {"runOnly": COLOURS})) == []
        shown.set_viewport_size({"width": PHONE, "height": 800})
        assert violations(shown, runOnly=COLOURS) == []


def test_both_schemes_are_what_they_say(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["index"]) as shown:
        for scheme, least, most in (("light", 240, 255), ("dark", 0, 40)):
            shown.emulate_media(color_scheme=scheme)
            colour = shown.evaluate("getComputedStyle(document.body).backgroundColor")
            assert all(least <= int(part) <= most for part in colour.strip("rgb()").split(","))


@pytest.mark.parametrize("name", ["hostile", "index"])
def test_without_scripts_all_of_it_can_be_read(browser: Browser, report: dict[str, str], name: str) -> None:
    with opened(browser, report[name], PHONE, java_script_enabled=False) as shown:
        assert shown.locator("main button, main input").count() == 0
        assert shown.locator("main h1").is_visible()
        queries = shown.locator("details.query")
        if name == "hostile":
            assert queries.count() == 2
            queries.first.locator("summary").click()
            assert queries.first.locator("code").is_visible()
            assert "python -m pipeline.query" in queries.first.locator("code").inner_text()


@pytest.mark.parametrize("name", ["run", "index"])
def test_a_printed_page_has_all_rows_and_nothing_to_press(browser: Browser, report: dict[str, str], name: str) -> None:
    with opened(browser, report[name], 680) as shown:  # what A4 leaves between margins of 15 mm
        shown.emulate_media(media="print", color_scheme="dark")
        assert shown.locator(".tools, .asks, .hint, .command button").filter(visible=True).count() == 0
        assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert shown.evaluate("document.documentElement.scrollWidth") <= 680
        headings = shown.locator("th button").evaluate_all("all => all.map(one => getComputedStyle(one).display)")
        assert set(headings) == {"contents"}  # or they are missing from the second page on
        clipped = shown.evaluate(
            "[...document.querySelectorAll('.scroll')].filter(one => one.scrollHeight > one.clientHeight + 1).length"
        )
        assert clipped == 0
        breaks = shown.locator(".legend").evaluate_all("all => all.map(one => getComputedStyle(one).breakInside)")
        assert set(breaks) <= {"avoid"}  # or lines of the text above trees are on two pages
        assert len(shown.pdf(format="A4")) > 10_000


def test_printed_tables_and_figures_keep_their_layout_on_paper(browser: Browser, report: dict[str, str]) -> None:
    """Also if the window that a page is printed from is narrow."""
    with opened(browser, report["run"], PHONE) as shown:
        picture = shown.locator("figure.chart .scroll svg").first
        drawn = picture.get_attribute("width")
        shown.set_viewport_size({"width": 680, "height": 800})
        shown.emulate_media(media="print")
        shown.evaluate("dispatchEvent(new Event('beforeprint'))")
        heads = shown.locator("table.laid thead th")
        assert heads.filter(visible=True).count() == heads.count() > 0
        (top,) = set(
            shown.locator("table.laid")
            .first.locator("tbody tr:first-child > *")
            .evaluate_all("all => all.map(one => Math.round(one.getBoundingClientRect().top))")
        )
        assert top > 0
        sizes = shown.locator(".laid .ours, .laid .theirs").evaluate_all(
            "all => all.map(one => getComputedStyle(one).fontSize)"
        )
        assert len(set(sizes)) == 1
        wide = picture.get_attribute("width")
        shown.set_viewport_size({"width": PHONE, "height": 800})
        shown.emulate_media(media="screen")
        shown.evaluate("dispatchEvent(new Event('afterprint'))")
        assert int(wide or 0) > int(drawn or 0)
        assert picture.get_attribute("width") == drawn


def test_figures_and_trees_are_described_in_words(browser: Browser, report: dict[str, str]) -> None:
    with opened(browser, report["run"]) as shown:
        charts = shown.locator("figure.chart .scroll svg")
        assert charts.count() == 1
        assert "greedy_vs_dp" in (charts.get_attribute("aria-label") or "")
        assert shown.locator("figure.tree svg[role=img]").count() == shown.locator("figure.tree").count() > 0
        drawn = charts.evaluate("one => [one.getBBox().width, one.querySelectorAll('use').length]")
        assert drawn[0] > 100
        missing = shown.evaluate(
            """[...document.querySelectorAll('svg use')].filter(one => !document.querySelector(
               `[id="${one.getAttribute('href').slice(1)}"]`)).length"""
        )
        assert missing == 0
