"""Ranks of builders over data sets by accuracy, and their tests: Friedman, Nemenyi, Wilcoxon (Holm's correction)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pipeline.drawing.figures import GREY, INK, label
from pipeline.drawing.frame import Axes, Inches, framed
from pipeline.drawing.looks import looks_of
from pipeline.drawing.marks import LETTER, point
from pipeline.grammar.columns import Column, Key, Row, Value, adjust, grouped
from pipeline.grammar.table import Table
from pipeline.sql import literal
from pipeline.summary.statistics import critical_difference
from pipeline.words import counted, readable

DIGITS = 9
"""Accuracies that agree in this many decimals are tied, and so are differences of them."""
MOST_PERMUTED = 13
"""Up to this many data sets, the exact p of Wilcoxon's test goes through all signs of the differences."""
LEVEL = 0.05

IN_ALL = "count(distinct builder) over (partition by ranking)"
RANKED = f"""select *, rank() over (partition by ranking, source order by accuracy desc)
  + (count(*) over (partition by ranking, source, accuracy) - 1) / 2 as rank
from (select * replace (round(accuracy, {DIGITS}) as accuracy), {IN_ALL} as builders from accuracies_ranked
  qualify builders > 1 and count(*) over (partition by ranking, source) = builders)"""
AVERAGED = """select place, ranking, builder, any_value(builders) as builders, count(*) as data_sets, avg(rank) as mean,
  sum(rank * rank) as squares, min(position) as position
from ranked group by place, ranking, builder"""

AVERAGES = Table(
    "average_ranks",
    "Average ranks",
    of="ranked",
    columns=[
        *(Key(name) for name in ("place", "ranking", "builder")),
        Value("n", "count(*)"),
        Value("mean", "avg(rank)"),
    ],
    order="place, _position",
    written=False,
)
"""The average rank of each builder in each ranking, and the number of data sets."""

FRIEDMAN = """if(any_value(builders) > 2 and any_value(data_sets) > 1,
    (any_value(builders) - 1) * any_value(data_sets) ** 2 * sum((mean - (builders + 1) / 2) ** 2)
    / nullif(sum(squares) - any_value(data_sets) * any_value(builders) * (any_value(builders) + 1) ** 2 / 4, 0),
    null)"""
"""Chi-squared with tied ranks (Conover 1999, equation 5.8.3); null for too few, or if all are tied."""


def rank_views(rankings: Mapping[str, str], first: str = "", against: Sequence[str] = ()) -> Mapping[str, str]:
    """The views behind the ranks: `accuracies_ranked`, `ranked` and, if a builder is tested, `rank_tests`.

    Parameters
    ----------
    rankings : mapping
        The SQL of each ranking, by name. It follows `from` and has the columns source, builder, accuracy and position,
        by which builders are sorted. Builders with any accuracy are ranked, on the data sets on which all of them have
        one. Rank 1 is the most accurate; tied builders share the mean of their ranks.
    first : str, default ""
        The builder that is tested against each of the others.
    against : sequence of str, default ()
        The rankings whose accuracies are used in these tests.
    """
    result = {
        "accuracies_ranked": "\nunion all by name\n".join(
            f"select {index} as place, {literal(name)} as ranking, source, builder, accuracy, position from {sql}"
            for index, (name, sql) in enumerate(rankings.items())
        ),
        "ranked": RANKED,
    }
    if not first:
        return result
    return result | {
        "rank_tests": f"""select *, unnest(['Friedman', 'Nemenyi']) as test from ({AVERAGED})
union all by name
select l.place, l.ranking, 'Wilcoxon' as test, r.builder as against, b.builders, r.position,
  round(l.accuracy - r.accuracy, {DIGITS}) as gain
from accuracies_ranked l join accuracies_ranked r using (ranking, source)
join (select ranking, any_value(builders) as builders from ranked group by ranking) b using (ranking)
where l.builder = {literal(first)} and r.builder <> l.builder and ranking in ({", ".join(map(literal, against))})""",
    }


def rank_tests(title: str) -> Table:
    """Friedman's test and Nemenyi's critical difference of each ranking, and Wilcoxon's tests of the first builder."""
    return Table(
        "tests",
        title,
        of="rank_tests",
        columns=[
            *(Key(name) for name in ("ranking", "test", "against")),
            Value("builders"),
            Value("n", "if(count(gain) > 0, count(gain), any_value(data_sets))"),
            Value("wins", "if(count(gain) > 0, count(*) filter (where gain > 0), null)"),
            Value("losses", "if(count(gain) > 0, count(*) filter (where gain < 0), null)"),
            *(Column(name) for name in ("statistic", "p", "p_holm")),
            Value("_friedman", FRIEDMAN),
            Value("_gains", "list(gain) filter (where gain <> 0)"),
            Value("_place", "any_value(place)"),
        ],
        beside="ours where test <> 'Friedman' or _friedman is not null",
        order="_place, test, _position",
        complete=_test,
        note="Friedman: tests by chi-squared whether all builders are equally accurate. Nemenyi: the critical "
        "difference at 5 %; builders whose average ranks are further apart differ significantly. Wilcoxon: compares "
        "the first builder with another by the signed-rank test, exact and two-sided; p_holm: after Holm's correction "
        "over the builders. n: data sets; wins, losses: data sets on which the first builder is more accurate, and "
        "less accurate. Rankings named printed use the paper's own accuracies.",
    )


def wilcoxon_p(gains: Sequence[float]) -> tuple[float, float]:
    """Statistic and two-sided p of nonzero differences; exact, over all signs, for up to MOST_PERMUTED of them."""
    from scipy.stats import PermutationMethod, wilcoxon

    if len(gains) < 2:  # either sign is equally likely
        return 0.0, 1.0
    exact = len(gains) <= MOST_PERMUTED
    method = PermutationMethod(n_resamples=2**MOST_PERMUTED) if exact else "approx"
    test = wilcoxon(np.array(gains), method=method)
    return float(test.statistic), float(test.pvalue)


def friedman_result(ranking: str, tests: Sequence[Row]) -> str:
    """State whether Friedman's test finds a difference between the builders of a ranking."""
    p = next((row["p"] for row in tests if (row["ranking"], row["test"]) == (ranking, "Friedman")), None)
    if p is None:
        return "too few ranks for Friedman's test"
    return f"{'a' if p < LEVEL else 'no'} significant difference (Friedman, p = {p:.2g})"


def _test(rows: Sequence[Row]) -> None:
    """Fill in the statistic and p of each test."""
    from scipy.stats import chi2

    for row in rows:
        if row["test"] == "Friedman":
            row["statistic"], row["p"] = row["_friedman"], float(chi2.sf(row["_friedman"], row["builders"] - 1))
        elif row["test"] == "Nemenyi":
            row["statistic"] = critical_difference(row["builders"], row["n"])
        else:
            row["statistic"], row["p"] = wilcoxon_p(row["_gains"] or [])
    for tests in grouped((row for row in rows if row["test"] == "Wilcoxon"), "ranking").values():
        adjust(tests)


LEAST, RANK, ABOVE, BELOW, HEAD, LINE, GAP = 2.5, 0.3, 1.2, 0.2, 0.95, 0.25, 0.35
"""In inches: least width of the axis, width of a rank on a longer axis, space above and below, head of a panel, line of
it, space between panels."""
BESIDE, EDGE, AVERAGE = 0.35, 0.2, 6
"""In inches: width between the axis and the names, and beside the names; letters of an average rank after a name."""


def draw(averages: Sequence[Row], first: str, folder: Path) -> tuple[Path, ...]:
    """Draw `ranks.svg` and `.png` and return their paths; nothing without a ranking. `first` is the builder in bold.

    Each ranking has a panel under its name; all axes have the same width.
    """
    if not averages:
        return ()
    by_ranking = grouped(sorted(averages, key=lambda row: (row["place"], row["mean"])), "ranking")
    widest = max(map(len, by_ranking.values()))
    heights = [HEAD + LINE * -(-len(rows) // 2) for rows in by_ranking.values()]
    axis = max(LEAST, RANK * widest)
    side = BESIDE + LETTER * (AVERAGE + max(len(row["builder"]) for row in averages))
    height = ABOVE + BELOW + sum(heights) + GAP * (len(heights) - 1)
    inches = Inches(2 * (side + EDGE) + axis, height, EDGE, EDGE, ABOVE, BELOW)
    subtitle = (
        "builders that a bar joins are not significantly different:\n"
        "their average ranks differ by less than Nemenyi's critical difference at 5 % (CD)"
    )
    shape, sizes = (len(heights), 1), {"height_ratios": heights, "hspace": GAP * len(heights) / sum(heights)}
    with framed(folder, "ranks", "Average ranks by accuracy", subtitle, inches, shape, lines="x", **sizes) as frame:
        for axes, (name, rows), high in zip(frame.panels[:, 0], by_ranking.items(), heights, strict=True):
            axes.set_axis_off()
            axes.set_xlim(*(end * side * (widest - 1) / axis + rank for end, rank in ((-1, 1), (1, widest))))
            axes.set_ylim(high - 0.5, -0.5)
            _panel(axes, name, rows, first, widest, BESIDE * (widest - 1) / axis)
    return frame.files


def tied_groups(rows: Sequence[Row], critical: float) -> list[list[Row]]:
    """The largest groups of builders, from the best, whose average ranks differ by less than `critical`.

    Parameters
    ----------
    rows : sequence of Row
        Of one ranking, sorted by `mean`.
    """
    groups: list[list[Row]] = []
    for index, best in enumerate(rows):
        group = [row for row in rows[index:] if row["mean"] - best["mean"] < critical]
        if len(group) > 1 and not (groups and group[-1] in groups[-1]):
            groups.append(group)
    return groups


def _panel(axes: Axes, name: str, rows: Sequence[Row], first: str, widest: int, beside: float) -> None:
    """Draw a panel, in inches downwards from the axis, with the best builder on the left.

    beside : ranks between the axis and the names
    """
    edge = axes.get_xlim()[0]
    for rank in range(1, widest + 1):
        axes.plot([rank, rank], [-0.06, 0.0], color=GREY, linewidth=0.8)
        axes.text(rank, -0.1, str(rank), ha="center", va="bottom", fontsize=9, color=GREY)
    axes.plot([1, widest], [0, 0], color=GREY, linewidth=0.8)
    axes.text(edge, -0.36, name, ha="left", va="center", fontsize=11, fontweight="bold")
    axes.text(edge, -0.13, counted(rows[0]["n"], "data set"), ha="left", va="center", fontsize=9, color=GREY)
    critical = critical_difference(len(rows), rows[0]["n"])
    axes.plot([widest - critical, widest], [-0.36, -0.36], color=GREY, linewidth=1.6, solid_capstyle="butt")
    axes.text(widest + beside / 5, -0.36, f"CD {critical:.2f}", ha="left", va="center", fontsize=9, color=GREY)
    for number, group in enumerate(tied_groups(rows, critical)):
        ends, depth = (group[0]["mean"] - 0.04, group[-1]["mean"] + 0.04), 0.09 + 0.09 * number
        axes.plot(ends, [depth, depth], color=INK, linewidth=3.2, solid_capstyle="round", zorder=3)
    left, looks = -(-len(rows) // 2), looks_of([row["builder"] for row in rows])
    for number, row in enumerate(rows):
        builder, mean = row["builder"], row["mean"]
        on_left = number < left
        line = number if on_left else len(rows) - 1 - number
        depth = 0.42 + LINE * line
        end = 1 - beside if on_left else widest + beside
        look = looks[builder]
        lines = axes.plot([mean, mean, end], [0, depth, depth], color=look.colour, linewidth=1.6)
        words = f"{readable(builder)}, average rank: {mean:.2f} over {counted(row['n'], 'data set')}, {name}"
        point(axes, mean, depth, words, row, color=look.colour, marker=look.marker, markersize=6, zorder=4)
        side, shift = ("right", -beside / 5) if on_left else ("left", beside / 5)
        text = axes.text(
            *(end + shift, depth, f"{readable(builder)}  {mean:.2f}"),
            ha=side,
            va="center",
            fontsize=10,
            fontweight="bold" if builder == first else "normal",
        )
        label([*lines, text], "", row)
