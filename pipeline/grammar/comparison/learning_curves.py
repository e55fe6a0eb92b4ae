"""Learning curves: the best and mean fitness of each fit by generation, and their summary."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.drawing.figures import GREY
from pipeline.drawing.frame import Axes, Inches, framed, grid_shape
from pipeline.drawing.looks import colour_of
from pipeline.drawing.marks import band, few_ticks
from pipeline.grammar.columns import Key, Row, Value, grouped, titled
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.words import counted, readable

NEGLIGIBLE = 1e-12
"""Differences in fitness up to this are rounding errors, not improvements."""

EVOLUTIONS = f"""(select source, part, builder, repeat, fold, max(generation) as last,
  arg_min(best, generation) as first_best, arg_max(best, generation) as last_best,
  arg_min(mean, generation) as first_mean, arg_max(mean, generation) as last_mean,
  max(if(gain is null or gain > {NEGLIGIBLE}, generation, 0)) as improved
from (select *, lag(best) over (partition by source, part, builder, repeat, fold order by generation) - best as gain
  from curves)
group by source, part, builder, repeat, fold)"""
"""For each fit: its last generation, its fitness at both ends, and when its best fitness last improved."""

CURVES = Table(
    "curves",
    "Learning curves",
    of=EVOLUTIONS,
    columns=[
        *(Key(name) for name in ("source", "part", "builder")),
        Value("n", "count(*)"),
        *(
            Value(name, f"{function}(last)")
            for name, function in (("generations", "avg"), ("fewest", "min"), ("most", "max"))
        ),
        *(Value(name, f"avg({name})") for name in ("first_best", "last_best", "first_mean", "last_mean")),
        Value("last_improvement", "avg(improved)"),
    ],
    beside="ours join (select source, part, builder, min(position) as position from curves group by all) "
    "using (source, part, builder)",
    order="position",
    note="n: fits; generations, fewest, most: mean, least and greatest number of generations; first_best to "
    "last_mean: fitness of the best individual and mean fitness, in the initial and in the last population; "
    "last_improvement: generation in which the best fitness last improved. Values are means over the fits.",
    needs="curves",
)

POINTS = f"""select source, part, builder, generation, count(*) as n,
  avg(best) as best, min(best) as best_low, max(best) as best_high,
  avg(mean) as mean, min(mean) as mean_low, max(mean) as mean_high
from (select *, unnest(range(longest + 1)) as generation
    from (select *, max(last) over (partition by source, part, builder) as longest from {EVOLUTIONS})) e
  join (select source, part, builder, repeat, fold, generation as reached, best, mean, position from curves) c
  using (source, part, builder, repeat, fold)
where reached = least(generation, last)
group by source, part, builder, generation
order by min(min(position)) over (partition by source, part, builder), generation"""


def points_of(results: Results) -> list[Row]:
    """For each builder, data set and generation: mean, least and greatest of the best and the mean fitness.

    A fit that has ended counts with its last fitness. Each point has, under ROW, the row of its curve in the table.
    """
    points = results.beside(CURVES, POINTS, "source", "part", "builder") if results.rows(CURVES) else []
    return [point | {"_title": titled(point)} for point in points]


def curves(headline: str) -> Summary:
    """The learning curves of builders that have any, drawn under a headline."""
    return Summary(tables=(CURVES,), figures=(lambda results, folder: draw(points_of(results), folder, headline),))


ACROSS = 3
WIDE, PANEL, ABOVE, BELOW, GAP = 4.0, 2.2, 1.3, 0.62, 0.5
"""In inches: width and height of a panel, space above and below all panels, and between their rows."""

MOST_POINTS = 120
"""Most points of a curve, at even distances: more cannot be seen and make a large file."""


def draw(points: Sequence[Row], folder: Path, headline: str) -> tuple[Path, ...]:
    """Draw `curves.svg` and `.png` and return their paths; nothing if there are no curves.

    Parameters
    ----------
    points : sequence of Row
        The points that `points_of` returns.
    """
    if not points:
        return ()
    curves = grouped(points, "source", "part", "builder")
    several = len({builder for _, _, builder in curves}) > 1
    down, across = shape = grid_shape(len(curves), ACROSS, 2)
    height = ABOVE + BELOW + down * PANEL + (down - 1) * GAP
    inches = Inches(WIDE * across, height, left=0.8, right=0.015 * WIDE * across, above=ABOVE, below=BELOW)
    fits = max(row["n"] for row in points)
    subtitle = (
        f"fitness by generation, lower is better: mean of {counted(fits, 'fit')}; band: from the least to the greatest"
    )
    shared: dict[str, Any] = {"sharex": True, "sharey": True, "wspace": 0.17, "hspace": GAP / PANEL}
    with framed(folder, "curves", headline, subtitle, inches, shape, **shared) as frame:
        titles = [
            titled(rows[0]) + (f": {readable(rows[0]['builder'])}" if several else "") for rows in curves.values()
        ]
        panels = list(frame.titled(titles, "generation", "fitness", letters=60, fontsize=10).values())
        for axes, ((*_, builder), rows) in zip(panels, curves.items(), strict=True):
            _panel(axes, builder, rows)
        panels[0].set_xlim(0, max(1, *(row["generation"] for row in points)))
        panels[0].set_ylim(bottom=0)
        frame.key(panels[0].get_legend_handles_labels()[0])
    return frame.files


def _panel(axes: Axes, builder: str, rows: Sequence[Row]) -> None:
    last = len(rows) - 1
    indices = np.unique(np.linspace(0, last, min(last, MOST_POINTS) + 1).round().astype(int))
    shown = [rows[index] for index in indices]
    generations = [row["generation"] for row in shown]
    for label, colour, name in (("mean individual", GREY, "mean"), ("best individual", colour_of(builder), "best")):
        ends, text = (f"{name}_low", f"{name}_high"), f"{titled(shown[0])}, {readable(builder)}, fitness of the {label}"
        look: dict[str, Any] = {"color": colour, "linewidth": 1.6, "label": label}
        band(axes, generations, shown, name, ends, alpha=0.18, named=text, **look)
    few_ticks(axes.xaxis, 6, integer=True)
    few_ticks(axes.yaxis, 5)
