"""The command line of `python -m pipeline.show`: selects a row, and formats its tree."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from algorithms.data.table import DecisionTable
from algorithms.trees.costs import COST_FUNCTIONS
from algorithms.trees.json_text import to_json
from algorithms.trees.text import export_text
from pipeline.errors import ConfigError
from pipeline.grid import RebuiltTree
from pipeline.plain_text import note, plain, print_out
from pipeline.plan import GridRun
from pipeline.record.kept import PLUGINS, chosen
from pipeline.record.runs import kept_runs
from pipeline.screen import console
from pipeline.show.rows import OPTION_OF, Row, matching, named_rows, rebuilt_of, stored_rows
from pipeline.storage.atomic import check_new_file, new_file
from pipeline.storage.locations import located
from pipeline.tools import Parser, exit_status, parser_of_runs
from pipeline.words import counted

FORMS = {"text": (), "svg": (".svg",), "dot": (".dot", ".gv"), "json": (".json",)}
"""The formats of a tree, with their file endings; all others are text."""
MEASURES = (*COST_FUNCTIONS, "train_accuracy", "test_accuracy")
SAME, NOT_STORED = "the stored row has the same values", "no row is stored for this tree"
TREE_KEYS = ("builder", "impurity_type", "parameters", "cost")
"""Arguments that apply only to a tree."""
SHOWN_ROWS = 60
NAMES = ("builder", "impurity function", "repeat", "parameters")


def main(arguments: Sequence[str] | None = None) -> int:
    """Show a table and its result rows, or the tree of a row; returns the exit status."""
    options = _parser().parse_args(arguments)
    return exit_status("show", partial(_shown, options), options.output)


def _shown(options: argparse.Namespace) -> int:
    """Show the table or the tree; returns 0. ConfigError also if the grid or the tree refuses a value."""
    if options.to:
        check_new_file("--to", Path(options.to))
    options.output = located(options.output)
    try:
        _show(options)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    return 0


def _parser() -> Parser:
    parser = parser_of_runs(
        "show",
        "Rebuild one table of a run and show its stored rows; or rebuild the tree of one row, and compare the tree "
        "with the row. If you leave out an option that selects a row, the first value in the run is taken.",
        run="run id or its first characters (default: the newest run)",
    )
    parser.add_argument("--plugins", **PLUGINS)
    parser.add_argument("--source", help="data set, or source of random tables")
    parser.add_argument("--group", type=int, help="group of random tables, from 1")
    parser.add_argument("--table", type=int, help="random table within its group, from 1")
    parser.add_argument("--repeat", type=int, help="repeat of the protocol, or of the builder, from 1")
    parser.add_argument("--fold", type=int, help="fold of the repeat, from 1")
    parser.add_argument("--removed", type=int, metavar="N", help="number of removed attributes")
    parser.add_argument("--order", help="order in which attributes are removed: information_gain, random_1, …")
    tree = parser.add_mutually_exclusive_group()
    tree.add_argument("--builder", metavar="NAME", help="the tree of a builder, by its name in the results")
    tree.add_argument(
        "--heuristic", metavar="TYPE/MEASURE", help="the greedy tree of an impurity function, such as w_sum/gini"
    )
    tree.add_argument("--cost", choices=list(COST_FUNCTIONS), help="a tree with the least cost")
    parser.add_argument(
        "--parameters", nargs="+", metavar="NAME=VALUE", help="parameters of the builder, such as max_depth=2"
    )
    parser.add_argument(
        "--form", choices=list(FORMS), help="format of the tree (default: by the ending of FILE; without FILE, text)"
    )
    parser.add_argument("--to", metavar="FILE", help="write the tree to a file")
    return parser


def _row_of(options: argparse.Namespace) -> Row:
    """The values of a row that the options give."""
    row = {column: getattr(options, option) for column, option in OPTION_OF.items()}
    row |= {"source": options.source, "cost": options.cost}
    if options.heuristic is not None:
        kind, _, measure = options.heuristic.partition("/")
        row |= {"builder": "greedy", "impurity_type": kind, "uncertainty": measure}
    if options.cost:
        row["builder"] = "exact"
    if options.parameters:
        row["parameters"] = json.dumps(dict(map(_parameter, options.parameters)))
    return {name: value for name, value in row.items() if value is not None}


def _parameter(word: str) -> tuple[str, Any]:
    name, equals, value = word.partition("=")
    if not name or not equals:
        raise ConfigError(f"--parameters has {word}: expected NAME=VALUE, such as max_depth=2")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def _show(options: argparse.Namespace) -> None:
    row = _row_of(options)
    *others, newest = kept_runs(options.output, options.plugins)
    run = newest if options.run is None else chosen([*others, newest], options.run, options.output)
    try:
        item = run.grid.number_of(row)
        stored = stored_rows(run, item)
        rows = matching(stored or named_rows(run, item, row), row)
    except ConfigError as error:
        if options.run:
            raise
        having = next((other for other in reversed(others) if _has_row(other, row)), None)
        instead = (
            f"a run of grid {having.name} has such a row: add --run {having.id}" if having else "no run has such a row"
        )
        raise ConfigError(f"{error} (in the newest run, {run.id} of grid {run.name}; {instead})") from error
    if options.form or options.to or any(name in row for name in TREE_KEYS):
        found, tree = rebuilt_of(run.grid, rows, row)
        _show_tree(options, run, item, row | found, tree, _verdict(tree, found if stored else None))
    else:
        _show_table(run, item, stored)


def _has_row(run: GridRun, row: Row) -> bool:
    """Whether a run has a row with the selected values, stored or not yet computed."""
    try:
        return bool(matching(named_rows(run, run.grid.number_of(row), row), row))
    except Exception:  # also an error of a grid of the user's
        return False


def _show_table(run: GridRun, item: int, stored: Sequence[Row]) -> None:
    """Show the table of an item, and its stored rows."""
    table, out = run.grid.table(item), console()
    heading = f"[bold]{escape(run.grid.title(item))}[/], {_run_in_words(run)}"
    if table is None:
        out.print(heading, soft_wrap=True)
        out.print(stored_table(stored))
        return
    merged = max(table.size, *(row.get("rows") or 0 for row in stored), 0)
    of = f" ({merged:,} rows before equal rows were merged)" if merged > table.rows else ""
    out.print(f"{heading}: {counted(table.rows, 'distinct row')}{of}", soft_wrap=True)
    out.print(rows_of_table(table))
    if run.grid.cells_per_item > 1 or any(row["builder"] for row in stored):  # grids of data sets have no builders
        out.print(stored_table(stored))


def _run_in_words(run: GridRun) -> str:
    return f"run {run.id} of grid {escape(run.name)}"


def _show_tree(
    options: argparse.Namespace, run: GridRun, item: int, row: Row, rebuilt: RebuiltTree, verdict: str
) -> None:
    """Show the tree of a row, in the requested format, and whether the stored row matches it."""
    form = options.form or next((known for known, ends in FORMS.items() if str(options.to).endswith(ends)), "text")
    name = f"{run.grid.title(item)}, {_builder_of(row)}"
    if options.to or form != "text":
        _write(options.to, _formatted(form, rebuilt, name))
        note(f"{name}: {verdict}")
        return
    out = console()
    out.print(f"[bold]{escape(name)}[/], {_run_in_words(run)}\n", soft_wrap=True)
    out.print(export_text(rebuilt.tree, rebuilt.labels), markup=False, soft_wrap=True)
    measures = [f"{name} {rebuilt.measures[name]:.6g}" for name in MEASURES if name in rebuilt.measures]
    out.print(f"\n{', '.join(measures)}", soft_wrap=True)
    out.print(escape(verdict), style="" if verdict in {SAME, NOT_STORED} else "red", soft_wrap=True)


def _builder_of(row: Row) -> str:
    """The builder or cost of a tree, as text."""
    if row.get("cost"):
        return f"a tree of least {row['cost'].replace('_', ' ')}"
    if row.get("impurity_type"):
        return f"by {row['impurity_type']}/{row['uncertainty']}"
    parameters = json.loads(row.get("parameters") or "{}")
    chosen = ", ".join(f"{name} {value}" for name, value in parameters.items())
    return f"by {row['builder']}{f' ({chosen})' if chosen else ''}" if row.get("builder") else "its first tree"


def _formatted(form: str, rebuilt: RebuiltTree, name: str) -> str:
    """The tree in a format."""
    if form == "json":
        return to_json(rebuilt.tree)
    if form == "svg":
        from algorithms.trees.svg import tree_svg

        return tree_svg(rebuilt.tree, rebuilt.labels, name)
    if form == "text":
        return plain(export_text(rebuilt.tree, rebuilt.labels))
    from algorithms.trees.export import to_graphviz

    return plain(to_graphviz(rebuilt.tree, rebuilt.labels))


def _write(to: str | None, text: str) -> None:
    if to is None:
        print_out(f"{text}\n", data=True)
        return
    with new_file(Path(to), "the tree") as file:
        file.write(f"{text}\n".encode("utf-8", "replace"))


def _verdict(rebuilt: RebuiltTree, stored: Row | None) -> str:
    """Whether the stored row has the measures of the tree."""
    if stored is None:
        return NOT_STORED
    differing = [f"{name} {stored[name]}" for name in rebuilt.differing(stored)]
    if not differing:
        return SAME
    why = ", because a time limit ended its search" if stored.get("status") == "time_limit" else ""
    return f"the stored row differs{why}: {', '.join(differing)}"


def rows_of_table(table: DecisionTable) -> Table:
    """The first rows of a table, by their labels."""
    shown = Table(box=None, header_style="bold", pad_edge=False)
    for name in (*table.labels.attributes, "decision"):
        shown.add_column(escape(name), justify="right")
    for codes, decision in zip(table.codes[:SHOWN_ROWS], table.decisions[:SHOWN_ROWS], strict=True):
        labels = [values[code] for values, code in zip(table.labels.values, codes, strict=True)]
        shown.add_row(*(escape(str(label)) for label in labels), escape(str(table.labels.decisions[decision])))
    if table.rows > SHOWN_ROWS:
        shown.caption, shown.caption_justify = f"the first {SHOWN_ROWS} of {table.rows:,} distinct rows", "left"
    return shown


def stored_table(stored: Sequence[Row]) -> Table | str:
    """The stored rows of an item: distinguishing columns, the costs of their trees and their accuracies."""
    if not stored:
        return "no rows are stored for this table yet"
    accuracies = ("train_accuracy", "test_accuracy")
    filled = (name for name in accuracies if any(row.get(name) is not None for row in stored))
    measures = [*COST_FUNCTIONS, *filled]
    names = _distinguishing(stored)
    shown = Table(title="stored rows", title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name in names:
        shown.add_column(name, overflow="fold")
    for measure in measures:
        shown.add_column(measure.replace("_", " "), justify="right")
    for row in stored:
        lacking = "" if row.get("status", "ok") == "ok" else str(row["status"])  # empty without a tree
        numbers = [lacking if row.get(name) is None else f"{row[name]:.4g}" for name in measures]
        exact = row["builder"] == "exact"
        shown.add_row(*(escape(_name(name, row)) for name in names), *numbers, style="bold" if exact else "")
    return shown


def _distinguishing(rows: Sequence[Row]) -> list[str]:
    """The first column and then columns that vary, until they distinguish the rows."""
    names = [NAMES[0]]
    for name in NAMES[1:]:
        if len({tuple(_name(known, row) for known in names) for row in rows}) == len(rows):
            break
        if len({_name(name, row) for row in rows}) > 1:
            names.append(name)
    return names


def _name(name: str, row: Row) -> str:
    if name == "impurity function":
        halves = f"{row.get('impurity_type')}/{row.get('uncertainty')}"
        return halves if row.get("impurity_type") else "minimum of each cost" if row["builder"] == "exact" else ""
    return "" if row.get(name) is None else str(row[name])
