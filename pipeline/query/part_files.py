"""Parts as DuckDB may see them: under names of their own, to be read and never written."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BufferedReader, FileIO
from pathlib import Path
from typing import IO, Any

from fsspec import AbstractFileSystem

__all__ = ["PartFiles"]


class _Opened(BufferedReader):
    """A file that is closed when nothing refers to it: DuckDB lets its files go, and closes none."""

    def __del__(self) -> None:
        self.close()


class PartFiles(AbstractFileSystem):  # type: ignore[misc] # fsspec has no types
    """A file system that holds the parts given to it, and no way to change them.

    DuckDB can be kept to some files, but not from writing to those, and `with x as (copy … to …)` is a SELECT to it.
    The names have no sign that stands for others, whatever the folders are called.

    vanished : whether a part was gone when it was to be read, such as one that was merged into another meanwhile
    """

    protocol = "parts"
    cachable = False

    def __init__(self) -> None:
        super().__init__()
        self.vanished = False
        self._paths: dict[str, Path] = {}

    def name(self, path: Path) -> str:
        """The name under which a part can be read from here on."""
        name = f"{len(self._paths)}/{path.name}"
        self._paths[name] = path
        return f"{self.protocol}://{name}"

    @property
    def names(self) -> list[str]:
        """The names given so far."""
        return [f"{self.protocol}://{name}" for name in self._paths]

    def open(self, path: str, mode: str = "rb", **_: Any) -> IO[bytes]:
        """A part, to be read; PermissionError for all else that files can be opened for."""
        if mode != "rb":
            msg = "results are read here, never written"
            raise PermissionError(msg)
        return _Opened(FileIO(self._path(path)))

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """What fsspec wants to know of a file: its name, kind and size."""
        return {"name": path, "type": "file", "size": self._path(path).stat().st_size}

    def modified(self, path: str) -> datetime:
        """When a part was written."""
        return datetime.fromtimestamp(self._path(path).stat().st_mtime, UTC)

    def exists(self, path: str, **_: Any) -> bool:
        """Whether this is a part."""
        return self._strip_protocol(path) in self._paths

    def glob(self, path: str, **_: Any) -> list[str]:
        """The name itself: none stands for others."""
        return [path] if self.exists(path) else []

    def _path(self, name: str) -> Path:
        """Where a part is; FileNotFoundError where it is none, or is not there any more."""
        path = self._paths[self._strip_protocol(name)]
        if not path.exists():
            self.vanished = True
            raise FileNotFoundError(path)
        return path
