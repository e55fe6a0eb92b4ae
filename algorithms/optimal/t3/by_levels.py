"""The tree of T2, T3 or T3C within limits, and its proven bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from algorithms.array_types import Numbers
from algorithms.data_set import DataSet
from algorithms.optimal.plan import Leaf, Plan, tree_of_plan
from algorithms.optimal.solution import Effort, OnProgress, Progress, Solution, Status, Stopped, measures
from algorithms.optimal.t3.coded_rows import CodedRows
from algorithms.optimal.t3.last_levels import LastLevels
from algorithms.optimal.t3.limits import Form, Spent
from algorithms.optimal.t3.tree_search import Exhaustive, Printed
from algorithms.trees.arrays import NodeKind

Method = Literal["printed", "exhaustive"]


def solve(
    data: DataSet,
    weights: Numbers,
    rows: CodedRows,
    form: Form,
    method: Method,
    effort: Effort | None = None,
    on_progress: OnProgress | None = None,
) -> Solution:
    """The tree of a form for the rows of a data set, given in codes as `rows`; weights (rows,) are positive.

    The objective is errors / L_hat, where L_hat are the errors of the majority rule. The bound holds for all trees of
    the form. Leaves that no row reaches, such as those of unknown values if all are known, are not counted as leaves.
    `on_progress` is called for each tree that replaces another.
    """
    forced, majority = rows.forced_errors(), rows.leaf_errors()
    spent = Spent(Effort() if effort is None else effort)

    def report(errors: float) -> None:
        if on_progress is not None:
            on_progress(Progress(spent.seconds, errors / (majority or 1.0), forced / (majority or 1.0)))

    plan, errors, status = _search(rows, form, method, spent, forced, report)
    tree = tree_of_plan(plan, data, weights)
    if errors <= forced + rows.tie:  # no tree has fewer errors
        status = Status.OPTIMAL
    errors, splits, _ = measures(tree, tree.decision)  # the search may have counted up to a tie less at a node
    bound = errors if status is Status.OPTIMAL else forced
    terminal = tree.kind == NodeKind.TERMINAL
    return Solution(
        tree=tree,
        errors=errors,
        splits=splits,
        leaves=int((terminal & (tree.counts.sum(axis=1) > 0)).sum()),
        objective=errors / majority if majority else 0.0,
        bound=bound / majority if majority else 0.0,
        status=status,
        work=spent.work,
        forced=forced,
    )


def _search(
    rows: CodedRows, form: Form, method: Method, spent: Spent, forced: float, report: Callable[[float], None]
) -> tuple[Plan, float, Status]:
    """The plan, its errors, and how the search for it ended; the errors of the trees on the way are reported."""
    last = LastLevels(rows, form, spent)
    best: tuple[Plan, float] = (Leaf(), rows.leaf_errors())
    proven = method == "exhaustive" or (form.depth <= 2 and form.monotone)
    printed, exhaustive = Printed(form, spent, last), Exhaustive(form, spent, last)
    try:
        for levels in range(form.depth + 1):  # after a limit, this tree has as many levels as could be searched
            best = printed.plan(rows, levels) or best
            report(best[1])
        if method == "exhaustive":
            best = _fewest_levels(rows, form, exhaustive, best)
            report(best[1])
            if best[1] > forced + rows.tie:
                best = exhaustive.plan(rows, form.depth, best[1]) or best
    except Stopped as limit:
        return *best, limit.status
    except KeyboardInterrupt:
        return *best, Status.INTERRUPTED
    return *best, Status.OPTIMAL if proven else Status.HEURISTIC


def _fewest_levels(rows: CodedRows, form: Form, search: Exhaustive, start: tuple[Plan, float]) -> tuple[Plan, float]:
    """The best tree with fewer levels, as few as possible, that has no more errors than `start`."""
    best, limit = start, start[1] + 2 * rows.tie
    for levels in range(1, form.depth):
        tree = search.plan(rows, levels, limit)
        if tree:
            best, limit = tree, tree[1]
    return best
