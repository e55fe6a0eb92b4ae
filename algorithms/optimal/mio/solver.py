"""The arguments and the result of every solver."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from algorithms.array_types import Numbers
from algorithms.optimal.mio.model import Model
from algorithms.optimal.solution import Status

__all__ = ["Limits", "Outcome", "Report", "Solver", "SolverError"]

Report = Callable[[float, float], bool]
"""Called while a solver runs with the best objective so far and the bound, infinite if there is none yet. Returns
whether that suffices and the solver is to stop.
"""


class SolverError(RuntimeError):
    """A solver failed, or its tree contradicts its answer."""


@dataclass(frozen=True)
class Limits:
    """Options of a solver run.

    seconds : time limit; nodes: limit of its search tree; None for no limit
    gap     : between objective and bound, at which it may stop as at an optimum
    threads : number of threads; seed: of its random choices
    """

    seconds: float = math.inf
    nodes: int | None = None
    gap: float = 0.0
    threads: int = 1
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a solver.

    values    : (columns,) of its best solution, or None
    objective : of that solution, as the solver reports it; bound: no solution has less
    status    : OPTIMAL, TIME_LIMIT, INTERRUPTED; MEMORY_LIMIT and WORK_LIMIT for limits of the solver's own
    work      : nodes of its search tree
    """

    values: Numbers | None
    objective: float
    bound: float
    status: Status
    work: int


class Solver(Protocol):
    """The function that each solver's module defines."""

    def __call__(self, model: Model, start: Numbers | None, limits: Limits, report: Report) -> Outcome:
        """Solve a model, from the values (columns,) of `start` if there are any."""
