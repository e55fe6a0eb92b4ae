"""`python -m pipeline.warm c45 oct …`: compile the kernels of builders beforehand, on all cores."""

from __future__ import annotations

import argparse
import logging
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from time import perf_counter

from pipeline.builders import builders_named
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.discovery import conf_folder
from pipeline.errors import ConfigError, no_choice
from pipeline.tools import exit_status

__all__ = ["main"]

SOURCES = ("rule/monks-1", "sklearn/iris")
"""Data sets that need no file: labels alone, and numbers alone. A few rows of each are learnt from."""
Ended = tuple[str, int, str]
"""A builder, how many kernels were compiled for it, and the error that ended it; empty where none did."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile kernels, and say which and how long it took; the exit status, 1 where a builder failed."""
    asked = _parser().parse_args(arguments)
    return exit_status("warm", partial(_warm, asked.names), "the folder of compiled kernels", writes=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.warm",
        description="Compile the kernels of builders, once on this machine, so that no first fit waits for it.",
        epilog="Compiled kernels are kept in $NUMBA_CACHE_DIR, beside the package, or in ~/.cache/orchard-kernels.",
    )
    parser.add_argument("names", nargs="*", help="builders of conf/builder, such as c45 (all)")
    return parser


def _warm(names: Sequence[str]) -> int:
    known = sorted(file.stem for file in (conf_folder() / "builder").glob("*.yaml"))
    for name in names:
        if name not in known:
            raise ConfigError(no_choice("builder", name, known))
    wanted = [builder.name for builder in builders_named(list(dict.fromkeys(names or known))) if builder.compiles]
    began, workers = perf_counter(), max(1, min(len(wanted), os.cpu_count() or 1))
    print(f"Compiling the kernels of {', '.join(wanted) or 'no builder'} in {workers} processes ...", flush=True)
    compiled, failed = 0, 0
    for name, kernels, error in _ended(wanted, workers):
        print(f"{name}: {error or (f'{kernels} kernels compiled' if kernels else 'compiled before')}", flush=True)
        compiled, failed = compiled + kernels, failed + bool(error)
    print(f"{compiled} kernels compiled for {len(wanted) - failed} builders in {perf_counter() - began:.0f} seconds")
    return 1 if failed else 0


def _ended(names: Sequence[str], workers: int) -> Iterator[Ended]:
    """What became of each builder, in the order in which they end."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for ended in as_completed([pool.submit(_compile, name) for name in names]):
            yield ended.result()


def _compile(name: str) -> Ended:
    """Fit a builder to a few rows of each source, in a process of a pool."""
    from algorithms._numba import announcement
    from pipeline.grammar.comparison.rows import rehearsals

    logging.getLogger("algorithms").setLevel(logging.ERROR)  # that it compiles is known
    before = announcement.compiled_kernels()
    try:
        known = catalogue()
        sets = [next(iter(known.load(source).parts.values())) for source in SOURCES]
        for rehearse in rehearsals(sets, builders_named([name]), seed=0):
            rehearse()
    except Exception as error:
        return name, announcement.compiled_kernels() - before, f"failed: {type(error).__name__}: {error}"
    return name, announcement.compiled_kernels() - before, ""
