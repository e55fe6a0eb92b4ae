"""A database of verified parts, in memory, that reads nothing else and writes nothing at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import duckdb

from pipeline.errors import ConfigError
from pipeline.grids.base import RESULTS_TABLE
from pipeline.plan import GridRun
from pipeline.query.part_files import PartFiles
from pipeline.query.refusals import with_quotes
from pipeline.query.views import Piece, View, views_of
from pipeline.screen import note
from pipeline.sql import identifier
from pipeline.storage.parts import missing_from_any
from pipeline.storage.places import copies

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

__all__ = ["Database", "connection", "opened"]

T = TypeVar("T")

WORDS = ("group",)
"""Columns that are words of SQL."""
LOOK_SECONDS = 0.05
MOST_THREADS = 8  # of a machine that others may use too
SHUT = (
    "SET memory_limit = '50%'",
    "SET temp_directory = ''",  # what does not fit in memory is refused rather than written somewhere
    "SET enable_progress_bar = false",  # which goes where the answer goes
    "SET python_enable_replacements = false",  # names are views, never variables of a program
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


@dataclass(frozen=True)
class Database:
    """Views over verified parts, and the connection on which they are asked.

    views   : tables first, then grids
    without : grids that can have no view, each with what to ask instead
    asking  : held by the thread that asks: DuckDB refuses two at a time on a connection
    """

    connection: DuckDBPyConnection
    files: PartFiles
    views: tuple[View, ...]
    without: dict[str, str]
    asking: Lock = field(default_factory=Lock)

    def answer(self, question: str) -> DuckDBPyRelation:
        """What one SELECT selects, once it is fetched.

        Raises
        ------
        ConfigError
            The question is anything but one SELECT, or no text of Unicode.
        duckdb.Error
            DuckDB cannot read it, or knows none of the names in it.
        """
        if any("\ud800" <= sign <= "\udfff" for sign in question):  # bytes of a command line that are no UTF-8
            msg = "the question has signs that are no Unicode: expected one SELECT in UTF-8"
            raise ConfigError(msg)
        with self.asking:
            try:
                kinds = [statement.type for statement in self.connection.extract_statements(question)]
            except duckdb.ParserException as error:
                raise with_quotes(error, question, WORDS) from error
            if kinds == [duckdb.StatementType.MULTI]:  # a PIVOT that first writes down which values there are
                msg = "expected one SELECT: name the columns of a PIVOT, as in on builder in ('greedy', 'exact')"
                raise ConfigError(msg)
            if kinds != [duckdb.StatementType.SELECT]:
                msg = "expected one SELECT: results are read here, never written"
                raise ConfigError(msg)
            return self.connection.sql(question.strip().rstrip("; \n"))  # it may become a part of another question

    def fetched(self, fetch: Callable[[], T]) -> T:
        """What a function fetches from the database, and an end to it at once where a signal asks for that.

        It runs in a thread of its own: while DuckDB works, it lets no signal through.
        """
        with self.asking, ThreadPoolExecutor(1) as thread:
            working = thread.submit(fetch)
            try:
                return working.result()
            except KeyboardInterrupt:
                while not wait([working], LOOK_SECONDS).done:
                    self.connection.interrupt()
                raise


@contextmanager
def connection(runs: Sequence[GridRun], output: Path) -> Iterator[DuckDBPyConnection]:
    """The connection of a database that is opened for the block."""
    with opened(runs, output) as database:
        yield database.connection


@contextmanager
def opened(runs: Sequence[GridRun], output: Path) -> Iterator[Database]:
    """A database over the verified parts of runs below an output folder, shut to all else.

    Parts in an object store are fetched, each once and verified as it comes, to a folder that is gone afterwards.

    Raises
    ------
    ConfigError
        There are no results.
    """
    with copies(output) as folder:
        files = PartFiles()
        views, without = views_of(list(_pieces(runs, folder, files)))
        if all(view.name != RESULTS_TABLE for view in views):
            msg = f"no complete part in {output} yet: let the run go on, or start it again"
            raise ConfigError(msg)
        for grid, instead in without.items():
            note(f"the name of grid {grid} is taken: ask {instead}")
        with duckdb.connect() as database:
            database.register_filesystem(files)
            for view in views:
                database.execute(f"CREATE VIEW {identifier(view.name)} AS {view.sql}")
            ((threads,),) = database.execute("SELECT current_setting('threads')").fetchall()
            database.execute("SET threads = $threads", {"threads": min(threads, MOST_THREADS)})
            database.execute("SET allowed_paths = $files", {"files": files.names})
            for setting in SHUT:
                database.execute(setting)
            yield Database(database, files, tuple(views), without)


def _pieces(runs: Sequence[GridRun], copies: Path | None, files: PartFiles) -> Iterator[Piece]:
    """What each run has of each of its tables, in verified parts or in copies of them."""
    for run in runs:
        found_by_table = {table: run.scan(table, copies) for table in run.grid.tables}
        lacking = missing_from_any((found.parts for found in found_by_table.values()), run.grid.items)
        if lacking:
            items = sum(stop - first for first, stop in lacking)
            note(
                f"{items:,} of {run.grid.items:,} {run.grid.noun} of run {run.id} are not there; its command makes them"
            )
        for table, found in found_by_table.items():
            if found.parts:
                yield Piece(run, table, found.parts, tuple(files.name(part.path) for part in found.parts))
            for path, why in found.rejected.items():
                note(f"left out: {path} {why}")
