"""Each builder compared with every other, and with the most common class, on the same splits of a data set."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.grammar.columns import Column, Key, Row, Value, adjust
from pipeline.grammar.comparison.ranks import DIGITS, LEVEL
from pipeline.grammar.sources import MOST_COMMON
from pipeline.grammar.table import Table
from pipeline.sql import literal
from pipeline.summary.statistics import Estimate, holm

WIN, TIE, LOSS = "win", "tie", "loss"

VIEWS = {
    "most_common_class": f"""select source, part, repeat, fold, {literal(MOST_COMMON)} as builder,
  100 * sum(if("class" = common, support, 0)) / sum(support) as accuracy
from (select *, first_value("class") over (partition by source, part order by total desc, "class") as common
  from (select *, sum(support) over (partition by source, part, "class") as total
    from (select source, part, repeat, fold, "class", max(support) as support from classes group by all)))
group by source, part, repeat, fold""",
    "finished": "from fits qualify bool_and(good) over (partition by source, part, builder)",
    "paired_splits": """select l.source, l.part, l.builder, r.builder as against, l.accuracy - r.accuracy as apart,
  l.test_rows / l.rows as share
from finished l join (from finished union all by name from most_common_class) r using (source, part, repeat, fold)
where l.builder <> r.builder""",
    "paired_sets": f"""select source, part, builder, against, count(*) as splits,
  round(favg(apart), {DIGITS}) + 0 as apart,
  if(stddev_samp(apart) <= 1e-9, 0, stddev_samp(apart)) * sqrt(1 / count(*) + avg(share)) as error
from paired_splits group by source, part, builder, against""",
}
"""Views: the accuracy of the most common class on each split; the fits of each builder on the data sets on which it
never failed; and the differences between a builder and another, or that class, on each split and on each data set.

The error of a mean over splits allows for the training rows that these share: its variance is that of a split times
1/n + (test rows)/(training rows) (Nadeau and Bengio 2003).
"""


def outcome(difference: float, p: float | None) -> str | None:
    """The outcome on a data set; None if there is no p."""
    if p is None:
        return None
    if p >= LEVEL:
        return TIE
    return WIN if difference > 0 else LOSS


def judge(rows: Sequence[Row]) -> None:
    """Fill in the interval and p on each data set, p after Holm's correction over all of them, and the outcome."""
    _test(rows)
    adjust(rows)
    _decide(rows)


def _test(rows: Sequence[Row]) -> None:
    """Fill in the interval and p on each data set."""
    for row in rows:
        estimate = Estimate(row["n"], row["difference"], row["_error"])
        row["p"], (row["low"], row["high"]) = estimate.t_p, estimate.t_interval


def _decide(rows: Sequence[Row]) -> None:
    """Fill in the outcome from p after Holm's correction."""
    for row in rows:
        row["outcome"] = outcome(row["difference"], row["p_holm"])


COLUMNS = [
    *(Key(name) for name in ("source", "part", "builder", "against")),
    Value("n", "any_value(splits)"),
    Value("difference", "any_value(apart)"),
    *(Column(name) for name in ("low", "high", "p", "p_holm", "outcome")),
    Value("_error", "any_value(error)"),
]
"""The columns of a comparison of two on a data set; `judge` completes them."""


def test_of(correction: str) -> str:
    """What a reader must know of the columns; `correction` says over which tests Holm's correction is made."""
    return (
        "difference: mean difference in test accuracy over n splits, in points; low to high: its 95 % interval; "
        "p: two-sided, both by the corrected resampled t test, which allows for the training rows that splits share "
        f"(Nadeau and Bengio 2003). p_holm: p after Holm's correction {correction}. The interval is not corrected, so "
        "it may be above 0, or below 0, although the outcome is a tie. "
        f"outcome: win or loss if p_holm is below {LEVEL:g}, else tie; empty if the splits show no "
        "spread: a single split, or equal differences other than 0. Data sets on which a fit of either builder failed "
        "are left out."
    )


def _judge_pairs(rows: Sequence[Row]) -> None:
    """As `judge`, with one test for the two rows of a pair; the tests against the most common class apart."""
    _test(rows)
    by_pair: dict[tuple[str, str, frozenset[str]], list[Row]] = {}
    for row in rows:
        pair = frozenset((row["builder"], row["against"]))
        by_pair.setdefault((row["source"], row["part"], pair), []).append(row)
    for common in (False, True):
        family = [own for (*_, pair), own in by_pair.items() if (MOST_COMMON in pair) == common]
        for own, p_holm in zip(family, holm([own[0]["p"] for own in family]), strict=True):
            for row in own:
                row["p"], row["p_holm"] = own[0]["p"], p_holm
    _decide(rows)


PAIRS_BY_SET = Table(
    "pairs_by_set",
    "Each builder compared with every other, by data set",
    of="paired_sets",
    columns=COLUMNS,
    beside="""ours join builders b on b.name = builder left join builders r on r.name = against
  join sets l using (source, part, builder)
  left join sets o on o.source = ours.source and o.part = ours.part and o.builder = against""",
    order="source, part, l.accuracy desc, b.place, o.accuracy desc nulls last, r.place",
    complete=_judge_pairs,
    note="The most accurate builder of a data set comes first. "
    + test_of("over all pairs of builders and data sets, because the best builder is chosen after the results are seen")
    + f" {MOST_COMMON}: always predicting the class that most test rows have, corrected over builders and data sets.",
)
