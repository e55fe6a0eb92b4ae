"""Catalogues for tests: the shipped one without a network, and what reads a few lines as a layout says."""

from __future__ import annotations

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
