"""T2, T3 and T3C beside C4.5: claims of Li's slides, sweeps of options, the true optima."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from pipeline.drawing.figures import INK, fitted
from pipeline.drawing.frame import Axes, Inches, framed
from pipeline.drawing.looks import colour_of, look_of
from pipeline.drawing.marks import entry, interval, point, valued
from pipeline.grammar.columns import Key, Known, Mean, Row, Value
from pipeline.grammar.comparison.claims import claims
from pipeline.grammar.comparison.sections import comparison, splits
from pipeline.grammar.comparison.standings import key, ratios_panel, standings
from pipeline.grammar.notable_trees import errors_in_words, notable, pair_of_most
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.words import counted

DOCUMENT = "Li (slides)"
SWEPT = "t3c_printed"
"""The options that the sweeps vary, three levels deep."""

SWEEPS = {
    "levels": {"2": "t3c_depth_2", "3": SWEPT, "4": "t3c_depth_4", "5": "t3c_depth_5"},
    "branches at most": {"2": "t3c_branches_2", "3": "t3c_branches_3", "4": "t3c_branches_4", "any": SWEPT},
    "acceptable error": {"0": SWEPT, "0.1": "t3c_mae_10", "0.2": "t3c_mae_20", "0.3": "t3c_mae_30"},
}
"""The builder at each step of a sweep."""

OPTIMA = {"t3_printed": "t3_exhaustive", "t3c_printed": "t3c_exhaustive"}
"""For each printed algorithm, the search among all trees of its form."""

BESIDE = [f"{who}_{which}_accuracy" for which in ("train", "test") for who in ("algorithm", "search")]
"""The accuracies of an algorithm and of its search."""
MORE = 1e-9
"""Objectives that differ by at most this are equal."""

VIEWS = {
    "searches": f"""select source, part, a.builder as algorithm, s.builder as search
from sets a join sets s using (source, part)
where (a.builder, s.builder) in ({", ".join(map(str, OPTIMA.items()))})""",
    "matched": f"""select source, part, a.builder as algorithm, s.builder as search, s.optimal,
  s.optimal and a.objective > s.objective + {MORE} as worse, a.train_accuracy as algorithm_train_accuracy,
  s.train_accuracy as search_train_accuracy, a.test_accuracy as algorithm_test_accuracy,
  s.test_accuracy as search_test_accuracy
from fits a join fits s using (source, part, repeat, fold) where a.good and s.good""",
}

STANDINGS = standings("t3c_vs_c45", "T2, T3 and T3C compared with the first builder")
STEPS = Table(
    "sweeps",
    "T3C with more and fewer levels, branches and errors",
    of=f"(from pairs where against = '{SWEPT}')",
    columns=[
        *(Known(name, f"s.{name}") for name in ("sweep", "step")),
        Key("builder"),
        Value("n", "count(*)"),
        Mean("train_difference", n="", low="train_low", high="train_high"),
        Mean("test_difference", "difference", n="", low="test_low", high="test_high"),
        Mean("nodes_ratio", n="", low="nodes_low", high="nodes_high", shown_as="pow(10, $)"),
    ],
    beside="steps s join ours using (builder)",
    order="s.place",
    note=f"n: data sets. Differences of accuracy from {SWEPT}, in points, and ratios of nodes, paired by data set, "
    "with 95 % normal intervals from low to high; train: accuracy of the training rows.",
)
BEST = Table(
    "optima",
    "The published algorithms beside the best trees of their form",
    of="searches left join matched using (source, part, algorithm, search)",
    columns=[
        *(Key(name) for name in ("source", "part", "algorithm", "search")),
        Value("n", "count(worse)"),
        Value("proven", "count(*) filter (where optimal)"),
        Value("not_optimal", "count(*) filter (where worse)"),
        *(Value(name, f"avg({name})") for name in BESIDE),
    ],
    beside="ours join sources using (source, part)",
    order="sources.place, algorithm",
    note="search: the search among all trees of the algorithm's form. n: splits on which neither failed; proven: "
    "those of these splits on which the search ended; not_optimal: proven splits on which the algorithm's tree has "
    "more training errors than the best tree. Accuracies are means over the n splits; if the search did not end, its "
    "tree is the best that it found, which is never worse than the algorithm's.",
)


def _beside_the_optimum(rows: Sequence[Row]) -> list[str]:
    lines = []
    for printed in OPTIMA:
        own = [row for row in rows if row["algorithm"] == printed]
        proven, worse, fits = (sum(row[name] for row in own) for name in ("proven", "not_optimal", "n"))
        if proven:
            known = f"all {fits} fits" if proven == fits else f"the {proven} fits with a proven optimum (of {fits})"
            lines.append(f"{printed} has more training errors than the best tree of its form in {worse} of {known}")
    return lines


def _trees(results: Results) -> list[NotableTree]:
    """The tree of a printed algorithm that is furthest from a proven best of its form, and that best tree."""
    by_split = splits(results)
    pairs = (pair_of_most(by_split, printed, search, _worse) for printed, search in OPTIMA.items())
    return [notable(row, errors_in_words(row)) for pair in pairs for row in pair]


def _worse(printed: Mapping[str, Any], search: Mapping[str, Any]) -> float:
    """How far the objective of a printed algorithm is above the proven minimum of its form."""
    worse = float(printed["objective"] - search["objective"])
    return worse if search["optimal"] and worse > MORE else 0.0


APART = 0.12
"""Half of the distance between the marks of training and test rows."""


def _draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `t3c_vs_c45.svg` and `.png` and return their paths; nothing without two builders."""
    standings, steps = results.tables["t3c_vs_c45"], results.rows(STEPS)
    if len(standings) < 2:
        return ()
    varied = {row["builder"] for row in steps} - {SWEPT}
    shown = [row for row in standings if row["builder"] not in varied]
    sweeps = list(dict.fromkeys(row["sweep"] for row in steps))
    caption = (
        f"mean differences in accuracy over {counted(standings[0]['n'], 'data set')}, against geometric mean ratios of "
        "nodes; bars are 95 % intervals, paired by data set"
    )
    inches = Inches(14.0, 6.2, left=0.84, right=0.21, above=1.74, below=0.71)
    shape, ratios = (1, 1 + len(sweeps)), [1.7, *[1] * len(sweeps)]
    title = "Small trees with the fewest training errors"
    with framed(folder, "t3c_vs_c45", title, caption, inches, shape, wspace=0.28, width_ratios=ratios) as frame:
        size, *others = frame.panels[0]
        ratios_panel(size, shown, "nodes")
        size.set_ylabel(f"test accuracy, points above {fitted(standings[0]['builder'])}")
        for axes, sweep in zip(others, sweeps, strict=True):
            axes.sharey(others[0])
            _steps_panel(axes, [row for row in steps if row["sweep"] == sweep], colour_of(SWEPT))
            axes.set_xlabel(sweep)
            axes.tick_params(labelleft=axes is others[0])
        if others:
            others[0].set_title("T3C with more and fewer levels, branches and acceptable errors")
            others[0].set_ylabel(f"accuracy, points above {fitted(SWEPT)}")
            faces = {"training rows": "white", "test rows": colour_of(SWEPT)}
            look: dict[str, Any] = {"linestyle": "", "color": colour_of(SWEPT), "marker": look_of(SWEPT).marker}
            named = [entry(rows, markerfacecolor=face, **look) for rows, face in faces.items()]
            others[-1].legend(handles=named, loc="lower left", fontsize=9)
        frame.key(key(shown), len(shown))
    return frame.files


def _steps_panel(axes: Axes, steps: Sequence[Row], colour: str) -> None:
    """Draw training and test accuracy of each step."""
    axes.axhline(0, color=INK, linewidth=0.8)
    mark = look_of(SWEPT).marker
    for rows, face, shift in (("train", "white", -APART), ("test", colour, APART)):
        for index, row in enumerate(steps):
            position = index + shift
            ends = row[f"{rows}_low"], row[f"{rows}_high"]
            interval(axes, *ends, position, upright=True, row=row, color=colour, linewidth=1.2, alpha=0.6)
            text = valued(f"{row['sweep']} {row['step']}, points of {rows} accuracy", row[f"{rows}_difference"], *ends)
            look: dict[str, Any] = {"color": colour, "marker": mark, "markerfacecolor": face}
            point(axes, position, row[f"{rows}_difference"], text, row, **look)
    axes.set_xticks(range(len(steps)), [row["step"] for row in steps])
    axes.set_xlim(-0.6, len(steps) - 0.4)


SUMMARY = comparison(
    STANDINGS,
    claims(
        Path(__file__).with_name("claims.csv"),
        "Claims on T3C (Li, slides)",
        "Classification accuracy is that of the training rows; generalization accuracy and performance are those of "
        "the test rows, as T3's authors use the words. No worse and no better mean a difference below 1 point, "
        "because the document gives no values. It claims the same about C5.0 as about C4.5; C5.0 is not among the "
        "builders.",
        DOCUMENT,
    ),
    Summary(
        tables=(STEPS, BEST),
        views=VIEWS,
        constants={
            "steps": [
                {"sweep": sweep, "step": step, "builder": builder, "place": 10 * number + index}
                for number, (sweep, steps) in enumerate(SWEEPS.items())
                for index, (step, builder) in enumerate(steps.items())
            ]
        },
        figures=(_draw,),
        finding=lambda results: _beside_the_optimum(results.rows(BEST)),
        screen=lambda results, _: [Text(line) for line in _beside_the_optimum(results.rows(BEST))],
        trees=_trees,
    ),
)
