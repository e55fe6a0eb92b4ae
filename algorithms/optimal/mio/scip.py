"""Call SCIP, through pyscipopt."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyscipopt

from algorithms.array_types import Numbers
from algorithms.optimal.mio.model import Model
from algorithms.optimal.mio.solver import Limits, Outcome, Report, SolverError
from algorithms.optimal.solution import Status

__all__ = ["solve"]

STATUS = {
    "optimal": Status.OPTIMAL,
    "gaplimit": Status.OPTIMAL,
    "timelimit": Status.TIME_LIMIT,
    "userinterrupt": Status.INTERRUPTED,
    "nodelimit": Status.WORK_LIMIT,
    "totalnodelimit": Status.WORK_LIMIT,
    "memlimit": Status.MEMORY_LIMIT,
}


class _Reporter(pyscipopt.Eventhdlr):  # type: ignore[misc]
    """Reports new solutions and bounds, and stops SCIP when they suffice."""

    EVENTS = pyscipopt.SCIP_EVENTTYPE.BESTSOLFOUND | pyscipopt.SCIP_EVENTTYPE.NODESOLVED

    def __init__(self, report: Report) -> None:
        self.report = report
        self.failures: list[Exception] = []

    def eventinit(self) -> None:
        self.model.catchEvent(self.EVENTS, self)

    def eventexit(self) -> None:
        self.model.dropEvent(self.EVENTS, self)

    def eventexec(self, event: Any) -> None:  # noqa: ARG002
        try:
            enough = self.report(_finite(self.model, self.model.getPrimalbound()), self._bound())
        except Exception as error:  # it must not pass through SCIP
            self.failures.append(error)
            enough = True
        if enough:
            self.model.interruptSolve()

    def _bound(self) -> float:
        return _finite(self.model, self.model.getDualbound())


def solve(model: Model, start: Numbers | None, limits: Limits, report: Report) -> Outcome:
    """Solve a model. SCIP itself ends at Ctrl-C with the best solution so far."""
    scip = pyscipopt.Model()
    scip.hideOutput()
    columns = _build(scip, model)
    scip.setParam("limits/absgap", limits.gap)
    scip.setParam("parallel/maxnthreads", limits.threads)
    scip.setParam("randomization/randomseedshift", limits.seed)
    if math.isfinite(limits.seconds):
        scip.setParam("limits/time", limits.seconds)
    if limits.nodes is not None:
        scip.setParam("limits/nodes", limits.nodes)
    reporter = _Reporter(report)
    scip.includeEventhdlr(reporter, "orchard", "reports objective and bound")
    if start is not None:
        solution = scip.createSol()
        for column, value in zip(columns, start.tolist(), strict=True):
            scip.setSolVal(solution, column, value)
        scip.addSol(solution)
    scip.optimize()
    if reporter.failures:
        raise reporter.failures[0]
    found = scip.getStatus()
    if found not in STATUS:
        msg = f"SCIP ended with {found}: expected a solution, as a single leaf always is one"
        raise SolverError(msg)
    best = scip.getBestSol() if scip.getNSols() else None
    return Outcome(
        values=None if best is None else np.array([scip.getSolVal(best, column) for column in columns]),
        objective=math.inf if best is None else scip.getSolObjVal(best),
        bound=_finite(scip, scip.getDualbound()),
        status=STATUS[found],
        work=int(scip.getNTotalNodes()),
    )


def _build(scip: Any, model: Model) -> list[Any]:
    """Add the columns and rows of a model; return SCIP's columns."""
    columns = [
        scip.addVar(lb=lower, ub=upper, obj=cost, vtype="I" if whole else "C")
        for lower, upper, cost, whole in zip(
            model.lower.tolist(), model.upper.tolist(), model.costs.tolist(), model.whole.tolist(), strict=True
        )
    ]
    scip.addObjoffset(model.constant)
    matrix = model.matrix
    sides = zip(model.row_lower.tolist(), model.row_upper.tolist(), strict=True)
    for row, (lower, upper) in enumerate(sides):
        places = slice(matrix.indptr[row], matrix.indptr[row + 1])
        terms = zip(matrix.data[places].tolist(), matrix.indices[places].tolist(), strict=True)
        total = pyscipopt.quicksum(value * columns[column] for value, column in terms)
        if math.isfinite(lower) and math.isfinite(upper):
            scip.addCons(pyscipopt.scip.ExprCons(total, lower, upper))
        else:
            scip.addCons(total >= lower if math.isfinite(lower) else total <= upper)
    return columns


def _finite(scip: Any, value: float) -> float:
    """Replace infinity by SCIP's."""
    return math.copysign(math.inf, value) if scip.isInfinity(abs(value)) else float(value)
