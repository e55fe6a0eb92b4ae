"""`python -m pipeline.note RUN "text"`: notes and tags on a run."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from pipeline.errors import ConfigError
from pipeline.record.kept import KeptRun, stored_runs
from pipeline.record.remarks import Remarks, add_note, add_tag, check_note, check_tag, remarks, remove
from pipeline.screen import labelled
from pipeline.storage.places import located
from pipeline.tools import exit_status, parser_of_runs

__all__ = ["main", "said"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Add notes and tags to a run or remove them, and show what it has then; the exit status."""
    parser = parser_of_runs(
        "note",
        "Add a note or tags to a run, or remove them, and show all that it has. The index and the page of the run, "
        "`status` and `query` show them. The results and the crate of the run do not change.",
        epilog='In a question, the view runs has the tags and notes of each run: "select * from runs".',
    )
    parser.add_argument("run", metavar="RUN", help="id of the run, or how it begins")
    parser.add_argument("text", nargs="?", help="a note to add")
    parser.add_argument("--tag", action="append", default=[], metavar="NAME", help="add a tag; can be repeated")
    parser.add_argument("--untag", action="append", default=[], metavar="NAME", help="remove a tag; can be repeated")
    parser.add_argument(
        "--remove", action="append", default=[], type=int, metavar="NUMBER", help="remove the note of this number"
    )
    asked = parser.parse_intermixed_args(arguments)

    def act() -> int:
        (run,) = stored_runs(located(asked.output), asked.run)
        _change(run, asked)
        labelled([("Run", f"{run.id} of grid {run.name}"), *(said(remarks(run.notes)) or [("Notes", "none")])])
        return 0

    return exit_status("note", act, asked.output, writes=True)


def said(found: Remarks) -> list[tuple[str, str]]:
    """What people say of a run, line by line, each with its label."""
    tags = [("Tags", ", ".join(found.tags))] if found.tags else []
    return [*tags, *((f"Note {number}", f"{one.date}  {one.text}") for number, one in enumerate(found.notes, 1))]


def _change(run: KeptRun, asked: argparse.Namespace) -> None:
    """Do what was asked, once all of it can be done."""
    found = remarks(run.notes)
    try:
        gone = [*map(found.note_file, asked.remove), *map(found.tag_file, asked.untag)]
    except ConfigError as error:
        msg = f"run {run.id} of grid {run.name}: {error}"
        raise ConfigError(msg) from error
    tags = [check_tag(tag) for tag in asked.tag]
    if asked.text is not None:
        add_note(run.notes, check_note(asked.text))
    for tag in tags:
        add_tag(run.notes, tag)
    for file in gone:
        remove(run.notes, file)
