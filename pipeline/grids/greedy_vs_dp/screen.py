"""The summary of the grid experiment on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from pipeline.grammar.costs import COSTS, SHORT_NAMES
from pipeline.grammar.findings import agreement
from pipeline.grids.greedy_vs_dp.comparison import TOLERANCE
from pipeline.screen import counted
from pipeline.summary.statistics import critical_z
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pipeline.grids.greedy_vs_dp.comparison import Best, Cell
    from pipeline.grids.greedy_vs_dp.summary import Summary
    from pipeline.summary.statistics import Estimate

__all__ = ["screen"]

ROOMY_WIDTH = 92  # columns from which on the printed values are shown beside ours
MOST_SIGNIFICANT = 5
MARKS = {Verdict.CONSISTENT: "≈", Verdict.DIFFERS: "≠"}
"""Behind a value of the table."""


def screen(summary: Summary, width: int) -> list[RenderableType]:
    """The pooled means, the best two of each cost, and how many cells agree with the paper."""
    roomy = width >= ROOMY_WIDTH
    compared: list[RenderableType] = ["", Text(sentence(summary))] if summary.compared else []
    return [_pooled(summary, roomy), "", _best(summary, roomy), *compared]


def sentence(summary: Summary) -> str:
    """How many cells of all groups, where any is compared, agree with the paper, and which differ."""
    compared = summary.compared
    lines = [
        f"{agreement((cell.verdict for cell in summary.cells), 'cell')} (Tables 1–4)",
        *_significant(summary),
        f"agrees: within {100 * TOLERANCE.share:g} % of the printed value, by the 95 % interval; consistent: not "
        f"significant, but the interval is wider; differs: |z| > {critical_z(compared):.2f}",
        f"{100 * summary.beyond_two / compared:.1f} % of cells beyond |z| = 2, where chance alone puts 4.6 %",
        f"groups together: {agreement((cell.verdict for cell in summary.pooled), 'cell')}",
    ]
    return "\n".join(filter(None, [*lines, summary.table_5]))


def _significant(summary: Summary) -> list[str]:
    """The cells whose difference is significant, the furthest first, each with its verdict."""
    limit = critical_z(summary.compared)
    cells = sorted((cell for cell in summary.cells if abs(cell.z or 0) > limit), key=lambda cell: -abs(cell.z or 0))
    lines = [
        f"  significant: {_plain(cell.cost_function)} by {cell.heuristic} in group {cell.group}, z {cell.z:+.2f}, "
        f"{'within the tolerance' if cell.verdict is Verdict.AGREES else cell.verdict}"
        for cell in cells[:MOST_SIGNIFICANT]
    ]
    more = len(cells) - MOST_SIGNIFICANT
    return lines + ([f"  and {more} more, in cells.csv"] if more > 0 else [])


def _pooled(summary: Summary, roomy: bool) -> Table:
    """A row per heuristic, a column per cost: our mean in percent, the printed one beside it."""
    table = Table(
        title=f"Mean excess over the exact minimum, % (n = {counted(summary.tables, 'decision table')})",
        caption=_legend(summary, roomy),
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("heuristic", no_wrap=True)
    for cost in COSTS:
        table.add_column(
            _plain(cost).removesuffix(" nodes") if roomy else SHORT_NAMES[cost], justify="right", no_wrap=True
        )
    best = {(row.heuristic, row.cost_function) for row in summary.best}
    by_name = {(cell.heuristic, cell.cost_function): cell for cell in summary.pooled}
    names = list(dict.fromkeys(cell.heuristic for cell in summary.pooled))
    for name, following in zip(names, [*names[1:], ""], strict=True):
        cells = [_cell(by_name[name, cost], (name, cost) in best, roomy) for cost in COSTS]
        table.add_row(name, *cells, end_section=name.split("/")[0] != following.split("/")[0])
    return table


def _cell(cell: Cell, best: bool, roomy: bool) -> Text:
    """Our mean in percent, bold among the best two, and the printed one dimmed, with a mark unless it agrees."""
    text = Text(f"{100 * cell.estimate.mean:.2f}", style="bold green" if best else "")
    if cell.printed is not None:
        if roomy:
            text.append(f" {100 * cell.printed:5.2f}", style="not bold dim default")
        mark = MARKS.get(cell.verdict, " ") if cell.verdict else " "
        text.append(mark, style="bold red" if cell.verdict is Verdict.DIFFERS else "not bold dim default")
    return text


def _legend(summary: Summary, roomy: bool) -> str:
    """What the styles of the table mean."""
    legend = "bold: best two of a cost"
    if any(cell.printed is not None for cell in summary.pooled):
        legend += "; dim: printed, mean of four groups" if roomy else ""
        legend += "; ≈: consistent; ≠: differs"
    if left_out := str(summary.left_out):
        legend += f"\n{left_out}"
    return legend


def _best(summary: Summary, roomy: bool) -> Table:
    """The best two heuristics of each cost; with the gap to the next where there is room, and the printed ones."""
    compared = any(row.printed for row in summary.best)
    columns: dict[str, Callable[[Best], str | Text]] = {
        "cost function": lambda row: _plain(row.cost_function) if row.position == 1 else "",
        "": lambda row: str(row.position),
        "heuristic": lambda row: row.heuristic,
        "mean, %": lambda row: _percent(row.estimate),
        **({"gap to next, %": lambda row: _percent(row.gap) if row.gap else ""} if roomy else {}),
        **({"printed": lambda row: row.printed or ""} if compared else {}),
        **({"pair": lambda row: _verdict(row) if row.position == 1 else ""} if compared else {}),
    }
    table = Table(title="Best two heuristics", title_justify="left")
    for heading in columns:
        table.add_column(heading, justify="right" if "%" in heading else "left", no_wrap=True)
    for row in summary.best:
        table.add_row(*(cell(row) for cell in columns.values()), end_section=row.position == 2)
    return table


def _verdict(row: Best) -> Text:
    """The verdict of the printed pair."""
    return Text(row.verdict or "", style="bold red" if row.verdict is Verdict.DIFFERS else "")


def _percent(estimate: Estimate) -> str:
    """A mean in percent, with its standard error."""
    error = estimate.standard_error
    return f"{100 * estimate.mean:.2f}" + ("" if error is None else f" ± {100 * error:.2f}")


def _plain(cost: str) -> str:
    """The name of a cost function in words."""
    return cost.replace("_", " ")
