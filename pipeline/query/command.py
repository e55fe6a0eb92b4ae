"""`python -m pipeline.query "select …"`: query the rows of all runs."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

import duckdb
from rich.markup import escape

from pipeline.driver.signals import limited
from pipeline.errors import SIGNALLED, ConfigError, OrchardError, TimeLimitError
from pipeline.listing import listing
from pipeline.plain_text import note, output_errors_named, plain, print_out
from pipeline.query.database import Database, has_unended_question, message_of, opened
from pipeline.query.describe import described, description, of_view, sql_name
from pipeline.query.forms import TEXTS, rows_of, write_parquet
from pipeline.record.kept import KeptRun, stored_runs
from pipeline.screen import console, output_flag, tool
from pipeline.storage.atomic import check_new_file, new_file
from pipeline.storage.locations import located
from pipeline.tools import Parser, check_seconds, exit_status, parser_of_runs

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.query.comparison import Comparison

SHOWN_ROWS = 100
BATCH_ROWS = 10_000
FORMS = (*TEXTS, "parquet")
NAMED_RUNS = 3
TIME_IS_UP = "no answer within --seconds {}: give the query more seconds, or query a single run with --run"


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer a query, compare two runs, or describe the views; returns the exit status."""
    options = _parser().parse_args(arguments)

    def answer() -> int:
        check_seconds("--seconds", options.seconds)
        try:
            with limited(options.seconds, TimeLimitError(TIME_IS_UP.format(options.seconds))):
                return _answer(_checked(options))
        except duckdb.Error as error:
            raise ConfigError(message_of(error)) from error

    try:
        status = exit_status("query", answer, options.output)
    except KeyboardInterrupt as error:
        if has_unended_question():
            note("orchard: stopped")
            _exit_at_once(SIGNALLED + int(getattr(error, "number", signal.SIGINT)))
        raise
    if has_unended_question():
        _exit_at_once(status)
    return status


def _exit_at_once(status: int) -> NoReturn:
    """End this process although DuckDB has not ended a question: an orderly exit would wait for DuckDB.

    Files that the question would leave behind are already removed.
    """
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(status)


def _parser() -> Parser:
    parser = parser_of_runs(
        "query",
        "Query the rows of all runs in SQL (DuckDB). There is a view for each table, such as results, and a view for "
        "the result rows of each grid: --describe lists them with every column and its meaning.",
        run="only this run (id or its first characters)",
        epilog="The screen shows the first rows of the result; CSV, JSON and Parquet have all rows, with exact "
        "values. The command reads only the part files of these runs, and writes only FILE. docs/questions.md has "
        "examples.",
    )
    parser.add_argument(
        "question",
        nargs="?",
        metavar="query",
        help='a single SELECT: "select builder, avg(depth) from results group by 1"',
    )
    parser.add_argument("--describe", nargs="?", const="", metavar="VIEW", help="list all views, or describe one")
    parser.add_argument("--compare", nargs=2, metavar="RUN", help="show how two runs of a grid differ")
    parser.add_argument(
        "--format",
        choices=("table", *FORMS),
        help="format of the result (default: by the ending of FILE; without FILE, a table)",
    )
    parser.add_argument(
        "--to", type=Path, metavar="FILE", help="write the result to a new file: .csv, .json or .parquet"
    )
    parser.add_argument("--seconds", type=float, metavar="N", help="end the query after N seconds, with exit status 6")
    return parser


def _checked(options: argparse.Namespace) -> argparse.Namespace:
    """The arguments with the resolved format; ConfigError if they contradict each other."""
    if [options.question, options.describe, options.compare].count(None) != 2:
        raise ConfigError(
            'expected one of these: a query such as "select count(*) from results", --describe, --compare RUN RUN'
        )
    if options.compare and options.run:
        raise ConfigError("--compare already names the runs: leave --run out")
    if options.to is None:
        options.format = options.format or "table"
        if options.format == "parquet":
            raise ConfigError("--format parquet cannot be shown on the screen: write it to a new file by --to FILE")
        return options
    options.format = options.format or options.to.suffix.lower().removeprefix(".")
    if options.format not in FORMS:
        raise ConfigError(
            f"--to {options.to}: the format is {options.format or 'missing'}: expected one of {', '.join(FORMS)}, as "
            "the ending of the name or by --format"
        )
    check_new_file("--to", options.to)
    return options


def _answer(options: argparse.Namespace) -> int:
    """Print or write the answer, the comparison or the description; returns 0."""
    output = located(options.output)
    if options.describe is not None:
        _describe(options, output)
        return 0
    if options.compare:
        from pipeline.query.comparison import compared, runs_to_compare

        runs = runs_to_compare(output, options.compare)
        comparison = compared(runs)
        if options.format == "table":
            _show_comparison(comparison, output)
            return 0
        options.question = comparison.question
    else:
        runs = stored_runs(output, options.run)
    if len(runs) > 1 and not options.compare:
        note(f"read from {_named(runs)}; add --run RUN to read only one run")
    if not _output_answer(options, runs, output):
        note("part files were merged while they were read: the query is run again")
        _output_answer(options, runs, output, again=True)
    return 0


def _named(runs: Sequence[KeptRun]) -> str:
    """The ids of a few runs, or the numbers of runs of each grid."""
    if len(runs) <= NAMED_RUNS:
        return f"{len(runs)} runs: {', '.join(f'{run.id} ({run.name})' for run in runs)}"
    grids = Counter(run.name for run in runs).most_common()
    named = grids if len(grids) == NAMED_RUNS + 1 else grids[:NAMED_RUNS]
    counts = [f"{count} of {grid}" for grid, count in named]
    if others := grids[len(named) :]:
        counts.append(f"{sum(count for _, count in others)} of other grids")
    return f"{len(runs)} runs: {', '.join(counts)}"


def _output_answer(options: argparse.Namespace, runs: Sequence[KeptRun], output: Path, again: bool = False) -> bool:
    """Print or write the answer; returns whether all part files stayed in place, or need not be checked."""
    with opened(runs, output) as database:
        try:
            answer = database.answer(options.question)
            if options.format == "table":
                _show(database, answer)
            else:
                _write(lambda: answer.to_arrow_reader(BATCH_ROWS), options, database.fetched)
        except duckdb.CatalogException as error:
            raise _with_views(error, database) from error
        except duckdb.Error:
            if again or not database.files.stale:
                raise
            return False
    return True


def _show(database: Database, answer: duckdb.DuckDBPyRelation) -> None:
    """Show the first rows on the screen, and the number of rows."""
    shown = database.fetched(lambda: answer.limit(SHOWN_ROWS + 1).to_arrow_table())
    rows = list(rows_of(shown))
    out = console()
    table, left_out = listing(shown.column_names, rows[:SHOWN_ROWS], out.width)
    out.print(table)
    if len(rows) > SHOWN_ROWS:
        ((total,),) = database.fetched(lambda: answer.count("*").fetchall())
        left_out.append(f"the first {SHOWN_ROWS} of {total:,} rows")
    if left_out:
        note(f"{'; '.join(left_out)}; --format csv prints everything")


def _show_comparison(comparison: Comparison, output: Path) -> None:
    """Show the differences of two runs, and the command for all of them."""
    out = console()
    out.print(f"[bold]{escape(comparison.grid)}[/]: a is run {comparison.a}, b is run {comparison.b}", soft_wrap=True)
    out.print(comparison.finding, markup=False)
    for table in comparison.tables():
        shown, left_out = listing(table.columns, table.rows, out.width)
        out.print(f"\n[bold]{table.title}[/]")
        out.print(shown)
        out.print(" ".join([table.note, *left_out]), markup=False)
    if comparison.total:
        again = f"{tool('query')} --compare {comparison.a} {comparison.b}{output_flag(output)}"
        out.print("\n[bold]All rows that differ[/]")
        out.print(f"as CSV: {again} --format csv", soft_wrap=True, markup=False)
        out.print(f"as SQL: {comparison.question}", soft_wrap=True, markup=False)


def _write(
    answer: Callable[[], pa.RecordBatchReader],
    options: argparse.Namespace,
    fetched: Callable[[Callable[[], None]], None],
) -> None:
    """Write the answer in its format to its file, or to the output of this process.

    fetched : a function, such as `Database.fetched`, that calls a function that reads the answer. The file is opened
        outside this call, so that it is removed even if the call never ends
    """
    if options.to is None:
        fetched(lambda: _print(TEXTS[options.format](answer())))
        return
    with new_file(options.to, "the answer") as file:
        fetched(lambda: _fill(file, answer(), options.format))


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
            print_out(plain(text) if sys.stdout.isatty() else text, data=True)
            begun = True
        with output_errors_named():
            sys.stdout.flush()
    except duckdb.Error as error:
        if not begun:
            raise
        raise OrchardError(f"the answer breaks off here: {message_of(error)}") from error


def _describe(options: argparse.Namespace, output: Path) -> None:
    """Describe the views, even if there are no runs yet."""
    try:
        runs = stored_runs(output, options.run)
        with opened(runs, output) as database:
            views = description(database)
    except ConfigError as error:
        if options.run is not None:
            raise
        note(f"{error}; here are the tables that grids write")
        views = description(None)
    if options.describe:
        views = of_view(views, options.describe)
    if options.format != "table":
        _write(views.to_reader, options, lambda write: write())
        return
    out = console()
    for shown in described(views):
        out.print(shown)


def _with_views(error: duckdb.CatalogException, database: Database) -> duckdb.Error:
    """The error; if a question names an unknown view, with the existing views in place of DuckDB's suggestions."""
    why = str(error)
    if "Table with name" not in why:
        return error
    names = ", ".join(sql_name(view.name) for view in database.views)
    return duckdb.CatalogException(f"{why.splitlines()[0]} Views of these runs: {names}; --describe shows all views")
