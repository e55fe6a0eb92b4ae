"""`python -m pipeline.query "select …"`: ask the rows of all runs a question."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

import duckdb
from rich.markup import escape

from pipeline.driver.signals import limited
from pipeline.errors import ConfigError, OrchardError, OutputError, TimeLimitError
from pipeline.listing import listing
from pipeline.plain_text import note, plain
from pipeline.query.database import Database, opened, told, unended
from pipeline.query.describe import as_asked, described, description, of_view
from pipeline.query.forms import TEXTS, rows_of, write_parquet
from pipeline.record.kept import stored_runs
from pipeline.screen import console, output_flag, tool
from pipeline.storage.atomic import check_new_file, new_file
from pipeline.storage.places import located
from pipeline.tools import exit_status, parser_of_runs

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyRelation

    from pipeline.query.comparison import Comparison
    from pipeline.record.kept import KeptRun

__all__ = ["main"]

SHOWN_ROWS = 100
BATCH_ROWS = 10_000
FORMS = (*TEXTS, "parquet")
NAMED_RUNS = 3
SIGNALLED = 128
TIME_IS_UP = "no answer within --seconds {}: give the question more seconds, or ask one run with --run"


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one question, or describe the views; returns the exit status."""
    asked = _parser().parse_args(arguments)

    def answer() -> int:
        try:
            with limited(_seconds(asked), TimeLimitError(TIME_IS_UP.format(asked.seconds))):
                return _given(_checked(asked))
        except duckdb.Error as error:
            raise ConfigError(told(error)) from error

    try:
        status = exit_status("query", answer, asked.output)
    except KeyboardInterrupt as error:
        if unended():
            note("orchard: stopped")
            _leave(SIGNALLED + int(getattr(error, "number", signal.SIGINT)))
        raise
    if unended():
        _leave(status)
    return status


def _leave(status: int) -> NoReturn:
    """End this process if DuckDB does not end a question: an orderly exit would wait for it.

    All files that the question would leave behind are already removed.
    """
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(status)


def _seconds(asked: argparse.Namespace) -> float | None:
    """The time limit of a question; ConfigError unless it is a positive number of seconds."""
    seconds: float | None = asked.seconds
    if seconds is not None and not 0 < seconds <= threading.TIMEOUT_MAX:
        msg = f"--seconds is {seconds:g}: expected more than 0"
        raise ConfigError(msg)
    return seconds


def _parser() -> argparse.ArgumentParser:
    parser = parser_of_runs(
        "query",
        "Ask the rows of all runs one question in SQL (DuckDB). There is a view for each table, such as results, and "
        "one for the result rows of each grid: --describe lists them with every column and its meaning.",
        run="only the run of this id, or of one that begins so",
        epilog="On the screen, an answer is a table of its first rows; as CSV, JSON or Parquet it is whole and exact. "
        "Only the part files of these runs are read, and only FILE is written. docs/questions.md has examples.",
    )
    parser.add_argument("question", nargs="?", help='one SELECT: "select builder, avg(depth) from results group by 1"')
    parser.add_argument("--describe", nargs="?", const="", metavar="VIEW", help="list all views, or describe one")
    parser.add_argument("--compare", nargs=2, metavar="RUN", help="show how two runs of a grid differ")
    parser.add_argument("--format", choices=("table", *FORMS), help="format (a table, or by the ending of FILE)")
    parser.add_argument("--to", type=Path, metavar="FILE", help="a new file for the answer: .csv, .json or .parquet")
    parser.add_argument(
        "--seconds", type=float, metavar="N", help="end the question after N seconds, with exit status 6"
    )
    return parser


def _checked(asked: argparse.Namespace) -> argparse.Namespace:
    """The arguments with the resolved format; ConfigError if they contradict each other."""
    if [asked.question, asked.describe, asked.compare].count(None) != 2:
        msg = 'expected a question such as "select count(*) from results", --describe, or --compare RUN RUN'
        raise ConfigError(msg)
    if asked.compare and asked.run:
        msg = "--compare names its runs: leave --run out"
        raise ConfigError(msg)
    if asked.to is None:
        asked.format = asked.format or "table"
        if asked.format == "parquet":
            msg = "--format parquet is not text: name a new file with --to FILE"
            raise ConfigError(msg)
        return asked
    asked.format = asked.format or asked.to.suffix.lower().removeprefix(".")
    if asked.format not in FORMS:
        msg = f"--to {asked.to}: expected a file that ends in .{', .'.join(FORMS)}, or one of these as --format"
        raise ConfigError(msg)
    check_new_file("--to", asked.to)
    return asked


def _given(asked: argparse.Namespace) -> int:
    """Print or write what was asked for; returns 0."""
    output = located(asked.output)
    if asked.describe is not None:
        _describe(asked, output)
        return 0
    if asked.compare:
        from pipeline.query.comparison import compared, runs_to_compare

        both = runs_to_compare(output, asked.compare)
        found = compared(both)
        if asked.format == "table":
            _show_comparison(found, output)
            return 0
        runs = both
        asked.question = found.question
    else:
        runs = stored_runs(output, asked.run)
    if len(runs) > 1 and not asked.compare:
        note(f"read from {_named(runs)}; --run RUN reads one of them")
    if not _answered(asked, runs, output):
        note("parts were merged while they were read: asked again")
        _answered(asked, runs, output, again=True)
    return 0


def _named(runs: Sequence[KeptRun]) -> str:
    if len(runs) <= NAMED_RUNS:
        return f"{len(runs)} runs: {', '.join(f'{run.id} ({run.name})' for run in runs)}"
    grids = Counter(run.name for run in runs).most_common()
    named = grids if len(grids) == NAMED_RUNS + 1 else grids[:NAMED_RUNS]
    said = [f"{count} of {grid}" for grid, count in named]
    if others := grids[len(named) :]:
        said.append(f"{sum(count for _, count in others)} of other grids")
    return f"{len(runs)} runs: {', '.join(said)}"


def _answered(asked: argparse.Namespace, runs: Sequence[KeptRun], output: Path, again: bool = False) -> bool:
    """Print or write the answer; returns whether all part files stayed in place, or need not be checked."""
    with opened(runs, output) as database:
        try:
            if asked.format == "table":
                _show(database, database.answer(asked.question))
            else:
                answer = database.answer(asked.question)
                _write(lambda: answer.to_arrow_reader(BATCH_ROWS), asked, database.fetched)
        except duckdb.CatalogException as error:
            raise _with_views(error, database) from error
        except duckdb.Error:
            if again or not database.files.stale:
                raise
            return False
    return True


def _show(database: Database, answer: DuckDBPyRelation) -> None:
    """Show the first rows on the screen, and the number of rows."""
    found = database.fetched(lambda: answer.limit(SHOWN_ROWS + 1).to_arrow_table())
    rows = list(rows_of(found))
    out = console()
    table, left_out = listing(found.column_names, rows[:SHOWN_ROWS], out.width)
    out.print(table)
    if len(rows) > SHOWN_ROWS:
        ((total,),) = database.fetched(lambda: answer.count("*").fetchall())
        left_out.append(f"the first {SHOWN_ROWS} of {total:,} rows")
    if left_out:
        note(f"{'; '.join(left_out)}: --format csv gives all")


def _show_comparison(found: Comparison, output: Path) -> None:
    """Show the differences of two runs, and the command for all of them."""
    out = console()
    out.print(f"[bold]{escape(found.grid)}[/]: a is run {found.a}, b is run {found.b}", soft_wrap=True)
    out.print(found.finding, markup=False)
    for table in found.tables():
        shown, left_out = listing(table.columns, table.rows, out.width)
        out.print(f"\n[bold]{table.title}[/]")
        out.print(shown)
        out.print(" ".join([table.note, *left_out]), markup=False)
    if found.total:
        again = f"{tool('query')} --compare {found.a} {found.b}{output_flag(output)}"
        out.print("\n[bold]All of them[/]")
        out.print(f"as CSV: {again} --format csv", soft_wrap=True, markup=False)
        out.print(f"as SQL: {found.question}", soft_wrap=True, markup=False)


def _write(
    answer: Callable[[], pa.RecordBatchReader], asked: argparse.Namespace, fetched: Callable[[Callable[[], None]], None]
) -> None:
    """Write the answer in its format to its file, or to the output of this process.

    fetched : calls a function that reads the answer. The file is not its own, so that it is removed whatever becomes of
        the function
    """
    if asked.to is None:
        fetched(lambda: _print(TEXTS[asked.format](answer())))
        return
    with new_file(asked.to, "the answer") as file:
        fetched(lambda: _fill(file, answer(), asked.format))


def _fill(file: IO[bytes], answer: pa.RecordBatchReader, form: str) -> None:
    if form == "parquet":
        write_parquet(answer, file)
        return
    for text in TEXTS[form](answer):
        file.write(text.encode())


def _print(texts: Iterable[str]) -> None:
    begun = False
    try:
        for text in texts:
            sys.stdout.write(plain(text) if sys.stdout.isatty() else text)
            begun = True
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        msg = f"cannot write the answer to where this command's output goes: {error.strerror or error}"
        raise OutputError(msg) from error
    except duckdb.Error as error:
        if not begun:
            raise
        msg = f"the answer breaks off here: {told(error)}"
        raise OrchardError(msg) from error


def _describe(asked: argparse.Namespace, output: Path) -> None:
    """Describe the views, even if there are no runs yet."""
    try:
        runs = stored_runs(output, asked.run)
        with opened(runs, output) as database:
            found = description(database)
    except ConfigError as error:
        if asked.run is not None:
            raise
        note(f"{error}; these are the tables that grids write")
        found = description(None)
    if asked.describe:
        found = of_view(found, asked.describe)
    if asked.format != "table":
        _write(found.to_reader, asked, lambda write: write())
        return
    out = console()
    for shown in described(found):
        out.print(shown)


def _with_views(error: duckdb.CatalogException, database: Database) -> duckdb.Error:
    """The error with the existing views if a question names an unknown one, instead of DuckDB's own suggestions."""
    why = str(error)
    if "Table with name" not in why:
        return error
    names = ", ".join(as_asked(view.name) for view in database.views)
    return duckdb.CatalogException(f"{why.splitlines()[0]} Views of these runs: {names}; --describe shows all")
