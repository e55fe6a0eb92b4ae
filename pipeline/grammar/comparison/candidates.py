"""Find what printed values measure: how likely they are as draws of each measure and builder, with a cross-check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.grammar.columns import TITLE, Column, Key, Row, Value, grouped
from pipeline.grammar.comparison.printed_values import CLASSES, printed_values_of
from pipeline.grammar.summary import Summary
from pipeline.grammar.table import Table
from pipeline.printed_table.measures import MEAN_PRECISION
from pipeline.sql import literals

PRINTED = ("place", "source", "builder", "value", "rounding", CLASSES)
"""The columns that a printed value must have."""
HALVES = 500
"""Number of random halves of the cases on which a candidate is chosen."""
DIGITS = 6
"""Sums of log-likelihoods are equal if they agree in this many decimals: further ones depend on the order of rows."""
SEED = 0
"""Seed of the random halves, so that they are the same in every run."""

NOTE = (
    "A draw is one repeat of the protocol, with its folds pooled. accuracy: share of correct test rows; "
    "mean_precision: mean over the declared classes of correct / predicted, 0 for a class that is never predicted. "
    "Each printed value is assumed to be a single draw from a normal distribution with the mean and the standard "
    "deviation of our draws; its variance includes the error of our mean and the rounding of the printed value. "
    "cases: printed values; within: cases within 2 standard deviations; deviation: mean absolute difference, in "
    "points; z2: mean squared difference in standard deviations, about 1 for single draws; log_likelihood: of all "
    "cases together; likelier: cases for which the measure is the more likely of the builder's two. The "
    "cases are divided 500 times into two random halves. chosen: how often the candidate is the most likely of its "
    "printed column on the first half; won: how often it is the most likely of its measure on the first half, and on "
    "the second half more likely than the best candidate of the other measure. Candidates with fewer cases than "
    "others of their column are left out of the halves."
)


def candidates(file: Path, title: str, builders: Mapping[str, str]) -> Summary:
    """A row for each printed column, each candidate builder for it, and each measure.

    Parameters
    ----------
    file : Path
        The CSV of the printed values, with the column `classes`.
    title : str
        Title of the table.
    builders : mapping
        The builder of each printed column. A builder whose name continues this name after `_` is another candidate.
    """
    table = Table(
        "candidates",
        title,
        of="cases",
        columns=[
            *(Key(name) for name in ("printed", "builder", "measure")),
            Value("cases", "count(*)"),
            Value("within", "count(*) filter (abs(difference) <= 2 * error)"),
            Value("deviation", "favg(abs(difference))"),
            Value("z2", "favg((difference / error) ** 2)"),
            Value("log_likelihood", "fsum(likelihood)"),
            Value("_likelihoods", "list(likelihood order by place)"),
            *(Column("likelier"), Column("chosen"), Column("won")),
        ],
        order="printed, builder, measure",
        complete=_cross_check,
        note=NOTE,
    )
    return Summary(tables=(table,), views=_views(printed_values_of(file, builders, MEAN_PRECISION)))


def _views(values: Sequence[Row]) -> Mapping[str, str]:
    """Views: the draws of each measure, their means and spreads, and each printed value as one draw of a candidate."""
    names = "place, title, builder, value, rounding, declared"
    listed = literals([row[name] for name in PRINTED] for row in values)
    return {
        "printed_values": f"from (values {listed}) as printed ({names})",
        "declared_classes": "select title, any_value(declared) as declared from printed_values group by title",
        "draws": f"""select title, builder, repeat, 100 * fsum(correct) / fsum(support) as accuracy,
  100 * fsum(if(predicted > 0, correct / predicted, 0)) / any_value(declared) as mean_precision
from (
  select {TITLE} as title, builder, repeat, "class", sum(support) as support, sum(predicted) as predicted,
    sum(correct) as correct
  from classes group by all
) join declared_classes using (title)
join (
  select {TITLE} as title, builder, repeat from fits group by all having bool_and(good)
) using (title, builder, repeat)
group by title, builder, repeat""",
        "spreads": """select title, builder, measure, count(*) as number, favg(value) as mean,
  stddev_samp(value) as spread
from (unpivot draws on accuracy, mean_precision into name measure value value)
group by title, builder, measure having count(*) > 1""",
        "cases": """select *, -ln(error) - ln(2 * pi()) / 2 - (difference / error) ** 2 / 2 as likelihood
from (
  select p.place, p.builder as printed, s.builder, s.measure, s.mean - p.value as difference,
    sqrt(s.spread ** 2 * (1 + 1 / s.number) + p.rounding ** 2 / 3) as error
  from spreads s
  join printed_values p on s.title = p.title and (s.builder = p.builder or starts_with(s.builder, p.builder || '_'))
)""",
    }


def _cross_check(rows: Sequence[Row]) -> None:
    """Fill in `likelier`, `chosen` and `won` of the candidates of each printed column."""
    for of_column in grouped(rows, "printed").values():
        for pair in grouped(of_column, "builder").values():
            for row, other in permutations(pair, 2):  # a builder has the same cases by either measure
                both = zip(row["_likelihoods"], other["_likelihoods"], strict=True)
                row["likelier"] = sum(likelihood > of_other for likelihood, of_other in both)
        most = max(row["cases"] for row in of_column)
        whole = [row for row in of_column if row["cases"] == most]
        if most > 1:
            likelihoods = np.array([row["_likelihoods"] for row in whole])
            chosen, won = halves_of(likelihoods, [row["measure"] for row in whole])
            for row, times, wins in zip(whole, chosen, won, strict=True):
                row["chosen"], row["won"] = times, wins


def halves_of(likelihoods: NDArray[np.float64], measures: Sequence[str]) -> tuple[list[int], list[int]]:
    """How often each candidate is chosen on a random half of the cases, and wins on the other half.

    The first of equally likely candidates is chosen.

    Parameters
    ----------
    likelihoods : ndarray of shape (candidates, cases)
        Log-likelihoods.
    measures : sequence of str, of length candidates
        The measure of each candidate.
    """
    generator = np.random.default_rng(SEED)
    number, cases = likelihoods.shape
    chosen, won = np.zeros(number, int), np.zeros(number, int)
    of_measure = [[index for index in range(number) if measures[index] == name] for name in dict.fromkeys(measures)]
    for _ in range(HALVES):
        half = np.zeros(cases, bool)
        half[generator.permutation(cases)[: cases // 2]] = True
        first, second = (likelihoods[:, side].sum(axis=1).round(DIGITS) for side in (half, ~half))
        chosen[first.argmax()] += 1
        likeliest = [max(indices, key=first.__getitem__) for indices in of_measure]
        won[max(likeliest, key=second.__getitem__)] += 1
    return chosen.tolist(), won.tolist()
