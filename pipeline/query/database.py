"""A database of verified part files, in memory, that reads nothing else and writes nothing."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import TypeVar

import duckdb
from duckdb import DuckDBPyConnection, DuckDBPyRelation

from pipeline.errors import ConfigError
from pipeline.grid import RESULTS_TABLE
from pipeline.plain_text import note
from pipeline.query.views import Piece, View, views_of
from pipeline.record.kept import KeptRun, note_left_out
from pipeline.sql import close_to_others, hide_progress, identifier, literal
from pipeline.storage.locations import copies, why_unreadable
from pipeline.storage.part_files import PartFiles
from pipeline.storage.parts import items_in, missing_from_any

T = TypeVar("T")

KEYWORD_COLUMNS = ("group",)
"""Columns that are SQL keywords."""
LOOK_SECONDS = 0.05
GRACE_SECONDS = 0.5  # time for DuckDB to end an interrupted question
THREAD = "orchard question"
MOST_THREADS = 8  # of a machine that others may use, too
IN_MEMORY = (
    "SET memory_limit = '50%'",
    "SET temp_directory = ''",  # a question that does not fit in memory is refused, not written to disk
)
TRACEBACK = "Traceback (most recent call last)"
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


@dataclass(eq=False)
class Database:
    """Views over verified part files, and their connection.

    views         : tables first, then grids
    without       : grids that can have no view, each with a replacement query
    question_lock : held while a thread asks a question: DuckDB allows one at a time on a connection
    abandoned     : whether DuckDB did not end an interrupted question in time and may still use the connection
    """

    connection: DuckDBPyConnection
    files: PartFiles
    views: tuple[View, ...]
    without: dict[str, str]
    question_lock: Lock = field(default_factory=Lock)
    abandoned: bool = False

    def answer(self, question: str) -> DuckDBPyRelation:
        """The relation of one SELECT.

        Raises ConfigError: the question is not a single SELECT or not valid Unicode; or an interrupted question has not
        ended.
        Raises duckdb.Error: DuckDB cannot parse it, or does not know a name in it.
        """
        if any("\ud800" <= sign <= "\udfff" for sign in question):  # command-line bytes that are not UTF-8
            raise ConfigError("the query has characters that are not Unicode: expected one SELECT in UTF-8")
        return self.fetched(lambda: self._relation(question))

    def fetched(self, fetch: Callable[[], T]) -> T:
        """The result of a function that reads the database.

        It runs in a separate thread, because DuckDB blocks signals while it works, and some of its functions ignore
        interrupts. An exception from a signal is raised after GRACE_SECONDS at the latest. If DuckDB has not ended by
        then, the connection is `abandoned` with the thread.

        Raises ConfigError: an earlier interrupted question has not ended.
        """
        if self.abandoned:
            raise ConfigError("an interrupted query has not ended: open the results again to run another query")
        with self.question_lock:
            fetched: Future[T] = Future()
            thread = Thread(target=self._fetch, args=(fetch, fetched), daemon=True, name=THREAD)
            thread.start()
            try:
                wait([fetched])
            except BaseException:
                self.abandoned = True  # also if another signal comes during the grace time
                self._interrupt(fetched)
                self.abandoned = not fetched.done()
                raise
            thread.join()
            return fetched.result()

    def close(self) -> None:
        """Close the connection. A question that another thread asks is interrupted and ends with an error.

        If DuckDB does not end the question in GRACE_SECONDS, the connection is `abandoned` with its thread.
        """
        deadline = time.monotonic() + GRACE_SECONDS
        while not self.abandoned and not self.question_lock.acquire(timeout=LOOK_SECONDS):
            self.connection.interrupt()
            self.abandoned = time.monotonic() > deadline
        if not self.abandoned:  # closing would wait for the question
            self.connection.close()
            self.question_lock.release()

    @staticmethod
    def _fetch(fetch: Callable[[], T], fetched: Future[T]) -> None:
        try:
            fetched.set_result(fetch())
        except BaseException as error:
            fetched.set_exception(error)

    def _interrupt(self, fetched: Future[T]) -> None:
        """Ask DuckDB to stop, until it has stopped or its time is over."""
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline and not wait([fetched], LOOK_SECONDS).done:
            self.connection.interrupt()

    def _relation(self, question: str) -> DuckDBPyRelation:
        """The relation of a question; binding evaluates some of its functions."""
        try:
            kinds = [statement.type for statement in self.connection.extract_statements(question)]
        except duckdb.ParserException as error:
            raise with_quotes(error, question, KEYWORD_COLUMNS) from error
        if kinds == [duckdb.StatementType.MULTI]:  # a PIVOT that first determines the values
            raise ConfigError(
                "expected one SELECT, but this PIVOT is run as several statements: list its columns, as in "
                "`on builder in ('greedy', 'exact')`"
            )
        if kinds != [duckdb.StatementType.SELECT]:
            why = "no other statement is allowed" if kinds else "the query is empty"
            if len(kinds) > 1 and set(kinds) == {duckdb.StatementType.SELECT}:
                why = f"the query has {len(kinds)} statements; run each by itself"
            raise ConfigError(f"expected one SELECT: {why}")
        return self.connection.sql(_without_end(question))


def _without_end(question: str) -> str:
    """A question that can become a subquery: without the semicolons and remarks after its statement."""
    text = end = question.encode()
    for position, kind in reversed(duckdb.tokenize(question)):
        if kind != duckdb.token_type.comment and not text.startswith(b";", position):
            break
        end = text[:position]
    return end.decode()


def has_unended_question() -> bool:
    """Whether DuckDB still works on an abandoned question of this process."""
    return any(thread.name == THREAD for thread in threading.enumerate())


@contextmanager
def opened(runs: Sequence[KeptRun], output: Path) -> Iterator[Database]:
    """A database over the verified part files of runs below an output folder, closed to all else.

    Part files in an object store are fetched once, verified, into a temporary folder.

    Raises ConfigError: there are no results.
    """
    with copies(output) as folder:
        files = PartFiles()
        views, without = views_of(list(_pieces(runs, folder, files)))
        if all(view.name != RESULTS_TABLE for view in views):
            raise ConfigError(
                f"there is no complete part file in {output} yet: wait for the run, or start the run again"
            )
        grids_of: dict[str, list[str]] = {}
        for kept in runs:
            grids_of.setdefault(kept.id, []).append(kept.name)
        for run, grids in grids_of.items():
            if len(grids) > 1:
                note(
                    f"run {run} is stored for the grids {', '.join(grids)}, with the same rows: to count them once, "
                    f"add `grid = {literal(grids[0])}` to the query, or delete the folder if it is a copy"
                )
        for grid, instead in without.items():
            note(f'the grid {grid} has the name of a table or of another grid: query it as "{instead}"')
        database = Database(duckdb.connect(), files, tuple(views), without)
        try:
            _set_up(database)
            yield database
        finally:
            database.close()


def _set_up(database: Database) -> None:
    """Make the views, and block access to everything else."""
    connection, files = database.connection, database.files
    connection.register_filesystem(files)
    for view in database.views:
        connection.execute(f"CREATE VIEW {identifier(view.name)} AS {view.sql}")
    ((threads,),) = connection.execute("SELECT current_setting('threads')").fetchall()
    connection.execute("SET threads = $threads", {"threads": min(threads, MOST_THREADS)})
    hide_progress(connection)
    for setting in IN_MEMORY:
        connection.execute(setting)
    close_to_others(connection, files.names)


def _pieces(runs: Sequence[KeptRun], copies: Path | None, files: PartFiles) -> Iterator[Piece]:
    """The rows of each run and table, in verified part files or in copies of them."""
    for run in runs:
        try:
            scans = {table: run.scan(table, copies) for table in run.tables}
        except OSError as error:
            note_left_out(run.results, f"cannot be read: {why_unreadable(run.output, error)}")
            continue
        lacking = missing_from_any((scan.parts for scan in scans.values()), run.items)
        if lacking:
            items = items_in(lacking)
            note(
                f"run {run.id} lacks {items:,} of {run.items:,} {run.noun}: run the command of the run again to "
                "compute them"
            )
        for table, scan in scans.items():
            if scan.parts:
                yield Piece(run, table, scan.parts, tuple(files.name(part) for part in scan.parts))
            for path, why in scan.rejected.items():
                note_left_out(path, why)


def message_of(error: Exception) -> str:
    """DuckDB's message without empty lines; for an error of Python below DuckDB, its last line."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1] if TRACEBACK in str(error) else "\n".join(lines)


def with_quotes(error: duckdb.ParserException, question: str, columns: Iterable[str]) -> duckdb.ParserException:
    """The error, with the quoted form of columns in a question that are keywords."""
    bare = QUOTED.sub("", question)
    used = [name for name in columns if re.search(rf"(?<![.\w]){name}\b(?!\s+by\b)", bare, re.IGNORECASE)]
    if not used:
        return error
    why, *further = str(error).splitlines()
    quoted = ", ".join(map(identifier, used))
    return duckdb.ParserException(
        "\n".join([f"{why}; write {', '.join(used)} in quotes if it is the name of a column: {quoted}", *further])
    )
