"""The summary of greedy heuristics against exact minima, beside Tables 1 to 5 of Alkhalid et al. 2013."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from pipeline.grammar.columns import Row
from pipeline.grammar.costs import SHORT_NAMES
from pipeline.grammar.findings import agreement, listed
from pipeline.grammar.greedy_excess import gap_of, left_out, mean_of, name_of, percent, summary_of_excess
from pipeline.grammar.notable_trees import greedy, least
from pipeline.grammar.pivot import listing, pivot
from pipeline.grammar.summary import Found
from pipeline.grid import NotableTree
from pipeline.grids.greedy_vs_dp.tables import BEST, CELLS, POOLED, PRINTED, TOLERANCE, VIEWS
from pipeline.screen import counted
from pipeline.summary.statistics import critical_z
from pipeline.summary.verdicts import Verdict

__all__ = ["SUMMARY"]

ROOMY_WIDTH = 92  # columns from which on the printed values are shown beside ours
MOST_SIGNIFICANT = 5
MARKS = {Verdict.CONSISTENT: "≈", Verdict.DIFFERS: "≠"}
"""Behind a value of the table."""


def _finding(found: Found) -> list[str]:
    """How many cells agree with the paper, or which heuristics are the nearest; and what is lost on every table."""
    cells, pooled, best = (found.rows(table) for table in (CELLS, POOLED, BEST))
    if not pooled:
        (without,) = found.ask("from left_out")
        return [f"no decision table to summarise: {left_out(without)}; their error says why"]
    where = ""
    if not _compared(cells):
        cells, where = pooled, ", the groups together"
    said = [f"{_agreement(cells)} (Tables 1–4{where})", _table_5(best)]
    if not _compared(cells):
        firsts = Counter(name_of(row) for row in best if row["position"] == 1)
        costs = counted(firsts.total(), "cost")
        nearest = listed([f"{name} in {n} of {costs}" for name, n in firsts.most_common()])
        nothing = "nothing is compared with the paper: these are other tables, or too few"
        said = [f"nearest to the minima: {nearest}", nothing]
    lost = pooled[0]["_lost"]
    return [*said, f"lost on every table: {listed(lost)}" if lost else ""]


def _compared(cells: Sequence[Row]) -> list[Row]:
    return [row for row in cells if row["verdict"]]


def _agreement(cells: Sequence[Row]) -> str:
    return agreement((row["verdict"] for row in cells), "cell")


def _table_5(best: Sequence[Row]) -> str:
    """How many of the best heuristics agree with the paper; empty where none is compared."""
    verdicts = [row["verdict"] for row in best if row["verdict"]]
    return f"{agreement(verdicts, 'best heuristic')} (Table 5)" if verdicts else ""


def _screen(found: Found, width: int) -> list[RenderableType]:
    """The pooled means, the best two of each cost, and by which rule cells agree with the paper."""
    pooled, best, roomy = found.rows(POOLED), found.rows(BEST), width >= ROOMY_WIDTH
    if not pooled:
        return []
    leading = {(name_of(row), row["cost_function"]) for row in best}
    means = pivot(
        pooled,
        line=name_of,
        column=lambda row: _plain(row).removesuffix(" nodes") if roomy else SHORT_NAMES[row["cost_function"]],
        cell=lambda row: _cell(row, (name_of(row), row["cost_function"]) in leading, roomy),
        title=f"Mean excess over the exact minimum, % (n = {counted(pooled[0]['tables'], 'decision table')})",
        numeric=True,
    )
    legend = "bold: best two of a cost"
    if any(row["printed"] is not None for row in pooled):
        legend += f"{'; dim: printed, mean of four groups' if roomy else ''}; ≈: consistent; ≠: differs"
    without = left_out(pooled[0])
    shown = [means, Text(f"{legend}\n{without}" if without else legend, style="dim"), Text(), _best(best, roomy)]
    return [*shown, Text("\n" + "\n".join(_lines(found)))] if _compared(found.rows(CELLS)) else shown


def _cell(row: Row, best: bool, roomy: bool) -> Text:
    """Our mean in percent, bold among the best two, and the printed one dimmed, with a mark unless it agrees."""
    text = Text(f"{100 * row['mean_relative_difference']:.2f}", style="bold green" if best else "")
    if row["printed"] is not None:
        if roomy:
            text.append(f" {100 * row['printed']:5.2f}", style="not bold dim default")
        style = "bold red" if row["verdict"] == Verdict.DIFFERS else "not bold dim default"
        text.append(MARKS.get(row["verdict"], " "), style=style)
    return text


def _best(best: Sequence[Row], roomy: bool) -> RenderableType:
    """The best two heuristics of each cost; with the gap to the next where there is room, and the printed ones."""
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


def _lines(found: Found) -> list[str]:
    """Which cells of all groups differ from the paper, by which rule, and how many agree where groups are pooled."""
    cells, pooled = found.rows(CELLS), found.rows(POOLED)
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
        f"significant, but the interval is wider; differs: |z| > {limit:.2f}",
        f"{100 * sum(z > 2 for z in zs) / len(zs):.1f} % of cells beyond |z| = 2, where chance alone puts 4.6 %",
        f"groups together: {_agreement(pooled)}",
    ]


def _plain(row: Row) -> str:
    """The cost function of a row in words."""
    return str(row["cost_function"]).replace("_", " ")


def _trees(found: Found) -> list[NotableTree]:
    """Of the first table summarised the tree of the heuristic best at nodes, and one of fewest nodes."""
    best = [name_of(row) for row in found.rows(BEST) if (row["cost_function"], row["position"]) == ("nodes", 1)]
    tables = found.ask('select "group", min(first_table) as table_index from kept group by all order by all limit 1')
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
    tables=(CELLS, POOLED, BEST),
    views=VIEWS,
    printed=PRINTED,
    finding=_finding,
    screen=_screen,
    trees=_trees,
    worked=lambda found: bool(found.rows(POOLED)),
)
