"""The trash: what it hides from every reader comes back as it was, whenever a command was killed."""

from __future__ import annotations

import errno
import io
import shutil
import sys
from pathlib import Path

import pytest

from pipeline.driver.lock import held
from pipeline.record.kept import stored_runs
from pipeline.record.remarks import add_note
from pipeline.trash.moves import entries, finish, move_to_trash, restore
from tests.pipeline.command_line import run_orchard
from tests.pipeline.conftest import Command
from tests.pipeline.record.recorded import compared


class Killed(BaseException):
    """Nothing after it is done."""


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder, the locks of runs aside."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs with rows of two tables, one of them with a summary, a page and a note; read it only."""
    folder = tmp_path_factory.mktemp("made")
    first = compared(folder / "outputs")
    assert run_orchard("report", cwd=folder).returncode == 0
    add_note(first.record_folder, "keep me")
    compared(folder / "outputs", source="rule/corral")
    return folder / "outputs"


@pytest.fixture
def output(made: Path, tmp_path: Path) -> Path:
    """A copy of both runs where commands are typed."""
    return Path(shutil.copytree(made, tmp_path / "outputs"))


def test_a_run_is_hidden_from_every_reader_and_comes_back_as_it_was(output: Path, command: Command) -> None:
    first, second = (run.id for run in stored_runs(output))
    before = files(output)
    status, out, err = command("trash", first[:7])
    assert status == 0, err
    assert f"run {first} of grid compare_builders, " in out
    assert f"trash --restore {first}\n" in out
    assert "report writes the index again" in out
    assert first not in command("status")[1]
    assert command("query", "select distinct run from results", "--format", "csv")[1] == f"run\n{second}\n"
    assert command("query", "select count(*) as n from curves where run <> 'x'", "--format", "csv")[0] == 0
    assert command("report")[0] == 0
    assert first not in (output / "report/index.html").read_text()
    assert not (output / f"report/compare_builders-{first}.html").exists()
    assert f"run {first} of grid compare_builders" in command("trash")[1]
    for name in ("index.html", f"compare_builders-{second}.html"):
        (output / "report" / name).unlink()
    assert command("trash", "--restore", first)[0] == 0
    result = files(output)
    assert {name: result.get(name) for name in before if name != "report/index.html"} == {
        name: content for name, content in before.items() if name != "report/index.html"
    }
    assert "empty" in command("trash")[1]


def test_the_index_is_written_again_without_the_last_run(output: Path, command: Command) -> None:
    _, out, _ = command("trash", *(run.id for run in stored_runs(output)))
    assert "report writes the index again" in out
    status, _, err = command("report")
    assert (status, err) == (1, "")
    assert "No run is complete yet" in (output / "report/index.html").read_text()


@pytest.mark.parametrize("way", ["out", "back"])
def test_a_kill_after_any_move_loses_nothing(output: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    run = stored_runs(output)[0]
    before = files(output)
    for moves in range(6):
        if way == "back":
            move_to_trash(run)
        left = moves
        rename = Path.rename

        def killed(path: Path, target: Path, rename=rename) -> Path:  # type: ignore[no-untyped-def]
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return rename(path, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "rename", killed)
            try:
                if way == "out":
                    move_to_trash(run)
                else:
                    restore(entries(output)[0].runs[0], output)
            except Killed:
                pass
        assert sorted(files(output).values()) == sorted(before.values())
        finish(output)
        assert sorted(files(output).values()) == sorted(before.values())
        trashed = entries(output)
        assert (run.id in {run.id for run in stored_runs(output)}) is not bool(trashed)
        if trashed:
            assert not [path for path in output.glob(f"*/grid=*/run={run.id}") if path.parts[-3] != "trash"]
            restore(trashed[0].runs[0], output)
        assert files(output) == before
    assert left >= 0  # the last was not killed: it was killed at every moment


@pytest.mark.parametrize("way", ["out", "back"])
def test_a_run_with_a_folder_on_another_file_system_stays_whole(
    output: Path, monkeypatch: pytest.MonkeyPatch, command: Command, way: str
) -> None:
    """The folder of the report may be that of a web server."""
    run = stored_runs(output)[0]
    if way == "back":
        move_to_trash(run)
    before = files(output)
    rename = Path.rename

    def elsewhere(path: Path, target: Path) -> Path:
        if "report" in path.parts:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return rename(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", elsewhere)
        status, _, err = command("trash", run.id) if way == "out" else command("trash", "--restore", run.id)
    assert status == 2
    assert f"report/compare_builders-{run.id}.html and " in err
    assert "are on different file systems" in err
    assert files(output) == before
    assert command("trash")[0] == 0


def test_a_run_that_is_being_computed_is_refused(output: Path, command: Command) -> None:
    run = stored_runs(output)[0]
    with held(run.results):
        status, _, err = command("trash", run.id)
    assert status == 4
    assert "is in use by another process" in err
    assert not entries(output)


def test_the_same_run_can_be_discarded_twice_and_the_last_comes_back(output: Path, command: Command) -> None:
    run = stored_runs(output)[0]
    move_to_trash(run)
    compared(output)
    status, _, err = command("trash", "--restore", run.id)
    assert status == 2
    assert (
        f"run {run.id} of grid compare_builders cannot be restored, because outputs has a newer run with this id" in err
    )
    add_note(run.record_folder, "the second")
    assert command("trash", run.id)[0] == 0
    assert command("trash", "--restore", run.id)[0] == 0
    assert "the second" in command("note", run.id)[1]
    assert len(entries(output)) == 1


def test_the_trash_is_emptied_once_that_is_agreed(
    output: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = stored_runs(output)
    assert command("trash", first.id, second.id)[0] == 0
    size = sum(map(len, files(output / "trash").values()))
    status, out, err = command("trash", "--empty")
    assert status == 2
    assert f"--empty would delete 2 entries of outputs/trash ({size / 1e6:.1f} MB) for good: add --yes" in err
    assert first.id in out
    assert second.id in out
    for answer, left in (("n\n", 2), ("", 2), ("y\n", 0)):  # the second is the end of the input, Ctrl-D
        terminal = io.StringIO(answer)
        monkeypatch.setattr(terminal, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", terminal)
        assert command("trash", "--empty")[0] == 0
        assert len(entries(output)) == left
    assert not files(output / "trash")
    assert command("trash", "--empty", "--yes") == (0, "The trash of outputs is empty.\n", "")
    assert command("trash", "--restore", "a")[0] == 2


def test_a_deletion_that_was_killed_is_finished(
    output: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    move_to_trash(stored_runs(output)[0])

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("pipeline.trash.moves.shutil.rmtree", killed)
        with pytest.raises(Killed):
            command("trash", "--empty", "--yes")
    assert files(output / "trash")
    assert "empty" in command("trash")[1]
    assert not files(output / "trash")


def test_a_link_in_the_trash_leads_to_no_run_elsewhere(output: Path, command: Command) -> None:
    elsewhere = Path(shutil.copytree(output, output.with_name("elsewhere")))
    first, second = stored_runs(output)
    move_to_trash(first)
    move_to_trash(second)
    (output / "trash/link").symlink_to(elsewhere)
    before = files(elsewhere)
    for arguments in ((), ("--restore", first.id), ("--empty", "--yes")):
        assert command("trash", *arguments)[0] == 0
    assert files(elsewhere) == before
    assert [run.id for run in stored_runs(output)] == [first.id]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("zz",), "run 'zz' is not among the runs in outputs: "),
        (("",), "run '' is not among the runs in outputs: "),
        (("--restore", ""), "the trash of outputs is empty: there is nothing to restore"),
        (("abc", "--restore", ""), "expected only one of these: runs to move to the trash"),
        (("--yes",), "expected only one of these: runs to move to the trash"),
        (("--empty", "--restore", "a"), "expected only one of these: runs to move to the trash"),
    ],
)
def test_other_arguments_are_refused(output: Path, command: Command, arguments: tuple[str, ...], why: str) -> None:
    before = files(output)
    status, _, err = command("trash", *arguments)
    assert (status, err.count("\n")) == (2, 1)
    assert why in err
    assert files(output) == before
