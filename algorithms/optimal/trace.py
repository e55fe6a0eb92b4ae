"""The objective and the bound of a search over time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.solution import Progress, Solution, gap
from algorithms.options import Number, check_parameters

__all__ = ["Recorder", "Trace"]


class Trace(tuple[Progress, ...]):
    """The primal and dual bound of a search over time: a tuple of Progress, one for each improvement.

    Every estimator with the parameter `trace` records it. A search that reports no progress, such as LicketySPLIT, has
    a trace of one element. From one element to the next, seconds do not fall, the objective does not rise, the bound
    does not fall, and the objective or the bound improves. The last element has the objective and the bound of
    `solution_`.

    Notes
    -----
    The clock starts when `fit` has read the rows, and stops while kernels are compiled. A search reports about every
    0.015 seconds, so an improvement may be recorded 0.015 seconds late.

    Examples
    --------
    >>> from orchard import OCTClassifier
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> trace = OCTClassifier(max_depth=2, trace=True).fit(rows, [0, 1, 1, 1]).trace_
    >>> [(progress.objective, progress.bound) for progress in trace]
    [(1.0, 0.0), (0.0, 0.0)]
    """

    __slots__ = ()

    def primal_integral(self, least: float, seconds: float) -> float:
        """Return the primal integral, a measure of how soon the search finds good trees: less is better.

        Parameters
        ----------
        least : float
            The least known objective of the instance: a finite number, 0 or more.
        seconds : float
            The end of the interval: a finite number above 0.

        Returns
        -------
        float
            The integral of the primal gap from 0 to `seconds`, in seconds. Before the first tree, the gap is 1. After
            it, the gap is (objective - least) / objective, or 0 if the objective is at most `least`. After the last
            element the gap does not change.

        Raises
        ------
        ParameterError
            A number is out of its range.

        References
        ----------
        - Berthold (2013), *Measuring the Impact of Primal Heuristics*, section 3.

        Examples
        --------
        >>> from orchard import Progress, Trace
        >>> Trace([Progress(1.0, 0.5, 0.0), Progress(3.0, 0.25, 0.25)]).primal_integral(0.25, 10.0)
        2.0
        """
        given = {"least": least, "seconds": seconds}
        check_parameters({"least": [Number(0, closed="left")], "seconds": [Number(0, closed="neither")]}, given)
        times = [0.0, *(min(progress.seconds, seconds) for progress in self), seconds]
        gaps = [1.0, *(gap(progress.objective, least) for progress in self)]
        return sum(height * (end - start) for height, (start, end) in zip(gaps, pairwise(times), strict=True))


class Recorder:
    """Keeps the reports of a search, each with the seconds since the recorder was made."""

    def __init__(self) -> None:
        self._clock = Stopwatch()
        self._reports: list[Progress] = []

    def __call__(self, progress: Progress) -> None:
        """Keep a report if it may be an improvement."""
        last = self._reports[-1] if self._reports else None
        if last is None or progress.objective < last.objective or progress.bound > last.bound:
            self._reports.append(replace(progress, seconds=self._clock.seconds))

    def trace(self, solution: Solution) -> Trace:
        """The improvements, the solution last. Reports that only rounding makes better are clipped to the solution."""
        last = Progress(self._clock.seconds, solution.objective, solution.bound)
        improved: list[Progress] = []
        objective, bound = float("inf"), float("-inf")
        for report in (*self._reports, last):
            before = objective, bound
            objective = min(objective, max(report.objective, last.objective))
            bound = max(bound, min(report.bound, last.bound))
            if before != (objective, bound):
                improved.append(Progress(report.seconds, objective, bound))
        return Trace(improved)
