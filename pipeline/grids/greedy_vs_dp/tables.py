"""The tables of greedy heuristics against exact minima, beside Tables 1 to 5 of Alkhalid et al. 2013."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.grammar.columns import Computed, Key, Known, Printed, Row, estimate_of
from pipeline.grammar.costs import COSTS
from pipeline.grammar.greedy_excess import HEURISTIC, IN_ORDER, LEFT_OUT, MEAN, left_out, ranked, views
from pipeline.grammar.table import Table
from pipeline.screen import counted
from pipeline.summary.statistics import Estimate, critical_z
from pipeline.summary.verdicts import Tolerance, Verdict, rule, verdict

__all__ = ["BEST", "CELLS", "LEAST_COMPARED", "POOLED", "PRINTED", "TOLERANCE", "VIEWS", "pair_verdict"]

PRINTED = Path(__file__).with_name("printed")
LEAST_COMPARED = 30
"""Decision tables from which on a mean is compared with the paper: with fewer, skewed costs are far from normal."""

TOLERANCE = Tolerance(rounding=0.5e-6)
"""Of Tables 1 to 5: printed to six decimals."""

GROUP_SIZE, POOLED_SIZE = 10_000, 40_000
"""Decision tables behind each value of Tables 1 to 4, and behind its mean over these."""

CELL = (
    "p.impurity_type = ours.impurity_type and p.uncertainty = ours.uncertainty and p.cost_function = ours.cost_function"
)
VIEWS = views() | {
    "comparable": "from printed_greedy_vs_dp_tables_1_to_4 where (select comparable from comparison)",
    "comparable_pooled": """select impurity_type, uncertainty, cost_function,
  favg(mean_relative_difference) as mean_relative_difference
from comparable group by all""",
    "listed": """select cost_function, listed_position as position, impurity_type || '/' || uncertainty as printed
from printed_greedy_vs_dp_table_5""",
}
"""Sums over tables, and the printed values that they are compared with."""


def _of_cells(printed_n: int) -> list[Computed | Known | Printed]:
    """The printed value, and how far ours is from it."""

    def z(row: Row) -> float | None:
        ours = estimate_of(row, MEAN.name, MEAN.n)
        compared = ours and row["printed"] is not None and _enough(row)
        return ours.less(row["printed"], printed_n).z if ours and compared else None

    value = f"p.{MEAN.name}"
    headings = ("printed", "_difference", "tolerance", "verdict")
    return [
        Known("printed", value),
        Computed("z", of=z),
        Printed(
            *(MEAN.name, value),
            tolerance=TOLERANCE,
            n=printed_n,
            ours=MEAN.n,
            compared=_enough,
            headings=headings,
        ),
    ]


def _enough(row: Row) -> bool:
    return bool(row["tables"] >= LEAST_COMPARED)


def _sizes(rows: Sequence[Row]) -> str:
    """How many decision tables there are, and how many are left out."""
    tables = sum({row.get("group"): row["tables"] for row in rows}.values())
    without = left_out(rows[0]) if rows else ""
    return f"n = {counted(tables, 'decision table')}{f'; {without}' if without else ''}."


def _note(rows: Sequence[Row]) -> str:
    """Sizes, and the rule of verdicts."""
    intervals = f"{_sizes(rows)} Intervals (low, high) are 95 %, normal."
    compared = sum(row["verdict"] is not None for row in rows)
    if not compared:
        return f"{intervals} Verdict: none, as no cell is compared with the paper."
    differs = f"|z| > {critical_z(compared):.2f}, two-sided at 5 % with Bonferroni over {compared} compared cells"
    return f"{intervals} z: the difference in its standard errors. {rule(differs)} Empty where nothing is compared."


CELLS = Table(
    "cells",
    "Mean relative difference from the exact minimum, by group",
    of="excesses",
    columns=[Key("group", '"group"'), *HEURISTIC, Key("cost_function"), MEAN, *_of_cells(GROUP_SIZE), *LEFT_OUT],
    beside=f'{IN_ORDER} left join comparable p on p."table" = ours."group" and {CELL}',
    order='ours."group", h.place, c.place',
    note=_note,
)
POOLED = Table(
    "pooled",
    "Mean relative difference from the exact minimum, all groups together",
    of="excesses",
    columns=[*HEURISTIC, Key("cost_function"), MEAN, *_of_cells(POOLED_SIZE), *LEFT_OUT],
    beside=f"{IN_ORDER} left join comparable_pooled p on {CELL}",
    order="h.place, c.place",
    note=_note,
)


def _judge(rows: Sequence[Row]) -> None:
    """Each cost's printed pair beside ours."""
    for cost in COSTS:
        pair = [row for row in rows if row["cost_function"] == cost]
        compared = pair and all(row["printed"] and _enough(row) for row in pair)
        found = pair_verdict(pair) if compared else None
        for row in pair:
            row["verdict"] = found


def pair_verdict(pair: Sequence[Row]) -> Verdict | None:
    """The verdict on a printed pair; None where a difference from our second has no spread to measure it by."""
    behind = [
        Estimate(row["tables"], row["_behind"], row["_behind_error"]) for row in pair if row["_behind"] is not None
    ]
    zs = [0.0 if apart.mean == 0 else apart.z for apart in behind]
    highs = [Estimate(row["tables"], row["_above"], row["_above_error"]).high for row in pair]
    known = [high for high in highs if high is not None]
    if None in zs:
        return None
    return verdict(
        0.0,  # to be better than all others is no difference
        max(known) if len(known) == len(highs) else None,
        TOLERANCE.of(pair[0]["_rival_mean"]),
        differs=any(z > critical_z(len(COSTS)) for z in zs if z is not None),
    )


WHOLE = "(select count(distinct (impurity_type, uncertainty)) from comparable)"
PAIR = f"""left join (from listed where (select count(distinct _heuristic) from ranked) = {WHOLE})
  using (cost_function, position)
left join (select cost_function, _heuristic as _second from ranked where position = 2) using (cost_function)
left join (select cost_function, arg_min(_heuristic, position) as _rival, arg_min({MEAN.name}, position) as _rival_mean
  from ranked anti join listed on listed.cost_function = ranked.cost_function and printed = _heuristic group by all)
  using (cost_function)
left join (from paired semi join (from ranked where position > 2) late
  on late.cost_function = paired.cost_function and _heuristic = heuristic) behind
  on behind.cost_function = own.cost_function and behind.heuristic = printed and behind.other = _second
left join paired above
  on above.cost_function = own.cost_function and above.heuristic = printed and above.other = _rival"""
"""The printed heuristic of a position: beside our second where it is none of our two, and the best of all others."""

BEST = Table(
    "best_two",
    "The best two greedy heuristics for each cost function",
    of="excesses",
    columns=[
        Key("cost_function"),
        Known("position"),
        *HEURISTIC,
        MEAN,
        *(Known(name) for name in ("gap_to_next", "gap_standard_error", "printed")),
        Known("verdict", "null"),
    ],
    beside=ranked(
        columns=", printed, behind.mean as _behind, behind.error as _behind_error, above.mean as _above, "
        "above.error as _above_error, _rival_mean",
        beside=PAIR,
        among="own.position <= 2",
    ),
    order="_cost, position",
    complete=_judge,
    note=lambda rows: (
        f"{_sizes(rows[:1])} Gaps are to the next best heuristic, their standard errors paired. "
        "The verdict is on the printed pair of a cost. agrees: neither of the two is worse than the best of all other "
        f"heuristics by more than {100 * TOLERANCE.share:g} % of its mean, by the upper end of the 95 % interval of "
        "the paired difference. differs: one that is not among our two is significantly worse than our second (paired "
        f"z > {critical_z(len(COSTS)):.2f}). consistent: neither. Empty where nothing is compared."
    ),
)
