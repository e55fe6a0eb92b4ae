"""The summary of the grid experiment on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from pipeline.summaries.grid_rows import COSTS
from pipeline.summaries.statistics import critical_z
from pipeline.summaries.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pipeline.summaries.comparison import Best, Cell
    from pipeline.summaries.greedy_vs_dp import Summary

__all__ = ["screen"]


def screen(summary: Summary) -> list[RenderableType]:
    """The pooled means, the best two of each cost, and how many cells agree with print; at most 100 columns wide."""
    return [_pooled(summary), _best(summary), Text(sentence(summary))]


def sentence(summary: Summary) -> str:
    """How the cells of all groups compare with print."""
    if summary.worst is None or summary.worst.z is None:
        return "No cell was compared with print: these are other tables than the paper's, or fewer than 30 a group."
    worst, compared = summary.worst, summary.compared
    return (
        f"{summary.agreeing} of {compared} cells agree with print (|z| <= {critical_z(compared):.2f}, Bonferroni over "
        f"{compared} cells); worst z {worst.z:+.2f}, {worst.heuristic} in {_plain(worst.cost_function)} of group "
        f"{worst.group}; {summary.beyond_two / compared:.1%} beyond |z| = 2, where chance alone puts 4.6 %."
    )


def _pooled(summary: Summary) -> Table:
    """A row per heuristic, a column per cost: our mean in percent, print's beside it."""
    table = Table(
        title=f"Mean excess over the exact minimum, % (n = {summary.tables:,} decision tables)",
        caption=_legend(summary),
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("heuristic")
    for cost in COSTS:
        table.add_column(_plain(cost).removesuffix(" nodes"), justify="right")
    best = {(row.heuristic, row.cost_function) for row in summary.best}
    by_name = {(cell.heuristic, cell.cost_function): cell for cell in summary.pooled}
    names = list(dict.fromkeys(cell.heuristic for cell in summary.pooled))
    for name, following in zip(names, [*names[1:], ""], strict=True):
        cells = [_cell(by_name[name, cost], best=(name, cost) in best) for cost in COSTS]
        table.add_row(name, *cells, end_section=name.split("/")[0] != following.split("/")[0])
    return table


def _cell(cell: Cell, best: bool) -> Text:
    """Our mean in percent, bold among the best two, and print's dimmed, with a mark where they differ."""
    text = Text(f"{100 * cell.estimate.mean:.2f}", style="bold green" if best else "")
    if cell.printed is not None:
        text.append(f" {100 * cell.printed:5.2f}", style="not bold dim default")
        differs = cell.verdict is Verdict.DIFFERS
        text.append("≠" if differs else " ", style="bold red" if differs else "")
    return text


def _legend(summary: Summary) -> str:
    """What the styles of the table mean."""
    legend = "bold: the best two of a cost"
    if any(cell.printed is not None for cell in summary.pooled):
        legend += "; dim: printed, mean of its four groups; ≠: differs from print"
    if summary.left_out:
        legend += f"\n{summary.left_out:,} tables left out for rows that are not ok"
    return legend


def _best(summary: Summary) -> Table:
    """The best two heuristics of each cost, with the gap to the next."""
    table = Table(title="Best two heuristics", title_justify="left")
    for heading in ("cost function", "", "heuristic", "mean, %", "gap to next, %", "printed", "verdict"):
        table.add_column(heading, justify="right" if "%" in heading else "left")
    for row in summary.best:
        first = row.position == 1
        table.add_row(
            _plain(row.cost_function) if first else "",
            str(row.position),
            row.heuristic,
            _percent(row.estimate.mean, row.estimate.standard_error),
            _percent(row.gap.mean, row.gap.standard_error) if row.gap else "",
            row.printed or "",
            _verdict(row) if first else "",
            end_section=not first,
        )
    return table


def _verdict(row: Best) -> Text:
    """The verdict of the printed pair."""
    return Text(row.verdict or "", style="bold red" if row.verdict is Verdict.DIFFERS else "")


def _percent(mean: float, standard_error: float | None) -> str:
    """A mean in percent, with its standard error."""
    return f"{100 * mean:.2f}" + ("" if standard_error is None else f" ± {100 * standard_error:.2f}")


def _plain(cost: str) -> str:
    """The name of a cost function in words."""
    return cost.replace("_", " ")
