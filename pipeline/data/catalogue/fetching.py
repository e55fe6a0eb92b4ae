"""Download files from their public addresses once, into a cache."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pipeline.data.catalogue.archives import unpacked
from pipeline.errors import DataError
from pipeline.storage.atomic import written_whole

if TYPE_CHECKING:
    import requests

    from pipeline.data.catalogue.entry import Address

CHUNK = 2**16
REDIRECTS = 5
REFUSED = ".refused"  # suffix of a cached file that was set aside


class DownloadError(DataError):
    """A download failed, or gave something unexpected; the message names the address."""


def unwritable(path: Path, error: OSError) -> DownloadError:
    """The error of a cached file that cannot be written."""
    why = error.strerror or error
    return DownloadError(f"{path}: cannot be written: {why}; set XDG_CACHE_HOME to a folder that you can write to")


@dataclass(frozen=True)
class Fetcher:
    """A cache of downloaded files, and the limits of a download.

    cache            : its folder, made at the first download
    offline          : use only what is in the cache
    patience         : seconds without a byte after which a download fails
    longest          : most seconds of a download
    largest_download : most bytes of a file as it is sent
    largest_file     : most bytes of a file once it is unpacked
    """

    cache: Path
    offline: bool = False
    patience: float = 20
    longest: float = 600
    largest_download: int = 2**28
    largest_file: int = 2**30

    def fetch(self, name: str, address: Address) -> tuple[str, bytes]:
        """Get a file of a set from the cache or its address; return its path and its unpacked content.

        Raises DownloadError: there is no answer, or it is too slow, too large, without the declared SHA-256, or a
        damaged archive.
        """
        was_cached = self.holds(name, address)
        contents = []
        for path, url in zip(self._paths(name, address), address.urls, strict=True):
            if not path.is_file():
                self._download(url, path)
            try:
                sent = path.read_bytes()
                if address.sha256 is not None and hashlib.sha256(sent).hexdigest() != address.sha256.lower():
                    raise DataError(f"{path} is not the expected file: its SHA-256 is not {address.sha256}")
                contents.append(unpacked(sent, str(path), limit=self.largest_file, member=address.member))
            except DataError as error:
                self.forget(name, address, set_aside=was_cached)
                raise DownloadError(f"{url}: {error}") from error
            except OSError as error:
                raise DownloadError(f"{path}: cannot be read: {error.strerror or error}") from error
        return str(path), b"\n".join(contents)

    def holds(self, name: str, address: Address) -> bool:
        """Whether the files of an address are in the cache."""
        return all(path.is_file() for path in self._paths(name, address))

    def forget(self, name: str, address: Address, *, set_aside: bool) -> None:
        """Remove the wrong files of an address from the cache: set them aside, or delete them.

        Offline they stay, because they cannot be replaced. So does a file that cannot be removed; another process may
        have removed it already.
        """
        for path in self._paths(name, address):
            if self.offline or not path.is_file():
                continue
            with suppress(OSError):
                if set_aside:
                    path.replace(path.with_name(path.name + REFUSED))
                else:
                    path.unlink()

    def _paths(self, name: str, address: Address) -> list[Path]:
        """The cached files of an address, in one folder for all parts and variants of a set."""
        folder = self.cache.joinpath(*name.split("/")[:2])
        return [folder / _file_name(url) for url in address.urls]

    def _download(self, url: str, path: Path) -> None:
        """Copy the bytes of a URL to the cache, still packed: whole, or not at all."""
        if self.offline:
            raise DownloadError(f"{url}: was not tried, because downloads are switched off")
        import requests
        import urllib3

        try:
            with requests.Session() as session, written_whole(path) as file:
                session.max_redirects = REDIRECTS
                for chunk in self._sent(session, url):
                    file.write(chunk)
        except (requests.exceptions.RequestException, urllib3.exceptions.HTTPError) as error:
            raise DownloadError(f"{url}: {_why(error)}") from error
        except OSError as error:
            raise unwritable(path, error) from error

    def _sent(self, session: requests.Session, url: str) -> Iterator[bytes]:
        """The bytes of a URL as they arrive, within the limits of time and size; a slow trickle of bytes fails, too."""
        began, size = time.monotonic(), 0
        with session.get(url, stream=True, timeout=self.patience, headers={"Accept-Encoding": "identity"}) as answer:
            answer.raise_for_status()
            while chunk := answer.raw.read1(CHUNK):
                size += len(chunk)
                if size > self.largest_download:
                    raise DownloadError(
                        f"{url}: sends more than {self.largest_download:,} bytes, which is the limit of a download"
                    )
                if time.monotonic() - began > self.longest:
                    raise DownloadError(
                        f"{url}: the download was stopped after {self.longest:g} seconds, with {size:,} bytes"
                    )
                yield chunk
            expected = answer.headers.get("Content-Length", "")
            if expected.isdecimal() and size != int(expected):
                raise DownloadError(f"{url}: was cut off after {size:,} of {expected} bytes")


def _file_name(url: str) -> str:
    """A plain file name for an address, different for different addresses."""
    last = re.sub(r"[^A-Za-z0-9._+-]", "_", unquote(urlsplit(url).path.rpartition("/")[2]))[-80:]
    return f"{hashlib.sha256(url.encode()).hexdigest()[:12]}-{last}"


def _why(error: Exception) -> str:
    """The reason of a failed request, in a line."""
    from requests import exceptions

    text = str(error)
    if isinstance(error, exceptions.HTTPError):
        return text.partition(" for url")[0]
    if isinstance(error, exceptions.TooManyRedirects):
        return f"redirects more than {REDIRECTS} times"
    if isinstance(error, exceptions.Timeout) or "timed out" in text:
        return "no answer in time"
    if "IncompleteRead" in text:
        return "was cut off"
    cause = re.search(r"\[Errno -?\d+\] [^'\")]+|Remote end closed[^'\")]*|No connection adapters", text)
    return f"no connection: {cause[0] if cause else type(error).__name__}"
