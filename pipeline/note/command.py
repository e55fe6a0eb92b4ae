"""`python -m pipeline.note RUN "text"`: notes and tags on a run."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from pipeline.errors import ConfigError
from pipeline.record.kept import KeptRun, stored_runs
from pipeline.record.remarks import Remarks, add_note, add_tag, check_note, check_tag, remarks, remove
from pipeline.screen import labelled
from pipeline.storage.locations import located
from pipeline.tools import exit_status, parser_of_runs


def main(arguments: Sequence[str] | None = None) -> int:
    """Add notes and tags to a run or remove them, and show its notes and tags; returns the exit status."""
    parser = parser_of_runs(
        "note",
        "Add a note or tags to a run, or remove notes or tags, and show all notes and tags of the run. The index and "
        "the page of the run, `status` and `query` show them. The results and the crate of the run do not change.",
        epilog='In queries, the view runs has the tags and notes of each run: "select * from runs".',
    )
    parser.add_argument("run", metavar="RUN", help="id of the run, or its first characters")
    parser.add_argument("text", nargs="?", help="a note to add")
    parser.add_argument("--tag", action="append", default=[], metavar="NAME", help="add a tag; can be repeated")
    parser.add_argument("--untag", action="append", default=[], metavar="NAME", help="remove a tag; can be repeated")
    parser.add_argument(
        "--remove", action="append", default=[], type=int, metavar="NUMBER", help="remove the note with this number"
    )
    options = parser.parse_intermixed_args(arguments)

    def act() -> int:
        (run,) = stored_runs(located(options.output), options.run)
        _change(run, options)
        labelled(
            [
                ("Run", f"{run.id} of grid {run.name}"),
                *(labelled_remarks(remarks(run.record_folder)) or [("Notes", "none")]),
            ]
        )
        return 0

    return exit_status("note", act, options.output, writes=True)


def labelled_remarks(of_run: Remarks) -> list[tuple[str, str]]:
    """The tags and notes of a run, line by line, each with its label."""
    tags = [("Tags", ", ".join(of_run.tags))] if of_run.tags else []
    return [
        *tags,
        *((f"Note {number}", f"{note.date}  {note.text}") for number, note in enumerate(of_run.notes, 1)),
    ]


def _change(run: KeptRun, options: argparse.Namespace) -> None:
    """Apply all changes, or none if one of them cannot be made."""
    existing = remarks(run.record_folder)
    try:
        removed = [*map(existing.note_file, options.remove), *map(existing.tag_file, options.untag)]
    except ConfigError as error:
        raise ConfigError(f"run {run.id} of grid {run.name}: {error}") from error
    tags = [check_tag(tag) for tag in options.tag]
    if options.text is not None:
        add_note(run.record_folder, check_note(options.text))
    for tag in tags:
        add_tag(run.record_folder, tag)
    for file in removed:
        remove(run.record_folder, file)
