"""The worked examples: each step beside what is known of it, and the trees."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table as Lines
from rich.text import Text

from pipeline.grammar.columns import Computed, Key, Known, Row, Value
from pipeline.grammar.findings import agreement
from pipeline.grammar.summary import Found, Summary
from pipeline.grammar.table import POSITION, Table
from pipeline.grid import NotableTree
from pipeline.screen import counted, out_of
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["SUMMARY", "TREES", "exact_verdict"]

COSTS = ("depth", "average_depth", "total_path_length", "nodes", "nonterminal_nodes", "terminal_nodes")


def exact_verdict(found: str, printed: str | None, reference: str | None, impossible: str | None) -> Verdict:
    """Whether what is known is what was found; fractions and decimals are numbers, all else is text."""
    if _value(found) == _value(printed or reference or ""):
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
        POSITION,
    ],
    beside="ours left join printed_worked_examples c "
    "on (c.source, c.subject, c.quantity) = (ours.source, ours.subject, ours.quantity)",
    order="_position",
    note="ours: exactly, or to four digits after the point; number: in full. printed: what the document prints in "
    "words or figures; reference: what an independent program found, or a count by hand, where the document has a "
    "picture or nothing. agrees: the same to all printed digits, fractions as numbers; impossible: the document "
    "contradicts its own figures, and the remark says how. Quantities that are compared with nothing have no verdict. "
    "Alkhalid et al. 2013, Jankowski & Jackowski 2014 and Alpaydin, ch. 9 have no worked example of their own.",
)
TREES = Table(
    "trees",
    "Trees of the worked examples",
    of="trees",
    columns=[
        *(Key(name) for name in ("source", "builder", "parameters")),
        *(Value(name) for name in (*COSTS, "train_accuracy", "text")),
        Value("_tree", "any_value(tree)"),
        POSITION,
    ],
    order="_position",
    note="Costs are over the example's rows.",
)

FAILED = Table(
    "failed",
    "Examples that failed",
    of="results where status <> 'ok'",
    columns=[Key("source"), Value("error"), POSITION],
    order="_position",
    written=False,
)


def _finding(found: Found) -> list[str]:
    """How many of the known values agree, and which cannot be."""
    steps = found.rows(STEPS)
    known = "the paper or an independent program"
    said = agreement((row["verdict"] for row in steps), "figure", known=known, exact=True)
    wrong = [row["quantity"] for row in steps if row["verdict"] is Verdict.IMPOSSIBLE]
    ((examples,),) = found.connection.execute("select count(*) from results").fetchall()
    failed = len(found.rows(FAILED))
    return [
        said + (f" ({'; '.join(wrong)})" if wrong else ""),
        f"{out_of(failed, examples, 'example')} failed" if failed else "",
    ]


def _screen(found: Found, _: int) -> list[RenderableType]:
    """A line for each quantity that is known from elsewhere."""
    steps = [row for row in found.rows(STEPS) if row["_claimed"]]
    tables = []
    for source in dict.fromkeys(row["source"] for row in steps):
        shown = Lines(title=source, title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)
        for heading in ("", "ours", "printed", "reference", "verdict"):
            shown.add_column(heading, overflow="fold")
        for row in steps:
            if row["source"] == source:
                style = "" if row["verdict"] is Verdict.AGREES else "red"
                known = (row["printed"] or "", row["reference"] or "")
                name = f"{row['subject']}: {row['quantity']}"
                shown.add_row(name, row["ours"], *known, Text(str(row["verdict"]), style=style))
        tables.append(shown)
    lines = [f"{counted(len(found.rows(STEPS)), 'step')}"]
    lines += [
        f"impossible: {row['quantity']}: {row['_impossible']}" for row in steps if row["verdict"] is Verdict.IMPOSSIBLE
    ]
    lines += [f"{row['source']} failed: {row['error']}" for row in found.rows(FAILED)]
    return [*tables, "", Text("\n".join(lines))]


def _trees(found: Found) -> list[NotableTree]:
    """Where DID is furthest below ID3, both trees; and of a pruning sequence the first and the last that asks."""
    rows = found.rows(TREES)
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


SUMMARY = Summary(
    tables=(STEPS, TREES, FAILED),
    printed=Path(__file__).with_name("printed"),
    finding=_finding,
    screen=_screen,
    trees=_trees,
    cell="",
    nothing="",
    worked=lambda found: bool(found.rows(STEPS)),
)
