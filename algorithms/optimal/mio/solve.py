"""Find an optimal tree with a solver: its problem, its start, and the checks of its answer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.cart_start import cart_within
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.binary_splits import BinarySplits, PlacedTree, RankSplit
from algorithms.optimal.mio.flow_model import FlowModel, flow_model
from algorithms.optimal.mio.oct_model import OCTModel, oct_model
from algorithms.optimal.mio.problem import SolverProblem
from algorithms.optimal.mio.solver import Limits, SolverError, SolverOutcome, solver_named
from algorithms.optimal.plan import Leaf, tree_of_plan
from algorithms.optimal.solution import Effort, OnProgress, Progress, Solution, Status

Formulation = Literal["oct", "flow"]
Start = Literal["search", "cart", "none"]

SHARE_OF_START, MOST_SECONDS_OF_START = 0.2, 10.0
"""Limits of the search for a start: a share of the time limit, and seconds if there is none."""

COST = "(its errors + alpha x errors without splits x its splits, counted on the rows)"

Programme = OCTModel | FlowModel
"""A formulation of one instance: its model, and the conversion between trees and values of the model's columns."""

PROGRAMMES: dict[Formulation, Callable[[Instance, BinarySplits, int], Programme]] = {
    "oct": oct_model,
    "flow": flow_model,
}


def solve_mio(  # noqa: PLR0913 - all but the first by name
    instance: Instance,
    effort: Effort | None = None,
    *,
    formulation: Formulation = "oct",
    thresholds: int | None = None,
    solver: str = "highs",
    start: Start = "search",
    workers: int = 1,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> Solution:
    """The best binary tree of an instance, by a solver of mixed-integer programmes.

    A nominal attribute is tested for one label against the others, a numeric one at every threshold. The tree's errors
    are counted on the rows. The bound is the solver's, raised to the next possible cost of a tree. Ctrl-C ends the
    search with the best tree so far.

    effort      : `seconds` in total, checked between the solver's steps, so that it may be exceeded if steps are long;
                  `work` is nodes of the solver's search tree; `memory` is left to the solver
    formulation : "oct", that of Bertsimas & Dunn, repaired; "flow", the stronger one
    thresholds  : number of quantiles at which each numeric attribute may be split, to which the proof then applies;
                  None: all thresholds
    solver      : "highs", "scip", "gurobi" or "cplex"
    start       : the tree that the solver starts from: that of our exact "search", that of "cart", or "none"
    workers     : threads of the solver; seed: of its random choices
    on_progress : called as the best objective or the bound improves, perhaps from another thread

    Raises ModelSizeError if the model would be too large, SolverMissingError if the solver is not installed, and
    SolverError if it fails or its tree contradicts its objective or bound.
    """
    clock = Stopwatch()
    call_solver = solver_named(solver)
    effort = effort or Effort()
    limit = math.inf if effort.seconds is None else effort.seconds
    problem = SolverProblem.of(instance, thresholds)
    if problem.depth == 0:
        return problem.solution({}, math.inf, Status.OPTIMAL, 0)
    programme = PROGRAMMES[formulation](problem.instance, problem.splits, problem.depth)
    seconds = min(SHARE_OF_START * limit, MOST_SECONDS_OF_START)
    starting, interrupted = starting_tree(problem.instance, problem.splits, problem.depth, start, seconds)
    incumbent, cost = problem.splits.pruned(starting or {}, problem.instance)
    left = limit - clock.seconds
    if interrupted or left <= 0:
        status = Status.INTERRUPTED if interrupted else Status.TIME_LIMIT
        return problem.solution(incumbent, problem.possible.raised(-math.inf), status, 0)
    reports = _Reports(problem, cost, clock, on_progress)
    if reports.close_gap(math.inf, -math.inf):  # the rows force its errors
        return problem.solution(incumbent, math.inf, Status.OPTIMAL, 0)
    outcome = call_solver(
        programme.model,
        None if starting is None else programme.values(incumbent),
        Limits(left, effort.work, 0.999 * problem.possible.step, workers, seed),
        reports,
    )
    if reports.failure is not None:
        raise reports.failure
    if reports.sufficed and outcome.status is Status.INTERRUPTED:  # by the report, not by Ctrl-C
        outcome = replace(outcome, status=Status.OPTIMAL)
    return _answer(problem, programme, outcome, incumbent, cost)


def starting_tree(
    instance: Instance, splits: BinarySplits, depth: int, start: Start, seconds: float
) -> tuple[dict[int, RankSplit] | None, bool]:
    """The splits of a tree of at most this depth, or None for "none"; and whether Ctrl-C ended the search for it.

    The search may take this many seconds. CART's tree is not pruned; `BinarySplits.pruned` improves either.
    """
    if start == "none":
        return None, False
    coded = replace(instance, data=splits.data_set(instance.data), max_depth=depth)
    if start == "cart":
        leaf = tree_of_plan(Leaf(), coded.data, coded.weights)
        return splits.placed(cart_within(replace(coded, alpha=0.0), leaf)), False
    solution = solve(coded, Effort(seconds=seconds))
    return splits.placed(solution.tree), solution.status is Status.INTERRUPTED


def _answer(
    problem: SolverProblem, programme: Programme, outcome: SolverOutcome, incumbent: PlacedTree, cost: float
) -> Solution:
    """The solution with the better of the solver's tree and the incumbent; SolverError if the outcome is wrong."""
    tolerance = problem.tolerance
    if outcome.values is not None:
        tree, tree_cost = problem.splits.pruned(programme.placed(outcome.values), problem.instance)
        if tree_cost > outcome.objective + tolerance:
            raise SolverError(
                f"the solver's objective is {outcome.objective:.9g}, but its tree costs {tree_cost:.9g} {COST}: the "
                "solver's tolerances are too wide. Use OCTClassifier"
            )
        if tree_cost < cost:
            incumbent, cost = tree, tree_cost
    bound = problem.possible.raised(outcome.bound)
    if bound > cost + tolerance:
        raise SolverError(
            f"the solver's bound is {outcome.bound:.9g}, but the best known tree costs only {cost:.9g} {COST}: the "
            "solver's tolerances are too wide. Use OCTClassifier"
        )
    if problem.closed(cost, bound):
        return problem.solution(incumbent, math.inf, Status.OPTIMAL, outcome.work)
    if outcome.status is Status.OPTIMAL and bound < cost - tolerance:
        raise SolverError(
            f"the solver reports an optimum, but its bound {outcome.bound:.9g} is below the cost {cost:.9g} of its "
            "tree: use OCTClassifier"
        )
    return problem.solution(incumbent, bound, outcome.status, outcome.work)


@dataclass(eq=False)
class _Reports:
    """Receives a solver's reports. It keeps an error and stops the solver, because solvers do not pass errors on."""

    problem: SolverProblem
    cost: float  # of the starting tree
    clock: Stopwatch
    on_progress: OnProgress | None
    last: tuple[float, float] = (math.inf, -math.inf)  # the objective and the bound that were passed on last
    sufficed: bool = False  # whether a report closed the gap, so that the solver had to stop
    failure: Exception | None = None  # the first error, raised after the solver has ended

    def __call__(self, objective: float, bound: float) -> bool:
        try:
            self.sufficed = self.close_gap(objective, bound) or self.sufficed
        except Exception as error:
            self.failure = self.failure or error
        return self.sufficed or self.failure is not None

    def close_gap(self, objective: float, bound: float) -> bool:
        """Pass improvements on; return whether an objective and a bound close the gap."""
        problem, least = self.problem, min(objective, self.cost)
        raised = min(problem.possible.raised(bound), least)
        if self.on_progress is not None and (least < self.last[0] or raised > self.last[1]):
            self.last = least, raised
            self.on_progress(Progress(self.clock.seconds, problem.objective(least), problem.objective(raised)))
        return problem.closed(least, raised)
