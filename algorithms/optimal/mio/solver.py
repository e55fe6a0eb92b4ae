"""What a solver is given and what it gives back, whichever it is; and which there are."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.mio.model import Model
from algorithms.optimal.solution import Status

__all__ = ["SOLVERS", "Limits", "Outcome", "Report", "Solver", "SolverError", "SolverMissingError", "solver_named"]

Numbers = NDArray[np.float64]

Report = Callable[[float, float], bool]
"""Called while a solver runs with the best objective so far and the bound, infinite where there is none yet; says
whether that is enough, and the solver is to stop."""


class SolverError(RuntimeError):
    """A solver failed, or what it says is not so of the tree that it gives."""


class SolverMissingError(ImportError):
    """A solver is not installed; the message says what to install."""


@dataclass(frozen=True)
class Limits:
    """How a solver is to run.

    seconds : until it stops; nodes: of its search tree until it stops; None for no limit
    gap     : between objective and bound, at which it may stop as at an optimum
    threads : how many; seed: of its random choices
    """

    seconds: float = math.inf
    nodes: int | None = None
    gap: float = 0.0
    threads: int = 1
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Outcome:
    """How a solver ended.

    values    : (columns,) of its best solution, or None
    objective : of that, as the solver has it; bound: no solution has less
    status    : OPTIMAL, TIME_LIMIT, INTERRUPTED; MEMORY_LIMIT and WORK_LIMIT for limits of the solver's own
    work      : nodes of its search tree
    """

    values: Numbers | None
    objective: float
    bound: float
    status: Status
    work: int


class Solver(Protocol):
    """The function that each module of a solver has."""

    def __call__(self, model: Model, start: Numbers | None, limits: Limits, report: Report) -> Outcome:
        """Solve a model, from the values (columns,) of `start` if there are any."""


SOLVERS = {
    "highs": ("algorithms.optimal.mio.highs", "highspy"),
    "scip": ("algorithms.optimal.mio.scip", "pyscipopt"),
    "gurobi": ("algorithms.optimal.mio.gurobi", "gurobipy"),
    "cplex": ("algorithms.optimal.mio.cplex", "cplex"),
}
"""Names of solvers: the module here that calls each, and the package it needs."""


def solver_named(name: str) -> Solver:
    """The solver of this name.

    Raises
    ------
    ValueError
        There is none of this name.
    SolverMissingError
        Its package is not installed, or cannot be imported.
    """
    if name not in SOLVERS:
        msg = f"solver is {name!r}: expected one of {', '.join(map(repr, SOLVERS))}"
        raise ValueError(msg)
    module, package = SOLVERS[name]
    try:
        importlib.import_module(package)
    except ImportError as error:
        msg = f'solver "{name}" needs the package {package}, which cannot be imported ({error}): pip install {package}'
        raise SolverMissingError(msg) from error
    solve: Solver = importlib.import_module(module).solve
    return solve
