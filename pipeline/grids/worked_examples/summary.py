"""The worked examples: each step beside its known value, and the trees."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.table import Table as Lines
from rich.text import Text

from algorithms.data.table import Labels
from algorithms.trees.json_text import from_json
from algorithms.trees.plot import draw_tree
from pipeline.drawing.figures import GREY
from pipeline.drawing.frame import Inches, framed
from pipeline.grammar.columns import Computed, Key, Known, Row, Value, grouped
from pipeline.grammar.findings import agreement
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grammar.whole_sources import labels_of
from pipeline.grid import NotableTree
from pipeline.grids.worked_examples.example import printed_table
from pipeline.summary.tables import Layout, Pair
from pipeline.summary.verdicts import Verdict
from pipeline.words import counted, out_of, readable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COSTS = ("depth", "average_depth", "total_path_length", "nodes", "nonterminal_nodes", "terminal_nodes")


def exact_verdict(ours: str, printed: str | None, reference: str | None, impossible: str | None) -> Verdict:
    """Whether the result equals the known value; fractions and decimals are compared as numbers, all else as text."""
    if _value(ours) == _value(printed or reference or ""):
        return Verdict.AGREES
    return Verdict.IMPOSSIBLE if impossible else Verdict.DIFFERS


def _value(words: str) -> Fraction | str:
    try:
        return Fraction(words)
    except ValueError:
        return words


def _verdict(row: Row) -> Verdict | None:
    known = row["printed"], row["reference"], row["_impossible"]
    return exact_verdict(row["ours"], *known) if row["_claimed"] else None


STEPS = Table(
    "steps",
    "The worked examples, step by step",
    of="steps",
    columns=[
        Key("source"),
        Key("step"),
        Value("subject"),
        Value("quantity"),
        Value("ours", "any_value(found)"),
        Value("number"),
        *(Known(name, f"c.{name}") for name in ("printed", "reference")),
        Computed("verdict", of=_verdict),
        Known("remark", "coalesce(c.impossible, c.remark)"),
        Known("_claimed", "c.source is not null"),
        Known("_impossible", "c.impossible"),
    ],
    beside="ours left join printed_worked_examples c "
    "on (c.source, c.subject, c.quantity) = (ours.source, ours.subject, ours.quantity)",
    order="_position",
    note="ours: exact, or rounded to four decimals; number: unrounded. printed: the value in the document's text; "
    "reference: the result of an independent program, or a count by hand, if the document has only a picture, or no "
    "value. agrees: equal to all printed digits, fractions as numbers; impossible: the document contradicts its own "
    "figures, and the remark says how. Quantities without a printed value and a reference have no verdict. "
    "Alkhalid et al. 2013, Jankowski & Jackowski 2014 and Alpaydin, ch. 9 have no worked example of their own.",
    layout=Layout(("subject", "quantity"), (), (Pair("ours"), Pair("ours", "reference")), tables="source"),
)
TREES = Table(
    "trees",
    "Trees of the worked examples",
    of="trees",
    columns=[
        *(Key(name) for name in ("source", "builder", "parameters")),
        *(Value(name) for name in (*COSTS, "train_accuracy", "text")),
        Value("_tree", "any_value(tree)"),
    ],
    order="_position",
    note="Costs are over the example's rows.",
)

FAILED = Table(
    "failed",
    "Examples that failed",
    of="results where status <> 'ok'",
    columns=[Key("source"), Value("error")],
    order="_position",
    written=False,
)


def _finding(results: Results) -> list[str]:
    """State how many of the known values agree, and which are impossible."""
    steps = results.rows(STEPS)
    known = "the paper or an independent program"
    agreeing = agreement((row["verdict"] for row in steps), "figure", known=known)
    wrong = [row["quantity"] for row in steps if row["verdict"] is Verdict.IMPOSSIBLE]
    ((examples,),) = results.connection.execute("select count(*) from results").fetchall()
    failed = len(results.rows(FAILED))
    return [
        agreeing + (f" ({'; '.join(wrong)})" if wrong else ""),
        f"{out_of(failed, examples, 'example')} failed" if failed else "",
    ]


def _screen(results: Results, _: int) -> list[RenderableType]:
    """A line for each quantity with a known value."""
    steps = [row for row in results.rows(STEPS) if row["_claimed"]]
    tables = []
    for source, own in grouped(steps, "source").items():
        shown = Lines(title=source, title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)
        for heading in ("", "ours", "printed", "reference", "verdict"):
            shown.add_column(heading, overflow="fold")
        for row in own:
            style = "" if row["verdict"] is Verdict.AGREES else "red"
            known = (row["printed"] or "", row["reference"] or "")
            name = f"{row['subject']}: {row['quantity']}"
            shown.add_row(name, row["ours"], *known, Text(str(row["verdict"]), style=style))
        tables.append(shown)
    lines = [f"{counted(len(results.rows(STEPS)), 'step')}"]
    lines += [
        f"impossible: {row['quantity']}: {row['_impossible']}" for row in steps if row["verdict"] is Verdict.IMPOSSIBLE
    ]
    lines += [f"{row['source']} failed: {row['error']}" for row in results.rows(FAILED)]
    return [*tables, "", Text("\n".join(lines))]


def _trees(results: Results) -> list[NotableTree]:
    """The trees of ID3 and DID that differ most in average depth, and the first and last pruned tree with a test."""
    rows = results.rows(TREES)
    built = {(row["source"], row["builder"]): row for row in rows}
    pairs = [(row, built[source, "did"]) for (source, name), row in built.items() if name == "id3"]
    chosen = list(max(pairs, key=lambda pair: pair[0]["average_depth"] - pair[1]["average_depth"], default=()))
    pruned = [row for row in rows if "alpha" in row["parameters"] and row["nonterminal_nodes"]]
    return [
        NotableTree(
            f"{row['source']} by {row['builder']}: {row['terminal_nodes']} leaves, "
            f"average depth {row['average_depth']:.3g}",
            {name: row[name] for name in ("source", "builder", "parameters")},
        )
        for row in (*chosen, *pruned[:1], *pruned[1:][-1:])
    ]


WIDTH, ABOVE = 9.0, 0.75
LEVEL, LINE, TITLE = 0.72, 0.165, 0.6
"""In inches: the height of a level of a tree, of a line of text, and of the space above each tree."""
LEFT = 0.012  # of the width of the figure


def _draw(results: Results, folder: Path) -> list[Path]:
    """Draw the trees of each example as `<source>.svg` and `.png`; return their paths. Equal trees appear once."""
    trees = grouped(results.rows(TREES), "source").items()
    return [path for source, rows in trees for path in _drawn(source, rows, folder)]


def _drawn(source: str, rows: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    labels = labels_of(printed_table(source))
    groups = list(grouped(rows, "text").values())  # equal trees have the same text
    heights = [_height(group[0]) for group in groups]
    total = ABOVE + sum(heights)
    leaves = max(group[0]["terminal_nodes"] for group in groups)
    caption = "each tree once, with the builders that give it; below each leaf, its rows by class"
    inches = Inches(WIDTH, total, left=0, right=0, above=ABOVE, below=0)
    with framed(folder, source, f"Worked example: {readable(source)}", caption, inches, (0, 0)) as frame:
        top = total - ABOVE
        for group, height in zip(groups, heights, strict=True):
            _panel(frame.figure, group, labels, leaves, (top - height) / total, height / total)
            top -= height
    return frame.files


def _panel(figure: Figure, group: Sequence[Row], labels: Labels, leaves: int, bottom: float, height: float) -> None:
    """Draw a tree, with its builders and its size above it and its text to the right."""
    row = group[0]
    title, line = (inches / figure.get_figheight() for inches in (TITLE, LINE))
    top, below = bottom + height - title / 6, bottom + height - title
    leaf = "leaf" if row["terminal_nodes"] == 1 else "leaves"
    size = f"{row['terminal_nodes']} {leaf}, average depth {row['average_depth']:.4g}"
    right = f"{100 * row['train_accuracy']:.4g} % of the rows right"
    axes = figure.add_axes((LEFT, bottom + 0.02 * height, 0.63, height - title))
    draw_tree(axes, from_json(row["_tree"]), labels, leaves)
    # texts of the axes, which a page keeps together
    above: dict[str, Any] = {"transform": figure.transFigure, "va": "top"}
    axes.text(LEFT, top, "; ".join(map(_called, group)), fontweight="bold", **above)
    axes.text(LEFT, top - 1.3 * line, f"{size}, {right}", color=GREY, fontsize=9, **above)
    figure.text(0.66, below, row["text"], family="DejaVu Sans Mono", fontsize=7.5, va="top", linespacing=1.3)


def _called(row: Row) -> str:
    """The builder of a tree, in words, and for a pruned tree the least alpha that chooses it."""
    alpha = json.loads(row["parameters"]).get("alpha")
    return f"{readable(row['builder'])}{f', from alpha = {alpha}' if alpha else ''}"


def _height(row: Row) -> float:
    levels: int = row["depth"] + 1
    lines: int = row["text"].count("\n") + 1
    return TITLE + max(LEVEL * levels, LINE * lines) + 0.15


SUMMARY = Summary(
    tables=(STEPS, TREES, FAILED),
    printed=Path(__file__).with_name("printed"),
    finding=_finding,
    screen=_screen,
    figures=(_draw,),
    trees=_trees,
    cell="",
    nothing="",
    has_results=lambda results: bool(results.rows(STEPS)),
)
