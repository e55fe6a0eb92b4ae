"""The page of a made-up run: its notices, its size, what it may obey, where its names are broken."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.configuration.keys import RequestedKey
from pipeline.report.rendering import clipped
from tests.pipeline.record.made_up import made_up_run
from tests.pipeline.report.made_up import made_up_index, made_up_page, reported_run, table

MOST_BYTES = 5_000_000


def test_a_page_repeats_the_notices_of_its_run() -> None:
    assert (
        "<strong>Note:</strong> <bdi>mine.csv: every row has a different value of &#39;id&#39;</bdi>" in made_up_page()
    )


def test_the_first_five_notices_of_a_run_are_in_view() -> None:
    run = reported_run()
    notices = tuple(f"note {number} of mine.csv" for number in range(7))
    content = made_up_page(replace(run, run=made_up_run(run.run.output, notices=notices)))
    before, _, after = content.partition("<details><summary>2 more notes</summary>")
    assert [notice in before for notice in notices] == [True] * 5 + [False] * 2
    assert all(notice in after for notice in notices[5:])


def test_a_page_is_bounded_whatever_its_tables_are() -> None:
    tables = tuple(table(2_000, f"table_{index}") for index in range(12))
    content = made_up_page(reported_run(tables=tables), "index.html").encode("utf-8", "replace")
    assert len(content) < MOST_BYTES
    assert content.decode().count("of 2,000 rows.") == 12


def test_a_long_note_is_shown_whole() -> None:
    note = "The cells are such and such. " * 150
    content = made_up_page(reported_run(tables=(replace(table(), note=note),)))
    assert note.strip() in content


def test_a_note_shows_the_words_that_it_defines_and_columns_as_in_their_headings() -> None:
    note = (
        "n: 9 % <b>; a_rather_long_measure_1 to ours: such. Else, agrees: as in t_1: 1. It has a_rather_long_measure_2"
    )
    content = made_up_page(reported_run(tables=(replace(table(), note=note),)))
    assert (
        "<bdi><b>n</b>: 9\N{NO-BREAK SPACE}% &lt;b&gt;; <b>a rather long measure 1 to ours</b>: such. "
        "<b>Else, agrees</b>: as in t_1: 1. It has a rather long measure 2</bdi>"
    ) in content


def test_a_text_is_shortened_only_if_that_makes_it_shorter() -> None:
    ending = "… (23 more characters)"
    assert [clipped(122 * "x", 100), clipped(123 * "x", 100)] == [122 * "x", 100 * "x" + ending]


def test_the_percent_signs_of_a_finding_stay_beside_their_numbers() -> None:
    run = reported_run(finding="correct on 66.7 % of 9 rows")
    for content in (made_up_page(run), made_up_index(run)):
        assert "<bdi>correct on 66.7\N{NO-BREAK SPACE}% of 9 rows</bdi>" in content


def test_the_index_shows_the_changed_settings_as_they_are_typed() -> None:
    keys = (RequestedKey("seed", "0", "0"), RequestedKey("builders", "[c45, cart]", "[cart]"))
    content = made_up_index(reported_run(requested=keys))
    assert '<p class="settings"><code><bdi>builders=[c45, cart]</bdi></code></p>' in content
    assert "seed=" not in content


def test_every_page_names_all_it_may_obey() -> None:
    content = made_up_page()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', content)
    assert "unsafe" not in policy
    assert "default-src &#39;none&#39;" in policy
    assert re.search(r"https?://(?!www\.w3\.org)", re.sub(r"<td.*?</td>", "", content)) is None


def test_the_names_of_keys_are_broken_at_their_joints_and_those_of_columns_are_words() -> None:
    content = made_up_page(reported_run(requested=(RequestedKey("folded.most_rows", "7", "0"),)))
    assert "<code>folded.<wbr>most_<wbr>rows</code>" in content
    assert 'title="a_rather_long_measure_0">a rather long measure 0</th>' in content
    hostile = made_up_page(reported_run(requested=(RequestedKey("a_<b>.c", "7", "0"),)))
    assert "<code>a_<wbr>&lt;b&gt;.<wbr>c</code>" in hostile
