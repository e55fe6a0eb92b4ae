"""Parts as DuckDB may see them: under names of their own, as they were verified, to be read and never written."""

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

__all__ = ["PartFiles"]


class _Opened(FileIO):
    """A file that is closed when nothing refers to it: DuckDB lets its files go, and closes none.

    Each thread has a place of its own in it: DuckDB's threads share a file, and seek and read in two steps.
    """

    def __init__(self, part: Part, stale: Callable[[], None]) -> None:
        super().__init__(part.path)
        self._part, self._stale = part, stale
        self._at = local()
        self._check()

    def __del__(self) -> None:
        self.close()

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        """Go to a place, of this thread alone."""
        start = {SEEK_SET: 0, SEEK_CUR: self.tell(), SEEK_END: fstat(self.fileno()).st_size}[whence]
        self._at.place = start + offset
        return self.tell()

    def tell(self) -> int:
        """Where this thread is."""
        return int(getattr(self._at, "place", 0))

    def read(self, size: int | None = -1) -> bytes:
        """So many bytes from where this thread is, or all that are left."""
        wanted = fstat(self.fileno()).st_size - self.tell() if size is None or size < 0 else size
        found = pread(self.fileno(), wanted, self.tell())
        self._at.place = self.tell() + len(found)
        self._check()
        return found

    def _check(self) -> None:
        """Return only if the file is as it was when it was verified; one that this process wrote was not verified."""
        if self._part.state and state_of(fstat(self.fileno())) != self._part.state:
            self._stale()
            raise OSError(
                errno.ESTALE, "it has changed since it was verified; open the results again", str(self._part.path)
            )


class PartFiles(AbstractFileSystem):  # type: ignore[misc] # fsspec has no types
    """A file system that holds the parts given to it, and no way to change them.

    DuckDB can be kept to some files, but not from writing to those, and `with x as (copy … to …)` is a SELECT to it.
    The names have no sign that stands for others, whatever the folders are called.

    stale : whether a part had changed, or was gone, when it was to be read, such as one merged into another meanwhile
    """

    protocol = "parts"
    cachable = False

    def __init__(self) -> None:
        super().__init__()
        self.stale = False
        self._parts: dict[str, Part] = {}

    def name(self, part: Part) -> str:
        """The name under which a verified part can be read from here on."""
        name = f"{len(self._parts)}/{part.path.name}"
        self._parts[name] = part
        return f"{self.protocol}://{name}"

    @property
    def names(self) -> list[str]:
        """The names given so far."""
        return [f"{self.protocol}://{name}" for name in self._parts]

    def open(self, path: str, mode: str = "rb", **_: Any) -> IO[bytes]:
        """A part, to be read. PermissionError for all else that files can be opened for, OSError where it changed."""
        if mode != "rb":
            msg = "results are read here, never written"
            raise PermissionError(msg)
        return _Opened(self._part(path), self._set_stale)

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """What fsspec wants to know of a file: its name, kind and size."""
        return {"name": path, "type": "file", "size": self._part(path).path.stat().st_size}

    def modified(self, path: str) -> datetime:
        """When a part was written."""
        return datetime.fromtimestamp(self._part(path).path.stat().st_mtime, UTC)

    def exists(self, path: str, **_: Any) -> bool:
        """Whether this is a part."""
        return self._strip_protocol(path) in self._parts

    def glob(self, path: str, **_: Any) -> list[str]:
        """The name itself: none stands for others."""
        return [path] if self.exists(path) else []

    def _part(self, name: str) -> Part:
        """The part of a name; FileNotFoundError where it is not there any more."""
        part = self._parts[self._strip_protocol(name)]
        if not part.path.exists():
            self._set_stale()
            raise FileNotFoundError(part.path)
        return part

    def _set_stale(self) -> None:
        self.stale = True
