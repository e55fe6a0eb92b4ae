"""Where files are: in folders of a file system, or under an address of an object store such as `s3://bucket/prefix`.

Both are paths with the methods of `pathlib.Path`: those of an object store are `universal_pathlib`'s. What the two
kinds of place do differently stands here; how a file is written whole, in `pipeline.storage.atomic`.
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
from pipeline.storage.scratch import check_room, own_folder, scratch

__all__ = [
    "LARGEST_NOTE",
    "append",
    "contents",
    "copied_back",
    "copies",
    "create",
    "endless",
    "listed",
    "listed_with_sizes",
    "located",
    "matching",
    "modified",
    "move",
    "storage_errors",
    "storage_errors_named",
]

NO_ERRORS_OF_THE_SYSTEM = (
    ("botocore.exceptions", "BotoCoreError"),
    ("aiohttp", "ClientError"),
    ("azure.core.exceptions", "AzureError"),
    ("gcsfs.retry", "HttpError"),
)
"""What the libraries of object stores raise beside OSError: no credentials, nobody answers."""


LARGEST_NOTE = 2**26  # bytes of a file that is read whole: what a run notes of itself has far fewer
ONE_SLASH = re.compile(r"[a-z][a-z0-9]+:/(?!/)")
"""How an address begins that has lost a slash: taken for a folder, `s3:/bucket` would be one here."""


def located(text: str) -> Path:
    """The folder or the address that a text names.

    Raises
    ------
    ConfigError
        It is an address of a kind that is not known, or whose packages are not installed.
    """
    expected = "expected a folder, or an address such as s3://bucket/prefix"
    if any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in text):  # the latter: bytes that are no UTF-8
        msg = f"output is {text!r}, with null bytes or bytes that are no UTF-8: {expected}"
        raise ConfigError(msg)
    if ONE_SLASH.match(text):
        msg = f"output is {text!r}, which is neither: {expected}"
        raise ConfigError(msg)
    kind, separator, rest = text.partition("://")
    if not separator:
        return Path(text)
    if "@" in rest.partition("/")[0]:  # not repeated: what stands before it may be secret
        msg = f"output is an address of {kind}:// with @: keys belong into the environment; {expected}"
        raise ConfigError(msg)
    if kind in {"file", "local"} and rest:
        return Path(rest.removeprefix("localhost") if rest.startswith("localhost/") else rest)
    try:
        from upath import UPath

        if not kind:
            msg = "no kind of store is named"
            raise ValueError(msg)
        if not rest.strip("/"):  # of which universal_pathlib makes a folder of that name here
            msg = "nothing is named in it"
            raise ValueError(msg)
        # by names without parts that are empty: listings leave them out; and uncached, for others write there too
        place = UPath(f"{kind}://{re.sub('/+', '/', rest).rstrip('/')}", use_listings_cache=False)
        _connected((place / "results").fs, kind)  # which imports the store's own package
    except ImportError as error:
        extra = "'orchard-trees[s3]'" if kind == "s3" else f"universal-pathlib and what fsspec needs for {kind}://"
        msg = f"{text}: {error}; install {extra}, or name a folder"
        raise ConfigError(msg) from error
    except (ValueError, TypeError, NotImplementedError, OSError) as error:  # a store that needs more than an address
        msg = f"{text}: {error}; {expected}"
        raise ConfigError(msg) from error
    return cast("Path", place)


def _connected(store: Any, kind: str) -> None:
    """Make what a store is asked by, of which an endpoint that is none would be told where it is first asked."""
    if kind != "s3":
        return
    try:
        store.connect()
    except ValueError as error:
        msg = f"{error}: AWS_ENDPOINT_URL and the like begin with http:// or https://"
        raise ValueError(msg) from error


def storage_errors() -> tuple[type[Exception], ...]:
    """What can be raised where files are read and written: OSError, and what libraries of object stores add to it."""
    loaded = (getattr(sys.modules.get(module), name, None) for module, name in NO_ERRORS_OF_THE_SYSTEM)
    return (OSError, *(kind for kind in loaded if kind is not None))


@contextmanager
def storage_errors_named(output: object, *, writes: bool = False) -> Iterator[None]:
    """Have an error that storage raises in the block say that `output` cannot be read, or written: OutputError.

    The error of an output that nobody reads any more, BrokenPipeError, is raised as it is.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except storage_errors() as error:
        check_room()  # else what is full or gone is the output
        if writes:
            raise OutputError.of(error, output) from error
        msg = f"cannot read {output}: {' '.join(str(error).split())}"
        raise OutputError(msg) from error


def listed(folder: Path) -> list[str]:
    """The names in a folder, sorted; none where there is no folder."""
    try:
        if not in_object_store(folder):
            return sorted(os.listdir(folder))  # noqa: PTH208 - a million paths are a hundred bytes each, as names
        store: Any = folder
        found = [path.rstrip("/").rpartition("/")[2] for path in store.fs.ls(store.path, detail=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(name for name in found if name != folder.name)


def listed_with_sizes(folder: Path) -> list[tuple[str, int]]:
    """The names of the files in a folder with their bytes, sorted; none where there is no folder."""
    try:
        if not in_object_store(folder):
            with os.scandir(folder) as entries:
                return sorted((entry.name, entry.stat().st_size) for entry in entries if entry.is_file())
        store: Any = folder
        found = store.fs.ls(store.path, detail=True)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted((one["name"].rpartition("/")[2], int(one["size"] or 0)) for one in found if one["type"] == "file")


def matching(folder: Path, *patterns: str) -> list[Path]:
    """The paths below a folder whose names, one level after the other, match the patterns; in order."""
    first, *further = patterns
    paths = [folder / name for name in listed(folder) if fnmatchcase(name, first)]
    return [found for path in paths for found in matching(path, *further)] if further else paths


def create(path: Path, content: bytes) -> None:
    """Write a small file that is not there yet; FileExistsError where it is, whoever was sooner by how little."""
    if in_object_store(path):
        store: Any = path
        store.fs.pipe_file(store.path, content, mode="create")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)


def endless(path: Path) -> bool:
    """Whether a path is a pipe or a device, which may never end; nothing in an object store is."""
    return not in_object_store(path) and path.exists() and not path.is_file() and not path.is_dir()


def contents(path: Path) -> bytes:
    """The bytes of a small file; OSError where it is not there, may not be read, or is endless or too large."""
    if endless(path):
        raise OSError(errno.EINVAL, "it is a pipe or a device, and no file", str(path))
    if not in_object_store(path) and path.stat().st_size > LARGEST_NOTE:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST_NOTE:,} bytes", str(path))
    return path.read_bytes()


def modified(path: Path) -> float:
    """When a file was last written, in seconds by the clock of where it is; FileNotFoundError where it is not."""
    if in_object_store(path):
        store: Any = path
        return float(store.fs.modified(store.path).timestamp())
    return path.stat().st_mtime


def append(path: Path, text: str) -> None:
    """Add to a small file that nobody else writes; a reader meets it with all of the text or with none."""
    try:
        before = path.read_bytes()
    except FileNotFoundError:
        before = b""
    write_atomically(path, before + text.encode())


def move(path: Path, target: Path) -> None:
    """Give a file another name below the same folder; in an object store by a copy, so that it is never nowhere."""
    if in_object_store(path):
        write_atomically(target, path.read_bytes())
        path.unlink()
        return
    target.parent.mkdir(exist_ok=True)
    path.rename(target)


@contextmanager
def copies(output: Path) -> Iterator[Path | None]:
    """A folder for copies of what is in an object store, gone afterwards; None where the output is a folder itself."""
    if not in_object_store(output):
        yield None
        return
    with tempfile.TemporaryDirectory(dir=scratch()) as temporary:
        yield Path(temporary)


@contextmanager
def copied_back(folder: Path, beside: Path | None = None) -> Iterator[Path]:
    """A folder of this machine for what is to be in `folder`: itself, or one whose files are put to the store in time.

    That one is made below `beside` and is gone afterwards. Logs (`.txt`, `.log`) are added to what the store has.
    """
    if not in_object_store(folder):
        yield folder
        return
    with own_folder(beside or scratch()) as temporary:
        names = set(temporary.iterdir())
        try:
            yield temporary
        finally:
            for path in sorted(path for path in temporary.rglob("*") if path.is_file() and path not in names):
                target = folder.joinpath(*path.relative_to(temporary).parts)
                if path.suffix in {".txt", ".log"}:
                    append(target, path.read_text(errors="replace"))
                else:
                    write_atomically(target, path.read_bytes())
