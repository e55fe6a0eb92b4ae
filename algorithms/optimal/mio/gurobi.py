"""Call Gurobi, through gurobipy. Without a licence it takes 2,000 columns and rows."""

from __future__ import annotations

import math
from typing import Any

import gurobipy
import numpy as np
from gurobipy import GRB

from algorithms.array_types import Numbers
from algorithms.optimal.mio.model import Model
from algorithms.optimal.mio.solver import Limits, Report, SolverError, SolverOutcome, ended_as, or_infinite
from algorithms.optimal.solution import Status

STATUS = {
    GRB.OPTIMAL: Status.OPTIMAL,
    GRB.TIME_LIMIT: Status.TIME_LIMIT,
    GRB.INTERRUPTED: Status.INTERRUPTED,
    GRB.NODE_LIMIT: Status.WORK_LIMIT,
    GRB.MEM_LIMIT: Status.MEMORY_LIMIT,
}


def solve(model: Model, start: Numbers | None, limits: Limits, report: Report) -> SolverOutcome:
    """Solve a model. Gurobi itself ends at Ctrl-C with the best solution so far."""

    def called(solver: Any, where: int) -> None:
        if where == GRB.Callback.MIP:
            values = (solver.cbGet(GRB.Callback.MIP_OBJBST), solver.cbGet(GRB.Callback.MIP_OBJBND))
            if report(*(or_infinite(value, GRB.INFINITY) for value in values)):
                solver.terminate()

    try:
        with gurobipy.Env(params={"OutputFlag": 0}) as environment, gurobipy.Model(env=environment) as gurobi:
            _set(gurobi, limits)
            columns = _build(gurobi, model)
            if start is not None:
                columns.Start = start
            gurobi.optimize(called)
            return _outcome(gurobi, columns)
    except gurobipy.GurobiError as error:
        rows, count = model.matrix.shape
        raise SolverError(f"Gurobi refuses the model of {count} columns and {rows} rows: {error}") from error


def _set(gurobi: Any, limits: Limits) -> None:
    gurobi.Params.MIPGap = 0
    gurobi.Params.MIPGapAbs = limits.gap
    gurobi.Params.Threads = limits.threads
    gurobi.Params.Seed = limits.seed
    if math.isfinite(limits.seconds):
        gurobi.Params.TimeLimit = limits.seconds
    if limits.nodes is not None:
        gurobi.Params.NodeLimit = limits.nodes


def _build(gurobi: Any, model: Model) -> Any:
    """Add the columns and rows of a model; return Gurobi's columns."""
    kinds = np.where(model.whole, GRB.INTEGER, GRB.CONTINUOUS)
    columns = gurobi.addMVar(len(model.costs), lb=model.lower, ub=model.upper, obj=model.costs, vtype=kinds)
    gurobi.ObjCon = model.constant
    equal = model.row_lower == model.row_upper
    for sense, side, rows in (
        ("=", model.row_upper, equal),
        ("<", model.row_upper, np.isfinite(model.row_upper) & ~equal),
        (">", model.row_lower, np.isfinite(model.row_lower) & ~equal),
    ):
        if rows.any():
            gurobi.addMConstr(model.matrix[rows], columns, sense, side[rows])
    return columns


def _outcome(gurobi: Any, columns: Any) -> SolverOutcome:
    status = ended_as(gurobi.Status, STATUS, f"Gurobi ended with status {gurobi.Status}")
    feasible = gurobi.SolCount > 0
    return SolverOutcome(
        values=np.array(columns.X) if feasible else None,
        objective=float(gurobi.ObjVal) if feasible else math.inf,
        bound=or_infinite(gurobi.ObjBound, GRB.INFINITY),
        status=status,
        work=int(gurobi.NodeCount),
    )
