"""Call SCIP, through pyscipopt."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyscipopt

from algorithms.array_types import Numbers
from algorithms.optimal.mio.model import Model
from algorithms.optimal.mio.solver import Limits, Report, SolverOutcome, ended_as, or_infinite
from algorithms.optimal.solution import Status

STATUS = {
    "optimal": Status.OPTIMAL,
    "gaplimit": Status.OPTIMAL,
    "timelimit": Status.TIME_LIMIT,
    "userinterrupt": Status.INTERRUPTED,
    "nodelimit": Status.WORK_LIMIT,
    "totalnodelimit": Status.WORK_LIMIT,
    "memlimit": Status.MEMORY_LIMIT,
}


class _ScipReporter(pyscipopt.Eventhdlr):  # type: ignore[misc]
    """Reports new solutions and bounds, and stops SCIP when they suffice."""

    EVENTS = pyscipopt.SCIP_EVENTTYPE.BESTSOLFOUND | pyscipopt.SCIP_EVENTTYPE.NODESOLVED

    def __init__(self, report: Report) -> None:
        self.report = report

    def eventinit(self) -> None:
        self.model.catchEvent(self.EVENTS, self)

    def eventexit(self) -> None:
        self.model.dropEvent(self.EVENTS, self)

    def eventexec(self, event: Any) -> None:  # noqa: ARG002
        values = (self.model.getPrimalbound(), self.model.getDualbound())
        if self.report(*(or_infinite(value, self.model.infinity()) for value in values)):
            self.model.interruptSolve()


def solve(model: Model, start: Numbers | None, limits: Limits, report: Report) -> SolverOutcome:
    """Solve a model. At Ctrl-C, SCIP ends with its best solution so far; while it reads the model, it has none."""
    scip = pyscipopt.Model()
    scip.hideOutput()
    try:
        columns = _build(scip, model)
    except KeyboardInterrupt:  # SCIP itself notices Ctrl-C only when it solves
        return SolverOutcome(None, math.inf, -math.inf, Status.INTERRUPTED, 0)
    scip.setParam("limits/absgap", limits.gap)
    scip.setParam("parallel/maxnthreads", limits.threads)
    scip.setParam("randomization/randomseedshift", limits.seed)
    if math.isfinite(limits.seconds):
        scip.setParam("limits/time", limits.seconds)
    if limits.nodes is not None:
        scip.setParam("limits/nodes", limits.nodes)
    scip.includeEventhdlr(_ScipReporter(report), "orchard", "reports objective and bound")
    if start is not None:
        solution = scip.createSol()
        for column, value in zip(columns, start.tolist(), strict=True):
            scip.setSolVal(solution, column, value)
        scip.addSol(solution)
    scip.optimize()
    status = ended_as(scip.getStatus(), STATUS, f"SCIP ended with {scip.getStatus()}")
    best = scip.getBestSol() if scip.getNSols() else None
    return SolverOutcome(
        values=None if best is None else np.array([scip.getSolVal(best, column) for column in columns]),
        objective=math.inf if best is None else scip.getSolObjVal(best),
        bound=or_infinite(scip.getDualbound(), scip.infinity()),
        status=status,
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
        entries = slice(matrix.indptr[row], matrix.indptr[row + 1])
        terms = zip(matrix.data[entries].tolist(), matrix.indices[entries].tolist(), strict=True)
        total = pyscipopt.quicksum(value * columns[column] for value, column in terms)
        if math.isfinite(lower) and math.isfinite(upper):
            scip.addCons(pyscipopt.scip.ExprCons(total, lower, upper))
        else:
            scip.addCons(total >= lower if math.isfinite(lower) else total <= upper)
    return columns
