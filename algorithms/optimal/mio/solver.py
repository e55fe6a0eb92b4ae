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
"""Called while a solver runs with the best objective so far and the bound, infinite where there is none yet; says
whether that is enough, and the solver is to stop."""


class SolverError(RuntimeError):
    """A solver failed, or what it says is not so of the tree that it gives."""


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
