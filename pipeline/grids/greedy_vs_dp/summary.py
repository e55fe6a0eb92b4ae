"""The summary of greedy heuristics against exact minima, beside Tables 1 to 5 of Alkhalid et al. 2013."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from pipeline.grammar.columns import COSTS, SHORT_NAMES, Column, Computed, Key, Known, Printed, Row, estimate_of
from pipeline.grammar.findings import agreement, listed, listing, mark, pivot
from pipeline.grammar.greedy_excess import (
    HEURISTIC,
    IN_ORDER,
    LEFT_OUT,
    MEAN,
    gap_of,
    left_out,
    mean_of,
    name_of,
    percent,
    ranked,
    summary_of_excess,
    views,
)
from pipeline.grammar.notable_trees import greedy, least
from pipeline.grammar.summary import Results
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.grids.greedy_vs_dp import groups
from pipeline.summary.statistics import Estimate, critical_z
from pipeline.summary.tables import Layout, Pair
from pipeline.summary.verdicts import Tolerance, Verdict, rule, verdict
from pipeline.words import counted

PRINTED = Path(__file__).with_name("printed")
LEAST_COMPARED = 30
"""A mean is compared with the paper from this many decision tables on: with fewer, skewed costs are far from normal."""

DECIMALS = 6
"""Of the values in Tables 1 to 5."""
TOLERANCE = Tolerance(rounding=0.5e-6)

GROUP_SIZE, POOLED_SIZE = groups.GROUP_SIZE, groups.BLOCK * groups.GROUP_SIZE
"""Number of decision tables behind each value of Tables 1 to 4, and behind its mean over these."""

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
    **groups.VIEWS,
}
"""Views: sums over tables, and the printed values that they are compared with."""


def _of_cells(printed_n: int) -> list[Computed | Printed]:
    """The printed value, and the difference of ours from it."""

    def z(row: Row) -> float | None:
        ours = estimate_of(row, MEAN.name, MEAN.n)
        compared = ours and row["printed"] is not None and _enough(row)
        return ours.less(row["printed"], printed_n).z if ours and compared else None

    ours = (MEAN.name, f"p.{MEAN.name}")
    return [
        Printed(*ours, tolerance=TOLERANCE, n=printed_n, ours=MEAN.n, compared=_enough),
        Computed("z", of=z),
    ]


def _enough(row: Row) -> bool:
    return bool(row["tables"] >= LEAST_COMPARED)


def _sizes(rows: Sequence[Row]) -> str:
    """The number of decision tables, and of those left out."""
    tables = sum({row.get("group"): row["tables"] for row in rows}.values())
    without = left_out(rows[0]) if rows else ""
    return f"n = {counted(tables, 'decision table')}{f'; {without}' if without else ''}."


def _note(rows: Sequence[Row]) -> str:
    """Sizes, and the rule of verdicts."""
    intervals = f"{_sizes(rows)} Intervals (low, high) are 95 %, normal."
    compared = sum(row["verdict"] is not None for row in rows)
    if not compared:
        return f"{intervals} Verdict: none, because no cell is compared with the paper."
    differs = (
        f"|z| exceeds {critical_z(compared):.2f} (two-sided at 5 % with Bonferroni's correction over {compared} "
        "compared cells)"
    )
    spread = (
        "z: the difference in standard errors. The paper's tables are assumed to vary as much as ours; if there are as "
        "many, the standard error of a difference is that of our mean times √2."
    )
    return f"{intervals} {spread} {rule(differs)} Empty if nothing is compared."


TEXT = Known("_text", f"format('{{:.{DECIMALS}f}}', p.{MEAN.name})")
CELLS = Table(
    "cells",
    "Mean relative difference from the exact minimum, by group",
    of="excesses",
    columns=[Key("group", '"group"'), *HEURISTIC, Key("cost_function"), MEAN, *_of_cells(GROUP_SIZE), *LEFT_OUT, TEXT],
    beside=f'{IN_ORDER} left join comparable p on p."table" = ours."group" and {CELL}',
    order='ours."group", h.place, c.place',
    note=_note,
    layout=Layout(
        ("impurity_type", "uncertainty"), ("cost_function",), (Pair("mean_relative_difference"),), tables="group"
    ),
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
    """The printed pair of each cost beside ours."""
    for cost in COSTS:
        pair = [row for row in rows if row["cost_function"] == cost]
        compared = pair and all(row["printed"] and _enough(row) for row in pair)
        verdict_of_pair = pair_verdict(pair) if compared else None
        for row in pair:
            row["verdict"] = verdict_of_pair


def pair_verdict(pair: Sequence[Row]) -> Verdict | None:
    """The verdict on a printed pair; None if the difference from our second has no measurable spread."""
    behind = [
        Estimate(row["tables"], row["_behind"], row["_behind_error"]) for row in pair if row["_behind"] is not None
    ]
    zs = [0.0 if difference.mean == 0 else difference.z for difference in behind]
    highs = [Estimate(row["tables"], row["_above"], row["_above_error"]).high for row in pair]
    known = [high for high in highs if high is not None]
    if None in zs:
        return None
    return verdict(
        0.0,  # being better than all others is not a difference
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
"""The printed heuristic of a rank: beside our second if it is neither of our two, and beside the best of all others."""

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
        Column("verdict"),
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
        f"{_sizes(rows[:1])} gap: difference from the next best heuristic, with a paired standard error. The verdict "
        "is on the two heuristics that are printed as best for a cost. agrees: neither of the two is worse than the "
        f"best of all other heuristics by more than {100 * TOLERANCE.share:g} % of its mean, by the upper end of the "
        "95 % interval of the paired difference. differs: one of the two is not among our best two, and is "
        f"significantly worse than our second (paired z > {critical_z(len(COSTS)):.2f}). consistent: neither holds. "
        "Empty if nothing is compared."
    ),
    layout=Layout(("cost_function",), ("position",), (Pair("impurity_type/uncertainty"),)),
)

BESIDE_WIDTH, ROOMY_WIDTH = 80, 92
"""Widths of a terminal from which printed values are shown beside ours, and from which names are whole."""
MOST_SIGNIFICANT = 5


def _finding(results: Results) -> list[str]:
    """State how many cells agree with the paper, or which heuristics are best; and which failed on every table."""
    cells, pooled, best = (results.rows(table) for table in (CELLS, POOLED, BEST))
    if not pooled:
        (without,) = results.query("from left_out")
        return [f"no decision table to summarise: {left_out(without)}; their error says why"]
    where = ""
    if not _compared(cells):
        cells, where = pooled, ", the groups together"
    sentences = [f"{_agreement(cells)} (Tables 1–4{where})", _table_5(best)]
    if not _compared(cells):
        firsts = Counter(name_of(row) for row in best if row["position"] == 1)
        costs = counted(firsts.total(), "cost")
        nearest = listed([f"{name} in {n} of {costs}" for name, n in firsts.most_common()])
        nothing = "nothing is compared with the paper, because the tables are not the paper's, or are too few"
        sentences = [f"nearest to the minima: {nearest}", nothing]
    failed = pooled[0]["_always_failed"]
    return [*sentences, f"failed on every table: {listed(failed)}" if failed else ""]


def _compared(cells: Sequence[Row]) -> list[Row]:
    return [row for row in cells if row["verdict"]]


def _agreement(cells: Sequence[Row]) -> str:
    return agreement((row["verdict"] for row in cells), "cell")


def _table_5(best: Sequence[Row]) -> str:
    """State how many of the best heuristics agree with the paper; empty if none is compared."""
    verdicts = [row["verdict"] for row in best if row["verdict"]]
    return f"{agreement(verdicts, 'best heuristic')} (Table 5)" if verdicts else ""


def _screen(results: Results, width: int) -> list[RenderableType]:
    """The pooled means, the best two of each cost, and the rule by which cells agree with the paper."""
    pooled, best = results.rows(POOLED), results.rows(BEST)
    beside, roomy = width >= BESIDE_WIDTH, width >= ROOMY_WIDTH
    if not pooled:
        return []
    leading = {(name_of(row), row["cost_function"]) for row in best}
    means = pivot(
        pooled,
        line=name_of,
        column=lambda row: _plain(row).removesuffix(" nodes") if roomy else SHORT_NAMES[row["cost_function"]],
        cell=lambda row: _cell(row, (name_of(row), row["cost_function"]) in leading, beside),
        title=f"Mean excess over the exact minimum, % (n = {counted(pooled[0]['tables'], 'decision table')})",
        numeric=True,
        apart=2 if roomy else 1,
    )
    legend = "bold: best two of a cost"
    if any(row["printed"] is not None for row in pooled):
        legend += f"{'; dim: printed, mean of four groups' if beside else ''}; ≈: consistent; ≠: differs"
        legend += "; -: not compared" if any(row["verdict"] is None for row in pooled) else ""
    without = left_out(pooled[0])
    shown: list[RenderableType] = [
        means,
        Text(f"{legend}\n{without}" if without else legend, style="dim"),
        Text(),
        _best(best, roomy),
    ]
    return [*shown, Text("\n" + "\n".join(_lines(results)))] if _compared(results.rows(CELLS)) else shown


def _cell(row: Row, best: bool, beside: bool) -> Text:
    """Our mean in percent, bold for the best two, and the printed one dimmed, with a mark unless it agrees."""
    text = Text(f"{100 * row['mean_relative_difference']:.2f}", style="bold green" if best else "")
    if row["printed"] is not None:
        if beside:
            text.append(f" {100 * row['printed']:5.2f}", style="not bold dim default")
        style = "bold red" if row["verdict"] == Verdict.DIFFERS else "not bold dim default"
        text.append(mark(row) or " ", style=style)
    return text


def _best(best: Sequence[Row], roomy: bool) -> RenderableType:
    """The best two heuristics of each cost and the printed ones; with the gap to the next if the width allows."""
    compared = any(row["printed"] for row in best)
    headings = ["cost function", "", "heuristic", "mean, %"]
    headings += [*(["gap to next, %"] if roomy else []), *(["printed", "pair"] if compared else [])]
    lines = []
    for row in best:
        first, gap = row["position"] == 1, gap_of(row)
        line = [_plain(row) if first else "", row["position"], name_of(row), percent(mean_of(row))]
        line += [percent(gap) if gap else ""] if roomy else []
        line += [row["printed"] or "", (row["verdict"] or "") if first else ""] if compared else []
        lines.append(line)
    return listing("Best two heuristics", headings, lines, words=["cost function", "", "heuristic", "printed", "pair"])


def _lines(results: Results) -> list[str]:
    """The cells of all groups that differ from the paper, by which rule, and how many agree when groups are pooled."""
    cells, pooled = results.rows(CELLS), results.rows(POOLED)
    limit = critical_z(len(_compared(cells)))
    zs = [abs(row["z"]) for row in cells if row["z"] is not None]
    significant = sorted((row for row in cells if abs(row["z"] or 0) > limit), key=lambda row: -abs(row["z"]))
    more = len(significant) - MOST_SIGNIFICANT
    return [
        *(
            f"significant: {_plain(row)} by {name_of(row)} in group {row['group']}, z {row['z']:+.2f}, "
            f"{'within the tolerance' if row['verdict'] is Verdict.AGREES else row['verdict']}"
            for row in significant[:MOST_SIGNIFICANT]
        ),
        *([f"and {more} more, in cells.csv"] if more > 0 else []),
        f"agrees: within {100 * TOLERANCE.share:g} % of the printed value, by the 95 % interval; consistent: not "
        f"significant, but the interval is wider; differs: |z| > {limit:.2f}, and not within it",
        f"{100 * sum(z > 2 for z in zs) / len(zs):.1f} % of cells have |z| > 2; by chance it is 4.6 %, "
        "more or less, because cells of a group share their tables",
        f"groups together: {_agreement(pooled)}",
    ]


def _plain(row: Row) -> str:
    """The cost function of a row, in words."""
    return str(row["cost_function"]).replace("_", " ")


def _trees(results: Results) -> list[NotableTree]:
    """For the first table summarised: the tree of the heuristic that is best at nodes, and a tree of fewest nodes."""
    best = [name_of(row) for row in results.rows(BEST) if (row["cost_function"], row["position"]) == ("nodes", 1)]
    first = 'select "group", min(first_table) as table_index from kept group by all order by all limit 1'
    tables = results.query(first)
    return [
        tree
        for name, table in zip(best, tables, strict=False)
        for tree in (
            NotableTree(f"{_title(table)} by {name}, the heuristic of fewest nodes on average", table | greedy(name)),
            NotableTree(f"{_title(table)}, a tree of fewest nodes", table | least("nodes")),
        )
    ]


def _title(table: Row) -> str:
    return f"Table {table['table_index']} of group {table['group']}"


SUMMARY = summary_of_excess(
    tables=(CELLS, POOLED, BEST, *groups.TABLES),
    views=VIEWS,
    printed=PRINTED,
    finding=_finding,
    screen=_screen,
    trees=_trees,
    has_results=lambda results: bool(results.rows(POOLED)),
)
