"""Verified part files for DuckDB: under names of their own, read-only."""

from __future__ import annotations

import errno
from collections.abc import Callable
from datetime import UTC, datetime
from io import SEEK_CUR, SEEK_END, SEEK_SET, FileIO
from os import fstat, pread
from threading import local
from typing import IO, Any

from fsspec import AbstractFileSystem

from pipeline.storage.parts import Part, state_of


class _Opened(FileIO):
    """A file that is closed when no reference is left: DuckDB does not close its files.

    Each thread has its own position: DuckDB's threads share a file, and seek and read in two steps.
    """

    def __init__(self, part: Part, stale: Callable[[], None]) -> None:
        super().__init__(part.path)
        self._part, self._stale = part, stale
        self._thread = local()
        self._check()

    def __del__(self) -> None:
        self.close()

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        """Set the position of this thread."""
        start = {SEEK_SET: 0, SEEK_CUR: self.tell(), SEEK_END: fstat(self.fileno()).st_size}[whence]
        self._thread.position = start + offset
        return self.tell()

    def tell(self) -> int:
        """The position of this thread."""
        return int(getattr(self._thread, "position", 0))

    def read(self, size: int | None = -1) -> bytes:
        """Bytes from this thread's position, or all remaining ones."""
        wanted = fstat(self.fileno()).st_size - self.tell() if size is None or size < 0 else size
        result = pread(self.fileno(), wanted, self.tell())
        self._thread.position = self.tell() + len(result)
        self._check()
        return result

    def _check(self) -> None:
        """Raise OSError if the file has changed since it was verified; files of this process were not verified."""
        if self._part.state and state_of(fstat(self.fileno())) != self._part.state:
            self._stale()
            raise OSError(errno.ESTALE, "the file changed since it was verified: query again", str(self._part.path))


class PartFiles(AbstractFileSystem):  # type: ignore[misc] # fsspec has no types
    """A read-only file system that holds the given part files.

    DuckDB can be restricted to some files, but may write to them: `with x as (copy … to …)` is a SELECT for DuckDB. The
    names contain no wildcards, whatever the names of the folders.

    stale : whether a part file had changed or was gone when it was read, for example because it was merged
    """

    protocol = "parts"
    cachable = False

    def __init__(self) -> None:
        super().__init__()
        self.stale = False
        self._parts: dict[str, Part] = {}

    def name(self, part: Part) -> str:
        """The name under which a verified part file can be read."""
        name = f"{len(self._parts)}/{part.path.name}"
        self._parts[name] = part
        return f"{self.protocol}://{name}"

    @property
    def names(self) -> list[str]:
        """The names given so far."""
        return [f"{self.protocol}://{name}" for name in self._parts]

    def open(self, path: str, mode: str = "rb", **_: Any) -> IO[bytes]:
        """Open a part file for reading. PermissionError for other modes, OSError if it has changed."""
        if mode != "rb":
            raise PermissionError("a query cannot write results")
        return _Opened(self._part(path), self._set_stale)

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """The information that fsspec needs about a file: its name, kind and size."""
        return {"name": path, "type": "file", "size": self._part(path).path.stat().st_size}

    def modified(self, path: str) -> datetime:
        """The time at which a part file was written."""
        return datetime.fromtimestamp(self._part(path).path.stat().st_mtime, UTC)

    def exists(self, path: str, **_: Any) -> bool:
        """Whether this is a part file."""
        return self._strip_protocol(path) in self._parts

    def glob(self, path: str, **_: Any) -> list[str]:
        """The name itself: there are no wildcards."""
        return [path] if self.exists(path) else []

    def _part(self, name: str) -> Part:
        """The part file with a name; FileNotFoundError if it no longer exists."""
        part = self._parts[self._strip_protocol(name)]
        if not part.path.exists():
            self._set_stale()
            raise FileNotFoundError(part.path)
        return part

    def _set_stale(self) -> None:
        self.stale = True
