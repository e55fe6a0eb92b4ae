"""Call CPLEX, through its package cplex. The community edition takes 1,000 columns and rows."""

from __future__ import annotations

import math
from typing import Any

import cplex
import numpy as np
from cplex.callbacks import MIPInfoCallback
from cplex.exceptions import CplexError

from algorithms.array_types import Numbers
from algorithms.optimal.mio.model import Model
from algorithms.optimal.mio.solver import Limits, Report, SolverError, SolverOutcome, ended_as, or_infinite
from algorithms.optimal.solution import Status

STATUS = {
    "optimal": Status.OPTIMAL,
    "optimal_tolerance": Status.OPTIMAL,
    "MIP_optimal": Status.OPTIMAL,
    "MIP_time_limit_feasible": Status.TIME_LIMIT,
    "MIP_time_limit_infeasible": Status.TIME_LIMIT,
    "MIP_abort_feasible": Status.INTERRUPTED,
    "MIP_abort_infeasible": Status.INTERRUPTED,
    "node_limit_feasible": Status.WORK_LIMIT,
    "node_limit_infeasible": Status.WORK_LIMIT,
    "mem_limit_feasible": Status.MEMORY_LIMIT,
    "mem_limit_infeasible": Status.MEMORY_LIMIT,
}


class _CplexReporter(MIPInfoCallback):  # type: ignore[misc]
    """Reports objective and bound, and stops CPLEX when they suffice; CPLEX creates it."""

    report: Report

    def __call__(self) -> None:
        objective = self.get_incumbent_objective_value() if self.has_incumbent() else math.inf
        values = (objective, self.get_best_objective_value())
        if self.report(*(or_infinite(value, cplex.infinity) for value in values)):
            self.abort()


def solve(model: Model, start: Numbers | None, limits: Limits, report: Report) -> SolverOutcome:
    """Solve a model. CPLEX itself ends at Ctrl-C with the best solution so far."""
    with cplex.Cplex() as solver:
        for silence in (solver.set_log_stream, solver.set_results_stream, solver.set_warning_stream):
            silence(None)
        solver.set_error_stream(None)
        _set(solver.parameters, limits)
        _build(solver, model)
        solver.register_callback(_CplexReporter).report = report
        if start is not None:
            pair = cplex.SparsePair(range(len(start)), start.tolist())
            solver.MIP_starts.add(pair, solver.MIP_starts.effort_level.check_feasibility)
        try:
            solver.solve()
        except CplexError as error:
            rows, count = model.matrix.shape
            raise SolverError(f"CPLEX refuses the model of {count} columns and {rows} rows: {error}") from error
        return _outcome(solver)


def _set(parameters: Any, limits: Limits) -> None:
    parameters.mip.tolerances.mipgap.set(0.0)
    parameters.mip.tolerances.absmipgap.set(limits.gap)
    parameters.threads.set(limits.threads)
    parameters.randomseed.set(limits.seed)
    if math.isfinite(limits.seconds):
        parameters.timelimit.set(limits.seconds)
    if limits.nodes is not None:
        parameters.mip.limits.nodes.set(limits.nodes)


def _build(solver: Any, model: Model) -> None:
    """Add the columns and rows of a model."""
    solver.variables.add(
        obj=model.costs.tolist(),
        lb=model.lower.tolist(),
        ub=model.upper.tolist(),
        types="".join("I" if whole else "C" for whole in model.whole.tolist()),
    )
    solver.objective.set_offset(model.constant)
    matrix = model.matrix
    indices, values = matrix.indices.tolist(), matrix.data.tolist()
    ends = zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True)
    least, most = np.isfinite(model.row_lower), np.isfinite(model.row_upper)
    equal = model.row_lower == model.row_upper
    solver.linear_constraints.add(
        lin_expr=[cplex.SparsePair(indices[first:end], values[first:end]) for first, end in ends],
        senses="".join(np.select([equal, least & most, least], ["E", "R", "G"], "L").tolist()),
        rhs=np.where(least, model.row_lower, model.row_upper).tolist(),
        range_values=np.where(least & most, model.row_upper - model.row_lower, 0.0).tolist(),
    )


def _outcome(solver: Any) -> SolverOutcome:
    solution = solver.solution
    ended = solution.status[solution.get_status()]
    status = ended_as(ended, STATUS, f"CPLEX ended with {ended}")
    feasible = solution.is_primal_feasible()
    return SolverOutcome(
        values=np.array(solution.get_values()) if feasible else None,
        objective=float(solution.get_objective_value()) if feasible else math.inf,
        bound=or_infinite(solution.MIP.get_best_objective(), cplex.infinity),
        status=status,
        work=int(solution.progress.get_num_nodes_processed()),
    )
