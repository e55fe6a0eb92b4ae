"""Catalogues for tests: the shipped one without a network, and ones of a few lines."""

from __future__ import annotations

from pathlib import Path

from pipeline.catalogue.catalogue import Catalogue
from pipeline.catalogue.fetching import Fetcher
from pipeline.config import conf_folder

NOWHERE = Path("/nonexistent/cache")


def shipped(data: Path | None) -> Catalogue:
    """The shipped catalogue over a local folder; it downloads nothing."""
    return Catalogue((conf_folder() / "catalogue",), Fetcher(NOWHERE, offline=True), data)
