"""The summary of removed features: test accuracy of each builder against the number of removed attributes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import RenderableType
from rich.table import Table as Lines
from rich.text import Text

from pipeline.drawing.frame import Axes, Inches, framed
from pipeline.drawing.looks import Look, looks_of
from pipeline.drawing.marks import band, entry_of, few_ticks
from pipeline.grammar.columns import TITLE, Key, Known, Mean, Row, Value, estimate_of
from pipeline.grammar.findings import listed
from pipeline.grammar.notable_trees import accuracy_in_words, drawable, notable
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.grids.removed_features.grid import BY_GAIN
from pipeline.summary.statistics import HALF_WIDTH_95
from pipeline.words import counted, out_of, readable

RANDOM = "random"
"""The name of all random orders together, in the summary."""

VIEWS = {
    "fits": f"""select *, if(removal_order = '{BY_GAIN}', '{BY_GAIN}', '{RANDOM}') as "order",
  if(removal_order = '{BY_GAIN}', repeat || ' ' || fold, removal_order) as unit,
  if(status = 'ok', 100 * test_accuracy, null) as accuracy from results""",
    "units": """select o.source, o.part, o."order", o.removed_attributes as removed, o.builder, a.name as difference_to,
  o.unit, avg(o.accuracy) as accuracy, avg(o.accuracy - f.accuracy) as apart,
  count(*) filter (where o.status <> 'ok') as failed,
  sum(o.nodes) filter (where o.status = 'ok') as nodes, count(o.nodes) filter (where o.status = 'ok') as trees
from fits o cross join (select null as name union all select distinct builder from results) a
left join fits f on f.builder = a.name and (f.source, f.part, f.removal_order, f.removed_attributes, f.repeat, f.fold)
  = (o.source, o.part, o.removal_order, o.removed_attributes, o.repeat, o.fold)
group by all""",
}
"""Views. `units`: each builder beside each other and beside none, over splits or over the splits of a random order."""

POINTS = Table(
    "removed_features",
    "Accuracy against the number of attributes removed",
    of="units",
    columns=[
        *(Key(name) for name in ("source", "part")),
        Key("order", '"order"'),
        Key("removed"),
        Known("left", "a.attributes - removed"),
        Key("builder"),
        Value("n", "count(accuracy)"),
        Value("failed", "sum(failed)::bigint"),
        Mean("test_accuracy", "accuracy", n=""),
        Key("difference_to"),
        Mean("difference", "apart", n="", low="difference_low", high="difference_high"),
        Value("nodes", "sum(nodes) / nullif(sum(trees), 0)"),
        Value("_title", f"any_value({TITLE})"),
    ],
    beside="""ours join sources s using (source, part) join attributes a on a.title = ours._title
join builders b on b.name = builder join builders f on f.place = 0
where difference_to is not distinct from if(b.place = 0, null, f.name)""",
    order=f"""s.place, "order" <> '{BY_GAIN}', removed, b.place""",
    note="Attributes are removed by decreasing information gain on the training rows of each split, the most "
    "informative first (numeric attributes are cut for this by Fayyad and Irani's method), or in random orders, "
    "which are the same for all splits. The paper (Ben-Gal et al. 2014) names neither the order nor the data "
    "sets, so both are ours, and its figure has no numbers to compare with. test_accuracy: in percent. n: number "
    "of splits, or of random orders, each with its mean over the splits. low to high: 95 % normal interval over "
    "them, which is approximate, because splits share training rows. difference: from the accuracy of "
    "difference_to, the first builder, in points, paired by split. nodes: mean, for trees only. failed: fits "
    "that failed; they are left out, and a difference leaves out both fits of the split.",
)


def _finding(results: Results) -> list[str]:
    """State each builder's accuracy without the more informative half, and how often builders differ."""
    points = results.rows(POINTS)
    falls = _falls(points)
    sets = min((len(pairs) for pairs in falls.values()), default=0)
    if not sets:
        return ["No data set was tested both with all attributes and without the more informative half of them"]
    means = {name: [fmean(column) for column in zip(*pairs, strict=True)] for name, pairs in falls.items()}
    changes = listed([f"from {whole:.1f} to {half:.1f} % with {name}" for name, (whole, half) in means.items()])
    on = counted(sets, "data set")
    clauses = [f"Without the more informative half of the attributes, mean test accuracy on {on} changes {changes}"]
    differences = [estimate_of(row, "difference") for row in points if row["difference_to"]]
    distances = [abs(own.z) for own in differences if own and own.z is not None]
    if distances:
        first = next(row["difference_to"] for row in points if row["difference_to"])
        clear = sum(z > HALF_WIDTH_95 for z in distances)
        of = out_of(clear, len(distances), "comparison")
        clauses.append(f"in {of} with {first}, the 95 % interval of the difference excludes 0")
    return clauses


def _falls(points: Sequence[Row]) -> dict[str, list[tuple[float, float]]]:
    """For each builder, its accuracies with all attributes and without the better half, on sets where all have both."""
    known = {
        (row["_title"], row["builder"], row["removed"]): row["test_accuracy"]
        for row in points
        if row["order"] == BY_GAIN and row["n"] and not row["failed"]
    }
    result: dict[str, list[tuple[float, float]]] = {row["builder"]: [] for row in points}
    for title, attributes in _attributes(points).items():
        cells = {name: [(title, name, removed) for removed in (0, attributes // 2)] for name in result}
        if all(cell in known for own in cells.values() for cell in own):
            for name, (whole, half) in cells.items():
                result[name].append((known[whole], known[half]))
    return result


def _attributes(points: Sequence[Row]) -> dict[str, int]:
    """The number of attributes of each data set."""
    return {row["_title"]: row["removed"] + row["left"] for row in points}


def _screen(results: Results, _: int) -> list[RenderableType]:
    """A line for each source and builder: with all attributes, with half, with one."""
    points = results.rows(POINTS)
    shown = Lines(title="Test accuracy, %", title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for heading in ("", "", "all", "half, by gain", "half, random", "one, by gain", "one, random"):
        shown.add_column(heading, justify="right" if heading else "left")
    known = {(row["_title"], row["builder"], row["order"], row["removed"]): row["test_accuracy"] for row in points}
    for title, number in _attributes(points).items():
        orders = [(order, removed) for removed in (number // 2, number - 1) for order in (BY_GAIN, RANDOM)]
        for builder in dict.fromkeys(row["builder"] for row in points if row["_title"] == title):
            values = [known.get((title, builder, *cell)) for cell in ((BY_GAIN, 0), *orders)]
            shown.add_row(Text(title), Text(builder), *("" if value is None else f"{value:.1f}" for value in values))
    return [shown, Text("; ".join(_finding(results)))]


def _trees(results: Results) -> list[NotableTree]:
    """The trees with all attributes and without the first removed, of the drawable fit that loses most by it."""
    by_fit: dict[tuple[object, ...], dict[int, Row]] = {}
    for row in results.query(
        f"from results where removal_order = '{BY_GAIN}' and removed_attributes <= 1 order by position"
    ):
        if drawable(row):
            fit = tuple(row[name] for name in ("source", "part", "repeat", "fold", "builder"))
            by_fit.setdefault(fit, {})[row["removed_attributes"]] = row
    pairs = [(own[0], own[1]) for own in by_fit.values() if len(own) > 1]
    if not pairs:
        return []
    chosen = max(pairs, key=lambda pair: pair[0]["test_accuracy"] - pair[1]["test_accuracy"])
    return [
        notable(row, f"{attributes}, {accuracy_in_words(row)}")
        for row, attributes in zip(
            chosen, ("with all attributes", "without the most informative attribute"), strict=True
        )
    ]


WIDTH, PANEL, ABOVE, BELOW = 10.0, 2.2, 1.35, 0.65
"""In inches: the figure's width, a row of panels, and the space above and below the panels."""


def _draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `removed_features.svg` and `.png` and return their paths; nothing if nothing was tested.

    Each row of panels is a data set. On the left is the order by gain, on the right the mean of the random orders, if
    any.
    """
    tested = [row for row in results.rows(POINTS) if row["n"]]
    if not tested:
        return ()
    titles, orders, builders = (
        list(dict.fromkeys(row[name] for row in tested)) for name in ("_title", "order", "builder")
    )
    splits, random = (
        max((row["n"] for row in tested if (row["order"] == BY_GAIN) == gain), default=0) for gain in (True, False)
    )
    caption = f"left: the most informative attribute is removed first; 95 % intervals over {counted(splits, 'split')}"
    caption += f".  right: mean of {counted(random, 'random order')}; intervals over these" if random else ""
    inches = Inches(WIDTH, ABOVE + BELOW + PANEL * len(titles), left=0.75, right=0.15, above=ABOVE, below=BELOW)
    shape, spaces = (len(titles), len(orders)), {"hspace": 0.42, "wspace": 0.05}
    title = "Accuracy as attributes are removed"
    with framed(folder, "removed_features", title, caption, inches, shape, lines="y", sharey="row", **spaces) as frame:
        for panels, data_set in zip(frame.panels, titles, strict=True):
            for panel, order in zip(panels, orders, strict=True):
                _panel(panel, [row for row in tested if (row["_title"], row["order"]) == (data_set, order)], builders)
            panels[0].set_title(data_set)
            panels[0].set_ylabel("accuracy, %")
        frame.figure.align_ylabels(frame.panels[:, 0])
        for panel in frame.panels[-1]:
            panel.set_xlabel("attributes removed")
        frame.key([entry_of(name, markersize=5, **_line(look)) for name, look in looks_of(builders).items()])
    return frame.files


def _panel(axes: Axes, points: Sequence[Row], builders: Sequence[str]) -> None:
    """Draw a line with its band for each builder."""
    few_ticks(axes.xaxis, integer=True)
    for builder, look in looks_of(builders).items():
        own = [row for row in points if row["builder"] == builder]
        removed = [row["removed"] for row in own]
        band(axes, removed, own, "test_accuracy", named=_label, linewidth=1.5, markersize=4.5, **_line(look))


def _label(row: Row) -> str:
    """The label of the point of a row, without its value."""
    builder, removed = readable(row["builder"]), counted(row["removed"], "attribute")
    return f"{builder} on {row['_title']} without {removed}, accuracy in percent"


def _line(look: Look) -> dict[str, Any]:
    """How a builder's line is drawn, as keywords of `plot`."""
    return {"color": look.colour, "linestyle": look.line, "marker": look.marker}


SUMMARY = Summary(
    tables=(POINTS,),
    finding=_finding,
    views=VIEWS,
    screen=_screen,
    figures=(_draw,),
    trees=_trees,
    failures_in="removed_features",
    nothing="",
)
