"""The files of a run's crate: links to its part files, record and summary, each with its size and SHA-256."""

from __future__ import annotations

import errno
import hashlib
import mimetypes
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pipeline.record.kept import KeptRun
from pipeline.storage.locations import contents, listed, matching
from pipeline.storage.parts import verified
from pipeline.storage.run_folders import RESULTS_TABLE
from pipeline.summary.record import NAME, SummaryRecord

CONFIGURATION = "_run/config.yaml"
RECORD_FILES = {
    "config.yaml": "configuration",
    "run.json": "identity, the command and machine that began the run, and versions",
    "sessions.jsonl": "when the run was computed",
}
PARQUET = "application/vnd.apache.parquet"
TYPES = {".parquet": PARQUET, ".yaml": "application/yaml", ".jsonl": "application/jsonl", ".md": "text/markdown"}


@dataclass(frozen=True)
class CrateFile:
    """A file of a crate.

    name    : its path in the crate
    source  : the file itself, to which the crate has a link
    meaning : what is in it
    size    : bytes
    sha256  : of its bytes, in hexadecimal
    """

    name: str
    source: Path
    meaning: str
    size: int
    sha256: str

    @property
    def media_type(self) -> str:
        """The type of its content."""
        return TYPES.get(self.source.suffix) or mimetypes.guess_type(self.name)[0] or "application/octet-stream"


def described(name: str, source: Path, meaning: str, content: bytes) -> CrateFile:
    """A file of a crate with content in memory."""
    return CrateFile(name, source, meaning, len(content), hashlib.sha256(content).hexdigest())


def crate_files(run: KeptRun, summary: SummaryRecord) -> list[CrateFile]:
    """The files of a complete run: its record, the configuration first, then summary and part files.

    Each part file is verified as by every reader of results, and then read again for its SHA-256.

    Raises OSError: a file is missing or cannot be read, or a part file has changed since it was published.
    """
    recorded = {CONFIGURATION.rpartition("/")[2], *listed(run.record_folder)}
    sources = {
        f"_run/{name}": (run.record_folder / name, meaning)
        for name, meaning in RECORD_FILES.items()
        if name in recorded
    }
    for path in matching(run.record_folder / "environments", "*.json"):
        sources[f"_run/environments/{path.name}"] = (path, "versions that made rows, by the digest in `made_with`")
    tables = {name: table.title for table in summary.tables for name in table.file_names}
    figures = {name: f"figure {Path(name).stem}" for name in summary.figures}
    for name, meaning in (tables | figures | {NAME: "the whole summary, for programs"}).items():
        sources[f"summaries/{name}"] = (run.summaries / name, meaning)
    files = [described(name, source, meaning, contents(_own(source))) for name, (source, meaning) in sources.items()]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        for table, parts in summary.made_from.parts.items():
            files += threads.map(partial(_part, run, table), parts)
    return files


def _own(path: Path) -> Path:
    """The path; OSError if it is a link, because a crate is given away and must not lead to files elsewhere."""
    if path.is_symlink():
        raise OSError(errno.EINVAL, "it is a link, not a file of the run", str(path))
    return path


def _part(run: KeptRun, table: str, name: str) -> CrateFile:
    source = _own(run.folder(table) / name)
    (part,) = verified([source], run.id, run.cells_per_item if table == RESULTS_TABLE else None)
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = file.tell()
    return CrateFile(f"{table}/{name}", source, f"{part.rows:,} rows of the table {table}", size, digest)


def link(files: Iterable[CrateFile], folder: Path) -> None:
    """Make a relative link to each file, so that the whole output folder can be moved or copied."""
    for file in files:
        path = folder / file.name
        target = os.path.relpath(file.source.absolute(), path.parent.absolute())
        if not (path.is_symlink() and str(path.readlink()) == target):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.symlink_to(target)


def remove_others(folder: Path, names: set[str]) -> None:
    """Remove links to files that the crate no longer has, and folders that this leaves empty."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_symlink() and path.relative_to(folder).as_posix() not in names:
            path.unlink()
        elif path.is_dir() and not path.is_symlink():
            with suppress(OSError):
                path.rmdir()
