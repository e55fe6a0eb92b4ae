"""How far runs are, read from their files: while they are driven, after a kill, and when they are damaged."""

from __future__ import annotations

import errno
import json
import os
import shlex
import shutil
import subprocess
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from rich.console import Console

from pipeline.documents.command import overrides_of
from pipeline.driver.lock import held
from pipeline.driver.progress import read_progress
from pipeline.record.kept import kept_at
from pipeline.record.provenance import environments
from pipeline.status import state
from pipeline.status.command import details, main, table
from pipeline.status.state import Status, resume_command
from tests.pipeline.command_line import (
    GRID,
    ROOT,
    copied_run,
    items,
    kill,
    line_of,
    parts,
    run_folder,
    run_orchard,
    sessions,
    started,
    until,
)
from tests.pipeline.record.made_up import made_up_run

MANY = (*GRID, "tables.groups=1", "tables.count=9000", "chunk=25", "heuristics=[max/rt,w_sum/gini]")


def status_of(record_folder: Path) -> Status | None:
    """How far the run of these notes is."""
    run = kept_at(record_folder)
    return run and state.status_of(run)


@pytest.mark.long
def test_a_run_is_followed_from_another_terminal_and_goes_on_by_what_it_says(tmp_path: Path) -> None:
    output = tmp_path / "outputs"
    with started(*MANY, cwd=tmp_path) as process:
        until(lambda: (word := read_progress(next(output.glob("results/*/*/_run"), tmp_path))) is not None
              and word[0].done > 0, process)  # fmt: skip
        reported = run_orchard("--output", str(output), cwd=tmp_path, module="pipeline.status")
        assert reported.returncode == 0, reported.stderr
        assert process.poll() is None
        assert (
            line_of(reported.stdout, "Run")
            == f"{run_folder(output).name.removeprefix('run=')} of grid greedy_vs_dp, running"
        )
        assert f"process {process.pid} on " in line_of(reported.stdout, "Driver")
        assert line_of(reported.stdout, "Driver").endswith("1 of 1 worker (local)")
        assert " tables a second" in line_of(reported.stdout, "Rate")
        assert "in about " in line_of(reported.stdout, "Ends")
        assert "Next" not in reported.stdout
        kill(process.pid)
        process.wait()
    reported = run_orchard(cwd=tmp_path, module="pipeline.status")
    done = items(output)
    assert line_of(reported.stdout, "Run").endswith(", stopped")
    assert line_of(reported.stdout, "Done").startswith(f"{done:,} of 9,000 tables (")
    assert line_of(reported.stdout, "Failed") == f"none of {done * 3:,} cells"
    assert line_of(reported.stdout, "Driver").startswith(f"none; the last driver was process {process.pid} on ")
    again = subprocess.run(
        ["bash", "-c", line_of(reported.stdout, "Next")],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert again.returncode == 0, again.stderr
    assert f"done already: {done:,} of 9,000 tables" in again.stderr
    assert line_of(again.stdout, "Command") == line_of(reported.stdout, "Next")
    reported = run_orchard(cwd=tmp_path, module="pipeline.status")
    assert line_of(reported.stdout, "Run").endswith(", complete")
    assert "Next" not in reported.stdout


def test_the_driver_is_known_by_the_lock_and_the_progress_file(finished: Path) -> None:
    folder = run_folder(finished / "outputs")
    parts(finished / "outputs")[0].unlink()

    def driver_line() -> tuple[str, str]:
        status = status_of(folder / "_run")
        assert status is not None
        return status.state, dict(details(status))["Driver"]

    assert driver_line()[0] == "stopped"
    with held(folder):
        assert driver_line()[0] == "running"
        assert driver_line()[1].endswith(", preparing its work")
        word, _ = read_progress(folder / "_run") or pytest.fail("nothing was said")
        changed = replace(word, pid=os.getpid(), ended=False, workers=3, wanted=4)
        (folder / "_run/progress.json").write_text(json.dumps(asdict(changed)))
        assert driver_line() == ("running", driver_line()[1])
        assert driver_line()[1].startswith(f"process {os.getpid()} on ")
        assert driver_line()[1].endswith("; 3 of 4 workers (local)")
        os.utime(folder / "_run/progress.json", (time.time() - 3600, time.time() - 3600))
        assert driver_line()[0] == "not responding"
        assert driver_line()[1].endswith(", no message for 60.0 min")
    assert driver_line()[0] == "stopped"
    assert driver_line()[1].startswith("none; the last driver was process ")


def test_a_run_is_named_whole_on_a_narrow_terminal(finished: Path) -> None:
    status = status_of(run_folder(finished / "outputs") / "_run")
    assert status is not None
    narrow = Console(width=72)
    with narrow.capture() as shown:
        narrow.print(table([status]))
    assert [line.split()[:2] for line in shown.get().splitlines()] == [["run", "grid"], [status.run.id, "greedy_vs_dp"]]


def test_all_runs_are_a_table_and_one_is_shown_in_detail(
    finished: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(finished)
    folder = run_folder(finished / "outputs")
    other = copied_run(folder, "ffffffffffff")
    next(iter(sorted(other.glob("*.parquet")))).unlink()
    damaged = folder.with_name("run=eeeeeeeeeeee")
    (damaged / "_run").mkdir(parents=True)
    (damaged / "_run/run.json").write_text("{")
    assert main([]) == 0
    output = capsys.readouterr()
    lines = [line.split() for line in output.out.splitlines()]
    assert [line[:3] for line in lines if line[1:2] == ["greedy_vs_dp"]] == [
        [folder.name.removeprefix("run="), "greedy_vs_dp", "complete"],
        ["ffffffffffff", "greedy_vs_dp", "stopped"],
    ]
    assert "ffffffffffff: resume it with: " in output.out
    assert f"left out: outputs/results/grid=greedy_vs_dp/{damaged.name}/_run/run.json" in output.err
    assert main(["--run", "f"]) == 0
    assert "Run        ffffffffffff of grid greedy_vs_dp, stopped" in capsys.readouterr().out
    shutil.copytree(other, other.parent.with_name("grid=mine") / other.name)
    assert main(["--run", "f"]) == 0
    assert capsys.readouterr().out.count("stopped") == 2
    assert main(["--run", "0" * 12]) == 2
    assert "is not among the runs in outputs" in capsys.readouterr().err
    assert main(["--output", "elsewhere"]) == 2
    assert "no runs in elsewhere" in capsys.readouterr().err


def test_a_thousand_part_files_and_damaged_ones_are_reported_soon(
    finished: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(finished)
    folder = run_folder(finished / "outputs")
    record = folder / "_run/run.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"items": 400_000}))
    content = parts(finished / "outputs")[0].read_bytes()
    for first in range(1000, 2000):
        (folder / f"part-{first:09}-{first + 1:09}-{'0' * 16}.parquet").write_bytes(content)
    began = time.process_time()
    assert main([]) == 0
    assert time.process_time() - began < 7  # 0.25 seconds where nothing else runs
    assert "1,080 of 400,000 tables" in capsys.readouterr().out
    (folder / f"part-{1999:09}-{2000:09}-{'0' * 16}.parquet").write_bytes(content[:500])
    for first in range(1000, 1900):
        (folder / f"part-{first:09}-{first + 1:09}-{'0' * 16}.parquet").unlink()
    assert main([]) == 0
    output = capsys.readouterr()
    assert "180 of 400,000 tables" in output.out
    assert "cannot be read; the run's command makes it again" in output.err


def test_failed_cells_are_counted_by_their_status(tmp_path: Path) -> None:
    refusing = (*GRID, "tables.groups=1", "tables.count=20", "tables.rows=6", "tables.attributes=4")
    assert run_orchard(*refusing, "tables.equal_rows=refuse", "cluster=threads", cwd=tmp_path).returncode == 0
    reported = run_orchard(cwd=tmp_path, module="pipeline.status")
    failed = int(line_of(reported.stdout, "Failed").split()[0])
    assert failed > 0
    assert failed % 17 == 0
    assert line_of(reported.stdout, "Failed") == f"{failed} failed of 340 cells"
    (session,) = sessions(tmp_path / "outputs")
    assert session["failed"] == failed


def test_files_of_no_run_are_ignored_and_the_others_reported(
    finished: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(finished)
    folder = run_folder(finished / "outputs")
    record = json.loads((folder / "_run/run.json").read_text())
    for number, lacking in enumerate(({"tables": None}, {"noun": 7}, {"items": -5}, {"items": True})):
        other = folder.with_name(f"run={number:012}") / "_run"
        other.mkdir(parents=True)
        (other / "run.json").write_text(json.dumps(record | {"run": f"{number:012}"} | lacking))
    folder.with_name("run=aaaaaaaaaaaa").mkdir()
    folder.with_name("run=aaaaaaaaaaaa").joinpath("_run").touch()
    with (folder / "_run/sessions.jsonl").open("a") as file:
        file.write('5\n{"wall_seconds": "long"}\n')
    assert main([]) == 0
    reported = capsys.readouterr()
    assert line_of(reported.out, "Run").startswith(folder.name.removeprefix("run="))
    assert line_of(reported.out, "Sessions").startswith("1 ended (1 complete)")
    assert reported.err.count("left out: ") == 5


@pytest.mark.parametrize(
    "kept", ['{"since": 5, "versions": "x"}', '{"since": null, "versions": {"a": []}}', "[" * 100_000]
)
def test_unknown_versions_do_not_end_the_report(finished: Path, kept: str) -> None:
    record_folder = run_folder(finished / "outputs") / "_run"
    (record_folder / "environments/ffffffff.json").write_text(kept)
    for path in (record_folder / "environments").iterdir():
        path.write_text(kept)
        assert dict(details(status_of(record_folder) or pytest.fail("there is no status")))["Made with"]


def test_versions_are_in_the_order_of_time_whatever_the_zone(tmp_path: Path) -> None:
    folder = tmp_path / "environments"
    folder.mkdir()
    for name, since in (("second", "2026-10-25T02:10:00+0100"), ("first", "2026-10-25T02:30:00+0200"), ("odd", "x")):
        (folder / f"{name}.json").write_text(json.dumps({"since": since, "versions": {}}))
    assert list(environments(tmp_path)) == ["odd", "first", "second"]


def test_only_a_complete_run_is_done_to_the_last_tenth() -> None:
    for whole, done, percent in ((10_000, 10_000, "100.0"), (10_000, 9_999, "99.9"), (3, 2, "66.6"), (0, 0, "0.0")):
        assert Status(made_up_run(Path("outputs"), items=whole), done, None, None).percent == percent


@pytest.mark.parametrize("message", [{"rate": "fast"}, {"workers": None}, {"rate": 1e-300}])
def test_a_progress_file_of_no_driver_does_not_end_the_report(finished: Path, message: dict[str, object]) -> None:
    parts(finished / "outputs")[0].unlink()
    record_folder = run_folder(finished / "outputs") / "_run"
    word = json.loads((record_folder / "progress.json").read_text())
    (record_folder / "progress.json").write_text(json.dumps(word | message))
    reported = dict(details(status_of(record_folder) or pytest.fail("there is no status")))
    assert reported["Driver"].startswith("none")
    assert "Ends" not in reported


@pytest.mark.parametrize("target", ["nowhere", None], ids=["to nothing", "to itself"])
def test_a_part_file_that_is_a_useless_link_is_reported(
    finished: Path, capsys: pytest.CaptureFixture[str], target: str | None
) -> None:
    part = parts(finished / "outputs")[0]
    part.unlink()
    part.symlink_to(target or part.name)
    assert main(["--output", str(finished / "outputs")]) == 0
    assert f"{part} cannot be read; the run's command makes it again" in capsys.readouterr().err


def test_an_unreadable_record_and_pipes_are_reported_and_the_others_too(
    finished: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(finished)
    folder = run_folder(finished / "outputs")
    shut, piped = (copied_run(folder, name) / "_run/run.json" for name in ("eeeeeeeeeeee", "ffffffffffff"))
    piped.unlink()
    os.mkfifo(piped)
    for path in (folder / "_run/progress.json", folder / "_run/sessions.jsonl", parts(Path("outputs"))[0]):
        path.unlink()
        os.mkfifo(path)
    reading = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: refused(path) if path.samefile(shut) else reading(path))
    assert main([]) == 0
    reported = capsys.readouterr()
    assert line_of(reported.out, "Run").startswith(folder.name.removeprefix("run="))
    lines = sorted(reported.err.splitlines())
    assert len(lines) == 3
    assert lines[0].endswith("is a pipe or a device, not a file; the run's command makes it again")
    assert lines[1].endswith("/run=eeeeeeeeeeee/_run/run.json cannot be read: Permission denied")
    assert lines[2].endswith("/run=ffffffffffff/_run/run.json cannot be read: it is a pipe or a device, not a file")


def refused(path: Path) -> bytes:
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


def test_watching_ends_when_nobody_drives(finished: Path) -> None:
    reported = run_orchard("--watch", "0.1", cwd=finished, module="pipeline.status")
    assert reported.returncode == 0
    assert line_of(reported.stdout, "Run").endswith(", complete")
    for seconds in ("-1", "inf"):
        wrong = run_orchard("--watch", seconds, cwd=finished, module="pipeline.status")
        message = f"orchard status: --watch is {seconds}: expected more than 0, and at most 9223372036\n"
        assert (wrong.returncode, wrong.stderr) == (2, message)


def test_a_run_is_not_disturbed_by_being_looked_at(finished: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in finished.rglob("*")}
    assert run_orchard(cwd=finished, module="pipeline.status").returncode == 0
    assert {path: path.stat().st_mtime_ns for path in finished.rglob("*")} == before


def test_copied_results_are_reported_with_their_own_folder(
    finished_once: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is to be typed continues the copy, not what it was copied from."""
    record = json.loads((run_folder(finished_once / "outputs") / "_run/run.json").read_text())
    began = f"cd {record['folder']} && {record['command']}"
    for name, key in (("may", f"output={tmp_path}/may"), ("of 'may'", None)):
        copy = tmp_path / name
        shutil.copytree(finished_once / "outputs", copy)
        parts(copy)[0].unlink()
        assert main(["--output", str(copy)]) == 0
        out = capsys.readouterr().out
        assert line_of(out, "Folder") == str(copy)
        assert shlex.split(line_of(out, "Next"))[-1] == (key or f'output="{copy}"')
        assert line_of(out, "Next").startswith(f"{began} ")
        assert [override.value() for override in overrides_of(shlex.split(line_of(out, "Next"))[-1:])] == [str(copy)]
    copied_run(run_folder(copy), "aaaaaaaaaaaa")
    assert main(["--output", str(copy)]) == 0
    assert line_of(capsys.readouterr().out, "Folder") == str(copy)


def test_results_where_they_were_made_go_on_by_the_command_alone(
    finished_once: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(finished_once)
    status = status_of(run_folder(Path("outputs")) / "_run")
    assert status is not None
    assert resume_command(status) == status.run.record.command
