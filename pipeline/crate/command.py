"""`python -m pipeline.crate`: describe complete runs for others, as RO-Crate and Croissant."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from pipeline.crate.croissant import croissant
from pipeline.crate.files import CrateFile, crate_files, described, link, remove_others
from pipeline.crate.process_run import NO_LICENCE, iso, process_run_crate
from pipeline.errors import ConfigError, OrchardError
from pipeline.plain_text import note
from pipeline.record.kept import KeptRun, current_summary, stored_runs
from pipeline.report.runs import provenance_of
from pipeline.screen import console
from pipeline.status.state import resume_command, status_of
from pipeline.storage.atomic import in_object_store, write_changed
from pipeline.storage.locations import located
from pipeline.summary.record import SummaryRecord, UnreadableSummaryError
from pipeline.tools import exit_status, parser_of_runs

METADATA = "ro-crate-metadata.json"
TABLES = "croissant.json"
LICENSE = re.compile(r"[A-Za-z0-9.+-]+")
ORCID = re.compile(r"https://orcid\.org/(\d{4}-){3}\d{3}[\dX]")
NOTHING_WRITTEN = 1  # an exit status


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the crate of each complete run, or of one run; returns the exit status."""
    parser = parser_of_runs(
        "crate",
        f"Write {METADATA} (Process Run Crate 0.5, with the SHA-256 of each file) and {TABLES} (the tables and their "
        "columns) for each complete run into OUTPUT/crates/grid=GRID/run=ID, with links to the files of the run.",
        run="only this run (id or its first characters)",
        epilog="All files are verified and read each time. `cp -rL` copies a crate with its files.",
    )
    parser.add_argument("--license", metavar="SPDX", help="licence of the results (default: none)")
    parser.add_argument(
        "--agent",
        nargs="+",
        default=[],
        metavar=("NAME", "ORCID"),
        help="name and ORCID of the person who computed the results (default: nobody)",
    )
    options = parser.parse_args(arguments)

    def write() -> int:
        output = located(options.output)
        if in_object_store(output):
            raise ConfigError(
                f"--output {output} is in an object store: copy the results to a folder, and give that folder"
            )
        _check(options.license, options.agent)
        runs = stored_runs(output, options.run)
        written = [_written(run, options.license, options.agent, alone=bool(options.run)) for run in runs]
        return 0 if any(written) else NOTHING_WRITTEN

    return exit_status("crate", write, options.output, writes=True)


def _check(license_: str | None, agent: Sequence[str]) -> None:
    if license_ is not None and not LICENSE.fullmatch(license_):
        raise ConfigError(
            f"--license is {license_!r}: expected an identifier of https://spdx.org/licenses, such as CC-BY-4.0"
        )
    if agent[1:] and not (len(agent) == 2 and ORCID.fullmatch(agent[1])):
        raise ConfigError(
            f"--agent is {' '.join(agent)!r}: expected a name in quotes, then https://orcid.org/0000-0000-0000-0000"
        )


def _written(run: KeptRun, license_: str | None, agent: Sequence[str], *, alone: bool) -> bool:
    """Write a crate; returns whether there is one. A note says why not, unless only this run was asked for."""
    try:
        folder = write_crate(run, license_, agent)
    except OrchardError as error:
        if alone:
            raise
        note(f"left out: {error}")
        return False
    console().print(escape(str(folder / METADATA)), soft_wrap=True)
    return True


def write_crate(run: KeptRun, license_: str | None = None, agent: Sequence[str] = ()) -> Path:
    """Write the crate of a complete run and return its folder; the metadata are replaced last, in one step.

    run      : the run with its record
    license_ : licence of the results, an SPDX identifier; None: no licence
    agent    : name of the person who ran it, and optionally their ORCID

    Raises ConfigError: the run has not ended.
    Raises OrchardError: a part file or the summary is missing or damaged.
    """
    status = status_of(run)
    if status.left or status.driven:
        how = "wait until it has ended" if status.driven else f"resume it with: {resume_command(status)}"
        state = f"{status.state} with {status.progress} done"
        raise ConfigError(f"run {run.id} is {state}: expected a complete run; {how}")
    try:
        summary = current_summary(run)
        files = crate_files(run, summary)
    except UnreadableSummaryError as error:
        why = f"it {error}"
    except OSError as error:
        why = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    else:
        return _write(run, summary, files, license_, agent)
    raise OrchardError(f"run {run.id} has no crate: {why}; to repair the run, type: {resume_command(status)}")


def _write(
    run: KeptRun, summary: SummaryRecord, files: list[CrateFile], license_: str | None, agent: Sequence[str]
) -> Path:
    about = {
        "name": f"Orchard run {run.id} of grid {run.name}",
        "description": f"{summary.meaning or run.name}. {summary.finding}",
        "license": f"https://spdx.org/licenses/{license_}" if license_ else NO_LICENCE,
        "datePublished": iso(provenance_of(run).finished),
    }
    folder = run.output / "crates" / f"grid={run.name}" / f"run={run.id}"
    creator = {"creator": {"@type": "sc:Person", "name": agent[0]}} if agent else {}
    content = _json(croissant(run, summary, about | creator))
    tables = described(TABLES, folder / TABLES, "the tables, their columns and what these mean", content)
    metadata = _json(process_run_crate(run, files, tables, about, agent))
    link(files, folder)
    write_changed(folder / TABLES, content)
    write_changed(folder / METADATA, metadata)
    remove_others(folder, {file.name for file in files})
    return folder


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, indent=1, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
