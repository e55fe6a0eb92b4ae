"""The summary of OCT beside CART: print's eight rows beside ours, and what moves with what print does not tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from pipeline.grammar.findings import agreement, treeless
from pipeline.grammar.notable_trees import drawable, notable, right
from pipeline.grid import RESULTS_TABLE, NotableTree
from pipeline.grids.oct_vs_cart.grid import CART, OCT
from pipeline.grids.oct_vs_cart.printed import MEASURES
from pipeline.grids.oct_vs_cart.region import CALIBRATED, LEAST_SETS, Cell, Standing, cells, standing
from pipeline.grids.oct_vs_cart.sets import SetResult, corrected_critical, set_results
from pipeline.grids.oct_vs_cart.tables import documents_of, missing_sets, other_sets
from pipeline.screen import counted
from pipeline.storage.parts import Part, read
from pipeline.summary.tables import SummaryTable
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Summary", "summarise"]

LEVEL = 0.05


@dataclass(frozen=True)
class Summary:
    """Data sets by depth, the eight standings with their cells, and what was written."""

    sets: tuple[SetResult, ...]
    cells: tuple[Cell, ...]
    failures: tuple[Mapping[str, Any], ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]
    trees: tuple[NotableTree, ...] = ()

    @property
    def worked(self) -> bool:
        """Whether there is a data set that both were tested on."""
        return bool(self.sets)

    @property
    def finding(self) -> str:
        """How many values agree with the paper, who wins how often, and how much of that is beyond chance."""
        if not self.sets:
            return "No data set was tested with both OCT and CART."
        verdicts = [cell.verdict for cell in self.cells if cell.verdict]
        said = _agreement(self.cells) if verdicts else _too_few(self.sets)
        winners = [one.winner() for one in self.sets]
        wins = (
            f"OCT is the more accurate in {winners.count(OCT)} of {_pairs(len(winners))}, CART in {winners.count(CART)}"
        )
        return "; ".join([f"{said[0].upper()}{said[1:]}", wins, *_significance(self.sets)]) + "."

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """Print's rows with ours before them; then what is to be known of the region, of chance and of proofs."""
        shown = Table(title="OCT beside CART (printed)", title_justify="left", box=None, padding=(0, 2, 0, 0))
        for heading in ("depth", "region", "sets", "CART wins", "OCT wins", "ties", "improvement, points", "proven"):
            shown.add_column(heading, justify="left" if heading == "region" else "right", no_wrap=True)
        rows: dict[int, list[Cell]] = {}
        for cell in self.cells:
            rows.setdefault(id(cell.standing), []).append(cell)
        for row in rows.values():
            one = row[0].standing
            theirs = f" ({one.printed.sets})" if one.printed else ""
            shown.add_row(
                *(str(one.max_depth), "inside" if one.inside else "outside", f"{one.sets}{theirs}"),
                *(_shown(cell) for cell in row),
                f"{one.proven}/{one.searches}",
            )
        lines = [*_verdict_lines(self.cells, self.sets), *_chance_lines(self.sets), *_other_lines(self.sets)]
        failed = [_failure_line(self.failures)] if self.failures else []
        return [shown, Text(LEGEND, style="dim"), Text("\n".join(lines)), *failed]


LEGEND = (
    "*: differs from the paper (Fisher's exact test of the counts, z of the improvement; Bonferroni over all values); "
    "~: consistent with it, the data sets are too few to tell; "
    "proven: searches that ended with a proof"
)

MARKS = {Verdict.CONSISTENT: "~", Verdict.DIFFERS: "*"}
"""Behind a value on the screen."""


def summarise(parts: Mapping[str, Sequence[Part]], folder: Path) -> Summary:
    """Write the tables `oct_vs_cart`, `data_sets`, `region`, `ties` and `listed`, and two figures, into folder."""
    results = [row for part in parts[RESULTS_TABLE] for row in read(part).to_pylist()]
    tunings = [row for part in parts["tunings"] for row in read(part).to_pylist()]
    sets = set_results(results, tunings)
    others = other_sets(sets)
    compared = cells(standings([one for one in sets if one.title not in others]))
    documents = documents_of(sets, compared)
    for document in documents:
        document.write(folder)
    from pipeline.grids.oct_vs_cart.figure import draw

    failures = tuple(filter(treeless, results))
    return Summary(sets, compared, failures, documents, draw(sets, folder), _trees(results))


def _trees(results: Sequence[Mapping[str, Any]]) -> tuple[NotableTree, ...]:
    """OCT's and CART's of a split: where OCT is the most points ahead on test rows, and where CART is."""
    key = ("source", "part", "repeat", "parameters")
    splits: dict[tuple[Any, ...], dict[str, Mapping[str, Any]]] = {}
    for row in results:
        splits.setdefault(tuple(row[name] for name in key), {})[row["builder"]] = row
    pairs = [(split[OCT], split[CART]) for split in splits.values() if {OCT, CART} <= set(split)]
    shown = [pair for pair in pairs if all(drawable(row) for row in pair)]
    best, worst = max(shown, key=_ahead, default=None), min(shown, key=_ahead, default=None)
    found = [*(best if best and _ahead(best) > 0 else ()), *(worst if worst and _ahead(worst) < 0 else ())]
    return tuple(notable(row, right(row)) for row in found)


def _ahead(pair: tuple[Mapping[str, Any], Mapping[str, Any]]) -> float:
    """By how much the first of two trees is more accurate on test rows."""
    return float(pair[0]["test_accuracy"] - pair[1]["test_accuracy"])


def standings(sets: Sequence[SetResult]) -> list[Standing]:
    """Inside and outside the region at each depth, in print's order."""
    depths = dict.fromkeys(one.max_depth for one in sets)
    return [standing(sets, depth, inside) for depth in depths for inside in (True, False)]


def _shown(cell: Cell) -> str:
    mark = MARKS.get(cell.verdict, "") if cell.verdict else ""
    if cell.ours is None:
        return ""
    if cell.measure == MEASURES[3]:
        half = "" if cell.high is None else f" ± {cell.high - cell.ours:.2f}"
        theirs = "" if cell.printed is None else f" ({cell.printed:+.2f})"
        return f"{cell.ours:+.2f}{half}{theirs}{mark}"
    theirs = "" if cell.printed is None else f" ({cell.printed:.0f})"
    return f"{cell.ours:.0f}{theirs}{mark}"


def _verdict_lines(found: Sequence[Cell], sets: Sequence[SetResult]) -> list[str]:
    """How many figures agree, and what they rest on."""
    lines = [_agreement(found)] if any(cell.verdict for cell in found) else []
    lines.append(
        f"region: CART's accuracy at the depth >= {CALIBRATED.accuracy:g} % and n / (p ln K) >= {CALIBRATED.ratio:g}. "
        "Calibrated to print's counts, not published: region.csv and the figure show other thresholds"
    )
    if _at_most(sets) < LEAST_SETS:
        lines.append(_too_few(sets))
    return lines


def _agreement(found: Sequence[Cell]) -> str:
    return agreement((cell.verdict for cell in found), "value")


def _too_few(sets: Sequence[SetResult]) -> str:
    """Why nothing is compared with the paper, in words."""
    here = counted(_at_most(sets), "data set")
    return f"no verdicts: this run has {here} at a depth, and the paper 53 (at least {LEAST_SETS} are needed)"


def _at_most(sets: Sequence[SetResult]) -> int:
    """Data sets of the depth that has the most."""
    depths = [one.max_depth for one in sets]
    return max(map(depths.count, depths), default=0)


def _pairs(count: int) -> str:
    return counted(count, "pair of a data set and a depth", "pairs of a data set and a depth")


def _significance(sets: Sequence[SetResult]) -> list[str]:
    """How many data sets differ beyond chance, in words; nothing where that cannot be told."""
    tested = [one for one in sets if one.p is not None]
    alone = sum(one.p < LEVEL for one in tested if one.p is not None)
    after = sum(one.adjusted < LEVEL for one in tested if one.adjusted is not None)
    if not tested:
        return []
    return [
        f"significance: {alone} of {_pairs(len(tested))} at 5 %, {after} after Holm's correction over the data sets "
        "of a depth"
    ]


def _chance_lines(sets: Sequence[SetResult]) -> list[str]:
    """How many data sets differ beyond chance, and how much that takes."""
    tested = [one for one in sets if one.p is not None]
    if not tested:
        return ["significance: none, for one split has no spread"]
    errors = [(error, one) for one in tested if (error := one.corrected_error)]
    line = _significance(sets)
    if not errors:
        return line
    depths = {one.max_depth: sum(other.max_depth == one.max_depth for other in tested) for _, one in errors}
    by_chance, first = (
        median(
            error * corrected_critical(len(one.oct), tests) for (error, one), tests in zip(errors, counts, strict=True)
        )
        for counts in ([1] * len(errors), [depths[one.max_depth] for _, one in errors])
    )
    splits = len(errors[0][1].oct)
    return [
        *line,
        f"power: with {splits} splits the median pair is significant from {by_chance:.1f} points on, and from "
        f"{first:.0f} after the correction, so that most true differences of a few points cannot be told",
    ]


def _other_lines(sets: Sequence[SetResult]) -> list[str]:
    lines = ["ties: the same mean accuracy, to the last row; print's rule is not known (ties.csv: other tolerances)"]
    absent = missing_sets(sets)
    if absent:
        shown = ", ".join(absent[:6]) + (f" and {len(absent) - 6} more" if len(absent) > 6 else "")
        lines.append(f"not here of print's data sets: {shown}; which of ours differ from print's: listed.csv")
    return lines


def _failure_line(failures: Sequence[Mapping[str, Any]]) -> Text:
    first = failures[0]
    said = (
        f"{counted(len(failures), 'fit')} failed; the first: {first['builder']} on {first['source']}: {first['error']}"
    )
    return Text(said, style="red")
