"""The summary of evolved and grown trees beside the fewest training errors: for each data set, and over all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from pipeline.drawing.figures import GREY, INK, label
from pipeline.drawing.frame import Axes, Frame, Inches, framed, grid_shape
from pipeline.drawing.looks import colour_of, look_of
from pipeline.drawing.marks import band, entry, entry_of, few_ticks, log_axis
from pipeline.grammar.columns import TITLE, Key, Known, Mean, Row, Value, estimate_of, grouped
from pipeline.grammar.findings import listed, listing, points
from pipeline.grammar.notable_trees import drawable, errors_in_words, notable
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.grids.evo_vs_exact.grid import EXACT
from pipeline.words import counted, readable

VIEWS = {
    "trees": f"""select *, (parameters ->> 'max_depth')::int as max_depth,
  round((1 - train_accuracy) * rows)::bigint as errors, nonterminal_nodes as splits
from results where status = 'ok' and builder <> '{EXACT}'""",
    "searched": "select source, part, max_depth, splits, errors, bound from frontiers where status = 'ok'",
    "known": """from searched select source, part, max_depth, splits, errors
union all by name
select source, part, max_depth, splits, errors from trees semi join searched using (source, part, max_depth)""",
    "frontier": """select s.source, s.part, s.max_depth, s.splits, min(k.errors) as errors, max(b.bound) as bound
from searched s
join known k on k.source = s.source and k.part = s.part and k.max_depth <= s.max_depth and k.splits <= s.splits
join searched b on b.source = s.source and b.part = s.part and b.splits = s.splits
  and (b.max_depth = s.max_depth or (b.max_depth < s.max_depth and s.splits <= b.max_depth))
group by s.source, s.part, s.max_depth, s.splits""",
    "optima": """select source, part, max_depth, arg_max(errors, splits) as fewest_errors,
  arg_max(bound, splits) as least, fewest_errors = least as proven, bool_and(errors = bound) as proven_by_splits
from frontier group by source, part, max_depth""",
    "held": f"""select t.*, {TITLE} as title, fewest_errors, least, proven, proven_by_splits,
  100 * (t.errors - least) / rows as above, 100 * (t.errors - f.bound) / rows as above_for_splits,
  (select min(n.splits) from frontier n where n.source = t.source and n.part = t.part and n.max_depth = t.max_depth
    and n.errors <= t.errors) as fewest_splits
from trees t join optima using (source, part, max_depth)
join (select source, part, max_depth, splits, bound from frontier) f using (source, part, max_depth, splits)""",
    "of_sets": """select source, part, title, max_depth, builder, proven, proven_by_splits, count(*) as trees,
  count(*) filter (where errors = least) as reached,
  if(count(optimal) = 0, null, count(*) filter (where optimal)) as fittest, favg(above) as above,
  favg(splits) as splits, favg(fewest_splits) as fewest_splits, favg(above_for_splits) as above_for_splits
from held group by all""",
}
"""Views: trees, the known fewest errors by splits, each tree beside these, and each builder on each data set.

A result for one depth holds at others: a tree is also a tree of every greater depth, and a tree with some number of
splits is at most that deep.
"""

TESTS = (
    "All builders use the same tests: one label against all others, and any threshold of a number. EVO-Tree's "
    "fitness adds a penalty for depth to the error. So, on large data sets, a further level must correct more than "
    "one or two rows."
)
BY_SPLITS = "filter (where proven and proven_by_splits)"

BUILDERS = Table(
    "evo_vs_exact",
    "Training errors above the minimum, by depth",
    of="(select distinct max_depth from held) cross join (select distinct builder from held) "
    "left join of_sets using (max_depth, builder)",
    columns=[
        *(Key(name) for name in ("max_depth", "builder")),
        Value("n", "count(*) filter (where proven)"),
        *(Value(name, f"coalesce(sum({name}) filter (where proven), 0)::bigint") for name in ("trees", "reached")),
        Value("reached_by_any", "count(*) filter (where proven and reached > 0)"),
        Value("fittest", "(sum(fittest) filter (where proven))::bigint"),
        Mean("excess", "if(proven, above, null)", n=""),
        Value("worst", "max(above) filter (where proven)"),
        Known("worst_on", "w.worst_on"),
        Value("not_proven", "count(*) filter (where not proven)"),
        Value("n_by_splits", f"count(*) {BY_SPLITS}"),
        *(Value(name, f"favg({name}) {BY_SPLITS}") for name in ("splits", "fewest_splits")),
        Value("excess_for_splits", f"favg(above_for_splits) {BY_SPLITS}"),
    ],
    beside="""ours join (select builder, min(position) as place from held group by builder) b using (builder)
left join (select max_depth, builder, first(title order by above desc, place) as worst_on
  from of_sets join sources using (source, part) where proven group by max_depth, builder) w
using (max_depth, builder)""",
    order="max_depth, b.place",
    note="The minimum is the number of training errors of the best tree of the depth. n: data sets for which the "
    "minimum is proven (not_proven: data sets on which the search reached its limit first); trees: trees for these n "
    "data sets, one for each seed; reached: trees with the minimum number of errors; reached_by_any: data sets with "
    "at least one such tree; fittest: trees with the least possible fitness. excess: training error above the "
    "minimum, in points, averaged over seeds and then over data sets; low to high: its 95 % normal interval over "
    "the data sets, which are not a random sample. n_by_splits: data sets for which the minimum is also proven for "
    "each number of splits; the next three columns are means over them. splits: of the trees; fewest_splits: the "
    "fewest splits of any tree with no more errors; excess_for_splits: training error, in points, above the minimum "
    f"of trees with no more splits. {TESTS}",
)
SETS = Table(
    "evo_vs_exact_sets",
    "Training errors beside the minimum, by data set",
    of="held",
    columns=[
        *(Key(name) for name in ("source", "part", "max_depth")),
        Value("rows"),
        Key("builder"),
        Mean("errors", low="errors_low", high="errors_high"),
        Value("best_errors", "min(errors)"),
        Value("fewest_errors"),
        Value("bound", "any_value(least)"),
        Value("proven", "any_value(proven)::varchar"),
        Value("reached", "count(*) filter (where errors = least)"),
        Value("fittest", "if(count(optimal) = 0, null, count(*) filter (where optimal))"),
        Mean("excess", "above", n="", low="excess_low", high="excess_high"),
        *(Value(name, f"favg({name})") for name in ("splits", "fewest_splits")),
        Value("fewest_splits_proven", "any_value(proven_by_splits)::varchar"),
        Value("excess_for_splits", "favg(above_for_splits)"),
        Value("_title", "any_value(title)"),
    ],
    order="min(_position) over (partition by source, part, max_depth), _position",
    note="n: trees of the builder, one for each seed; errors: mean number of training rows (all rows of the data set) "
    "that a tree misclassifies, with its 95 % normal interval over seeds; best_errors: errors of the best seed. "
    "fewest_errors: errors of the best known tree of the depth; bound: no tree of the depth has fewer errors; "
    "proven: fewest_errors equals the bound. reached: trees with no more errors than the bound; fittest: trees "
    "with the least possible fitness. excess: errors above the bound, in points of the training error; the true "
    "excess is smaller if no tree reaches the bound. splits: mean number of nonterminal nodes that training rows "
    "reach; fewest_splits: for each tree, the fewest splits of any known tree with no more errors, as a mean; "
    f"excess_for_splits: errors above the bound of trees with no more splits, in points. {TESTS}",
)
MARKS = """select title as _title, max_depth, builder, splits, errors, rows, count(*) as seeds from held
group by title, max_depth, builder, splits, errors, rows order by min(position)"""
"""Trees by splits and errors."""
FRONTIERS = Table(
    "frontiers",
    "Minimum training errors by number of splits",
    of="frontier join (select distinct source, part, title, max_depth, rows from held) using (source, part, max_depth)",
    columns=[Key(name) for name in ("title", "max_depth", "splits", "errors", "bound", "rows")],
    order="max_depth, splits",
    written=False,
)
STEPS = """select source, part, max_depth, builder, generation from own
union select source, part, max_depth, builder, generation - 1 from own where generation > 0
union select source, part, max_depth, builder, max(generation) from own group by source, part, max_depth, builder"""
DESCENTS = Table(
    "descents",
    "Fitness above its minimum, by generation",
    of=f"""(with own as (
    from descents join optima using (source, part, max_depth)
    where proven and builder = (select builder from descents order by position limit 1)),
  steps as ({STEPS}),
  seeds as (select distinct source, part, max_depth, repeat, {TITLE} as title from own)
select s.*, d.fitness - d.bound as above, d.position
from (from steps join seeds using (source, part, max_depth)) s asof join own d on s.source = d.source
  and s.part = d.part and s.max_depth = d.max_depth and s.repeat = d.repeat and s.generation >= d.generation)""",
    columns=[
        *(Key(name) for name in ("title", "max_depth", "builder", "generation")),
        *(Value(name, f"{function}(above)") for name, function in (("mean", "avg"), ("low", "min"), ("high", "max"))),
    ],
    order="min(_position) over (partition by title, max_depth), generation",
    written=False,
)

LEGEND = (
    "reached: trees with the minimum number of errors; needed: fewest splits of any tree with no more errors; not "
    "proven: data sets for which only a bound is known; they are left out"
)


def _finding(results: Results) -> list[str]:
    """State how many trees of each builder have the fewest errors of their depth, and its largest mean excess."""
    known = [row for row in results.rows(BUILDERS) if row["n"]]
    if not known:
        return ["the minimum training error is not proven for any data set"]
    sentences = []
    for builder, own in grouped(known, "builder").items():
        reached = [f"{row['reached']} of {row['trees']} at depth {row['max_depth']}" for row in own]
        worst = max(own, key=lambda row: row["excess"])
        excess = estimate_of(worst, "excess")
        mean = f" (largest mean excess: {points(excess)}, at depth {worst['max_depth']})" if excess else ""
        sentences.append(f"of the trees of {builder}, {listed(reached)} have the minimum training error{mean}")
    return sentences


def _screen(results: Results, _: int) -> list[RenderableType]:
    """A line for each depth and builder."""
    lines = []
    for row in results.rows(BUILDERS):
        half = "" if row["high"] is None else f" ± {row['high'] - row['excess']:.2f}"
        excess = "" if row["excess"] is None else f"{row['excess']:.2f}{half}"
        sizes = ("" if row[name] is None else f"{row[name]:.1f}" for name in ("splits", "fewest_splits"))
        reached = f"{row['reached']}/{row['trees']}"
        lines.append([row["max_depth"], row["builder"], row["n"], reached, excess, *sizes, row["not_proven"]])
    shown = listing(
        "Training errors above the minimum of all trees of the depth",
        ("depth", "builder", "sets", "reached", "excess, points", "splits", "needed", "not proven"),
        lines,
        words=["builder"],
    )
    return [shown, Text(LEGEND, style="dim")]


def _trees(results: Results) -> list[NotableTree]:
    """The worst tree of the builder that is furthest above the fewest errors, and the best tree of that depth."""
    question = "select *, (parameters ->> 'max_depth')::int as max_depth from results order by position"
    rows = grouped(filter(drawable, results.query(question)), "source", "part", "max_depth", "builder")
    proven = [row for row in results.rows(SETS) if row["proven"] == "true"]
    for furthest in sorted(proven, key=lambda row: -row["excess"]):
        cell = (furthest["source"], furthest["part"], furthest["max_depth"])
        own, best = rows.get((*cell, furthest["builder"]), []), rows.get((*cell, EXACT), [])
        if own and best:
            worst = min(own, key=lambda row: float(row["train_accuracy"]))
            fewest = f"{errors_in_words(best[0])}, the minimum of depth {furthest['max_depth']}"
            return [notable(worst, errors_in_words(worst)), notable(best[0], fewest)]
    return []


ACROSS = 4
PANEL, TALL, ABOVE, BELOW, LEFT = 2.75, 2.25, 1.3, 0.6, 0.8
"""In inches: width and height of a panel with its margins, the space above and below all panels, and left of them."""
LETTERS = 26
"""Characters of the longest title that is no wider than its panel."""
KEY: dict[str, Any] = {"most_in_a_line": 8, "columnspacing": 1.4, "handletextpad": 0.5}
Style = tuple[float, Sequence[float]]

STYLES: tuple[Style, ...] = (
    *((0, (1, 1.2)), (0, (4, 2)), (0, ())),
    *((0, (6, 2, 1, 2)), (0, (2, 3)), (0, (1, 3))),
)
SHADES = (0.45, 1.0, 0.55, 0.2)
"""Shades of a builder's colour by depth, from the smallest: mixed with white up to the full colour, then with black."""
ABOVE_WORST = 0.25
"""Space above the worst tree of a panel, as a share of its distance from the least error."""


def _draw_trees(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `evo_vs_exact`: the errors of each tree against its splits, and the fewest errors by splits."""
    sets = results.rows(SETS)
    if not sets:
        return ()
    marks = grouped(results.beside(SETS, MARKS, "_title", "max_depth", "builder"), "_title")
    frontiers = grouped(results.rows(FRONTIERS), "title")
    titles, builders = (list(dict.fromkeys(row[name] for row in sets)) for name in ("_title", "builder"))
    depths = sorted({row["max_depth"] for row in sets})
    caption = (
        "a mark for each tree, by its splits and training error; lines: minimum training error of all trees of the "
        "depth with no more splits"
    )
    with _panels(
        folder,
        "evo_vs_exact",
        "Distance from the best tree of each depth",
        caption,
        titles,
        ("splits", "training error, %"),
    ) as (frame, panels):
        for title, axes in panels.items():
            _panel(axes, marks[title], frontiers[title], builders, depths)
        key = [
            entry_of(name, linestyle="", marker=look_of(name).marker, markerfacecolor=face, markeredgecolor=edge)
            for name, (face, edge) in zip(builders, map(_face_and_edge, builders, range(len(builders))), strict=True)
        ]
        for depth, style in zip(depths, STYLES, strict=False):
            key.append(entry(f"minimum, depth {depth}", color=INK, linewidth=1.1, linestyle=style))
        if any(row["fewest_splits_proven"] == "false" for row in sets):
            key.append(entry("not proven: down to the bound", color=GREY, alpha=0.25, linewidth=7))
        frame.key(key, **KEY)
    return frame.files


def _draw_descents(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `descent`: the fitness above the minimum by generation, as the mean of the seeds and their range."""
    descents = results.rows(DESCENTS)
    if not descents:
        return ()
    depths, builder = sorted({row["max_depth"] for row in descents}), descents[0]["builder"]
    shades = {depth: _shade(builder, index) for index, depth in enumerate(depths)}
    by_title = grouped(descents, "title")
    caption = "best fitness so far, above the proven minimum of all trees of the depth: mean, best and worst seed"
    shown = ("Fitness of EVO-Tree by generation", caption, list(by_title))
    axes_of = ("generation (the initial trees are 1)", "fitness above the minimum")
    with _panels(folder, "descent", *shown, axes_of) as (frame, panels):
        for title, axes in panels.items():
            axes.set_xscale("log")
            for depth, own in grouped(by_title[title], "max_depth").items():
                generations = [1 + row["generation"] for row in own]
                name = f"{title}, depth {depth}, fitness above the minimum by generation"
                look: dict[str, Any] = {"color": shades[depth], "linewidth": 1.6}
                band(axes, generations, own, alpha=0.15, named=name, **look)
            axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])
            log_axis(axes.xaxis, (1, 3))
            few_ticks(axes.yaxis, 5)
        frame.key([entry(f"depth {depth}", color=shade) for depth, shade in shades.items()], **KEY)
    return frame.files


@contextmanager
def _panels(
    folder: Path, name: str, headline: str, caption: str, titles: Sequence[str], axes_of: tuple[str, str]
) -> Iterator[tuple[Frame, dict[str, Axes]]]:
    """A figure with a panel for each title. The axes are labelled below the last panel and beside the first."""
    down, across = shape = grid_shape(len(titles), ACROSS, 3)
    inches = Inches(LEFT + PANEL * across, ABOVE + BELOW + TALL * down, left=LEFT, right=0.22, above=ABOVE, below=BELOW)
    with framed(folder, name, headline, caption, inches, shape, wspace=0.22, hspace=0.42) as frame:
        panels = frame.titled(titles, *axes_of, letters=LETTERS)
        yield frame, panels


def _panel(
    axes: Axes, marks: Sequence[Row], frontiers: Sequence[Row], builders: Sequence[str], depths: Sequence[int]
) -> None:
    """Draw the trees of a data set, and the fewest errors of each depth."""
    most, wrong = max(row["splits"] for row in marks), [_percent(row, "errors") for row in marks]
    ends = []
    for depth, own in grouped(frontiers, "max_depth").items():
        _frontier(axes, own, STYLES[depths.index(depth)])
        ends.append(_percent(own[min(most, len(own) - 1)], "errors"))
    for row in sorted(marks, key=lambda row: depths.index(row["max_depth"])):
        index = builders.index(row["builder"])
        face, edge = _face_and_edge(row["builder"], index)
        mark = axes.scatter(
            [row["splits"]],
            [_percent(row, "errors")],
            16 + 14 * math.sqrt(row["seeds"]),
            marker=look_of(row["builder"]).marker,
            facecolors=face,
            edgecolors=edge,
            linewidths=0.5 if index == 0 else 1.2,
            zorder=3,
        )
        trees = (
            f"{readable(row['builder'])} on {row['_title']}, depth {row['max_depth']}, {counted(row['seeds'], 'tree')}"
        )
        label(
            [mark], f"{trees}: {counted(row['splits'], 'split')}, training error {_percent(row, 'errors'):.4g} %", row
        )
    span = max(max(wrong) - min(ends), 1.0)
    axes.set_ylim(min(ends) - 0.08 * span, max(wrong) + ABOVE_WORST * span)
    axes.set_xlim(-0.3, most + 0.6)
    few_ticks(axes.xaxis, 6, integer=True)
    few_ticks(axes.yaxis, 5)


def _frontier(axes: Axes, own: Sequence[Row], style: Style) -> None:
    """Draw the fewest errors by splits and, if they are not proven, their lower bound."""
    splits, errors = [row["splits"] for row in own], [_percent(row, "errors") for row in own]
    line = axes.step(splits, errors, where="post", color=INK, linewidth=1.1, linestyle=style)
    text = f"{own[0]['title']}, fewest errors at depth {own[0]['max_depth']}: {errors[0]:.4g} % to {errors[-1]:.4g} %"
    label(line, text, own[0])
    if any(row["errors"] != row["bound"] for row in own):
        bound = [_percent(row, "bound") for row in own]
        axes.fill_between(splits, bound, errors, step="post", color=GREY, alpha=0.12, linewidth=0)


def _percent(row: Row, name: str) -> float:
    """Errors in percent of the rows."""
    return float(100 * row[name] / row["rows"])


def _shade(builder: str, index: int) -> str:
    """The shade of a builder's colour for a depth, given its index among the depths."""
    from matplotlib.colors import to_hex, to_rgb

    share, ground = SHADES[min(index, len(SHADES) - 1)], float(index < SHADES.index(1.0))
    red, green, blue = (share * part + (1 - share) * ground for part in to_rgb(colour_of(builder)))
    return to_hex((red, green, blue))


def _face_and_edge(builder: str, index: int) -> tuple[str, str]:
    """The colours of a builder's marks: the first is filled, others are open, so that both can be seen at one point."""
    colour = colour_of(builder)
    return (colour, "white") if index == 0 else ("none", colour)


SUMMARY = Summary(
    tables=(BUILDERS, SETS, FRONTIERS, DESCENTS),
    views=VIEWS,
    finding=_finding,
    screen=_screen,
    figures=(_draw_trees, _draw_descents),
    trees=_trees,
    failed="status <> 'ok' and terminal_nodes is null",
    failures_in="",
    has_results=lambda results: bool(results.rows(SETS)),
    nothing="No tree can be compared with a minimum: the searches or the fits failed.",
)
