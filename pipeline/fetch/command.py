"""`python -m pipeline.fetch uci/mushroom …`: download data sets beforehand, for nodes that have no network."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pipeline.data.catalogue.catalogue import Catalogue, catalogue
from pipeline.errors import ConfigError
from pipeline.plain_text import print_out
from pipeline.tools import exit_status, parser_of
from pipeline.words import counted


def main(arguments: Sequence[str] | None = None) -> int:
    """Download, check and keep data sets; returns the exit status, that of the last failure."""
    parser = parser_of(
        "fetch",
        "Download data sets of the catalogue into the cache, each once, and verify them.",
        epilog=(
            "For a machine without a network, run this command on another machine and copy the cache folder, or set "
            "data.folder or ORCHARD_DATA to a folder with the files."
        ),
    )
    parser.add_argument("names", nargs="*", help="names in the catalogue, such as uci/mushroom")
    parser.add_argument("--all", action="store_true", help="download all data sets that have files")
    parser.add_argument("--list", action="store_true", help="list the data sets and download nothing")
    parser.add_argument(
        "--cache", type=Path, help="folder for the files (default: orchard in your cache folder, such as ~/.cache)"
    )
    parser.add_argument(
        "--own", type=Path, action="append", default=[], help="your own folder, with YAML files in catalogue/"
    )
    options = parser.parse_args(arguments)
    return exit_status("fetch", partial(_fetch, options), "the cache", writes=True)


def _fetch(options: argparse.Namespace) -> int:
    available = catalogue(own=options.own, cache=options.cache)
    if options.list:
        print_out("".join(f"{name}\n" for name in available.names()))
        return 0
    names = [name for name in available.names() if name not in available.built_in] if options.all else options.names
    if not names:
        raise ConfigError("expected names of data sets, or --all, or --list")
    return max([exit_status("fetch", partial(_fetch_set, available, name), "the cache", writes=True) for name in names])


def _fetch_set(available: Catalogue, name: str) -> int:
    loaded = available.fetch(name)
    rows = " + ".join(f"{counted(data.rows, 'row')} ({part})" for part, data in loaded.parts.items())
    first = next(iter(loaded.parts.values()))
    attributes, classes = counted(len(first.attributes), "attribute"), counted(len(first.classes), "class", "classes")
    shape = f"{rows}, {attributes}, {classes}"
    print_out(f"{name}: {shape}, fingerprint {loaded.fingerprint}\n")
    return 0
