"""The tables of OCT beside CART: exact as CSV, and as Markdown with what a reader must know."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.grids.oct_vs_cart.printed import LISTED
from pipeline.grids.oct_vs_cart.questions import (
    LISTED_QUESTION,
    REGION_QUESTION,
    SET_QUESTION,
    TIES_QUESTION,
    printed_question,
)
from pipeline.grids.oct_vs_cart.region import (
    CALIBRATED,
    LEAST_SETS,
    TOLERANCES,
    Cell,
    Standing,
    standing,
    sweep,
)
from pipeline.grids.oct_vs_cart.sets import SetResult
from pipeline.summary.statistics import Estimate
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import rule

__all__ = ["documents_of", "missing_sets", "other_sets"]

REGION = (
    f"The region is CART's mean test accuracy at the depth >= {CALIBRATED.accuracy:g} % and n / (p ln K) >= "
    f"{CALIBRATED.ratio:g}, with n complete rows, p attributes after dummy coding and K classes. Print draws the "
    "region and does not tell its rule: this one is calibrated to print's counts inside, 14, 22, 23 and 24."
)


def documents_of(sets: Sequence[SetResult], cells: Sequence[Cell]) -> tuple[SummaryTable, ...]:
    """All tables, the paper's rows first."""
    return _printed_rows(cells, other_sets(sets)), _data_sets(sets), _region(sets), _ties(sets), _listed(sets)


def missing_sets(sets: Sequence[SetResult]) -> list[str]:
    """The paper's data sets that there are no results of."""
    here = {one.source for one in sets}
    return [one.name for one in LISTED if one.source not in here]


def other_sets(sets: Sequence[SetResult]) -> list[str]:
    """The titles of the data sets that are not the paper's, where any is: they count in no comparison with it."""
    own = {one.title for one in LISTED}
    titles = list(dict.fromkeys(one.title for one in sets))
    return [title for title in titles if title not in own] if own & set(titles) else []


def _printed_rows(cells: Sequence[Cell], others: Sequence[str] = ()) -> SummaryTable:
    columns = (
        *("max_depth", "region", "measure", "n", "ours", "low", "high", "printed_n", "printed", "p", "tolerance"),
        *("verdict", "proven", "searches"),
    )
    rows: list[tuple[Value, ...]] = []
    for cell in cells:
        one = cell.standing
        rows.append(
            (
                *(one.max_depth, _side(one.inside), cell.measure, one.sets, cell.ours, cell.low, cell.high),
                *(one.printed.sets if one.printed else None, cell.printed, cell.p, cell.tolerance, cell.verdict),
                *(one.proven, one.searches),
            )
        )
    note = (
        f"{REGION} n: data sets; proven: of the searches for OCT those that ended with a proof, the others have the "
        "best tree found within the budget of work. Wins and ties are by mean test accuracy over the splits, ties are "
        "equal to the last row. mean_improvement: OCT less CART, in points. low to high: 95 % intervals, Wilson's of "
        "counts, normal of the improvement, over the data sets. p: that ours and the printed value are draws of the "
        "same, by Fisher's exact test of counts (which takes the data sets for others than the paper's, so that it is "
        "lenient) and by z of the improvement, the paper's data sets being taken to spread as ours do. "
        + rule("p below 5 % over the number of compared values (Bonferroni)")
        + " Differences of counts are of the shares, in data sets of the paper, their interval Newcombe's (1998). "
        f"Depths with fewer than {LEAST_SETS} data sets are not compared."
        + (f" Data sets that are not the paper's do not count here: {', '.join(others)}." if others else "")
    )
    question = printed_question(others)
    return SummaryTable("oct_vs_cart", "OCT beside CART, the paper's rows (002)", columns, rows, note, question)


def _data_sets(sets: Sequence[SetResult]) -> SummaryTable:
    columns = (
        *("source", "part", "max_depth", "n", "p", "k", "n_per_p_ln_k", "region", "splits", "failed"),
        *("cart_accuracy", "oct_accuracy", "difference", "low", "high", "winner", "p_value", "p_holm"),
        *("cart_tree_splits", "oct_tree_splits", "oct_alpha", "proven"),
    )
    rows: list[tuple[Value, ...]] = []
    for one in sets:
        found = one.difference
        rows.append(
            (
                *(one.source, one.part, one.max_depth, one.rows, one.attributes, one.classes, one.ratio),
                *(_side(CALIBRATED.has(one)), len(one.oct), one.failed),
                *(one.cart_accuracy, one.oct_accuracy, found.mean, found.low, found.high, one.winner()),
                *(one.p, one.adjusted, one.cart_splits, one.oct_splits, one.alpha, one.proven),
            )
        )
    note = (
        f"{REGION} splits: random splits of the rows that both were tested on; accuracies in percent, difference in "
        "points, OCT less CART, paired by split, low to high its 95 % normal interval, which takes the splits for "
        "independent and so is too narrow. p_value: paired t test, two-sided, with the variance corrected for the rows "
        "that splits share (Nadeau and Bengio 2003); p_holm: after Holm's correction over the data sets of the depth. "
        "cart_tree_splits, oct_tree_splits, oct_alpha: means; proven: splits on which the search ended with a proof."
    )
    return SummaryTable("data_sets", "OCT beside CART on each data set", columns, rows, note, SET_QUESTION)


STANDING_COLUMNS = ("sets", "cart_wins", "oct_wins", "ties", "mean_improvement", "low", "high")
PRINTED_COLUMNS = ("printed_sets", "printed_cart_wins", "printed_oct_wins", "printed_ties", "printed_mean_improvement")


def _region(sets: Sequence[SetResult]) -> SummaryTable:
    columns = ("max_depth", "least_cart_accuracy", "least_ratio", *STANDING_COLUMNS, *PRINTED_COLUMNS)
    rows = [
        (one.max_depth, region.accuracy, region.ratio, *_counts(one), *_printed(one)) for region, one in sweep(sets)
    ]
    note = (
        f"{REGION} Here both thresholds move: data sets inside with CART's accuracy (percent) and n / (p ln K) at "
        "least so much, and how they stand. Counts and improvement as in oct_vs_cart."
    )
    return SummaryTable("region", "What moves with the rule of the region", columns, rows, note, REGION_QUESTION)


def _ties(sets: Sequence[SetResult]) -> SummaryTable:
    columns = ("max_depth", "region", "tolerance", *STANDING_COLUMNS, *PRINTED_COLUMNS)
    depths = dict.fromkeys(one.max_depth for one in sets)
    rows: list[tuple[Value, ...]] = []
    for depth in depths:
        for inside in (True, False):
            for tolerance in TOLERANCES:
                one = standing(sets, depth, inside, tolerance=tolerance)
                rows.append((depth, _side(inside), tolerance, *_counts(one), *_printed(one)))
    note = (
        f"{REGION} tolerance: points within which mean accuracies tie. Print does not tell its own; ours, everywhere "
        "else, is 0."
    )
    return SummaryTable("ties", "What moves with the tolerance of ties", columns, rows, note, TIES_QUESTION)


def _listed(sets: Sequence[SetResult]) -> SummaryTable:
    columns = ("name", "source", "part", "printed_n", "printed_p", "printed_k", "n", "p", "k", "remark")
    here = {one.source: one for one in sets}
    rows: list[tuple[Value, ...]] = []
    for one in LISTED:
        found = here.get(one.source or "")
        sizes = (found.rows, found.attributes, found.classes) if found else (None, None, None)
        differs = found is not None and sizes != (one.rows, one.attributes, one.classes)
        remark = one.remark or ("differs" if differs else "")
        if one.source is None:
            remark = "not in the catalogue"
        rows.append(
            (
                *(one.name, one.source, found.part if found else None, one.rows, one.attributes, one.classes),
                *(*sizes, remark or None),
            )
        )
    note = (
        "printed_n, printed_p, printed_k: complete rows, attributes after coding and classes of the published "
        "benchmark that re-creates the paper's; it has 54 data sets, the paper 53, and which is one more is not known. "
        "n, p, k: ours, empty of sets that are not of this run."
    )
    return SummaryTable("listed", "Print's data sets and ours", columns, rows, note, LISTED_QUESTION)


def _side(inside: bool) -> str:
    return "inside" if inside else "outside"


def _counts(one: Standing) -> tuple[Value, ...]:
    return (one.sets, one.cart_wins, one.oct_wins, one.ties, *_interval(one.improvement))


def _printed(one: Standing) -> tuple[Value, ...]:
    theirs = one.printed
    return (theirs.sets, *theirs.figures.values()) if theirs else (None,) * len(PRINTED_COLUMNS)


def _interval(found: Estimate | None) -> tuple[Value, Value, Value]:
    return (found.mean, found.low, found.high) if found else (None, None, None)
