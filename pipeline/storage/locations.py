"""Locations of files: folders of a file system, or addresses of an object store such as `s3://bucket/prefix`.

Both are paths with the methods of `pathlib.Path`; those of an object store are `universal_pathlib`'s. This module has
their differences, except for complete writing, which is in `pipeline.storage.atomic`.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

from pipeline.errors import ConfigError, OutputError
from pipeline.storage.atomic import in_object_store, write_atomically
from pipeline.storage.scratch import check_space, own_folder, scratch
from pipeline.typed_paths import typed_path

STORE_ERRORS = (
    ("botocore.exceptions", "BotoCoreError"),
    ("aiohttp", "ClientError"),
    ("azure.core.exceptions", "AzureError"),
    ("gcsfs.retry", "HttpError"),
)
"""Errors of object store libraries besides OSError: no credentials, no answer."""


LARGEST_RECORD = 2**26  # limit for files that are read whole; a run's record is far smaller
ONE_SLASH = re.compile(r"[a-z][a-z0-9]+:/(?!/)")
"""The start of an address that has lost a slash: as a folder, `s3:/bucket` would be local."""


def located(text: str) -> Path:
    """The folder or address in a text; `~` is the home folder, as Arrow reads it too.

    Raises ConfigError: it is an address of an unknown kind, or of a kind whose packages are not installed.
    """
    expected = "expected a folder, or an address such as s3://bucket/prefix"
    if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in text):  # surrogates are bytes that are not UTF-8
        raise ConfigError(f"`output` is {text!r}, which has null bytes or bytes that are not UTF-8: {expected}")
    if ONE_SLASH.match(text):
        raise ConfigError(f"`output` is {text!r}, which has only one slash after the colon: {expected}")
    kind, separator, rest = text.partition("://")
    if not separator:
        return typed_path(text)
    if "@" in rest.partition("/")[0]:  # not repeated in the message: the text before @ may be secret
        raise ConfigError(
            f"`output` is an address of {kind}:// with a @: put access keys into environment variables; {expected}"
        )
    if kind in {"file", "local"} and rest:
        return Path(rest.removeprefix("localhost") if rest.startswith("localhost/") else rest)
    try:
        from upath import UPath

        if not kind:
            raise ValueError("the address has no kind of store before ://")
        if not rest.strip("/"):  # universal_pathlib would make a local folder of it
            raise ValueError("the address has no bucket or folder")
        # without empty parts in names, which listings leave out; uncached, because others write there, too
        address = UPath(f"{kind}://{re.sub('/+', '/', rest).rstrip('/')}", use_listings_cache=False)
        _connected((address / "results").fs, kind)  # imports the store's own package
    except ImportError as error:
        extra = "'orchard-trees[s3]'" if kind == "s3" else f"universal-pathlib and what fsspec needs for {kind}://"
        raise ConfigError(f"{text}: {error}; install {extra}, or give a folder") from error
    except (ValueError, TypeError, NotImplementedError, OSError) as error:  # a store that needs more than an address
        raise ConfigError(f"{text}: {error}; {expected}") from error
    return cast("Path", address)


def _connected(store: Any, kind: str) -> None:
    """Connect to a store, so that an invalid endpoint is reported here and not at the first request."""
    if kind != "s3":
        return
    try:
        store.connect()
    except ValueError as error:
        raise ValueError(f"{error}; begin the endpoint, such as AWS_ENDPOINT_URL, with http:// or https://") from error


def storage_errors() -> tuple[type[Exception], ...]:
    """Exceptions of reading and writing files: OSError, and those of object store libraries."""
    loaded = (getattr(sys.modules.get(module), name, None) for module, name in STORE_ERRORS)
    return (OSError, *(kind for kind in loaded if kind is not None))


@contextmanager
def storage_errors_named(output: object, *, writes: bool = False) -> Iterator[None]:
    """Turn a storage error in the block into OutputError: `output` cannot be read, or written.

    BrokenPipeError, from an output that nobody reads any more, is raised unchanged.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except storage_errors() as error:
        check_space()  # otherwise the output itself is full or gone
        if writes:
            raise OutputError.of(error, output) from error
        raise OutputError(f"cannot read {output}: {' '.join(str(error).split())}") from error


def listed(folder: Path) -> list[str]:
    """The sorted names in a folder; empty if there is no folder."""
    try:
        if not in_object_store(folder):
            return sorted(os.listdir(folder))  # noqa: PTH208 - a million paths are a hundred bytes each, as names
        store: Any = folder
        names = [path.rstrip("/").rpartition("/")[2] for path in store.fs.ls(store.path, detail=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(name for name in names if name != folder.name)


def listed_with_sizes(folder: Path) -> list[tuple[str, int]]:
    """The sorted names of the files in a folder with their sizes in bytes; empty if there is no folder."""
    try:
        if not in_object_store(folder):
            with os.scandir(folder) as entries:
                return sorted(pair for pair in map(_name_and_size, entries) if pair)
        store: Any = folder
        files = [entry for entry in store.fs.ls(store.path, detail=True) if entry["type"] == "file"]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted((file["name"].rpartition("/")[2], int(file["size"] or 0)) for file in files)


def _name_and_size(entry: os.DirEntry[str]) -> tuple[str, int] | None:
    """The name and size of a file; None for another entry, such as a link to itself or a file that is gone."""
    try:
        return (entry.name, entry.stat().st_size) if entry.is_file() else None
    except OSError:
        return None


def matching(folder: Path, *patterns: str) -> list[Path]:
    """The paths below a folder whose names match the patterns, one pattern per level; sorted."""
    first, *further = patterns
    paths = [folder / name for name in listed(folder) if fnmatchcase(name, first)]
    return [below for path in paths for below in matching(path, *further)] if further else paths


def create(path: Path, content: bytes) -> None:
    """Write a small new file; FileExistsError if it exists, even if another process was only just faster."""
    if in_object_store(path):
        store: Any = path
        store.fs.pipe_file(store.path, content, mode="create")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)


def endless(path: Path) -> bool:
    """Whether a path is a pipe or a device, which may never end; never in an object store."""
    return not in_object_store(path) and path.exists() and not path.is_file() and not path.is_dir()


def contents(path: Path) -> bytes:
    """The bytes of a small file; OSError if it is missing, unreadable, a pipe, a device or too large."""
    if endless(path):
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))
    if not in_object_store(path) and path.stat().st_size > LARGEST_RECORD:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST_RECORD:,} bytes", str(path))
    return path.read_bytes()


def modified(path: Path) -> float:
    """The time of the last write, in seconds by the clock of its location; FileNotFoundError if it is missing."""
    if in_object_store(path):
        store: Any = path
        return float(store.fs.modified(store.path).timestamp())
    return path.stat().st_mtime


def why_unreadable(path: Path, error: OSError) -> str:
    """Why a path cannot be read. Raises the error of an object store, since the fault may be in the connection."""
    if in_object_store(path):
        raise error
    return error.strerror or str(error)


def append(path: Path, text: str) -> None:
    """Append to a small file that no other process writes; a reader sees all of the text or none."""
    try:
        before = path.read_bytes()
    except FileNotFoundError:
        before = b""
    write_atomically(path, before + text.encode())


def move(path: Path, target: Path) -> None:
    """Rename a file below the same folder; in an object store by a copy, so that it always exists."""
    if in_object_store(path):
        write_atomically(target, path.read_bytes())
        path.unlink()
        return
    target.parent.mkdir(exist_ok=True)
    path.rename(target)


@contextmanager
def copies(output: Path) -> Iterator[Path | None]:
    """A temporary folder for copies from an object store; None if the output is a folder itself."""
    if not in_object_store(output):
        yield None
        return
    with tempfile.TemporaryDirectory(dir=scratch()) as temporary:
        yield Path(temporary)


@contextmanager
def copied_back(folder: Path, beside: Path | None = None) -> Iterator[Path]:
    """A local folder for the content of `folder`: itself, or one whose files are then uploaded to the store.

    The local folder is created below `beside` and removed afterwards. Logs (`.txt`, `.log`) are appended to those in
    the store.
    """
    if not in_object_store(folder):
        yield folder
        return
    with own_folder(beside or scratch()) as temporary:
        existing = set(temporary.iterdir())
        try:
            yield temporary
        finally:
            for path in sorted(path for path in temporary.rglob("*") if path.is_file() and path not in existing):
                target = folder.joinpath(*path.relative_to(temporary).parts)
                if path.suffix in {".txt", ".log"}:
                    append(target, path.read_text(errors="replace"))
                else:
                    write_atomically(target, path.read_bytes())
