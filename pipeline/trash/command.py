"""`python -m pipeline.trash RUN`: move runs to a trash, restore them, or delete them for good."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.plain_text import note, print_out
from pipeline.record.kept import chosen, stored_runs
from pipeline.screen import console, labelled, output_flag, tool
from pipeline.storage.atomic import in_object_store
from pipeline.storage.locations import located
from pipeline.tools import exit_status, parser_of_runs
from pipeline.trash.moves import TRASH, Entry, delete, entries, finish, move_to_trash, restore
from pipeline.words import counted


def main(arguments: Sequence[str] | None = None) -> int:
    """Move runs to the trash, restore one, empty the trash, or list its content; returns the exit status."""
    parser = parser_of_runs(
        "trash",
        "Move runs with their results, summaries, records and pages to OUTPUT/trash. `query`, `status` and the report "
        "no longer show them. Without arguments, list what is in the trash.",
        epilog="Runs that are being computed are refused. "
        "If the command is killed, the next `trash` command completes its work.",
    )
    parser.add_argument("runs", nargs="*", metavar="RUN", help="id of a run, or its first characters")
    parser.add_argument("--restore", metavar="RUN", help="bring a run back from the trash")
    parser.add_argument(
        "--empty", action="store_true", help="delete everything in the trash for good, after a confirmation"
    )
    parser.add_argument("--yes", action="store_true", help="with --empty: delete without a confirmation")
    options = parser.parse_args(arguments)

    def act() -> int:
        output = located(options.output)
        _check(options, output)
        finish(output)
        if options.runs:
            _discard(output, options.runs)
        elif options.restore is not None:
            _restore(output, options.restore)
        elif options.empty:
            _empty(output, agreed=options.yes)
        else:
            _list(entries(output), output)
        return 0

    return exit_status("trash", act, options.output, writes=True)


def _check(options: argparse.Namespace, output: Path) -> None:
    """Raise ConfigError if the options contradict each other, or the output is not in a folder."""
    if sum([bool(options.runs), options.restore is not None, options.empty]) > 1 or (options.yes and not options.empty):
        raise ConfigError(
            "expected only one of these: runs to move to the trash, --restore RUN, or --empty; --yes is for --empty"
        )
    if in_object_store(output):
        why = "is in an object store, where a folder cannot be moved in one step"
        raise ConfigError(f"--output {output} {why}: delete the run there")


def _discard(output: Path, ids: Sequence[str]) -> None:
    """Move runs to the trash, once all of them are found."""
    stored = stored_runs(output)
    runs = {run.results: run for run in (chosen(stored, id_, output) for id_ in ids)}
    for run in runs.values():
        entry = move_to_trash(run)
        labelled([("Trash", f"run {run.id} of grid {run.name}, {_megabytes(entry.size)}")])
    labelled(
        [
            ("Restore", f"{tool('trash')} --restore {next(iter(runs.values())).id}{output_flag(output)}"),
            ("Delete", f"{tool('trash')} --empty{output_flag(output)}"),
            *_report_again(output),
        ]
    )


def _restore(output: Path, id_: str) -> None:
    """Restore a run; if it was moved several times, the last one."""
    runs = [run for entry in entries(output) for run in entry.runs]
    if not runs:
        raise ConfigError(f"the trash of {output} is empty: there is nothing to restore")
    run = chosen(runs, id_, output / TRASH)
    restore(run, output)
    labelled([("Restored", f"run {run.id} of grid {run.name}"), *_report_again(output)])


def _empty(output: Path, *, agreed: bool) -> None:
    """Delete everything in the trash, after confirmation unless `agreed`."""
    in_trash = entries(output)
    _list(in_trash, output)
    if not in_trash:
        return
    size = sum(entry.size for entry in in_trash)
    what = f"{counted(len(in_trash), 'entry', 'entries')} of {output / TRASH} ({_megabytes(size)})"
    if not agreed:
        if not sys.stdin.isatty():
            raise ConfigError(f"--empty would delete {what} for good: add --yes to confirm")
        print_out(f"Delete {what} for good? [y/N] ")
        sys.stdout.flush()
        if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
            note("nothing was deleted")
            return
    delete(in_trash)
    labelled([("Deleted", what)])


def _list(in_trash: Sequence[Entry], output: Path) -> None:
    if not in_trash:
        console().print(f"The trash of {output} is empty.", markup=False, soft_wrap=True)
    for entry in in_trash:
        runs = [f"run {run.id} of grid {run.name}" for run in entry.runs] or [f"{entry.folder.name}, without a record"]
        labelled([("Trash", f"{', '.join(runs)}, {_megabytes(entry.size)}")])


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _report_again(output: Path) -> list[tuple[str, str]]:
    """The command that updates the report, if there is one."""
    exists = (output / "report" / "index.html").exists()
    return [("Report", f"{tool('report')}{output_flag(output)} writes the index again")] if exists else []
