"""The solvers by name, which are imported on demand, as they may be missing; the arguments and the result of each."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from algorithms.array_types import Numbers
from algorithms.optimal.mio.model import Model
from algorithms.optimal.solution import Status
from algorithms.options import check_choice

Report = Callable[[float, float], bool]
"""Called while a solver runs with the best objective so far and the bound, infinite if there is none yet. Returns
whether that suffices and the solver is to stop. It raises no error, which could not pass through a solver.
"""


class SolverError(RuntimeError):
    """A solver failed, or its tree contradicts its answer."""


@dataclass(frozen=True)
class Limits:
    """Options of a solver run."""

    seconds: float = math.inf  # time limit
    nodes: int | None = None  # limit of its search tree; None for no limit
    gap: float = 0.0  # between objective and bound, at which it may stop as at an optimum
    threads: int = 1  # number of threads
    seed: int = 0  # of its random choices


@dataclass(frozen=True, eq=False)
class SolverOutcome:
    """The result of a solver."""

    values: Numbers | None  # (columns,) of its best solution, or None
    objective: float  # of that solution, as the solver reports it
    bound: float  # no solution has less
    status: Status  # OPTIMAL, TIME_LIMIT, INTERRUPTED; MEMORY_LIMIT and WORK_LIMIT for limits of the solver's own
    work: int  # nodes of its search tree


Solver = Callable[[Model, Numbers | None, Limits, Report], SolverOutcome]
"""The function `solve` of each solver's module: it solves a model, from the values (columns,) of a start if given."""


def ended_as(ended: Any, statuses: Mapping[Any, Status], message: str) -> Status:
    """The status for a solver's own status. An unknown one raises SolverError, which begins with `message`."""
    if ended not in statuses:
        raise SolverError(
            f"{message}: expected a solution, because a tree without splits is always allowed. Use another solver, "
            "or OCTClassifier"
        )
    return statuses[ended]


def or_infinite(value: float, infinity: float) -> float:
    """A number of a solver; infinite if it is at least the solver's number for infinity."""
    return math.copysign(math.inf, value) if abs(value) >= infinity else float(value)


SOLVERS = {
    "highs": ("algorithms.optimal.mio.highs", "highspy", "'orchard-trees[mio]'"),
    "scip": ("algorithms.optimal.mio.scip", "pyscipopt", "'orchard-trees[scip]'"),
    "gurobi": ("algorithms.optimal.mio.gurobi", "gurobipy", "gurobipy"),
    "cplex": ("algorithms.optimal.mio.cplex", "cplex", "cplex"),
}
"""Names of solvers: the module here that calls each, the package it needs, and what installs that."""


class SolverMissingError(ImportError):
    """A solver is not installed; the message says what to install."""


def solver_named(name: str) -> Solver:
    """The solver of this name.

    Raises ValueError if no solver has this name, and SolverMissingError if its package cannot be imported.
    """
    check_choice("solver", name, SOLVERS)
    module, package, install = SOLVERS[name]
    try:
        importlib.import_module(package)
    except ImportError as error:
        mend = f"run `pip install {install}`"
        raise SolverMissingError(
            f'solver "{name}" needs the package {package}, which cannot be imported ({error}): {mend}'
        ) from error
    solve: Solver = importlib.import_module(module).solve
    return solve
