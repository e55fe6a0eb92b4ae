"""`python -m pipeline.report`: which pages it writes, and what becomes of runs that cannot have one."""

from __future__ import annotations

import csv
import errno
import json
import os
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from pipeline.configuration.keys import RequestedKey
from pipeline.grid import GridSummary
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.query.command import main as query
from pipeline.report.command import main
from pipeline.storage.parts import Part
from pipeline.summary.failures import FailureGroup, Failures
from pipeline.summary.tables import SummaryTable
from tests.pipeline.command_line import copied_run, orchard, parts, run_folder
from tests.pipeline.conftest import Command
from tests.pipeline.record.made_up import made_up_run
from tests.pipeline.report.made_up import made_up_page, reported_run

Report = Callable[..., tuple[int, str, str]]
AS_SHIPPED = "with default settings"


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Report:
    """`orchard report` in a folder: exit status, stdout and stderr."""

    def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.chdir(folder)
        status = main(list(arguments))
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


def written(folder: Path) -> dict[str, str]:
    """The pages of the report but that of the documents, which has tests of its own."""
    pages = (path for path in (folder / "outputs/report").glob("*.html") if path.name != "documents.html")
    return {path.name: path.read_text(encoding="utf-8") for path in pages}


def forget_summaries(folder: Path) -> None:
    """Leave runs as those of earlier versions were left: without `summary.json`."""
    for path in folder.glob("outputs/summaries/*/*/summary.json"):
        path.unlink()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            (
                RequestedKey("seed", "0", "0"),
                RequestedKey("output", "mine", "outputs"),
                RequestedKey("cluster.workers", "1", "null"),
            ),
            AS_SHIPPED,
        ),
        (
            (RequestedKey("seed", "7", "0"), RequestedKey("tables.count", "50", "10000")),
            "with seed=7 tables.count=50",
        ),
        (
            (RequestedKey("limits.seconds", "5", "null"), RequestedKey("seed", "0", "0")),
            "with limits.seconds=5",
        ),
        (
            tuple(RequestedKey(name, "1", "0") for name in "abcdefgh"),
            "with a=1 b=1 c=1 d=1 e=1 f=1 and 2 more",
        ),
        ((), "settings unknown (the configuration of the run is missing)"),
    ],
)
def test_a_grid_is_called_as_shipped_only_if_its_keys_are(keys: tuple[RequestedKey, ...], message: str) -> None:
    content = made_up_page(reported_run(requested=keys, meaning="a study"))
    (meaning,) = re.findall(r'<p class="meaning">(.*?)</p>', content, re.DOTALL)
    assert re.sub("<[^>]*>", "", meaning) == f"mine {message}"
    assert "<h1><bdi>a study</bdi></h1>" in content


def test_a_page_and_the_index_are_written(finished: Path, report: Report) -> None:
    status, out, err = report(finished)
    assert (status, err) == (0, "")
    run = run_folder(finished / "outputs").name.removeprefix("run=")
    name = f"greedy_vs_dp-{run}.html"
    pages = written(finished)
    assert set(pages) == {name, "index.html"}
    assert name in out
    assert (finished / "outputs/report/index.html").as_uri() in out
    summary = (finished / f"outputs/summaries/grid=greedy_vs_dp/run={run}/cells.csv").read_text().splitlines()
    counts = Counter(row["verdict"] for row in csv.DictReader(summary))
    assert counts.keys() <= {"agrees", "consistent", "differs"}
    cells = counts.total()
    assert cells == len(summary) - 1
    sentence = f"{counts['agrees']} of {cells} cells agree with the paper, {counts['consistent']} "
    assert sentence in pages[name]
    assert sentence in pages["index.html"]
    assert f'href="{name}"' in pages["index.html"]
    (tally,) = re.findall(r'<a class="tally" href="[^"]*#table-cells"[^>]*>(.*?)</a>', pages["index.html"], re.DOTALL)
    (badges,) = re.findall(
        r'<p class="tally">(.*?) <span class="of">in <a href="#table-cells">', pages[name], re.DOTALL
    )
    for shown in (tally, badges):
        result = {word: int(count) for word, count in re.findall(r"(agrees|consistent|differs) (\d+)", shown)}
        assert result == {word: count for word, count in counts.items() if count}
    assert "1,360" in pages[name]
    assert "tables.count=40 tables.groups=2" in pages[name]
    record = json.loads((run_folder(finished / "outputs") / "_run/run.json").read_text())
    for reported in (record["versions"]["numpy"], record["machine"]["platform"], "<dt>Seed</dt><dd><code>0</code>"):
        assert reported in pages[name]
    assert "every cell is ok" in pages[name]


def test_links_lead_to_files_that_are_there(finished: Path, report: Report) -> None:
    assert report(finished)[0] == 0
    folder = finished / "outputs/report"
    pages = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}
    ids = {name: re.findall(r' id="([^"]*)"', content) for name, content in pages.items()}
    for name, content in pages.items():
        assert len(ids[name]) == len(set(ids[name]))
        links = [unquote(link) for link in re.findall(r'href="([^"]*)"', content) if not link.startswith("data:")]
        assert len(links) >= (2 if name == "index.html" else 9)
        for file, _, fragment in (link.partition("#") for link in links):
            assert not file or (folder / file).is_file()
            assert not fragment or fragment in ids[file or name]


def test_a_page_says_only_what_a_row_says(finished: Path, report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    """The command beside a row, typed: its answer is the row's."""
    report(finished)
    content = next(text for name, text in written(finished).items() if name != "index.html")
    row = re.search(r'<tr id="row-cells-0" data-slots="(.*?)"[^>]*>(.*?)</tr>', content, re.DOTALL)
    command = re.search(r'<code id="query-cells">(.*?)</code>', content, re.DOTALL)
    assert row is not None
    assert command is not None
    cells = re.findall(r'<td[^>]*?(?: data-v="([^"]*)")?>([^<]*)</td>', row[2])
    slots = iter(json.loads(unescape(row[1])))
    typed = re.sub("<var>.*?</var>", lambda _: next(slots), unescape(command[1]))
    assert query([*shlex.split(typed)[3:], "--format", "csv"]) == 0
    header, answer = (line.split(",") for line in capsys.readouterr().out.splitlines())
    result = dict(zip(header, answer, strict=True))
    assert int(result["tables"]) == int(cells[4][1]) == 40
    assert float(result["mean_relative_difference"]) == pytest.approx(float(cells[5][0]), rel=1e-9)


def test_one_run_gets_its_page_and_the_index_stays(finished: Path, report: Report) -> None:
    run = run_folder(finished / "outputs").name.removeprefix("run=")
    status, out, _ = report(finished, "--run", run[:5])
    assert status == 0
    (name,) = written(finished)
    assert name == f"greedy_vs_dp-{run}.html"
    assert (finished / "outputs/report" / name).as_uri() in out
    assert "index.html" not in written(finished)[name]
    report(finished)
    index = written(finished)["index.html"]
    report(finished, "--run", run)
    assert written(finished)["index.html"] == index
    assert 'href="index.html"' in written(finished)[name]


def test_runs_of_several_grids_with_one_id_all_get_their_pages(finished: Path, report: Report) -> None:
    """Grids with the same settings under several names have such runs."""
    folder = run_folder(finished / "outputs")
    shutil.copytree(folder.parent, folder.parent.with_name("grid=mine"))
    run = folder.name.removeprefix("run=")
    status, out, _ = report(finished, "--run", run)
    names = {f"greedy_vs_dp-{run}.html", f"mine-{run}.html"}
    assert (status, set(written(finished))) == (0, names)
    assert all(name in out for name in names)


def test_an_empty_id_is_no_run(finished: Path, report: Report) -> None:
    """As of an unset variable of a shell."""
    status, _, err = report(finished, "--run", "")
    assert (status, "run '' is not among the runs in outputs" in err, written(finished)) == (2, True, {})


def test_an_incomplete_run_is_reported_with_what_to_type(finished: Path, report: Report) -> None:
    parts(finished / "outputs")[0].unlink()
    status, _, err = report(finished)
    assert (status, err.startswith("no run is complete")) == (1, True)
    index = written(finished)["index.html"]
    assert set(written(finished)) == {"index.html"}
    assert "Stopped:" in index
    assert "of 80 tables done" in index
    assert "tables.count=40 tables.groups=2" in index
    run = run_folder(finished / "outputs").name.removeprefix("run=")
    status, _, err = report(finished, "--run", run)
    assert status == 2
    assert "tables.count=40 tables.groups=2" in err
    assert len(err.splitlines()) == 1


def test_a_spoilt_part_is_named_and_no_page_is_made_of_the_rest(finished: Path, report: Report) -> None:
    spoilt = parts(finished / "outputs")[0]
    spoilt.write_bytes(spoilt.read_bytes()[:-1])
    status, _, err = report(finished)
    assert status == 1
    assert spoilt.name in err
    index = written(finished)["index.html"]
    assert spoilt.name in index
    assert "changed since it was published" in index


def test_bytes_that_changed_after_the_summary_are_noticed_where_rows_are_read(
    finished: Path, report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page has what was verified when the run was summarised; commands that verify again report changes."""
    report(finished)
    before = written(finished)
    spoilt = parts(finished / "outputs")[0]
    content = bytearray(spoilt.read_bytes())
    content[100] ^= 1
    spoilt.write_bytes(content)
    assert report(finished)[0] == 0
    assert written(finished) == before
    query(["select count(*) from results"])
    assert f"{spoilt.name} has changed since it was published" in capsys.readouterr().err
    forget_summaries(finished)
    status, _, err = report(finished)
    assert status == 1
    assert f"{spoilt.name} has changed since it was published" in err


def test_runs_that_cannot_be_read_do_not_end_the_report(finished: Path, report: Report) -> None:
    for run in ("000000000000", "111111111111"):
        (finished / f"outputs/results/grid=greedy_vs_dp/run={run}/_run").mkdir(parents=True)
    (finished / "outputs/results/grid=greedy_vs_dp/run=000000000000/_run/run.json").write_text("[" * 100_000)
    (finished / "outputs/results/grid=greedy_vs_dp/run=111111111111/_run/run.json").mkdir()  # a folder in its place
    status, _, err = report(finished)
    assert status == 0
    assert err.startswith("left out: ")
    index = written(finished)["index.html"]
    for run in ("000000000000", "111111111111"):
        assert f"outputs/results/grid=greedy_vs_dp/run={run}/_run/run.json is damaged" in err
        assert f"run={run}" in index
    assert len(written(finished)) == 2


def test_a_summary_that_raises_does_not_end_the_report(
    finished: Path, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("no\nsuch <b>column</b>")

    monkeypatch.setattr("pipeline.grids.greedy_vs_dp.grid.GreedyVsDpGrid.summarise", broken)
    forget_summaries(finished)
    status, _, err = report(finished)
    assert status == 1
    assert len(err.splitlines()) == 1
    index = written(finished)["index.html"]
    assert "KeyError" in index
    assert "<b>column" not in index


def test_a_summary_that_cannot_be_written_is_reported_with_its_path(finished: Path, report: Report) -> None:
    shutil.rmtree(finished / "outputs/summaries")
    (finished / "outputs/summaries").write_text("a file in its place")
    status, _, err = report(finished)
    assert status == 1
    assert "of grid greedy_vs_dp cannot write to outputs/summaries/grid=greedy_vs_dp/run=" in err
    assert ": Not a directory; free space or repair the folder" in err


def test_a_tree_that_cannot_be_built_is_reported_and_the_page_is_written(
    finished: Path, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("its data are gone")

    monkeypatch.setattr("pipeline.grids.greedy_vs_dp.grid.GreedyVsDpGrid.tree", broken)
    forget_summaries(finished)
    assert report(finished)[0] == 0
    content = next(text for name, text in written(finished).items() if name != "index.html")
    assert "it cannot be built again: its data are gone" in content


def test_failures_are_reported_with_what_to_type(finished_once: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Failures({"ok": 38, "failed": 2}, (FailureGroup("failed", "it broke", 2, "table_index 3"),), 0)
    run = reported_run(failures=lost)
    content = made_up_page(replace(run, run=made_up_run(run.run.output, command="orchard +grid=mine")))
    assert "38 cells ok, 2 cells failed" in content
    assert "<bdi>it broke</bdi>" in content
    assert "<code>orchard +grid=mine redo=failed</code>" in content
    listing = re.search(r"<code>(python -m pipeline.query [^<]*status, error[^<]*)</code>", content)
    assert listing is not None
    monkeypatch.chdir(finished_once)
    assert query([shlex.split(unescape(listing[1]))[3]]) == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "no results in outputs"),
        (("--output", "nowhere"), "no results in nowhere"),
        (("--output", "s3:/x"), "expected a folder"),
        (("--run", "abc"), "no results in outputs"),
    ],
)
def test_without_runs_the_error_says_what_to_do(
    tmp_path: Path, report: Report, arguments: tuple[str, ...], expected: str
) -> None:
    status, out, err = report(tmp_path, *arguments)
    assert (status, out) == (2, "")
    assert expected in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_cannot_be_written_is_named(finished: Path, report: Report) -> None:
    (finished / "outputs/report").write_text("a file in its place")
    status, _, err = report(finished)
    assert status == 3
    assert "report" in err
    assert len(err.splitlines()) == 1


def test_the_command_and_the_module_are_the_same(tmp_path: Path, command: Command) -> None:
    answer = orchard(cwd=tmp_path, module="pipeline.report")
    assert (answer.returncode, answer.stdout, answer.stderr) == command("report")
    assert answer.returncode == 2


def test_an_unreadable_record_and_a_pipe_are_reported_and_the_others_have_their_page(
    finished: Path, report: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run_folder(finished / "outputs")
    others = [copied_run(folder, name) for name in ("dddddddddddd", "eeeeeeeeeeee", "ffffffffffff")]
    shut, piped, part = others[0] / "_run/run.json", others[1] / "_run/run.json", min(others[2].glob("*.parquet"))
    for path in (piped, part):
        path.unlink()
        os.mkfifo(path)
    reading = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.absolute() == shut:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return reading(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    status, _, err = report(finished)
    assert status == 0
    assert sorted(line.partition(" ")[2] for line in err.splitlines()) == [
        "out: outputs/results/grid=greedy_vs_dp/run=dddddddddddd/_run/run.json cannot be read: Permission denied",
        "out: outputs/results/grid=greedy_vs_dp/run=eeeeeeeeeeee/_run/run.json cannot be read: "
        "it is a pipe or a device, not a file",
        *(line.partition(" ")[2] for line in err.splitlines() if f"{part.name} is not a file" in line),
    ]
    index = written(finished)["index.html"]
    assert "run=dddddddddddd/_run/run.json" in index
    assert f"greedy_vs_dp-{folder.name.removeprefix('run=')}.html" in index
    assert query(["select count(distinct run) as runs from results", "--format", "csv"]) == 0
    assert capsys.readouterr().out.split() == ["runs", "1"]


def test_a_table_without_a_row_is_not_on_the_page(
    finished: Path, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = GreedyVsDpGrid.summarise

    def summarise(grid: GreedyVsDpGrid, parts: Mapping[str, Sequence[Part]], *_: object) -> GridSummary:
        result = whole(grid, parts)
        return replace(result, documents=(*result.documents, SummaryTable("claims", "Claims of 003", ("a",), [], "n")))

    monkeypatch.setattr(GreedyVsDpGrid, "summarise", summarise)
    forget_summaries(finished)
    assert report(finished)[0] == 0
    (content,) = (text for name, text in written(finished).items() if name != "index.html")
    assert 'id="table-best_two"' in content
    assert "Claims of 003" not in content


@pytest.mark.parametrize(
    ("argument", "ending"),
    [
        ("output=mine", "output=mine. KEY=VALUE is for runs of grids; here, write --output OUTPUT\n"),
        ("seed=1", "unrecognized arguments: seed=1\n"),
    ],
)
def test_an_option_written_as_a_key_is_explained(
    argument: str, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([argument])
    assert capsys.readouterr().err.endswith(ending)
