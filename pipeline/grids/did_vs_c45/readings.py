"""Average depths and accuracies of the first table of Ben-Gal et al. 2014: the printed values and their verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.csv_text import csv_rows
from pipeline.grammar.columns import Row, ends_of, estimate_of, grouped
from pipeline.grammar.findings import listed
from pipeline.printed_table.figure import Rounding, rounded_from
from pipeline.printed_table.shares import Pooled
from pipeline.summary.rounding import TEXT
from pipeline.summary.statistics import ALIKE
from pipeline.summary.verdicts import Comparison, Tolerance, Verdict, verdict, verdicts

NEAR = 0.05
"""A depth agrees with the printed one within this many edges if the rows are the same, because only ties are open."""
NEAR_POINTS = 1.0
"""An accuracy on a published test part agrees with the paper within this many points, beyond its rounding."""
TAIL = 0.025
"""Share of single draws below, and above, the range that a printed value from one draw may lie in."""

COLUMNS = ("id3", "c45", "did")
"""The paper's columns."""
BEST, EQUAL, PRUNED = "best weight", "equal weights", "J48, pruned"
"""Interpretations of a printed value: printed/readings.csv."""
RATIOS = (0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 3, 5)
"""The weights w1/w2 among which DID's best is chosen, even if a run has more."""
PART = "the printed value is below that: it is from other rows, from a pruned tree, or a misprint"


def printed_cells(folder: Path) -> list[dict[str, Any]]:
    """One row for each data set and column of the paper: depth and accuracy with their rounding, and known facts.

    The rounding is half a unit of the last printed digit. The bound is a lower bound, proven by `average_depth_bound`
    of `tests/oracles/certificates.py`, on the average depth of all trees for the paper's number of rows, where the
    search for the minimum needs too much memory.
    """
    printed = csv_rows(folder / "did_vs_id3_c45.csv", ["dataset"], ["dataset"], {"instances": int})
    known = csv_rows(folder / "cases.csv", ["case"], ["case"], {"bound": float})
    cases = {row["case"]: row for _, row in known}
    result: list[dict[str, Any]] = []
    for _, row in printed:
        for column in COLUMNS:
            case = {**cases[row["dataset"]], "instances": row["instances"]}
            cell: dict[str, Any] = {**case, "printed_builder": column, "place": len(result)}
            for measure, name in (("depth", "average_depth"), ("accuracy", "accuracy_pct")):
                text = row[f"{column}_{name}"]
                rounding = 0.5 * 10.0 ** -len(text.partition(".")[2])
                cell |= {measure: float(text), f"{measure}_text": text, f"{measure}_rounding": rounding}
            result.append(cell)
    return result


def judge_depths(rows: Sequence[Row]) -> None:
    """Difference, tolerance, verdict and reason for each row of the table of depths; other readings have no verdict."""
    for row in rows:
        if row["average_depth"] is None:
            row["reason"] = "the builder failed, or was not run"
            continue
        row["difference"] = row["average_depth"] - row["printed"]
        row["tolerance"] = _tolerance(row, NEAR)
        verdict_of_depth, row["reason"] = _depth_judged(row, _remark(row))
        row["verdict"] = verdict_of_depth if row["_main"] else None
    _add_proofs_of_other_rows(rows)


def judge_accuracies(rows: Sequence[Row]) -> None:
    """Difference, tolerance, verdict and reason for each row of the table of accuracies.

    The paper is assumed to have as many splits as we have; a published test part is one split.
    """
    comparisons: list[Comparison | None] = []
    for row in rows:
        ours = estimate_of(row, "accuracy")
        difference = ours.less(row["printed"], ours.n) if ours else None
        judged = row["_main"] and not row["_failed"]
        row["difference"] = difference.mean if difference else None
        row["tolerance"] = _tolerance(row, NEAR_POINTS) if ours else None
        by_splits = judged and row["n"] > 1
        if difference and by_splits:
            row.update(zip(ends_of("difference"), (difference.low, difference.high), strict=True))
        comparisons.append(Comparison.of(difference, row["tolerance"]) if by_splits else None)
    for row, verdict_by_splits in zip(rows, verdicts(comparisons), strict=True):
        row["verdict"] = verdict_by_splits
        if verdict_by_splits is None and row["_main"] and not row["_failed"] and row["difference"] is not None:
            row["verdict"], row["reason"] = _without_chance(row)
    _add_proofs_of_other_rows(rows)


def _without_chance(row: Row) -> tuple[Verdict, str | None]:
    """The verdict on an accuracy, and its reason, if only ties are left to chance, on one test part or equal splits."""
    near, tested = NEAR_POINTS + row["_rounding"], row["_test_rows"]
    if tested is not None:
        text = row[TEXT]
        share = rounded_from(Fraction(text), len(text.partition(".")[2]), Rounding.ANY).times(Fraction(1, 100))
        if Pooled(tested).witness(share) is None:
            return Verdict.IMPOSSIBLE, f"no number of the {tested} test rows is {text} % of them, with any rounding"
    if abs(row["difference"]) <= near + ALIKE:
        return Verdict.AGREES, None
    least, greatest = row["least_by_ties"], row["greatest_by_ties"]
    if least is None:
        return Verdict.DIFFERS, None
    ties = (
        f"ours is {least:.2f} to {greatest:.2f} %, depending on how ties between attributes and between classes are "
        "broken"
    )
    among = least - near - ALIKE <= row["printed"] <= greatest + near + ALIKE
    return Verdict.CONSISTENT if among else Verdict.DIFFERS, ties


def _add_proofs_of_other_rows(rows: Sequence[Row]) -> None:
    """Extend the reasons: impossible figures of a data set prove that the paper used other rows."""
    for source, own in grouped((row for row in rows if row["_main"]), "source").items():
        below = [row for row in own if row["_least"] is not None and row["_depth_high"] < row["_least"] - ALIKE]
        shares = [row for row in own if "_test_rows" in row and row["verdict"] is Verdict.IMPOSSIBLE]
        proofs = []
        if below:
            proofs.append(
                f"no unpruned tree for all rows of {source} is below {below[0]['_least']:.4g}, but the printed depths "
                f"({_named(below, '_depth_text')}) are: the paper used other rows, or pruned trees"
            )
        if shares:
            proofs.append(
                f"the printed accuracies of {source} ({_named(shares, '_text')}) cannot be shares of the "
                f"{shares[0]['_test_rows']} test rows: the paper used other test rows"
            )
        for row in own:
            if row["verdict"] is Verdict.DIFFERS:
                row["reason"] = "; ".join(filter(None, [row["reason"], *proofs]))


def _named(rows: Sequence[Row], text: str) -> str:
    return listed([f"{row[text]} of {row['printed_builder']}" for row in rows])


def _tolerance(row: Row, near: float) -> float:
    """The tolerance of a printed value: `near`, and its rounding, if only ties leave room for chance."""
    rounding: float = row["_rounding"]
    return near + rounding if row["n"] == 1 else Tolerance(rounding).of(row["printed"])


def _remark(row: Row) -> str:
    """The facts known about a cell."""
    failed = row["_failed"] or []
    left = f"the best of the weights that did not fail: {listed(failed)} failed"
    return "; ".join(filter(None, [left if failed else "", row["_remark"]]))


def _depth_judged(row: Row, remark: str) -> tuple[Verdict, str]:
    """The verdict on a printed depth, and its reason in words."""
    near = row["_rounding"] + ALIKE
    low, high = row["printed"] - near, row["printed"] + near
    least, greatest, sets = row["least_by_ties"], row["greatest_by_ties"], row["_sets"]
    remarks = [remark] if remark else []
    # a minimum over rows other than the paper's proves nothing, and pruned trees may be below it
    proof = row["_least"] if row["reading"] != PRUNED else None
    if proof is not None and high < proof:
        below = f"no unpruned tree for all {row['rows']:,} rows is below {proof:.4g} on average; {PART}"
        return Verdict.IMPOSSIBLE, "; ".join([below, *remarks])
    distance, differs = max(least - high, low - greatest, 0.0), False
    if distance <= NEAR:
        off = abs(row["difference"])
        how = [f"{off:.3f} from the printed value"]
        if off > NEAR and greatest > least:
            how.append(f"depending on how ties between attributes are broken, ours is {least:.3f} to {greatest:.3f}")
        if distance > 0 and off > NEAR:
            how[-1] += f"; the printed value is rounded to {row['_text']}"
    elif low <= float(np.quantile(sets, 1 - TAIL)) and float(np.quantile(sets, TAIL)) <= high:
        deep = sum(depth >= low for depth in sets)
        how = [f"the printed value is from one draw; {deep} of our {len(sets)} draws are as deep or deeper"]
    else:
        differs, shallower = True, high < least
        than = " than ours in any order of ties tried" if greatest > least else " than ours"
        how = [f"the printed value is {distance:.2f} {'shallower' if shallower else 'deeper'}{than}"]
        if row["exact_minimum"] is not None and shallower:
            how.append(f"a tree of this depth is possible, because the exact minimum is {row['exact_minimum']:.4g}")
    reason = "; ".join([*how, *remarks])
    if row["n"] == 1:
        return Verdict.DIFFERS if differs else Verdict.AGREES, reason
    ours = estimate_of(row, "average_depth")
    difference = ours.less(row["printed"], 1) if ours else None  # the printed value is from one draw
    ends = (difference.low, difference.high) if difference else (None, None)
    row.update(zip(ends_of("difference"), ends, strict=True))
    return verdict(*ends, row["tolerance"], differs=differs), reason
