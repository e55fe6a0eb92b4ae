"""Whatever is in the files of a run, it ends no question over all runs."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.plan import GridRun
from pipeline.record.kept import kept_at
from pipeline.record.runs import kept_runs
from pipeline.report.runs import provenance_of
from pipeline.status.command import details, table
from pipeline.status.state import resume_command, status_of
from tests.oracles.beside import another_user
from tests.pipeline.command_line import copied_run, ran
from tests.pipeline.conftest import Command

READERS = (
    ("query", "select count(*) as n from results", "--format", "csv"),
    ("status",),
    ("report",),
    ("documents", "--proof"),
)
HUGE = 10**400
WRONG = ([[1]], "it's", HUGE, {"a": [1]}, None, float("nan"), "\ud800\0\x1b[2J", -1, {}, True, [], float("inf"), 0.5)
DEEP = 40_000 * "["


def mutated(content: Any, most: int) -> list[Any]:
    """A JSON value with each value in it, at most so deep, left out, or of other types: fewer, the deeper it is."""
    result = list(WRONG[: 4 * most + 1])
    if most and isinstance(content, dict):
        for name, below in content.items():
            result += [content | {name: changed} for changed in mutated(below, most - 1)]
            result.append({other: value for other, value in content.items() if other != name})
    if most and isinstance(content, list) and content:
        result += [[changed, *content[1:]] for changed in mutated(content[0], most - 1)]
    return result


def check_readers(command: Command, rows: int = 1360) -> dict[str, str]:
    """Run every reader; each answers for the healthy run. Returns the messages of each."""
    message = {}
    for words in READERS:
        status, out, err = command(*words)
        assert status == 0, f"{words[0]}: {err}"
        assert "Traceback" not in err
        assert words[0] != "query" or out == f"n\n{rows}\n"
        message[words[0]] = err
    return message


@pytest.fixture
def healthy(finished: Path, tmp_path: Path) -> GridRun:
    """A healthy run in the folder where commands are typed."""
    shutil.move(finished / "outputs", tmp_path / "outputs")
    return kept_runs(tmp_path / "outputs")[-1]


def beside(healthy: GridRun, index: int, *, whole: bool = False) -> Path:
    """The notes of a copy of a run, of a complete one where it is to be `whole`, else of one without parts."""
    return copied_run(healthy.results, f"{index:012x}", *([] if whole else ["*.parquet"])) / "_run"


def contents_of(record_folder: Path, name: str) -> Any:
    """What a file of notes holds; the last line of one that has a line a session."""
    text = (record_folder / name).read_text()
    if name == "config.yaml":
        return yaml.safe_load(text)
    return json.loads(text.splitlines()[-1] if name == "sessions.jsonl" else text)


@pytest.mark.parametrize("name", ["run.json", "config.yaml", "sessions.jsonl", "progress.json", "environments", "lock"])
def test_wrong_types_anywhere_in_what_runs_note(healthy: GridRun, command: Command, name: str) -> None:
    """A run for each mutation of a file, all below one folder."""
    if name == "environments":
        name = next((healthy.record_folder / name).iterdir()).relative_to(healthy.record_folder).as_posix()
    content = contents_of(healthy.record_folder, name)
    texts = [json.dumps(changed) for changed in mutated(content, 2)]
    for index, text in enumerate([*texts, "", "{", "\xff", DEEP, '{"a": 1e999}']):
        (beside(healthy, index) / name).write_text(text.replace(healthy.id, f"{index:012x}"))
    assert len(texts) > 20
    check_readers(command)


@pytest.mark.parametrize("name", ["run.json", "sessions.jsonl", "progress.json"])
def test_the_notes_of_a_complete_run_can_be_reported_whatever_they_hold(healthy: GridRun, name: str) -> None:
    content = contents_of(healthy.record_folder, name)
    for changed in mutated(content, 2):
        (healthy.record_folder / name).write_text(json.dumps(changed))
        run = kept_at(healthy.record_folder)
        if run is not None:
            status = status_of(run)
            assert provenance_of(run).date
            assert dict(details(status))["Run"]
            assert resume_command(status)
            assert table([status])


@pytest.mark.parametrize("command_line", ["python -m pipeline it's", "\ud800\\"])
def test_a_command_that_nobody_could_type_ends_no_proof(healthy: GridRun, command: Command, command_line: str) -> None:
    record = json.loads((healthy.record_folder / "run.json").read_text())
    (healthy.record_folder / "run.json").write_text(json.dumps(record | {"command": command_line}))
    status, _, err = command("documents", "--proof")
    assert (status, err) == (0, "")


def test_nobody_waits_for_pipes_and_folders_named_like_files(healthy: GridRun, command: Command) -> None:
    names = [*(path.relative_to(healthy.results) for path in healthy.results.rglob("*") if path.is_file())]
    assert len(names) > 6
    for index, name in enumerate(names):
        for way, make in enumerate((os.mkfifo, os.mkdir)):
            path = beside(healthy, 2 * index + way, whole=True).parent / name
            path.unlink()
            make(path)
    signal.alarm(240)  # ends the tests where one is waited for
    status, _, err = command("status")
    requested, _, _ = command("query", "select count(*) from results", "--format", "csv")
    signal.alarm(0)
    assert (status, requested) == (0, 0)
    assert "Traceback" not in err


def test_folders_that_may_not_be_listed_are_named(healthy: GridRun, tmp_path: Path) -> None:
    """Read by another user, for whom nothing is open that is shut."""
    user = another_user()
    shut = healthy.output / "results/grid=shut"
    (shut / "run=aaaaaaaaaaaa/_run").mkdir(parents=True)
    closed = [shut, *(beside(healthy, index, whole=True).parent for index in range(3))]
    closed[2] = closed[2] / "_run"
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != folder.parent:
            folder.chmod(folder.stat().st_mode | 0o011)
    for path in healthy.output.rglob("*"):
        path.chmod(0o777 if path.is_dir() else 0o666)
    healthy.output.chmod(0o777)
    closed[0].chmod(0o700)
    closed[1].chmod(0o711)  # its notes can be read, and its parts not be found
    closed[2].chmod(0o700)
    (closed[3] / "_run/run.json").chmod(0o600)
    for words in READERS[:2]:  # the others have nobody's compiled kernels, and list by the same function
        as_user = ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")
        command = (sys.executable, "-m", f"pipeline.{words[0]}", *words[1:])
        answer = ran(*as_user, *command, cwd=tmp_path, seconds=240, HOME=str(tmp_path))
        assert answer.returncode == 0, f"{words}: {answer.stderr}"
        assert "Traceback" not in answer.stderr
        assert f"left out: {Path('outputs/results/grid=shut')} cannot be listed: Permission denied" in answer.stderr
        assert words[0] != "query" or answer.stdout == "n\n1360\n"


def test_a_folder_that_may_not_be_listed_ends_no_reader(
    healthy: GridRun, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    shut = Path("outputs/results/grid=shut")
    (healthy.output / "results/grid=shut/run=aaaaaaaaaaaa").mkdir(parents=True)
    listing = os.listdir

    def listdir(folder: Path) -> list[str]:
        if folder == shut:
            raise PermissionError(errno.EACCES, "Permission denied", str(folder))
        return listing(folder)

    monkeypatch.setattr(os, "listdir", listdir)
    for reader, err in check_readers(command).items():
        assert f"left out: {shut} cannot be listed: Permission denied\n" in err, reader
