"""The provenance of a published proof: commit, versions, machine, dates and durations."""

from __future__ import annotations

import io
import os
import platform
import subprocess
import tarfile
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from pipeline.record.environment import OWN_PACKAGES, code, code_of, versions
from pipeline.record.sessions import sessions

if TYPE_CHECKING:
    from pipeline.report.runs import ReportedRun

PROJECT = Path(__file__).resolve().parents[2]
MOST_COMMITS = 1000
"""How many commits back the code of a run is searched for."""


def stamp(runs: Iterable[ReportedRun]) -> dict[str, Any]:
    """The provenance of the proof and each of its runs, as plain values.

    `commit` is None if git or its history is missing, if our code is in no commit because it is installed in another
    project or, for a run, if no commit has the code that made it. `clean` says whether code and configuration are those
    of the commit.
    """
    commit = _commit()
    return {
        "published": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit,
        "clean": None
        if commit is None or (changed := _git("status", "--porcelain", "--", *OWN_PACKAGES, "conf")) is None
        else not changed.strip(),
        "code": code(),
        "versions": versions(),
        "machine": {"platform": platform.platform(), "cores": os.cpu_count(), "memory_gib": _memory()},
        "runs": {run.run.name: _of_run(run) for run in runs},
    }


def _of_run(run: ReportedRun) -> dict[str, Any]:
    """The provenance of a run: the seconds of all its sessions, and the versions that have changed since."""
    past = sessions(run.run.record_folder)
    record = run.run.record
    codes = dict.fromkeys(session.code for session in past)
    cpu = sum(session.driver_cpu_seconds + session.work_cpu_seconds + session.publish_cpu_seconds for session in past)
    return {
        "run": run.run.id,
        "began": past[0].began if past else None,
        "ended": past[-1].ended if past else None,
        "workers": past[-1].workers if past else None,
        "wall_seconds": round(sum(session.wall_seconds for session in past), 1),
        "cpu_seconds": round(cpu, 1),
        "cells": run.summary.failures.statuses,
        "code": [{"digest": digest, "commit": commit_of(digest)} for digest in codes],
        "other_versions": {name: old for name, old in record.versions.items() if versions().get(name) != old},
        "machine": {name: value for name, value in record.machine.items() if name != "host"},
    }


def _commit() -> str | None:
    """The commit that is checked out; None if our code is not in it: it may be installed in another project."""
    content = _git("rev-parse", "HEAD", f"HEAD:./{OWN_PACKAGES[0]}")
    return content.decode().split()[0] if content else None


@cache
def commit_of(digest: str) -> str | None:
    """The newest commit whose code has the digest recorded in the sessions of a run; None if no recent one has."""
    commits = (_git("log", "--format=%H", f"-{MOST_COMMITS}", "--", *OWN_PACKAGES) or b"").decode().split()
    return next((commit for commit in commits if _code_at(commit) == digest), None)


@cache
def _code_at(commit: str) -> str:
    """The digest of our own modules at a commit."""
    content = _git("archive", "--format=tar", commit, *OWN_PACKAGES) or b""
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        files = {
            PurePosixPath(entry.name): archive.extractfile(entry) for entry in archive if entry.name.endswith(".py")
        }
        return code_of({path: file.read() for path, file in files.items() if file})


def _git(*arguments: str) -> bytes | None:
    """The output of git about the project; None if it fails."""
    try:
        process = subprocess.run(  # noqa: S603 - our own arguments
            ["git", "-C", str(PROJECT), *arguments],  # noqa: S607 - the git on PATH
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return process.stdout


def _memory() -> float:
    """Memory of this machine in GiB."""
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
