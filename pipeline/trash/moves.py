"""Move a run to the trash of its output folder and back, folder by folder. A kill at any moment loses nothing of it."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pipeline.driver.lock import held
from pipeline.errors import ConfigError
from pipeline.record.kept import KeptRun, kept_below
from pipeline.report.runs import page_of
from pipeline.storage.locations import listed
from pipeline.storage.run_folders import RESULTS_TABLE

TRASH = "trash"
"""The folder of the trash, below that of the results."""
REPORT = "report"
DELETED = ".deleted-"
"""Prefix of the name of an entry that is being deleted."""


@dataclass(frozen=True)
class Entry:
    """The folder of a run in the trash, laid out like an output folder.

    runs : the runs in it with a readable record: one, unless somebody has put others there
    """

    folder: Path
    runs: tuple[KeptRun, ...]

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(
            os.lstat(os.path.join(folder, name)).st_size  # noqa: PTH118 - links count, not their targets
            for folder, _, names in os.walk(self.folder)
            for name in names
        )


def entries(output: Path) -> list[Entry]:
    """The entries in the trash of an output folder, the latest last. Links are left out: they may lead elsewhere."""
    paths = [output / TRASH / name for name in listed(output / TRASH) if not name.startswith(".")]
    folders = [path for path in paths if path.is_dir() and not path.is_symlink()]
    return [Entry(folder, tuple(kept_below(folder))) for folder in folders]


def move_to_trash(run: KeptRun) -> Entry:
    """Move a run with everything that belongs to it to the trash. Its results go first: without them it is not listed.

    Raises RunHeldError: a process computes it.
    """
    stamp = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}"  # entries are sorted by it
    folder = run.output / TRASH / f"{stamp}-{secrets.token_hex(2)}-{run.id}"
    with held(run.results):
        _move(run, list(_belongings(run)), folder)
    return Entry(folder, (replace(run, output=folder),))


def restore(run: KeptRun, output: Path) -> None:
    """Move a run back from its entry to an output folder, its results last.

    Raises ConfigError: the output has such a run again.
    """
    if replace(run, output=output).results.exists():
        raise ConfigError(
            f"run {run.id} of grid {run.name} cannot be restored, because {output} has a newer run with this id: "
            f"keep the newer run, or move its folders out of {output} and type the same command again"
        )
    _move(run, list(_belongings(run))[::-1], output)
    _prune(run.output)


def finish(output: Path) -> None:
    """Finish interrupted deletions and moves: runs without results in the output folder go to the trash."""
    for name in listed(output / TRASH):
        if name.startswith(DELETED):
            shutil.rmtree(output / TRASH / name)
    _prune(output / TRASH)
    for entry in entries(output):
        for run in entry.runs:
            remainder = replace(run, output=output)
            if not remainder.results.exists():
                _move(remainder, list(_belongings(remainder)), entry.folder)


def delete(in_trash: Sequence[Entry]) -> None:
    """Delete entries for good. They are renamed first, so that `finish` deletes those that a kill leaves."""
    renamed = [entry.folder.rename(entry.folder.with_name(f"{DELETED}{entry.folder.name}")) for entry in in_trash]
    for folder in renamed:
        shutil.rmtree(folder)


def _belongings(run: KeptRun) -> Iterator[Path]:
    """The folders of a run below its output folder, its results first, then its page."""
    tables = sorted(listed(run.output), key=lambda name: name != RESULTS_TABLE)
    paths = [run.folder(name) for name in tables if name != TRASH]
    yield from (path for path in (*paths, run.output / REPORT / page_of(run)) if os.path.lexists(path))


def _move(run: KeptRun, paths: Sequence[Path], target: Path) -> None:
    """Move paths of a run to another output folder, each in one step, unless the target exists already.

    Raises ConfigError: a path is on another file system. Those before it are moved back.
    """
    done: list[tuple[Path, Path]] = []
    for path in paths:
        moved = target / path.relative_to(run.output)
        if not os.path.lexists(moved):
            try:
                _rename(path, moved)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                for before, after in reversed(done):
                    _rename(after, before)
                raise ConfigError(
                    f"nothing was moved: {path} and {target} are on different file systems: move both to one "
                    f"file system, or, if {path.name} is a page or a summary, delete it (`report` makes it again)"
                ) from error
            done.append((path, moved))


def _rename(path: Path, moved: Path) -> None:
    moved.parent.mkdir(parents=True, exist_ok=True)
    path.rename(moved)
    with suppress(OSError):  # the folder of the grid has other runs
        path.parent.rmdir()


def _prune(folder: Path) -> None:
    """Remove the empty folders in a folder, and the folder itself if it becomes empty."""
    for below, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):
            Path(below).rmdir()
