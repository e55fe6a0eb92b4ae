"""`python -m pipeline.warm c45 oct batch …`: compile the kernels of builders and tables beforehand, on all cores."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from pipeline.builders import builder_files, builders_named
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.discovery import conf_folder
from pipeline.errors import ConfigError, no_choice
from pipeline.tools import exit_status, parser_of
from pipeline.words import counted, duration, out_of

SOURCES = ("rule/monks-1", "sklearn/iris")
"""Data sets without a file, one with labels only and one with numbers only; builders are fitted to their rows."""
BATCH, EXACT = "batch", "exact"
"""Kernels compiled besides builders': costs of many tables at once; graphs of subtables, and their uses."""
Compiled = tuple[str, int, str]
"""A name, the number of kernels compiled for it, and its error; empty if none."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile kernels, and report which and how long it took; returns the exit status, 1 if a builder failed."""
    parser = parser_of(
        "warm",
        "Compile the kernels (machine code) of builders in advance, so that the first fit of a builder need not wait.",
        epilog="Compiled kernels are kept in $NUMBA_CACHE_DIR if set, else beside the package if that is writable, "
        "else in ~/.cache/orchard-kernels.",
    )
    parser.add_argument(
        "names",
        nargs="*",
        help=f"builders of conf/builder, such as c45, or {BATCH} and {EXACT}, for decision tables (default: all)",
    )
    parser.add_argument(
        "--config-dir", "-cd", type=Path, metavar="FOLDER", help="add your own builders, FOLDER/builder/NAME.yaml"
    )
    options = parser.parse_args(arguments)
    return exit_status(
        "warm", partial(_warm, options.names, options.config_dir), "the folder of compiled kernels", writes=True
    )


def _warm(names: Sequence[str], config_dir: Path | None) -> int:
    if config_dir is not None and not config_dir.is_dir():
        raise ConfigError(f"--config-dir: there is no folder {config_dir}")
    folders = [conf_folder(), *([config_dir] if config_dir else [])]
    known = sorted(builder_files(folders))
    for name in names:
        if name not in (BATCH, EXACT, *known):
            raise ConfigError(no_choice("builder", name, [BATCH, EXACT, *known]))
    requested = list(dict.fromkeys(names or (*known, BATCH, EXACT)))
    chosen = [name for name in requested if name not in (BATCH, EXACT)]
    builders = builders_named(chosen, folders=folders) if chosen else ()
    wanted = [builder.name for builder in builders if builder.compiles]
    wanted += [name for name in requested if name in (BATCH, EXACT)]
    began, workers = perf_counter(), max(1, min(len(wanted), os.cpu_count() or 1))
    processes = counted(workers, "process", "processes")
    print(f"Compiling the kernels of {', '.join(wanted) or 'no builder'} in {processes} ...", flush=True)
    compiled, failed = 0, 0
    for name, kernels, error in _compiled(wanted, workers, folders):
        made = f"{counted(kernels, 'kernel')} compiled" if kernels else "compiled before"
        print(f"{name}: {error or made}", flush=True)
        compiled, failed = compiled + kernels, failed + bool(error)
    done, seconds = out_of(len(wanted) - failed, len(wanted), "name"), perf_counter() - began
    print(f"{counted(compiled, 'kernel')} compiled for {done} in {duration(seconds)}")
    return 1 if failed else 0


def _compiled(names: Sequence[str], workers: int, folders: Sequence[Path]) -> Iterator[Compiled]:
    """The result of each, in the order in which they end."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for future in as_completed([pool.submit(_compile, name, folders) for name in names]):
            yield future.result()


def _compile(name: str, folders: Sequence[Path]) -> Compiled:
    """Compile the kernels of one name on a few rows or tables, in a process of a pool."""
    from algorithms._numba import announcement

    logging.getLogger("algorithms").setLevel(logging.ERROR)  # compiling is expected here
    before = announcement.compiled_kernels()
    try:
        if name == BATCH:
            _rehearse_batch()
        elif name == EXACT:
            _rehearse_exact()
        else:
            _rehearse_builder(name, folders)
    except Exception as error:
        return name, announcement.compiled_kernels() - before, f"failed: {type(error).__name__}: {error}"
    return name, announcement.compiled_kernels() - before, ""


def _rehearse_builder(name: str, folders: Sequence[Path]) -> None:
    """Fit a builder to a few rows of each source."""
    from pipeline.grammar.comparison.rows import rehearsals

    available = catalogue()
    sets = [next(iter(available.load(source).parts.values())) for source in SOURCES]
    for rehearse in rehearsals(sets, builders_named([name], folders=folders), seed=0):
        rehearse()


def _rehearse_batch() -> None:
    """Compute the costs of random tables in one word and in two, which have different kernels, and of larger tables."""
    from algorithms.batch import costs_of_tables
    from algorithms.data.random_tables import RandomTables

    for rows in (20, 70, 600):
        tables = RandomTables(rows=rows, attributes=3)
        costs_of_tables(*tables.draw(1, 1, 1, 2), values=tables.values, n_decisions=tables.decisions)


def _rehearse_exact() -> None:
    """Compute the exact minima, an optimal tree, a set of trees and two fronts of a random table."""
    from algorithms.data.random_tables import RandomTables
    from algorithms.data.table import DecisionTable
    from algorithms.exact.graph import SubtableGraph, exact_costs
    from algorithms.exact.pareto import pareto_front
    from algorithms.exact.tree_set import TreeSet
    from algorithms.trees.costs import AVERAGE_DEPTH, DEPTH, NODES

    codes, decisions = RandomTables(rows=20, attributes=3).draw(1, 1, 1, 1)
    table = DecisionTable.from_codes(codes[0], decisions[0])
    exact_costs(table)
    graph = SubtableGraph.of(table)
    graph.optimal_tree(AVERAGE_DEPTH)
    trees = TreeSet.of(graph)
    trees.costs()
    best = trees.optimal(DEPTH, NODES)
    best.number()
    best.tree()
    for first in (NODES, DEPTH):
        front = pareto_front(trees, first, AVERAGE_DEPTH)
        front.tree(0)
