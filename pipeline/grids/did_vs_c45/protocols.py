"""Find the protocol and measure that explain the printed depths and accuracies: hold-outs, and three measures.

A run has one share of test rows; `--multirun drawn.protocol.test_share=…` shows those of several runs below each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.grammar.columns import Column, Key, Known, Row, Value
from pipeline.grammar.comparison.candidates import halves_of
from pipeline.grammar.table import Table
from pipeline.grids.did_vs_c45.readings import NEAR, NEAR_POINTS, TAIL
from pipeline.summary.statistics import ALIKE

MEASURES = {
    "accuracy": "correct / test_rows",
    "accuracy of classified rows": "classified_correct / nullif(classified, 0)",
    "mean precision": "mean_precision",
}
"""Three ways to compute an accuracy, each a share."""


def _agrees(name: str, near: float) -> str:
    """Whether our mean or some of our single draws matches the printed value within its rounding."""
    printed, rounding = f"c.{name}", f"(c.{name}_rounding + {ALIKE})"
    return f"""(abs(t.{name} - {printed}) <= {near} + {rounding}
    or (t.{name}_low <= {printed} + {rounding} and {printed} - {rounding} <= t.{name}_high))"""


def _spread(name: str) -> str:
    """The mean of our draws, the ends of their middle range, and their spread, to the last bit the same in each run."""
    low, high = (f"quantile_cont({name}, {share})" for share in (TAIL, 1 - TAIL))
    mean, spread = (f"{function}({name} order by {name})" for function in ("favg", "stddev_samp"))
    return f"{mean} as {name}, {low} as {name}_low, {high} as {name}_high, {spread} as {name}_spread"


def _likelihood(name: str) -> str:
    """Log-likelihood of the printed value as one more draw, normal with the mean and spread of ours."""
    error = f"sqrt(t.{name}_spread ** 2 * (1 + 1 / t.draws) + c.{name}_rounding ** 2 / 3)"
    return f"-ln({error}) - ln(2 * pi()) / 2 - ((t.{name} - c.{name}) / {error}) ** 2 / 2"


TESTED = " union all by name ".join(
    f"""select source, builder, '{name}' as measure, {index} as measure_place, rows, test_rows,
  coalesce(search_depth, average_depth) as depth, 100 * {sql} as accuracy
from depths where correct is not null"""
    for index, (name, sql) in enumerate(MEASURES.items())
)
VIEWS = {
    "drawn": f"from ({TESTED}) qualify count(*) over (partition by source, builder, measure) > 1",
    "measured": f"""select source, builder, measure, measure_place, count(*) as draws, {_spread("depth")},
  {_spread("accuracy")}, (select round(min(test_rows / (rows + test_rows)), 2) from drawn) as test_share
from drawn group by all""",
    "compared": f"""select t.*, c.case, c.printed_builder, c.place,
  c.depth as printed_depth, c.accuracy as printed_accuracy,
  {_agrees("depth", NEAR)} as depth_agrees, {_agrees("accuracy", NEAR_POINTS)} as accuracy_agrees,
  {_likelihood("depth")} as depth_likelihood, {_likelihood("accuracy")} as accuracy_likelihood
from measured t join cells_read c using (source, builder) where c.main""",
}
"""Views from the depths of sampled training rows to the comparison with each printed pair of depth and accuracy.

drawn    : single draws by measure
measured : their means, and the middle range of the draws
compared : these beside the printed values
"""

SHOWN = ("depth", "depth_low", "depth_high", "printed_depth", "depth_agrees")
NOTE = (
    f"A printed value agrees if it lies within the middle {100 * (1 - 2 * TAIL):g} % of our single draws, low to "
    f"high, or near their mean: within {NEAR:g} edges or {NEAR_POINTS:g} point, plus its rounding. With few test rows "
    "single draws vary widely, so agreement of an accuracy alone proves little. accuracy: of all test rows; accuracy "
    "of classified rows: of the test rows that reach a leaf (each node on their path has a branch for their value); "
    "mean precision: mean over the declared classes, 0 for a class that is never predicted. Depths are of the trees "
    "of the training rows. depth_likelihood, accuracy_likelihood: logarithm of the likelihood of the printed value "
    "as one more draw, from a normal distribution with the mean and the standard deviation of our draws; its "
    "variance includes the error of our mean and the rounding of the printed value. log_likelihood: the sum of both "
    "over all pairs. won: on how many of 500 random halves of the pairs the measure is the most likely."
)


def _cross_check(rows: Sequence[Row]) -> None:
    """Fill in `won` of the measures of a run."""
    won, _ = halves_of(np.array([row["_likelihoods"] for row in rows]), [row["measure"] for row in rows])
    for row, times in zip(rows, won, strict=True):
        row["won"] = times


READINGS = Table(
    "did_vs_c45_readings",
    "The printed pairs of depth and accuracy beside draws of training rows, by measure",
    of="drawn",
    columns=[
        *(Known(name, f"compared.{name}") for name in ("test_share", "case", "printed_builder")),
        *(Key(name) for name in ("measure", "source", "builder")),
        Value("draws", "count(*)"),
        *(Known(name) for name in SHOWN),
        *(Known(name.replace("depth", "accuracy")) for name in SHOWN),
        *(Known(f"{name}_likelihood") for name in ("depth", "accuracy")),
    ],
    beside="ours join compared using (source, builder, measure)",
    order="place, measure_place",
    note=NOTE,
    needs="drawn",
)
PROTOCOLS = Table(
    "did_vs_c45_protocols",
    "How many printed pairs of depth and accuracy a hold-out explains, by measure",
    of="drawn",
    columns=[
        Known("test_share"),
        Key("measure"),
        *(Known(name) for name in ("pairs", "depth_agrees", "accuracy_agrees", "both_agree", "log_likelihood")),
        Known("_likelihoods", "likelihoods"),
        Column("won"),
    ],
    beside="""ours join (select measure, measure_place, test_share, count(*) as pairs,
  count(*) filter (depth_agrees) as depth_agrees, count(*) filter (accuracy_agrees) as accuracy_agrees,
  count(*) filter (depth_agrees and accuracy_agrees) as both_agree,
  fsum(depth_likelihood + accuracy_likelihood) as log_likelihood,
  list(depth_likelihood + accuracy_likelihood order by place) as likelihoods
  from compared group by all) using (measure)""",
    order="measure_place",
    complete=_cross_check,
    queryable=False,
    note=NOTE,
    needs="drawn",
)
TABLES = (READINGS, PROTOCOLS)
