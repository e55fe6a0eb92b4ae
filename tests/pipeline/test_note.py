"""Notes and tags on a run: kept whole, shown by every reader, and no part of its results or its crate."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from threading import Thread

import pytest

from pipeline.record.remarks import add_note, add_tag, remarks
from tests.pipeline.command_line import run_folder, run_orchard
from tests.pipeline.conftest import Command
from tests.pipeline.record.recorded import CART, compared


def digests(folder: Path) -> dict[str, str]:
    """The files below a folder, remarks and pages aside, each with the digest of its bytes."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "remarks" not in path.parts
    }


def test_notes_and_tags_are_added_shown_and_removed(tmp_path: Path, command: Command) -> None:
    run = compared(tmp_path / "outputs", (CART,))
    before = digests(tmp_path / "outputs")
    assert command("note", run.id)[1].splitlines()[1].split() == ["Notes", "none"]
    status, out, err = command("note", run.id[:6], "--tag", "base", "Try a:x:b:  with [pruning]", "--tag", "für-später")
    assert status == 0, err
    assert "Tags       base, für-später" in out
    assert out.rstrip().endswith("  Try a:x:b:  with [pruning]")
    assert command("note", run.id, "second")[0] == 0
    out = command("note", run.id, "--remove", "1", "--untag", "base")[1]
    assert "pruning" not in out
    assert "Note 1" in out
    assert "second" in out
    assert "base" not in out
    assert digests(tmp_path / "outputs") == before


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("zz", "text"), "run 'zz' is not among the runs in outputs: {run} (compare_builders)"),
        (("{run}", "  "), "the note has 0 characters: expected 1 to 10,000"),
        (("{run}", "x" * 10_001), "the note has 10,001 characters: expected 1 to 10,000"),
        (("{run}", "text", "--tag", "a/b"), "'a/b' cannot be a tag"),
        (("{run}", "text", "--tag", "../up"), "'../up' cannot be a tag"),
        (
            ("{run}", "text", "--untag", "b"),
            "run {run} of grid compare_builders: there is no tag 'b': the tags of the run are a",
        ),
        (("{run}", "text", "--remove", "1"), "there is no note 1: the run has no notes"),
    ],
)
def test_an_impossible_change_is_refused_and_changes_nothing(
    tmp_path: Path, command: Command, arguments: tuple[str, ...], why: str
) -> None:
    run = compared(tmp_path / "outputs", (CART,))
    add_tag(run.record_folder, "a")
    status, _, err = command("note", *(word.replace("{run}", run.id) for word in arguments))
    assert (status, err.count("\n")) == (2, 1)
    assert why.replace("{run}", run.id) in err
    result = remarks(run.record_folder)
    assert (result.tags, result.notes) == (("a",), ())


def test_notes_that_are_written_at_once_are_all_kept(tmp_path: Path) -> None:
    texts = [f"note {number}" for number in range(20)]
    threads = [Thread(target=add_note, args=(tmp_path, text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(note.text for note in remarks(tmp_path).notes) == sorted(texts)


def test_a_note_of_others_that_cannot_be_read_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_note(tmp_path, "good")
    (tmp_path / "remarks/note-20260101T000000000000-00000000.txt").mkdir()
    (tmp_path / "remarks/note-20269999T000000000000-00000000.txt").write_text("no such day")
    (tmp_path / "remarks/tag-<b>").touch()
    result = remarks(tmp_path)
    assert ([note.text for note in result.notes], result.tags) == (["good"], ())
    assert capsys.readouterr().err.count("left out: ") == 2


def test_readers_show_notes_and_tags(finished: Path) -> None:
    run = run_folder(finished / "outputs").name.removeprefix("run=")
    hostile = "it's <b>bold</b>, [bold]too[/bold] and \x1b[2J"
    for words in (("--tag", "base"), (hostile,)):
        assert run_orchard("note", run, *words, cwd=finished).returncode == 0
    status = run_orchard("status", cwd=finished).stdout
    assert "\x1b" not in status
    assert "[bold]too[/bold]" in status
    assert "Tags       base" in status
    rows = run_orchard("query", "select tags, notes from runs", "--format", "json", cwd=finished)
    assert rows.returncode == 0, rows.stderr
    assert '"tags":["base"]' in rows.stdout.replace(" ", "")
    assert "it's <b>bold</b>" in rows.stdout
    joined = "select count(*) as n from results join runs using (grid, run) where list_contains(tags, 'base')"
    assert run_orchard("query", joined, "--format", "csv", cwd=finished).stdout == "n\n1360\n"
    described = run_orchard("query", "--describe", "runs", cwd=finished).stdout
    assert "tags of the run" in described
