"""Which builders win against the first builder, on each data set and over all data sets, with tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from pipeline.grammar.columns import Column, Key, Mean, Row, Value, adjust, estimate_of, titled
from pipeline.grammar.comparison import ranks
from pipeline.grammar.comparison.pairs import COLUMNS, LOSS, PAIRS_BY_SET, TIE, VIEWS, WIN, judge, outcome, test_of
from pipeline.grammar.comparison.ranks import DIGITS, LEVEL
from pipeline.grammar.findings import does, listed, listing
from pipeline.grammar.sources import MOST_COMMON
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.sql import literal
from pipeline.summary.statistics import Estimate, holm, posterior
from pipeline.words import counted

MOST_NAMED = 4
EQUIVALENT = 1.0
"""Points of accuracy that make no practical difference."""
RANKED = """(select title as source, b.name as builder, accuracy, b.place as position
  from sets s join builders b on b.name = s.builder where good)"""
SEVERAL_SETS = {
    "several_sets": f"""select 1 from paired_sets where against <> {literal(MOST_COMMON)}
having count(distinct (source, part)) > 1"""
}
"""Whether there are several data sets on which builders are compared."""

BESIDE = "ours join builders b on b.name = ours.builder join builders f on f.name = ours.against and f.place = 0"
"""Each builder beside the first alone."""


BY_SET = Table(
    "winners_by_set",
    "Each builder compared with the first, by data set",
    of="paired_sets",
    columns=COLUMNS,
    beside=BESIDE,
    order="source, part, b.place",
    complete=judge,
    note=test_of("over all builders and data sets")
    + " These are fewer tests than in pairs_by_set: use them if you chose the first builder as the baseline before you "
    "saw the results.",
)


def _tally(row: Row, estimates: Sequence[Estimate], ps: Sequence[float | None]) -> None:
    """Fill in wins, ties and losses of a builder over its data sets, and the tests over all of them."""
    outcomes = Counter(outcome(estimate.mean, p) for estimate, p in zip(estimates, ps, strict=True))
    row.update(wins=outcomes[WIN], ties=outcomes[TIE], losses=outcomes[LOSS])
    if len(estimates) > 1:
        differences = [round(estimate.mean, DIGITS) for estimate in estimates]
        row["p"] = ranks.wilcoxon_p([difference for difference in differences if difference])[1]
        row.update(posterior(differences, EQUIVALENT)._asdict())


def _complete(rows: Sequence[Row]) -> None:
    by_row = [list(map(Estimate, row["_splits"], row["_apart"], row["_errors"])) for row in rows]
    ps = iter(holm([estimate.t_p for estimates in by_row for estimate in estimates]))
    for row, estimates in zip(rows, by_row, strict=True):
        _tally(row, estimates, [next(ps) for _ in estimates])
        if (over_sets := estimate_of(row, "difference")) is not None:
            row["low"], row["high"] = over_sets.t_interval
    adjust(rows)


def _note(rows: Sequence[Row]) -> str:
    """What the columns mean, and whether the data sets are too few for Wilcoxon's test to find any difference."""
    meanings = (
        "n: data sets on which no fit of either builder failed. difference: mean difference in test accuracy over "
        "these data sets, in points; low to high: its 95 % interval, by Student's t. wins, ties, losses: counts of "
        "the outcomes in winners_by_set. p: two-sided, by Wilcoxon's signed-rank test over the data sets; p_holm: "
        "after Holm's correction over the builders. better, equivalent, worse: probabilities that the builder is "
        f"more accurate by more than {EQUIVALENT:g} point, that the difference is at most {EQUIVALENT:g} point, and "
        f"that the builder is less accurate by more than {EQUIVALENT:g} point, by the Bayesian signed-rank test "
        "(Benavoli et al. 2017). The test assumes that the data sets are a sample of all data sets of interest."
    )
    tested = [row["n"] for row in rows if row["p"] is not None]
    least = len(tested) * 2.0 ** (1 - max(tested, default=0))  # if a builder is better on every data set
    if not tested or least < LEVEL:
        return meanings
    needed = math.floor(math.log2(len(tested) / LEVEL)) + 2
    return (
        f"{meanings} With so few data sets, p_holm cannot be below {min(least, 1):.2g}: Wilcoxon's test needs at least "
        f"{needed} data sets to find a difference at {100 * LEVEL:g} %."
    )


OVER_SETS = Table(
    "winners",
    "Each builder compared with the first, over all data sets",
    of="paired_sets",
    columns=[
        *(Key(name) for name in ("builder", "against")),
        Mean("difference", "apart", low="", high=""),
        *(Column(name) for name in ("low", "high", "wins", "ties", "losses", "p", "p_holm")),
        *(Column(name) for name in ("better", "equivalent", "worse")),
        *(
            Value(name, f"list({of} order by source, part)")
            for name, of in (("_splits", "splits"), ("_apart", "apart"), ("_errors", "error"))
        ),
    ],
    beside=BESIDE,
    order="b.place",
    complete=_complete,
    needs="several_sets",
    note=_note,
)


def _finding(results: Results) -> list[str]:
    """Which builders differ significantly from the first on any of several data sets, and which do not."""
    tallies = results.rows(OVER_SETS)
    rows = [row for row in tallies if _judged_sets(row)]
    if not rows:
        return []
    first = rows[0]["against"]
    differing = [_compared(row) for row in rows if row["wins"] or row["losses"]]
    alike = [row["builder"] for row in tallies if _judged_sets(row) < row["n"]]
    level = [row["builder"] for row in rows if not (row["wins"] or row["losses"] or row["builder"] in alike)]
    if (more := len(differing) - MOST_NAMED) > 0:
        differing[MOST_NAMED:] = [f"{counted(more, 'more builder')} {does('differ', more)} significantly"]
    clauses = [listed(differing)] if differing else []
    if alike:
        named = listed(alike) if len(alike) <= MOST_NAMED else counted(len(alike), "builder")
        clauses.append(
            f"{named} {does('differ', len(alike))} from {first} by the same amount on all splits of some data set, "
            "which no test can judge"
        )
    if not differing:
        no_builder = "otherwise, no builder" if alike else "no builder"
        clauses.append(f"{no_builder} is significantly more or less accurate than {first} on any data set")
    elif level:
        named = listed(level) if len(level) <= MOST_NAMED else f"the other {len(level)}"
        clauses.append(f"{named} {'do' if len(level) > 1 else 'does'} not differ significantly from {first}")
    return clauses


def _judged_sets(row: Row) -> int:
    """The number of data sets on which a builder has an outcome."""
    return int(row["wins"] + row["ties"] + row["losses"])


def _compared(row: Row) -> str:
    """How a builder differs significantly from the first, in words."""
    words = [(word, row[of]) for word, of in (("more", "wins"), ("less", "losses")) if row[of]]
    than = [f" than {row['against']}", ""]
    clauses = listed([f"{word} accurate{first} on {n}" for (word, n), first in zip(words, than, strict=False)])
    return f"{row['builder']} is significantly {clauses} of {counted(row['n'], 'data set')}"


def _screen(results: Results, _: int) -> list[RenderableType]:
    """A line for each builder but the first; on the only data set, for each but the most accurate."""
    rows, pairs = results.rows(OVER_SETS), results.rows(PAIRS_BY_SET)
    if not rows:
        return _screen_of_set([row for row in pairs if row["builder"] == pairs[0]["builder"]]) if pairs else []
    headings = ("", "data sets", "wins, ties, losses", "difference, points", "better", "equivalent", "worse")
    lines = [
        (
            row["builder"],
            row["n"],
            f"{row['wins']}, {row['ties']}, {row['losses']}",
            _difference(row),
            *("" if row[name] is None else f"{row[name]:.2f}" for name in ("better", "equivalent", "worse")),
        )
        for row in rows
    ]
    legend = (
        "wins and losses: data sets with a significant difference, by the corrected resampled t test with Holm's "
        f"correction at {100 * LEVEL:g} %; better, equivalent, worse: probabilities; equivalent: within "
        f"{counted(int(EQUIVALENT), 'point')}"
    )
    return [listing(f"Compared with {rows[0]['against']}", headings, lines), Text(legend, style="dim")]


def _screen_of_set(rows: Sequence[Row]) -> list[RenderableType]:
    """A line for each that the most accurate builder of the only data set is compared with."""
    title = f"{rows[0]['builder']} on {titled(rows[0])}, compared with"
    lines = [(row["against"], *_judged(row), row["outcome"] or "") for row in rows]
    legend = (
        f"±: 95 % interval of one pair, so it may exclude 0 although the outcome is a tie; win, loss: significant at "
        f"{100 * LEVEL:g} %, by the corrected resampled t test with Holm's correction over all pairs of builders"
    )
    return [listing(title, ("", "difference, points", "p (Holm)", "outcome"), lines), Text(legend, style="dim")]


def _judged(row: Row) -> tuple[str, str]:
    """The difference on a data set with half its interval, and p; the difference alone if splits show no spread."""
    if row["p_holm"] is None:
        return _signed(row["difference"]), ""
    return _difference(row), f"{row['p_holm']:.2g}"


def _difference(row: Row) -> str:
    """A difference with half its interval, if it has one; empty if there is none."""
    if row["difference"] is None:
        return ""
    half = "" if row["high"] is None else f" ± {row['high'] - row['difference']:.2f}"
    return f"{_signed(row['difference'])}{half}"


def _signed(difference: float) -> str:
    return f"{round(difference, 2) + 0.0:+.2f}"  # without the sign of a -0.0


LEAST_RANKED = 3
"""Fewest builders whose ranks are drawn; the differences show how two compare."""


def _draw(results: Results, folder: Path) -> Sequence[Path]:
    """Draw the average ranks; nothing for few builders or a single data set."""
    averages, builders = results.rows(ranks.AVERAGES), results.context["builders"]
    return ranks.draw(averages, builders[0], folder) if len(averages) >= LEAST_RANKED and averages[0]["n"] > 1 else ()


WINNERS = Summary(
    tables=(OVER_SETS, PAIRS_BY_SET, BY_SET, ranks.AVERAGES),
    views={**VIEWS, **SEVERAL_SETS, **ranks.rank_views({"all data sets": RANKED})},
    closing=_finding,
    screen=_screen,
    figures=(_draw,),
)
"""Each builder beside the first, and the ranks of all; empty for a single builder."""
