"""The solvers by name. A solver is imported on demand, because its package may be missing."""

from __future__ import annotations

import importlib

from algorithms.optimal.mio.solver import Solver
from algorithms.options import check_choice

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

    Raises ValueError if there is none, and SolverMissingError if its package is not installed or cannot be imported.
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
