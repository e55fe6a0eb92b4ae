"""Which builder is the most accurate, and what sets it apart from the others and from the most common class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.grammar.columns import Row, grouped, titled
from pipeline.grammar.comparison.pairs import PAIRS_BY_SET, TIE, WIN
from pipeline.grammar.comparison.ranks import LEVEL
from pipeline.grammar.comparison.sections import ACCURACIES, CLASSES
from pipeline.grammar.findings import tied_names
from pipeline.grammar.sources import MOST_COMMON
from pipeline.grammar.summary import Results
from pipeline.summary.statistics import ALIKE, Estimate


def finding(results: Results) -> list[str]:
    """The most accurate builder over the data sets that all were tested on, its lead, and the most common class."""
    accuracies, pairs, builders = results.rows(ACCURACIES), results.rows(PAIRS_BY_SET), results.context["builders"]
    whole = tested_by_all(accuracies, builders)
    if not whole:
        failed = "on every data set, a fit of some builder failed, so no means are compared"
        return [failed, *_most_common(results.rows(CLASSES))]
    values = dict(zip(builders, np.array(list(whole.values())).T, strict=True))
    best, *others = sorted(builders, key=lambda builder: -values[builder].mean())
    level = [other for other in others if values[best].mean() - values[other].mean() <= ALIKE]
    on = next(iter(whole)) if len(whole) == 1 else f"{len(whole)} data sets"
    share = f"{tied_names([best, *level])}, with {values[best].mean():.1f} % of test rows correct on {on}"
    compared = [row for row in pairs if row["builder"] == best and titled(row) in whole]
    lead = _told_apart(compared, [other for other in others if other not in level]) if len(whole) == 1 else ""
    if not others:
        found = f"the only builder is {share}"
    elif level:
        found = f"the most accurate of {len(builders)} builders are {share}{lead}"
    else:
        lead = lead or _ahead(values[best] - values[others[0]], others[0], compared)
        found = f"the most accurate of {len(builders)} builders is {share}{lead}"
    return [found, *_most_common([row for row in results.rows(CLASSES) if titled(row) in whole], compared)]


def _told_apart(compared: Sequence[Row], others: Sequence[str]) -> str:
    """Which of the others the best builder significantly exceeds on the only data set, and by how much.

    Empty if none can be judged.
    """
    rows = {row["against"]: row for row in compared}
    outcomes = {other: row["outcome"] for other, row in rows.items()}
    wins, ties, same = ([other for other in others if outcomes.get(other) == each] for each in (WIN, TIE, None))
    if not (wins or ties):
        return ""
    by = {other: f"{other} (by {_lead(row['difference'], row['high'])})" for other, row in rows.items()}
    clauses = [f"significantly more accurate than {tied_names([by[other] for other in wins])}"] if wins else []
    if ties:
        clauses.append(f"not significantly more accurate than {tied_names([by[other] for other in ties])}")
    unjudged = f"; no test can judge its lead over {tied_names(same)}, which is the same on all splits" if same else ""
    return f", {' but '.join(clauses)}{unjudged}"


def _ahead(leads: NDArray[np.float64], second: str, compared: Sequence[Row]) -> str:
    """By how many points the best builder is above the second; from its lead on each data set."""
    estimate = Estimate.of(leads)
    significant = estimate.t_p is None or estimate.t_p < LEVEL
    by = _lead(estimate.mean, estimate.t_interval[1]) if significant else "not significantly"
    unjudged = len(leads) == 1 and all(row["n"] == 1 for row in compared)
    return f", {by} above {second}{', which a single split cannot judge' if unjudged else ''}"


def _lead(points: float, high: float | None) -> str:
    """A lead in percentage points, with its 95 % interval if that has a high end."""
    return f"{points:.1f}{'' if high is None else f' ± {high - points:.1f}'} points"


def _most_common(classes: Sequence[Row], compared: Sequence[Row] = ()) -> list[str]:
    """What always predicting the most common class gives, and where the best builder significantly exceeds that.

    Nothing without rows of the table `classes`.
    """
    shares = []
    for rows in grouped(classes, "source", "part").values():
        by_builder = [[row["support"] for row in own] for own in grouped(rows, "builder").values()]
        support = max(by_builder, key=sum)  # a builder lacks the rows of its failed fits
        shares.append(100 * max(support) / sum(support))
    if not shares:
        return []
    judged = [row for row in compared if row["against"] == MOST_COMMON and row["outcome"]]
    several = len(shares) > 1
    constant = "always predicting the most common class of the test rows"
    gives = f"{constant} gives {np.mean(shares):.1f} %{' on average' if several else ''}"
    if not judged:
        return [gives]
    wins, less = sum(row["outcome"] == WIN for row in judged), f"significantly less than {judged[0]['builder']}"
    if several:
        return [f"{gives}, {less} on {wins} of {len(shares)} data sets"]
    return [f"{gives}, {'' if wins else 'not '}{less}"]


def tested_by_all(accuracies: Sequence[Row], builders: Sequence[str]) -> dict[str, list[float]]:
    """The data sets that all builders were tested on, on every split, and their mean accuracies there, in percent."""
    tested = {(row["_title"], row["builder"]): row["test_accuracy"] for row in accuracies if not row["failed"]}
    by_title = {title: [tested.get((title, builder)) for builder in builders] for title, _ in tested}
    return {title: [100 * mean for mean in means] for title, means in by_title.items() if None not in means}  # type: ignore[operator]
