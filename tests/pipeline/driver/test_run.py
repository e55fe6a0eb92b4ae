"""The whole command: what it leaves, that cutting and workers change no row, and what it says when it cannot go on."""

from __future__ import annotations

import csv
import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from pipeline.schema import RESULTS
from pipeline.storage.parts import publish
from tests.drills.small_disk import resized, small_disk
from tests.pipeline.command_line import FINISHED, GRID, names, parts, rows, run_folder, run_orchard, sessions

SMALL = (*GRID, "cluster=threads", "tables.groups=1", "tables.count=20")
TINY_TABLES = ("tables.rows=6", "tables.attributes=3")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    (tmp_path / "disk").mkdir()
    with small_disk(tmp_path / "disk", "256k") as folder:
        yield folder


def cells(output: Path) -> list[dict[str, str]]:
    (path,) = output.glob("summaries/grid=*/run=*/cells.csv")
    return list(csv.DictReader(path.read_text().splitlines()))


def test_a_run_leaves_all_rows_once_a_summary_and_what_it_was_made_with(finished_once: Path) -> None:
    output = finished_once / "outputs"
    table = rows(output)
    assert table.num_rows == len(set(names(table))) == 2 * 40 * 17
    stored = pq.ParquetFile(parts(output)[0]).schema_arrow
    assert stored.names == [*RESULTS.names, "made_with"]
    summaries = next(output.glob("summaries/grid=greedy_vs_dp/run=*"))
    tables = {f"{name}.{kind}" for name in ("cells", "pooled", "best_two") for kind in ("csv", "md", "tex")}
    assert {path.name for path in summaries.iterdir()} == tables | {
        "greedy_vs_dp.png",
        "greedy_vs_dp.svg",
        "summary.json",
    }
    assert summaries.name == run_folder(output).name
    record = json.loads((run_folder(output) / "_run/run.json").read_text())
    assert record["run"] == run_folder(output).name.removeprefix("run=")
    assert {"python", "numpy", "numba", "pyarrow", "dask"} <= record["versions"].keys()
    assert record["machine"]["cores"] == os.cpu_count()
    assert record["identity"]["tables"]["count"] == 40
    assert "count: 40" in (run_folder(output) / "_run/config.yaml").read_text()
    (session,) = sessions(output)
    assert (session["items"], session["workers"], session["outcome"]) == (80, 1, "complete")
    assert session["wall_seconds"] > 0
    assert session["work_cpu_seconds"] > 0


def test_cutting_and_workers_change_no_row(finished_once: Path, tmp_path: Path) -> None:
    done = run_orchard(*FINISHED, "chunk=7", "cluster.workers=2", "output=cut", cwd=tmp_path, workers=True)
    assert done.returncode == 0, done.stderr
    assert len(parts(tmp_path / "cut")) == -(-80 // 7)
    assert run_folder(tmp_path / "cut").name == run_folder(finished_once / "outputs").name
    assert rows(tmp_path / "cut").equals(rows(finished_once / "outputs"))
    assert cells(tmp_path / "cut") == cells(finished_once / "outputs")


def test_a_finished_run_starts_no_cluster_and_is_summarised_again(finished: Path) -> None:
    output = finished / "outputs"
    before, stamps = sessions(output), {part: part.stat().st_mtime_ns for part in parts(output)}
    shutil.rmtree(output / "summaries")
    log = run_folder(output) / "_run/log.txt"
    log.unlink(missing_ok=True)
    began = time.monotonic()
    done = run_orchard(*FINISHED, "chunk=3", cwd=finished)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < 20  # 2 seconds where nothing else runs
    assert sessions(output) == before
    assert not log.exists()
    assert {part: part.stat().st_mtime_ns for part in parts(output)} == stamps
    assert len(cells(output)) == 160
    assert "cells agree with the paper" in done.stdout


def test_unfinished_files_of_a_killed_driver_are_removed_after_a_minute(finished: Path) -> None:
    results = run_folder(finished / "outputs")
    (summaries,) = (finished / "outputs").glob("summaries/grid=*/run=*")
    left = [results / "_run/.run.json.7-8.tmp", summaries / ".cells.csv.7-8.tmp", results / ".part-0.parquet.7-8.tmp"]
    fresh = summaries / ".pooled.csv.7-8.tmp"
    for path in (*left, fresh):
        path.touch()
    for path in left:
        os.utime(path, (0, 0))
    assert run_orchard(*FINISHED, cwd=finished).returncode == 0
    assert [path for path in (*left, fresh) if path.exists()] == [fresh]


def test_the_summary_names_its_folder_and_what_to_type_next(finished: Path) -> None:
    done = run_orchard(*FINISHED, cwd=finished)
    assert "16 greedy" not in done.stderr
    assert done.stderr == ""
    assert str(run_folder(Path(finished / "outputs")).relative_to(finished)) in done.stdout
    shown = run_orchard("--table", "1", "--heuristic", "w_sum/rt", cwd=finished, module="pipeline.show")
    assert "python -m pipeline.show --table 1 --heuristic w_sum/rt" in done.stdout
    assert shown.returncode == 0, shown.stderr


@pytest.mark.parametrize("output", ["a b/ü", "x=1/it's"])
def test_an_output_folder_of_any_name_will_do(tmp_path: Path, output: str) -> None:
    done = run_orchard(*SMALL, *TINY_TABLES, f'output="{output}"', cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path / output).num_rows == 20 * 17
    answer = run_orchard(
        "select count(*) from results", "--format", "csv", "--output", output, cwd=tmp_path, module="pipeline.query"
    )
    assert answer.stdout.splitlines()[-1] == str(20 * 17)


def test_an_output_folder_behind_a_link_will_do(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert run_orchard(*SMALL, *TINY_TABLES, "output=link", cwd=tmp_path).returncode == 0
    assert rows(tmp_path / "real").num_rows == 20 * 17


@pytest.mark.parametrize("sweep", [[], ["--multirun", "seed=1,2"]])
@pytest.mark.parametrize("output", ["file", "file/below", "file://file/below", "a" * 300])
def test_an_output_folder_that_cannot_be_is_named_in_a_line(tmp_path: Path, output: str, sweep: list[str]) -> None:
    (tmp_path / "file").write_text("mine")
    done = run_orchard(*SMALL, f"output={output}", *sweep, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = set(done.stderr.splitlines())
    assert line.startswith(f"orchard: `output` is {output}, but ")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("output", ["memory://x", "s3:/bucket/x", "s3://"])
def test_an_output_that_would_be_lost_or_elsewhere_is_named_in_a_line(tmp_path: Path, output: str) -> None:
    done = run_orchard(*SMALL, f"output='{output}'", cwd=tmp_path)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
    assert output in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_of_somebody_else_is_named_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o500)
    done = run_orchard(*SMALL, "output=theirs", cwd=tmp_path)
    assert done.returncode == 2
    assert "is not writable" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_full_disk_ends_the_run_in_a_line_and_space_lets_it_resume(
    disk: Path, finished_once: Path, tmp_path: Path
) -> None:
    arguments = (*FINISHED, "chunk=2", f"output={disk / 'o'}")
    done = run_orchard(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    line = done.stderr.splitlines()[-1]
    assert line.startswith("orchard: cannot write to ")
    assert str(disk) in line
    assert "No space left on device" in line
    assert "Traceback" not in done.stderr
    kept = {part: part.read_bytes() for part in parts(disk / "o")}
    assert kept
    assert [path for path in run_folder(disk / "o").iterdir() if path.name.endswith(".tmp")] == []
    resized(disk, "16m")
    again = run_orchard(*arguments, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "done already: " in again.stderr
    assert {part: part.read_bytes() for part in kept} == kept
    assert rows(disk / "o").equals(rows(finished_once / "outputs"))


def test_a_disk_that_is_full_from_the_start_is_named_in_a_line(disk: Path, tmp_path: Path) -> None:
    with (disk / "filler").open("wb") as filler:
        filler.write(bytes(256 * 1024))
    done = run_orchard(*SMALL, f"output={disk / 'o'}", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    (disk / "filler").unlink()
    resized(disk, "16m")
    assert run_orchard(*SMALL, f"output={disk / 'o'}", cwd=tmp_path).returncode == 0


def test_refused_tables_are_rows_that_say_so_and_are_computed_again_on_request(tmp_path: Path) -> None:
    refusing = (*SMALL, "tables.rows=6", "tables.attributes=4", "tables.equal_rows=refuse", "chunk=1")
    done = run_orchard(*refusing, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    before, made = rows(tmp_path / "outputs"), {part: part.stat().st_mtime_ns for part in parts(tmp_path / "outputs")}
    failed = set(before.filter(pc.field("status") == "failed")["table_index"].to_pylist())
    assert 0 < len(failed) < 20
    assert before.num_rows == 20 * 17
    assert {cell["tables"] for cell in cells(tmp_path / "outputs")} == {str(20 - len(failed))}
    assert f"{len(failed)} tables left out" in done.stdout
    again = run_orchard(*refusing, "redo=failed", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert f"computing {len(failed)} of 20 tables again" in again.stderr
    assert rows(tmp_path / "outputs").equals(before)
    touched = [part for part in parts(tmp_path / "outputs") if made.get(part) != part.stat().st_mtime_ns]
    assert len(touched) == len(failed)
    wrong = run_orchard(*refusing, "redo=all", cwd=tmp_path)
    assert (wrong.returncode, wrong.stderr) == (2, "orchard: redo is 'all': expected 'failed', or null\n")


def test_a_run_in_which_all_tables_are_refused_says_why(tmp_path: Path) -> None:
    shape = ("tables.rows=20", "tables.attributes=1")
    done = run_orchard(*SMALL, *shape, "tables.equal_rows=refuse", cwd=tmp_path)
    assert done.returncode == 1
    assert "No decision table to summarise: 20 tables left out" in " ".join(done.stdout.split())
    assert "Traceback" not in done.stderr
    assert set(rows(tmp_path / "outputs")["status"].to_pylist()) == {"failed"}


def test_a_damaged_record_is_written_again(finished: Path) -> None:
    record = run_folder(finished / "outputs") / "_run/run.json"
    record.write_text("{")
    done = run_orchard("select 1 from results", cwd=finished, module="pipeline.query")
    assert done.returncode == 2
    assert "run.json is damaged" in done.stderr
    assert run_orchard(*FINISHED, cwd=finished).returncode == 0
    assert json.loads(record.read_text())["identity"]["tables"]["count"] == 40


@pytest.mark.parametrize("changed", ["seed", "run"])
def test_a_record_with_another_identity_is_written_again(finished: Path, changed: str) -> None:
    """An edited record, or one copied from another run: rows must not be shown under its keys."""
    record = run_folder(finished / "outputs") / "_run/run.json"
    content = json.loads(record.read_text())
    other = {"identity": content["identity"] | {"seed": 7}} | ({"run": "0123456789ab"} if changed == "run" else {})
    record.write_text(json.dumps(content | other))
    asked = run_orchard("select 1 from results", cwd=finished, module="pipeline.query")
    assert asked.returncode == (2 if changed == "run" else 0)
    assert ("run.json is damaged, missing or of another run" in asked.stderr) is (changed == "run")
    assert run_orchard(*FINISHED, cwd=finished).returncode == 0
    written = json.loads(record.read_text())
    assert (written["run"], written["identity"]) == (content["run"], content["identity"])


@pytest.mark.parametrize("changed", [{"items": 10**6}, {"tables": ["results", "curves"]}])
def test_a_record_that_misstates_its_grid_is_written_again(finished: Path, changed: dict[str, object]) -> None:
    """Otherwise `status` and `query` would say for ever that rows are missing, and to run the command."""
    record = run_folder(finished / "outputs") / "_run/run.json"
    content = json.loads(record.read_text())
    of_begin = content | {"command": "orchard +grid=x"}
    record.write_text(json.dumps(of_begin | changed))
    assert run_orchard(*FINISHED, cwd=finished).returncode == 0
    assert json.loads(record.read_text()) == of_begin


def test_other_versions_than_the_run_was_begun_with_are_named(finished: Path) -> None:
    record = run_folder(finished / "outputs") / "_run/run.json"
    content = json.loads(record.read_text())
    content["versions"]["numpy"] = "1.0"
    record.write_text(json.dumps(content))
    done = run_orchard(*FINISHED, cwd=finished)
    assert done.returncode == 0
    assert "numpy 1.0, now " in done.stderr


def test_all_tables_have_the_rows_of_one_computation(tmp_path: Path) -> None:
    """A kill during `redo=failed` may leave a part file of `steps`, made when cells failed, without its results."""
    command = ("+grid=worked_examples", "cluster=threads", "chunk=1")
    assert run_orchard(*command, cwd=tmp_path).returncode == 0
    results, steps = (next((tmp_path / "outputs" / table).glob("grid=*/run=*")) for table in ("results", "steps"))
    made = sorted(steps.glob("*.parquet"))
    for rows_left in range(100):
        rows_then = pq.read_table(made[0], partitioning=None).slice(0, rows_left)
        stale = publish(rows_then, steps, steps.name.removeprefix("run="), 0, 1).path
        if stale < made[0]:  # of two part files with the same items, the first by name counts
            break
        stale.unlink()
    made[0].unlink()
    min(results.glob("*.parquet")).unlink()
    assert run_orchard(*command, cwd=tmp_path).returncode == 0
    assert sorted(steps.glob("*.parquet")) == made


@pytest.mark.parametrize("earlier", [0, 5])
def test_a_part_under_a_name_not_its_own_is_named_and_set_aside(
    finished: Path, finished_once: Path, earlier: int
) -> None:
    """A copy, or items of a worker of another driver that has come late."""
    output = finished / "outputs"
    part = parts(output)[-1]
    first, stop = (int(word) for word in part.name.split("-")[1:3])
    shifted = part.name.replace(f"{first:09}-{stop:09}", f"{first - earlier:09}-{stop - earlier:09}")
    name = shifted if earlier else "copy.parquet"
    shutil.copy(part, part.with_name(name))
    done = run_orchard(*FINISHED, "cluster=threads", cwd=finished)
    assert done.returncode == 0, done.stderr
    assert rows(output).equals(rows(finished_once / "outputs"))
    (aside,) = (part.parent / "_set_aside").iterdir()
    assert aside.read_bytes() == part.read_bytes()
    assert f"{name} " in done.stderr
    assert "set aside" in done.stderr
