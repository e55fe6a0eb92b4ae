"""The summary of the worked examples: each step beside print, and the trees drawn."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from pipeline.grammar.findings import agreement
from pipeline.grid import RESULTS_TABLE, NotableTree
from pipeline.screen import counted, out_of
from pipeline.storage.parts import Part, read
from pipeline.summary.tables import SummaryTable
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Claim", "Compared", "Summary", "claims", "compare", "exact_verdict", "summarise"]

Row = Mapping[str, Any]

STEP_COLUMNS = ("source", "step", "subject", "quantity", "ours", "number", "printed", "reference", "verdict", "remark")
TREE_COLUMNS = (
    *("source", "builder", "parameters", "depth", "average_depth", "total_path_length", "nodes"),
    *("nonterminal_nodes", "terminal_nodes", "train_accuracy", "text"),
)
STEP = "select found as ours, number, subject, quantity from steps where source = {source} and step = {step}"
TREE = (
    f"select {', '.join(TREE_COLUMNS[3:])} from trees "
    "where source = {source} and builder = {builder} and parameters = {parameters}"
)

NOTE = (
    "ours: exactly, or to four digits after the point; number: in full. printed: what the document prints in words or "
    "figures; reference: what an independent program found, or a count by hand, where the document has a picture or "
    "nothing. agrees: the same to all the digits of print, fractions as numbers; impossible: print contradicts its own "
    "figures, and the remark says how. Quantities that are compared with nothing have no verdict. 000, 003 and 004 "
    "have no worked example of their own."
)


@dataclass(frozen=True)
class Claim:
    """What is known of a quantity from elsewhere.

    printed    : by the document, in its words or figures; empty: it has a picture or nothing
    reference  : by an independent program or a count by hand; empty: print has it
    impossible : why print contradicts itself; empty: it does not
    """

    source: str
    subject: str
    quantity: str
    printed: str
    reference: str
    impossible: str
    remark: str


@dataclass(frozen=True)
class Compared:
    """A step, and what is claimed of it, if anything is."""

    step: Row
    claim: Claim | None
    verdict: Verdict | None


@dataclass(frozen=True)
class Summary:
    """All steps, a row for each example and each tree, and what was written."""

    compared: tuple[Compared, ...]
    results: tuple[Row, ...]
    tree_rows: tuple[Row, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Whether any example was worked."""
        return bool(self.compared)

    @property
    def finding(self) -> str:
        """How many of the known figures agree, and which cannot be."""
        known = "the paper or an independent program"
        said = agreement((one.verdict for one in self.compared), "figure", known=known, exact=True)
        wrong = [one.step["quantity"] for one in self.compared if one.verdict is Verdict.IMPOSSIBLE]
        failed = [row["source"] for row in self.results if row["status"] != "ok"]
        said += f" ({'; '.join(wrong)})" if wrong else ""
        said += f"; {out_of(len(failed), len(self.results), 'example')} failed" if failed else ""
        return f"{said[:1].upper()}{said[1:]}."

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """Where DID is furthest below ID3, both trees; and of a pruning sequence the first and the last that asks."""
        built = {(row["source"], row["builder"]): row for row in self.tree_rows}
        pairs = [(row, built[source, "did"]) for (source, name), row in built.items() if name == "id3"]
        chosen = list(max(pairs, key=lambda pair: pair[0]["average_depth"] - pair[1]["average_depth"], default=()))
        pruned = [row for row in self.tree_rows if "alpha" in row["parameters"] and row["nonterminal_nodes"]]
        return tuple(
            NotableTree(
                f"{row['source']} by {row['builder']}: {row['terminal_nodes']} leaves, "
                f"average depth {row['average_depth']:.3g}",
                {name: row[name] for name in ("source", "builder", "parameters")},
            )
            for row in (*chosen, *pruned[:1], *pruned[1:][-1:])
        )

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it folds
        """A line for each quantity that is known from elsewhere, then how many agree."""
        judged = [(one.step, one.claim, one.verdict) for one in self.compared if one.claim is not None]
        tables = []
        for source in dict.fromkeys(step["source"] for step, _, _ in judged):
            shown = Table(title=source, title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)
            for heading in ("", "ours", "printed", "reference", "verdict"):
                shown.add_column(heading, overflow="fold")
            for step, claim, found in judged:
                if step["source"] == source:
                    name = f"{step['subject']}: {step['quantity']}"
                    style = "" if found is Verdict.AGREES else "red"
                    shown.add_row(name, step["found"], claim.printed, claim.reference, Text(str(found), style=style))
            tables.append(shown)
        lines = [f"{counted(len(self.compared), 'step')}. {self.finding}"]
        lines += [
            f"impossible: {claim.quantity}: {claim.impossible}"
            for _, claim, found in judged
            if found is Verdict.IMPOSSIBLE
        ]
        lines += [f"{row['source']} failed: {row['error']}" for row in self.results if row["status"] != "ok"]
        return [*tables, "", Text("\n".join(lines))]


def summarise(parts: Mapping[str, Sequence[Part]], folder: Path) -> Summary:
    """Write `steps` and `trees` (.csv and .md), and a figure of the trees of each example, into folder."""
    results, steps, trees = (
        tuple(row for part in parts[table] for row in read(part).to_pylist())
        for table in (RESULTS_TABLE, "steps", "trees")
    )
    compared = compare(steps)
    rows = [tuple(row[name] for name in TREE_COLUMNS) for row in trees]
    documents = (
        _step_table(compared),
        SummaryTable(
            "trees", "Trees of the worked examples", TREE_COLUMNS, rows, "Costs are over the example's rows.", TREE
        ),
    )
    for document in documents:
        document.write(folder)
    from pipeline.grids.worked_examples.figure import draw

    figures = [
        draw(row["source"], [tree for tree in trees if tree["source"] == row["source"]], folder)
        for row in results
        if row["status"] == "ok"
    ]
    return Summary(compared, results, trees, documents, tuple(path for pair in figures for path in pair))


def compare(steps: Sequence[Row]) -> tuple[Compared, ...]:
    """The steps in order, each with what is claimed of it."""
    known = {(claim.source, claim.subject, claim.quantity): claim for claim in claims()}
    found = []
    for step in steps:
        claim = known.get((step["source"], step["subject"], step["quantity"]))
        found.append(Compared(step, claim, None if claim is None else exact_verdict(step["found"], claim)))
    return tuple(found)


@cache
def claims() -> tuple[Claim, ...]:
    """What is printed of the steps, and what else is known of them."""
    text = resources.files(__package__).joinpath("printed", "worked_examples.csv").read_text(encoding="utf-8")
    return tuple(Claim(**row) for row in csv.DictReader(text.splitlines()))


def exact_verdict(found: str, claim: Claim) -> Verdict:
    """Whether what is claimed is what was found; fractions and decimals are numbers, all else is text."""
    if _value(found) == _value(claim.printed or claim.reference):
        return Verdict.AGREES
    return Verdict.IMPOSSIBLE if claim.impossible else Verdict.DIFFERS


def _value(words: str) -> Fraction | str:
    try:
        return Fraction(words)
    except ValueError:
        return words


def _step_table(compared: Sequence[Compared]) -> SummaryTable:
    rows = []
    for one in compared:
        step, claim = one.step, one.claim
        known = (claim.printed or None, claim.reference or None) if claim else (None, None)
        remark = (claim.impossible or claim.remark or None) if claim else None
        measured = (step["source"], step["step"], step["subject"], step["quantity"], step["found"], step["number"])
        rows.append((*measured, *known, one.verdict, remark))
    return SummaryTable("steps", "The worked examples, step by step", STEP_COLUMNS, rows, NOTE, STEP)
