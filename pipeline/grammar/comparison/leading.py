"""Which builder is the most accurate of all, on the data sets that all were tested on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pipeline.grammar.findings import points
from pipeline.screen import counted
from pipeline.summary.statistics import PairedMoments

if TYPE_CHECKING:
    from pipeline.grammar.comparison.accuracies import Score

__all__ = ["leading", "tested_by_all"]


def leading(scores: Sequence[Score], builders: Sequence[str]) -> str:
    """Which builder has the greatest mean accuracy over the data sets that all were tested on, and by how much."""
    whole = tested_by_all(scores, builders)
    if not whole:
        return f"no data set was tested with all of {counted(len(builders), 'builder')}"
    moments = PairedMoments.of(np.array(list(whole.values())))
    on = next(iter(whole)) if len(whole) == 1 else f"{len(whole)} data sets"
    best, *others = sorted(range(len(builders)), key=lambda place: -moments.mean[place])
    share = f"{builders[best]}, {moments.mean[best]:.1f} % of test rows right on {on}"
    if not others:
        return f"tested was {share}"
    ahead = moments.difference(best, others[0])
    by = f"{points(ahead)} above {builders[others[0]]}" if ahead.mean else f"as many as {builders[others[0]]}"
    return f"the most accurate of {len(builders)} builders is {share}, {by}"


def tested_by_all(scores: Sequence[Score], builders: Sequence[str]) -> dict[str, list[float]]:
    """The data sets that all builders were tested on, on every split, and their mean accuracies there, in percent."""
    found = {(score.title, score.builder): score.accuracy for score in scores if not score.failed}
    by_title = {title: [found.get((title, one)) for one in builders] for title, _ in found}
    return {title: [100 * one.mean for one in own if one] for title, own in by_title.items() if all(own)}
