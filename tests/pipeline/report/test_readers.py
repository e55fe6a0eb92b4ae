"""Readers read `summary.json` alone: no part, no grid, no drawing library; and they write only what changed."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.driver import summarising
from pipeline.status.command import main as status
from tests.pipeline.command_line import parts, python
from tests.pipeline.report.test_command import Report, report, written

__all__ = ["report"]

HEAVY = ("matplotlib", "duckdb", "pyarrow", "pandas", "hydra", "omegaconf", "sklearn", "distributed")
GRIDS = ("pipeline.grids", "pipeline.grammar", "pipeline.kinds", "pipeline.data", "pipeline.configuration.settings")
READ = """
import sys
from pipeline.command import main
status = main(sys.argv[1:])
print("LOADED", *sorted(sys.modules))
raise SystemExit(status)
"""


def loaded(folder: Path, *arguments: str) -> set[str]:
    """The modules that a command imports."""
    return set(python(READ, *arguments, cwd=folder).rpartition("LOADED")[2].split())


def emptied(folder: Path) -> None:
    """Replace the bytes of each part by as many zeros, so that what reads one fails."""
    for path in parts(folder / "outputs"):
        path.write_bytes(bytes(path.stat().st_size))


@pytest.mark.parametrize(
    "arguments", [("report",), ("status",), ("documents", "--proof")], ids=lambda arguments: arguments[0]
)
def test_a_reader_imports_no_grid_and_no_library_of_theirs_and_reads_no_part(
    finished: Path, arguments: tuple[str, ...]
) -> None:
    emptied(finished)
    result = loaded(finished, *arguments)
    parser = {"hydra", "omegaconf"} if arguments[0] == "documents" else set()  # its arguments are read by Hydra's
    assert not {name for name in result if name.split(".")[0] in {*HEAVY} - parser or name.startswith(GRIDS)}


def test_a_tree_is_shown_as_text_without_scikit_learn(finished: Path) -> None:
    assert "sklearn" not in loaded(finished, "show", "--table", "3", "--heuristic", "max/rt")


def stamps(folder: Path) -> dict[str, int]:
    """When each file of the report was written."""
    return {path.name: path.stat().st_mtime_ns for path in (folder / "outputs/report").iterdir()}


def test_a_report_of_the_same_writes_nothing_and_of_another_configuration_its_page(
    finished: Path, report: Report
) -> None:
    report(finished)
    before = stamps(finished)
    assert {"index.html", "documents.html", "documents.csv"} <= set(before)
    assert "unchanged" in report(finished)[1]
    assert stamps(finished) == before
    (record_folder,) = finished.glob("outputs/results/*/*/_run")
    with (record_folder / "sessions.jsonl").open("r+") as file:
        session = json.loads(file.read())
        file.write(json.dumps(session | {"ended": "2030-01-02T03:04:05+0000"}) + "\n")
    assert "unchanged" not in report(finished)[1]
    (page,) = finished.glob("outputs/report/greedy_vs_dp-*.html")
    assert {name for name, stamp in stamps(finished).items() if stamp != before[name]} == {page.name, "index.html"}
    assert "2030-01-02" in page.read_text()


@pytest.fixture
def summarised(finished: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs that the engine is to summarise again, in order; it gives them the summary that they had."""
    result: list[str] = []
    (kept,) = finished.glob("outputs/summaries/*/*/summary.json")
    content = kept.read_bytes()

    def summarise_again(run: Any, _: Any = ()) -> None:
        result.append(run.id)
        kept.write_bytes(content)

    monkeypatch.setattr(summarising, "summarise_again", summarise_again)
    return result


def test_a_part_file_whose_items_another_has_changes_no_page(
    finished: Path, report: Report, summarised: list[str]
) -> None:
    report(finished)
    part = min(finished.glob("outputs/results/*/*/part-*.parquet"))
    assert int(part.name.split("-")[2]) > 1
    (part.parent / "part-000000000-000000001-0123456789abcdef.parquet").write_bytes(part.read_bytes())
    assert "unchanged" in report(finished)[1]
    assert not summarised


def changing(**changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda result: {**result, **changes}


def without_digest(summary: Path) -> dict[str, Any]:
    """The content of a summary, to be changed."""
    content: dict[str, Any] = json.loads(summary.read_bytes())
    del content["digest"]
    return content


def without_a_tree(result: dict[str, Any]) -> dict[str, Any]:
    return {**result, "trees": [{**result["trees"][0], "tree": None, "labels": None, "why": "no data"}]}


@pytest.mark.parametrize(
    "spoil",
    [
        changing(format="orchard.summary/0"),
        changing(run="ffffffffffff"),
        changing(finding=3),
        changing(items=-1, made_from={"parts": {}, "version": "0.1.0", "code": ""}),
        lambda result: changing(made_from={**result["made_from"], "version": "0.0.1"})(result),
        lambda result: changing(made_from={**result["made_from"], "parts": {"results": {"part-1": 2}}})(result),
        without_a_tree,
    ],
    ids=["older format", "another run", "damaged", "no parts", "older version", "other parts", "lost tree"],
)
def test_a_summary_that_cannot_be_used_is_made_again_by_the_engine(
    finished: Path, report: Report, summarised: list[str], spoil: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    (kept,) = finished.glob("outputs/summaries/*/*/summary.json")
    kept.write_text(json.dumps(spoil(without_digest(kept))))
    assert report(finished)[::2] == (0, "")
    assert len(summarised) == 1
    assert len(written(finished)) == 2


@pytest.mark.parametrize("spoil", [None, without_a_tree, "digit"], ids=["none", "lost tree", "a digit"])
def test_the_engine_makes_the_same_summary_and_pages_again(
    finished: Path, report: Report, spoil: Callable[[dict[str, Any]], dict[str, Any]] | str | None
) -> None:
    report(finished)
    before = written(finished)
    shutil.rmtree(finished / "outputs/report")  # a page of the same inputs would not be written again
    (kept,) = finished.glob("outputs/summaries/*/*/summary.json")
    content = kept.read_bytes()
    if spoil is None:
        kept.unlink()
    elif isinstance(spoil, str):
        figure = re.findall(rb"\d\.\d{9,}", content)[0]
        kept.write_bytes(content.replace(figure, figure[:-1] + (b"1" if figure[-1:] == b"2" else b"2"), 1))
    else:
        kept.write_text(json.dumps(spoil(without_digest(kept))))
    assert report(finished)[::2] == (0, "")
    assert kept.read_bytes() == content
    assert written(finished) == before


def test_a_run_of_a_grid_that_is_not_here_is_shown_as_it_was_summarised(
    finished: Path, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr("pipeline.record.runs.grid_run", unknown)
    (kept,) = finished.glob("outputs/summaries/*/*/summary.json")
    parsed = without_digest(kept)
    parsed["made_from"]["version"] = "0.0.1"
    kept.write_text(json.dumps(parsed))
    assert report(finished)[::2] == (0, "")
    kept.unlink()
    status, _, err = report(finished)
    assert status == 1
    assert "has no summary.json, and outputs/results/" in err
    assert "run.json is of a grid that this version lacks" in err


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        ({"kind": [9]}, "lacks the arrays"),
        ({"decision": None}, "has no label"),
        ({"attribute": None}, "has no label"),
        ({"edge_code": None}, "has no label"),
    ],
)
def test_an_invalid_tree_is_reported_and_the_page_is_written(
    finished: Path, report: Report, tree: dict[str, Any], why: str
) -> None:
    (kept,) = finished.glob("outputs/summaries/*/*/summary.json")
    parsed = without_digest(kept)
    recorded = parsed["trees"][0]["tree"]
    if "kind" in tree:
        parsed["trees"][0]["tree"] = {"format": recorded["format"], **tree}
    else:
        (name,) = tree
        recorded[name] = [each + 1_000 if each >= 0 else each for each in recorded[name]]
    kept.write_text(json.dumps(parsed))
    assert report(finished)[0] == 0
    (content,) = (text for name, text in written(finished).items() if name != "index.html")
    reason = content.partition("its record in the summary is damaged: ")[2].partition("<")[0]
    assert why in reason


def test_a_figure_that_somebody_put_there_draws_and_does_nothing_else(finished: Path, report: Report) -> None:
    (drawn,) = finished.glob("outputs/summaries/*/*/*.svg")
    laughs = (
        '<!DOCTYPE svg [<!ENTITY a "aaaaaaaa">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">&a;</svg>'
    )
    for content, why in ((laughs, "declares entities"), ("<svg", "not an SVG"), ("<g/>", "not an SVG")):
        drawn.write_text(content)
        assert report(finished)[0] == 0
        assert why in "".join(written(finished).values())
    drawn.write_text('<svg viewBox="0 0 1 1"><g style="onload: x; href: javascript:x; fill: red"/></svg>')
    assert report(finished)[0] == 0
    pages = "".join(written(finished).values())
    assert 'fill="red"' in pages
    assert "javascript:" not in pages
    drawn.unlink()
    assert report(finished)[0] == 0
    assert "cannot be read" in "".join(written(finished).values())


def test_status_counts_cells_by_the_summary_and_by_the_parts_where_they_changed(
    finished: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(finished)
    assert status([]) == 0
    before = capsys.readouterr()
    emptied(finished)
    assert status([]) == 0
    assert capsys.readouterr() == before
    (kept,) = finished.glob("outputs/summaries/*/*/summary.json")
    shutil.move(kept, kept.with_name("away.json"))
    assert status([]) == 0
    assert "cannot be read; the run's command makes it again" in capsys.readouterr().err
