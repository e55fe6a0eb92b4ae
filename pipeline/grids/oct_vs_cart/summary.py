"""The summary of OCT beside CART: the paper's eight rows beside ours, and what the paper does not report."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from rich.console import RenderableType
from rich.text import Text

from pipeline.grammar.columns import Row, grouped
from pipeline.grammar.comparison.sections import splits
from pipeline.grammar.findings import agreement
from pipeline.grammar.notable_trees import furthest_ahead, notable, right
from pipeline.grammar.pivot import listing, mark
from pipeline.grammar.summary import Found, Summary
from pipeline.grid import NotableTree
from pipeline.grids.oct_vs_cart import tables
from pipeline.grids.oct_vs_cart.grid import CART, OCT
from pipeline.grids.oct_vs_cart.tables import ACCURACY, DATA_SETS, FIGURES, IMPROVEMENT, LEAST_SETS, LISTED, RATIO
from pipeline.screen import counted, first_of

__all__ = ["SUMMARY"]

LEVEL = 0.05
MOST_NAMES = 6
LEGEND = (
    "*: differs from the paper (Fisher's exact test of the counts, z of the improvement; Bonferroni over all values); "
    "~: consistent with it, the data sets are too few to tell; "
    "proven: searches that ended with a proof"
)


def _finding(found: Found) -> list[str]:
    """How many values agree with the paper, who wins how often, and how much of that is beyond chance."""
    sets, figures = found.rows(DATA_SETS), found.rows(FIGURES)
    said = _agreement(figures) if any(row["verdict"] for row in figures) else _too_few(sets)
    winners = [row["winner"] for row in sets]
    wins = f"OCT is the more accurate in {winners.count(OCT)} of {_pairs(len(winners))}, CART in {winners.count(CART)}"
    return [said, wins, *_significance(sets)]


def _screen(found: Found, _: int) -> list[RenderableType]:
    """The paper's rows with ours before them; then what is to be known of the region, of chance and of proofs."""
    lines = []
    for side, rows in grouped(found.rows(FIGURES), "max_depth", "region").items():
        row = rows[0]
        theirs = "" if row["printed_n"] is None else f" ({row['printed_n']})"
        lines.append([*side, f"{row['n']}{theirs}", *map(_shown, rows), f"{row['proven']}/{row['searches']}"])
    headings = ("depth", "region", "sets", "CART wins", "OCT wins", "ties", "improvement, points", "proven")
    shown = listing("OCT beside CART (printed)", headings, lines, words=["region"])
    return [shown, Text(LEGEND, style="dim"), Text("\n".join(_lines(found)))]


def _shown(row: Row) -> str:
    """Our value of a measure, the paper's, and the mark of the verdict."""
    ours, printed = row["ours"], row["printed"]
    behind = mark(row) if row["verdict"] else ""
    if ours is None:
        return ""
    if row["measure"] != IMPROVEMENT:
        return f"{ours:.0f}{'' if printed is None else f' ({printed:.0f})'}{behind}"
    half = "" if row["high"] is None else f" ± {row['high'] - ours:.2f}"
    return f"{ours:+.2f}{half}{'' if printed is None else f' ({printed:+.2f})'}{behind}"


def _lines(found: Found) -> list[str]:
    """How many values agree, and what they rest on."""
    sets, figures = found.rows(DATA_SETS), found.rows(FIGURES)
    lines = [_agreement(figures)] if any(row["verdict"] for row in figures) else []
    lines.append(
        f"region: CART's accuracy at the depth >= {ACCURACY:g} % and n / (p ln K) >= {RATIO:g}. Calibrated to the "
        "paper's counts, not published: region.csv and the figure show other thresholds"
    )
    if _at_most(sets) < LEAST_SETS:
        lines.append(_too_few(sets))
    lines += _significance(sets) or ["significance: none, for one split has no spread"]
    lines += _power(sets)
    lines.append(
        "ties: equal mean accuracy, to the last row; the paper's rule is not known (ties.csv: other tolerances)"
    )
    absent = [row["name"] for row in found.rows(LISTED) if row["part"] is None]
    if absent:
        missing = first_of(absent, MOST_NAMES)
        lines.append(f"not here of the paper's data sets: {missing}; which of ours differ from the paper's: listed.csv")
    return lines


def _agreement(figures: Sequence[Row]) -> str:
    return agreement((row["verdict"] for row in figures), "value")


def _too_few(sets: Sequence[Row]) -> str:
    """Why nothing is compared with the paper."""
    here = counted(_at_most(sets), "data set")
    return f"no verdicts: this run has {here} at a depth, and the paper 53 (at least {LEAST_SETS} are needed)"


def _at_most(sets: Sequence[Row]) -> int:
    """Data sets of the depth that has the most."""
    depths = [row["max_depth"] for row in sets]
    return max(map(depths.count, depths), default=0)


def _pairs(count: int) -> str:
    return counted(count, "pair of a data set and a depth", "pairs of a data set and a depth")


def _significance(sets: Sequence[Row]) -> list[str]:
    """How many data sets differ beyond chance; nothing where that cannot be tested."""
    tested = [row for row in sets if row["p_value"] is not None]
    if not tested:
        return []
    alone, after = (sum(row[p] < LEVEL for row in tested) for p in ("p_value", "p_holm"))
    return [
        f"significance: {alone} of {_pairs(len(tested))} at 5 %, {after} after Holm's correction over the data sets "
        "of a depth"
    ]


def _power(sets: Sequence[Row]) -> list[str]:
    """The least difference that is significant in the median pair, alone and as the first of Holm's procedure."""
    from scipy.stats import t

    tested = [row for row in sets if row["p_value"] is not None]
    spread = [row for row in tested if row["_corrected_error"]]
    if not spread:
        return []
    depths = [row["max_depth"] for row in tested]
    alone, first = (
        median(
            row["_corrected_error"] * float(t.isf(LEVEL / (2 * (depths.count(row["max_depth"]) if holm else 1)), df))
            for row in spread
            if (df := row["splits"] - 1)
        )
        for holm in (False, True)
    )
    return [
        f"power: with {spread[0]['splits']} splits the median pair is significant from {alone:.1f} points on, and from "
        f"{first:.0f} after the correction, so that most true differences of a few points cannot be told"
    ]


def _trees(found: Found) -> list[NotableTree]:
    """OCT's and CART's of a split: where OCT is the most points ahead on test rows, and where CART is."""
    by_split = splits(found, "parameters")
    best, worst = furthest_ahead(by_split, OCT, CART), furthest_ahead(by_split, CART, OCT)
    return [notable(row, right(row)) for row in (*best, *reversed(worst))]


SUMMARY = Summary(
    tables=(FIGURES, DATA_SETS, tables.REGION, tables.TIES, LISTED, tables.SWEEP),
    views=tables.VIEWS,
    printed=tables.PRINTED,
    finding=_finding,
    screen=_screen,
    trees=_trees,
    failed="status <> 'ok' and terminal_nodes is null",
    failures_in="data_sets",
    worked=lambda found: bool(found.rows(DATA_SETS)),
    nothing="No data set was tested with both OCT and CART.",
)
