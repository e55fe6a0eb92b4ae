"""Catalogues for tests: the shipped one without a network, and what reads a few lines as a layout says."""

from __future__ import annotations

import io
import stat
import warnings
import zipfile
from pathlib import Path

from pipeline.data.catalogue.catalogue import Catalogue
from pipeline.data.catalogue.entry import Entry, FileLayout
from pipeline.data.catalogue.fetching import Fetcher
from pipeline.data.catalogue.loading import LoadedSet, loaded_set
from pipeline.discovery import conf_folder

NOWHERE = Path("/nonexistent/cache")


def shipped(data: Path | None) -> Catalogue:
    """The shipped catalogue over a local folder; it downloads nothing."""
    return Catalogue((conf_folder() / "catalogue",), Fetcher(NOWHERE, offline=True), data)


def entry_of(name: str) -> Entry:
    """What the shipped catalogue says of a name."""
    return shipped(None).entry(name)


def read(content: bytes, layout: FileLayout, name: str = "mine.csv") -> LoadedSet:
    """A data set of one part from the bytes of a file."""
    from pathlib import PurePosixPath

    from pipeline.data.catalogue.entry import SetFile

    files = {"all": SetFile(PurePosixPath(name), ())}
    entry = Entry("mine", "", "", "", layout, files, (), tried=False, source=Path("mine.yaml"))
    return loaded_set(entry, {"all": (name, content)})


def zipped(*members: tuple[str, bytes], kind: int = stat.S_IFREG) -> bytes:
    """A zip archive of these members, whatever they are called."""
    held = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(held, "w") as archive:
        warnings.simplefilter("ignore")  # of names that occur twice
        for name, content in members:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (kind | 0o777) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return held.getvalue()
