"""Call HiGHS, through highspy."""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import highspy
import numpy as np

from algorithms.array_types import Numbers
from algorithms.optimal.mio.model import Model
from algorithms.optimal.mio.solver import Limits, Report, SolverError, SolverOutcome, ended_as
from algorithms.optimal.solution import Status

STATUS = {
    highspy.HighsModelStatus.kOptimal: Status.OPTIMAL,
    highspy.HighsModelStatus.kTimeLimit: Status.TIME_LIMIT,
    highspy.HighsModelStatus.kInterrupt: Status.INTERRUPTED,
    highspy.HighsModelStatus.kMemoryLimit: Status.MEMORY_LIMIT,
    highspy.HighsModelStatus.kSolutionLimit: Status.WORK_LIMIT,
}


MOST_PRESOLVED = 200_000
"""HiGHS presolves models of at most this many coefficients: it presolves larger ones long after its time is up."""


class SilentHighs(highspy.Highs):  # type: ignore[misc] # highspy's classes are unknown to mypy
    """HiGHS without its banner, which version 1.16 prints when callbacks are enabled as it is made."""

    def enableCallbacks(self) -> None:  # noqa: N802 - highspy's name
        """Let HiGHS call back, without any output."""
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()


def solve(model: Model, start: Numbers | None, limits: Limits, report: Report) -> SolverOutcome:
    """Solve a model; Ctrl-C ends the search with the best solution so far."""
    highs = with_model(model, start, limits)
    stop = Event()

    def called(event: Any) -> None:
        if not stop.is_set() and report(event.data_out.mip_primal_bound, event.data_out.mip_dual_bound):
            stop.set()
        interrupt_if_stopped(event)

    def interrupt_if_stopped(event: Any) -> None:
        if stop.is_set():
            event.interrupt()

    highs.cbMipInterrupt += called
    highs.cbSimplexInterrupt += interrupt_if_stopped
    _in_a_thread(highs.run, stop)
    return _outcome(highs)


def with_model(model: Model, start: Numbers | None, limits: Limits) -> Any:
    """HiGHS with a model, a start and limits, silent."""
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = model.matrix.shape
    lp.col_cost_, lp.offset_ = model.costs, model.constant
    lp.col_lower_, lp.col_upper_ = model.lower, model.upper
    lp.row_lower_, lp.row_upper_ = model.row_lower, model.row_upper
    lp.integrality_ = [
        highspy.HighsVarType.kInteger if whole else highspy.HighsVarType.kContinuous for whole in model.whole.tolist()
    ]
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = model.matrix.indptr
    lp.a_matrix_.index_ = model.matrix.indices
    lp.a_matrix_.value_ = model.matrix.data
    highs = SilentHighs()
    options = {
        "output_flag": False,
        "threads": limits.threads,
        "parallel": "off" if limits.threads == 1 else "on",
        "random_seed": limits.seed,
        "mip_abs_gap": limits.gap,
        "mip_rel_gap": 0.0,
        "time_limit": limits.seconds,
    }
    if model.matrix.nnz > MOST_PRESOLVED:
        options["presolve"] = "off"
    if limits.nodes is not None:
        options["mip_max_nodes"] = limits.nodes
    for name, value in options.items():
        _check(highs.setOptionValue(name, value), f"the option {name}={value}")
    _check(highs.passModel(lp), "the model")
    if start is not None:
        solution = highspy.HighsSolution()
        solution.col_value = start
        _check(highs.setSolution(solution), "the start")
    return highs


def _in_a_thread(run: Callable[[], object], stop: Event) -> None:
    """Run HiGHS in a separate thread, so that this one notices Ctrl-C; a second Ctrl-C does not wait for its end."""
    ended = Event()
    failures: list[BaseException] = []

    def run_and_report() -> None:
        try:
            run()
        except BaseException as error:  # raised where the result is awaited
            failures.append(error)
        finally:
            ended.set()

    Thread(target=run_and_report, name="HiGHS", daemon=True).start()
    try:
        while not ended.wait(0.05):
            pass
    except KeyboardInterrupt:
        stop.set()
        while not ended.wait(0.05):
            pass
    if failures:
        raise failures[0]


def _outcome(highs: Any) -> SolverOutcome:
    ended = highs.getModelStatus()
    status = ended_as(ended, STATUS, f"HiGHS ended with {highs.modelStatusToString(ended)}")
    info = highs.getInfo()
    solution = highs.getSolution()
    feasible = bool(solution.value_valid) and math.isfinite(info.objective_function_value)
    return SolverOutcome(
        values=np.array(solution.col_value) if feasible else None,
        objective=info.objective_function_value if feasible else math.inf,
        bound=info.mip_dual_bound,
        status=status,
        work=max(int(info.mip_node_count), 0),
    )


def _check(status: Any, what: str) -> None:
    if status == highspy.HighsStatus.kError:
        raise SolverError(f"HiGHS {SilentHighs().version()} does not take {what}")
