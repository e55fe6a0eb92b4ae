"""The exact search within limits, and LicketySPLIT's tree if it is better than that of an unfinished search."""

from __future__ import annotations

from dataclasses import replace

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead.lookahead_trees import licketysplit
from algorithms.optimal.missing_values import has_branches_for_labels
from algorithms.optimal.solution import Effort, OnProgress, Solution, Status

MOST_THRESHOLDS = 8
"""Thresholds of a number that LicketySPLIT tries at a node: they take a few per cent of the time of all thresholds."""
MOST_SHARE = 0.2
"""The largest share of the seconds and of the work that LicketySPLIT gets."""
UNITS_A_SECOND = 2e8
"""About the units of work that LicketySPLIT does in a second."""
SECONDS_A_VALUE, SECONDS_A_CLASS = 4e-8, 2e-9
"""About the seconds, for each value and level, that LicketySPLIT takes beyond its limit to complete its tree, and the
seconds more for each class."""


def solve_within_limits(
    instance: Instance, effort: Effort, *, subsets: bool = False, on_progress: OnProgress | None = None
) -> Solution:
    """The solution of `solve`. If a limit of seconds or work ends the search, the tree of LicketySPLIT if it is better.

    The exact search gets the effort less what LicketySPLIT is expected to take, which is at most a fifth. It gets the
    whole effort if LicketySPLIT would need more than a fifth of the seconds to complete a tree, or if numbers are
    missing.
    """
    clock, seconds, work = Stopwatch(), effort.seconds, effort.work
    values, levels = instance.data.rows * len(instance.data.attributes), _levels(instance)
    seconds_a_value = SECONDS_A_VALUE + SECONDS_A_CLASS * len(instance.data.classes)
    completing = seconds_a_value * values * (levels + 2)
    too_long = seconds is not None and completing > MOST_SHARE * seconds
    missing = instance.data.incomplete and not has_branches_for_labels(instance)
    if missing or effort.unlimited or too_long:
        return solve(instance, effort, subsets=subsets, on_progress=on_progress)
    expected_work = 2 * MOST_THRESHOLDS * values * len(instance.data.attributes) * levels  # a greedy tree for each test
    expected_seconds = completing + expected_work / UNITS_A_SECOND
    exact = effort.after(
        min(MOST_SHARE * (seconds or 0), expected_seconds), min(int(MOST_SHARE * (work or 0)), expected_work)
    )
    solution = solve(instance, exact, subsets=subsets, on_progress=on_progress)
    if solution.status not in {Status.TIME_LIMIT, Status.WORK_LIMIT}:  # LicketySPLIT has no limit of memory
        return solution
    try:
        heuristic = licketysplit(instance, effort.after(clock.seconds + completing, solution.work), MOST_THRESHOLDS)
    except KeyboardInterrupt:
        return replace(solution, status=Status.INTERRUPTED)
    total = solution.work + heuristic.work
    too_many = instance.max_splits is not None and heuristic.splits > instance.max_splits
    if too_many or heuristic.objective >= solution.objective:
        return replace(solution, work=total)
    bound = min(max(heuristic.bound, solution.bound), heuristic.objective)
    proven = {"status": Status.OPTIMAL, "stopped": solution.status}
    outcome = proven if bound == heuristic.objective else {"status": solution.status, "stopped": None}
    return replace(heuristic, bound=bound, work=total, **outcome)


def _levels(instance: Instance) -> int:
    """The levels that a greedy tree is expected to have at most."""
    levels = instance.data.rows.bit_length()
    return levels if instance.max_depth is None else min(instance.max_depth, levels)
