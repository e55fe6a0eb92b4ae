"""Average depths that "Dual Information Distance" prints, beside ours: which tree each is held against, and how."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from statistics import fmean
from typing import Any

import numpy as np

from pipeline.grammar.findings import listed
from pipeline.summary.statistics import Estimate, PairedMoments
from pipeline.summary.verdicts import Tolerance, Verdict, verdict

__all__ = [
    "CASES",
    "NEAR",
    "RATIOS",
    "Case",
    "Cell",
    "Depth",
    "Printed",
    "cells_of",
    "depths_of",
    "printed",
    "ratio_of",
    "weights_lost",
]

NEAR = 0.05
"""Edges within which a depth agrees with the printed one where the rows are the same, so that only ties are open."""

TAIL = 0.025
"""Share of single draws below, and above, those that the printed value, of one draw, may be like."""

COLUMNS = ("id3", "c45", "did")
BEST = "best weight"
RATIOS = (0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 3, 5)
"""The weights w1/w2 of which DID's best is chosen, however many others a run sweeps over."""
CANDIDATES = tuple(f"did {ratio:g}" for ratio in RATIOS)
FILE = "did_vs_id3_c45.csv"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """A row of print: the data set that it is, and what is known of it beyond the figures."""

    source: str
    remark: str = ""


PART = "the printed value lies below it: of other rows, of a pruned tree, or a misprint"
CASES: Mapping[str, Case] = {
    "Monk's-1": Case("uci/monks-1"),
    "Monk's-2": Case("uci/monks-2"),
    "Monk's full random set": Case("rule/monks-3", "which 216 rows print drew is not known: ours are other draws"),
    "Connect4": Case(
        "uci/connect-4",
        "the search for the least depth does not fit in memory, so that nothing is proved; print is perhaps of a part "
        "of the rows, or of a pruned tree",
    ),
    "SPECT Heart": Case("uci/spect"),
    "Voting": Case("uci/house-votes-84/third-answer", "? is a third answer, as print seems to have it"),
    "Balance Scale": Case("uci/balance-scale"),
    "Cars": Case("uci/car"),
    "Tic-Tac-Toe": Case("uci/tic-tac-toe"),
    "Soy Beans": Case("uci/soybean-small"),
    "Lymphography": Case("uci/lymphography"),
}
"""By print's name."""


@dataclass(frozen=True)
class Printed:
    """A figure as it is printed; `rounding` is half a unit of its last digit."""

    text: str

    @property
    def value(self) -> float:
        """The figure."""
        return float(self.text)

    @property
    def rounding(self) -> float:
        """How far what was rounded to it may be off."""
        return 0.5 * 10.0 ** -len(self.text.partition(".")[2])


@dataclass(frozen=True)
class Depth:
    """How deep a builder's trees are over the rows they were built from.

    estimate        : mean average depth over the sets of training rows, as the document's Search counts where it is one
    least, greatest : over orders of the attributes, where these were tried; else the estimate's mean
    of_sets         : the average depth of each set, which the estimate is the mean of
    rows            : of a set
    distinct_rows, nodes, on_table : means over the sets; on_table: average depth of the tree of the merged table
    """

    source: str
    part: str
    builder: str
    parameters: str | None
    estimate: Estimate
    least: float
    greatest: float
    of_sets: tuple[float, ...]
    rows: int
    distinct_rows: float | None
    nodes: float | None
    on_table: float | None


@dataclass(frozen=True)
class Cell:
    """A printed average depth and one reading of which tree it is of.

    main    : whether the verdict is on this reading; the others are shown beside it and have none
    ratio   : w1/w2, of DID
    exact   : least average depth of the merged table, None where it is not known
    verdict : None of other readings, and where nothing can be compared
    lost    : weights of DID that its best is not of, for they are lost
    """

    case: str
    column: str
    reading: str
    main: bool
    printed: Printed
    builder: str
    ratio: float | None
    depth: Depth | None
    exact: float | None
    verdict: Verdict | None
    reason: str | None
    lost: tuple[str, ...] = ()

    @property
    def difference(self) -> float | None:
        """Ours minus printed, in edges."""
        return self.depth.estimate.mean - self.printed.value if self.depth else None

    @property
    def tolerance(self) -> float | None:
        """The difference that does not matter, in edges."""
        return _tolerance(self.printed, self.depth) if self.depth else None


@cache
def printed() -> dict[tuple[str, str], dict[str, str]]:
    """Print's figures by case and column: `average_depth` and `accuracy_pct`, as they are printed."""
    text = resources.files(__package__).joinpath("printed", FILE).read_text(encoding="utf-8")
    return {
        (row["dataset"], column): {name: row[f"{column}_{name}"] for name in ("average_depth", "accuracy_pct")}
        for row in csv.DictReader(text.splitlines())
        for column in COLUMNS
    }


def depths_of(rows: Iterable[Row]) -> tuple[Depth, ...]:
    """The depths of each source and builder over its sets of training rows, of those that worked."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["source"], row["part"], row["builder"]), []).append(row)
    return tuple(depth for key, own in found.items() if (depth := _depth(key, own)) is not None)


def weights_lost(rows: Iterable[Row], depths: Sequence[Depth]) -> dict[str, list[str]]:
    """Of each source the candidates for DID's best weight of which rows, but no depth, are there."""
    known = {(depth.source, depth.builder) for depth in depths}
    found: dict[str, list[str]] = {}
    for source, builder in dict.fromkeys(
        (row["source"], row["builder"]) for row in rows if row["builder"] in CANDIDATES
    ):
        if (source, builder) not in known:
            found.setdefault(source, []).append(builder)
    return found


def cells_of(depths: Sequence[Depth], lost: Mapping[str, Sequence[str]] | None = None) -> tuple[Cell, ...]:
    """The printed cells whose data set was run, in the order of the paper, each in all its readings.

    lost : of a source the weights of DID that cannot be chosen as the best, for they are lost
    """
    by_source: dict[str, dict[str, Depth]] = {}
    for depth in depths:
        if depth.part == "all":
            by_source.setdefault(depth.source, {})[depth.builder] = depth
    return tuple(
        _cell(
            *(case, column, reading, builder, place == 0, by_source[CASES[case].source]),
            tuple((lost or {}).get(CASES[case].source, ())) if reading == BEST else (),
        )
        for case, column in printed()
        if CASES[case].source in by_source
        for place, (reading, builder) in enumerate(_readings(column, by_source[CASES[case].source]))
    )


def ratio_of(parameters: str | None) -> float | None:
    """w1/w2 of a builder that is DID, by its parameters; None of any other."""
    found = json.loads(parameters or "{}")
    if "orthogonality_weight" not in found:
        return None
    return float(found["orthogonality_weight"] / found.get("information_weight", 1.0))


def _depth(key: tuple[str, str, str], rows: Sequence[Row]) -> Depth | None:
    if key[2] == "exact":
        worked = [row for row in rows if row["status"] == "ok"]
        values = [row["table_average_depth"] for row in worked]
    else:
        worked = [row for row in rows if row["average_depth"] is not None]
        values = [_counted(row) for row in worked]
    if not worked or len(worked) < len(rows):  # the mean of some draws is none of all
        return None
    estimate = PairedMoments.of(np.array(values)[:, None]).estimate(0)
    least, greatest = _mean(worked, "least_search_depth"), _mean(worked, "greatest_search_depth")
    return Depth(
        *key,
        parameters=rows[0]["parameters"],
        estimate=estimate,
        least=estimate.mean if least is None else least,
        greatest=estimate.mean if greatest is None else greatest,
        of_sets=tuple(values),
        rows=rows[0]["rows"],
        distinct_rows=_mean(worked, "distinct_rows"),
        nodes=_mean(worked, "nodes"),
        on_table=_mean(worked, "table_average_depth"),
    )


def _counted(row: Row) -> float:
    """The average depth as the document's Search counts, where the builder is one."""
    found = row["search_depth"]
    return float(row["average_depth"] if found is None else found)


def _mean(rows: Sequence[Row], name: str) -> float | None:
    """The mean of what is known."""
    found = [row[name] for row in rows if row[name] is not None]
    return fmean(found) if found else None


def _readings(column: str, by_builder: Mapping[str, Depth]) -> list[tuple[str, str]]:
    """Which builders a printed column may be, the main reading first: (reading, builder)."""
    if column == "id3":
        return [("unpruned", "id3")]
    if column == "c45":
        return [("unpruned gain ratio", "gain_ratio"), ("J48, pruned", "j48")]
    swept = [name for name in CANDIDATES if name in by_builder]
    best = min(swept, key=lambda name: by_builder[name].estimate.mean, default="did")
    return [(BEST, best), *(("equal weights", name) for name in swept if name == "did 1")]


def _cell(
    case: str,
    column: str,
    reading: str,
    builder: str,
    main: bool,
    by_builder: Mapping[str, Depth],
    lost: tuple[str, ...],
) -> Cell:
    theirs = Printed(printed()[case, column]["average_depth"])
    depth, exact = by_builder.get(builder), by_builder.get("exact")
    least = exact.estimate.mean if exact else None
    ratio = ratio_of(depth.parameters) if depth else None
    if depth is None:
        why = "the builder failed, or was not run"
        return Cell(case, column, reading, main, theirs, builder, ratio, None, least, None, why, lost)
    # a minimum over other rows than the paper's proves nothing, and pruned trees may be below it
    proof = least if depth.estimate.n == 1 and reading != "J48, pruned" else None
    of_others = f"the best of the weights that are left: {listed(lost)} {'is' if len(lost) == 1 else 'are'} lost"
    remarks = [of_others] * bool(lost) + [CASES[case].remark]
    found, reason = _judged(theirs, depth, proof, least, "; ".join(filter(None, remarks)))
    judged = found if main else None
    return Cell(case, column, reading, main, theirs, builder, ratio, depth, least, judged, reason, lost)


def _tolerance(theirs: Printed, depth: Depth) -> float:
    """The difference that does not matter: of draws that of any sample, else `NEAR` and the printed rounding."""
    sampled = depth.estimate.n > 1
    return Tolerance(theirs.rounding).of(theirs.value) if sampled else NEAR + theirs.rounding


def _judged(
    theirs: Printed, depth: Depth, proof: float | None, least: float | None, remark: str
) -> tuple[Verdict, str]:
    """The verdict on a printed depth, and why in words."""
    low, high = theirs.value - theirs.rounding, theirs.value + theirs.rounding
    difference = depth.estimate.less(theirs.value, 1)  # of draws: the printed value is of one
    sampled = depth.estimate.n > 1
    parts = [remark] if remark else []
    if proof is not None and high < proof:
        parts.insert(0, f"no unpruned tree for all {depth.rows:,} rows is below {proof:.4g} on average; {PART}")
        return Verdict.IMPOSSIBLE, "; ".join(parts)
    distance = max(depth.least - high, low - depth.greatest, 0.0)
    if distance <= NEAR:
        off = abs(depth.estimate.mean - theirs.value)
        how = f"{off:.3f} from the printed value"
        if off > NEAR and depth.greatest > depth.least:
            how += f"; by ties between attributes it is {depth.least:.3f} to {depth.greatest:.3f}"
        if distance > 0 and off > NEAR:
            how += f", which is rounded to {theirs.text}"
        parts.insert(0, how)
        differs = False
    elif low <= float(np.quantile(depth.of_sets, 1 - TAIL)) and float(np.quantile(depth.of_sets, TAIL)) <= high:
        deep = sum(one >= low for one in depth.of_sets)
        parts.insert(
            0, f"the printed value is of one draw; of ours {deep} of {len(depth.of_sets)} are as deep or deeper"
        )
        differs = False
    else:
        shallower = high < depth.least
        how = f"the printed value is {distance:.2f} {'shallower' if shallower else 'deeper'}"
        parts.insert(
            0, f"{how} than ours in any order of ties tried" if depth.greatest > depth.least else f"{how} than ours"
        )
        if least is not None and shallower:
            parts.insert(1, f"some tree may have it, for the least is {least:.4g}")
        differs = True
    reason = "; ".join(parts)
    if sampled:
        return verdict(difference.low, difference.high, _tolerance(theirs, depth), differs=differs), reason
    return Verdict.DIFFERS if differs else Verdict.AGREES, reason
