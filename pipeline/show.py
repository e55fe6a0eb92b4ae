"""`python -m pipeline.show`: one table of a run and a tree for it, made again from what a result row is called."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from algorithms.costs import COST_FUNCTIONS, Costs
from algorithms.exact.graph import SubtableGraph
from algorithms.greedy import greedy_tree
from algorithms.impurity import impurity_function
from algorithms.kernels.greedy_growth import grow
from algorithms.kernels.subtables.graph import search
from algorithms.table import DecisionTable, TableError
from algorithms.tree import DecisionTree, check_tree_for_table
from algorithms.tree_json import to_json
from algorithms.tree_text import graphviz, text
from pipeline.errors import OrchardError, OutputError
from pipeline.plan import GridRun
from pipeline.record.runs import kept_run
from pipeline.screen import console, note
from pipeline.storage.parts import read
from pipeline.storage.places import located, storage_errors
from pipeline.work.kernels import compiled

__all__ = ["main"]

SHOWN_ROWS = 60
SHOWN_COSTS = ("average_depth", "depth", "nodes", "nonterminal_nodes", "terminal_nodes")


def main(arguments: Sequence[str] | None = None) -> int:
    """Show a table, its result rows and, if one is asked for, a tree; the exit status."""
    asked = _parser().parse_args(arguments)
    try:
        asked.output = located(asked.output)
        _show(asked)
    except (OrchardError, TableError, ValueError) as error:
        note(f"orchard show: {error}")
        return error.exit_status if isinstance(error, OrchardError) else 2
    except BrokenPipeError:
        raise
    except storage_errors() as error:
        print(f"orchard show: cannot read {asked.output}: {error}", file=sys.stderr)
        return OutputError.exit_status
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.show",
        description="Rebuild one table of a run, and a tree for it, and hold them against the stored rows.",
    )
    parser.add_argument("--run", help="run id or its beginning; the newest run without it")
    parser.add_argument("--output", default="outputs", help="folder or address of the results (outputs)")
    parser.add_argument("--source", help="where the table comes from, in a run of several sources")
    parser.add_argument("--group", type=int, default=1, help="group of the table, from 1 (1)")
    parser.add_argument("--table", type=int, default=1, help="table_index within the group, from 1 (1)")
    tree = parser.add_mutually_exclusive_group()
    tree.add_argument("--heuristic", metavar="TYPE/MEASURE", help="the greedy tree of an impurity function: w_sum/gini")
    tree.add_argument("--cost", choices=list(COST_FUNCTIONS), help="a tree of least cost")
    parser.add_argument("--form", choices=["text", "dot", "json"], default="text", help="how to write the tree (text)")
    return parser


def _show(asked: argparse.Namespace) -> None:
    kept = kept_run(asked.output, asked.run)
    item = kept.grid.item(asked.source, asked.group, asked.table)
    table = kept.grid.table(item)
    tree = _tree(asked, table)
    if tree is not None:
        check_tree_for_table(tree, table)
        if asked.form != "text":
            print(to_json(tree) if asked.form == "json" else graphviz(tree, table.labels))
            return
    out = console()
    where = f"run {kept.id} of grid {escape(kept.name)}"
    out.print(f"[bold]{escape(kept.grid.title(item))}[/], {where}: {table.rows} rows")
    out.print(_rows(table))
    stored = _stored(kept, item)
    if tree is None:
        if kept.grid.cells_per_item > 1:  # a grid of data sets has no builders
            out.print(_costs(stored))
        return
    what = f"by {asked.heuristic}" if asked.heuristic else f"of least {asked.cost}"
    out.print(f"\n[bold]Tree {what}[/]")
    out.print(text(tree, table.labels), markup=False)
    costs = tree.costs(table)
    out.print("\n" + ", ".join(f"{name} {costs[name]:.6g}" for name in SHOWN_COSTS))
    out.print(_verdict(asked, costs, stored))


def _tree(asked: argparse.Namespace, table: DecisionTable) -> DecisionTree | None:
    if asked.heuristic:
        impurity = impurity_function(asked.heuristic)
        _announce(grow)
        return greedy_tree(table, impurity)
    if asked.cost:
        _announce(search)
        return SubtableGraph.of(table).optimal_tree(COST_FUNCTIONS[asked.cost])
    return None


def _announce(kernel: Any) -> None:
    if not compiled(kernel):
        note("compiling the kernel of single trees: once on this machine, about 10 seconds ...")


def _stored(kept: GridRun, item: int) -> list[dict[str, object]]:
    """The stored rows of an item; none where it is not done yet."""
    cells = kept.grid.cells_per_item
    for part in kept.scan().parts:
        if part.first <= item < part.stop:
            return read(part).slice((item - part.first) * cells, cells).to_pylist()  # type: ignore[no-any-return]
    return []


def _verdict(asked: argparse.Namespace, costs: Costs, stored: list[dict[str, object]]) -> str:
    """Whether the stored row has these costs; of the exact row only the cost that was minimised."""
    names = [asked.cost] if asked.cost else list(SHOWN_COSTS)
    for row in stored:
        mine = (
            row["builder"] == "exact"
            if asked.cost
            else f"{row['impurity_type']}/{row['uncertainty']}" == asked.heuristic
        )
        if mine:
            differing = [f"{name} {row[name]}" for name in names if row[name] != costs[name]]
            return (
                "the stored row has the same" if not differing else f"[red]the stored row has {', '.join(differing)}[/]"
            )
    return "no row is stored for it"


def _rows(table: DecisionTable) -> Table:
    shown = Table(box=None, header_style="bold", pad_edge=False)
    for name in (*table.labels.attributes, "decision"):
        shown.add_column(escape(name), justify="right")
    for codes, decision in zip(table.codes[:SHOWN_ROWS], table.decisions[:SHOWN_ROWS], strict=True):
        labels = [values[code] for values, code in zip(table.labels.values, codes, strict=True)]
        shown.add_row(*(escape(str(label)) for label in labels), escape(str(table.labels.decisions[decision])))
    if table.rows > SHOWN_ROWS:
        shown.caption, shown.caption_justify = f"the first {SHOWN_ROWS} of {table.rows:,} rows", "left"
    return shown


def _costs(stored: list[dict[str, object]]) -> Table | str:
    if not stored:
        return "no rows are stored for it yet"
    shown = Table(title="stored rows", title_justify="left")
    for name in ("builder", "impurity function", *SHOWN_COSTS):
        shown.add_column(
            name.replace("_", " "), justify="left" if name in {"builder", "impurity function"} else "right"
        )
    for row in stored:
        exact = row["builder"] == "exact"
        halves = "" if row["impurity_type"] is None else f"{row['impurity_type']}/{row['uncertainty']}"
        function = "least of each" if exact else halves
        lacking = "" if row["status"] == "ok" else str(row["status"])  # of a builder that makes no tree, nothing
        measures = [lacking if row[name] is None else f"{row[name]:.4g}" for name in SHOWN_COSTS]
        shown.add_row(str(row["builder"]), function, *measures, style="bold" if exact else "")
    return shown


if __name__ == "__main__":
    from pipeline.command import main as orchard

    sys.exit(orchard(["show", *sys.argv[1:]]))
