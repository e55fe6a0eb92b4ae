"""Optimal classification trees by mixed-integer programmes, as estimators."""

from __future__ import annotations

from typing import Annotated, Any

from sklearn.utils import check_random_state

from algorithms.estimators.estimator import estimator
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.solve import Formulation, Start, solve_mio
from algorithms.optimal.mio.solver import SOLVERS
from algorithms.optimal.optimal_classifier import OptimalClassifier
from algorithms.optimal.solution import Effort, OnProgress, Solution
from algorithms.options import RANDOM_STATE, Choice, Whole

__all__ = ["OCTFlowClassifier", "OCTMIOClassifier"]


@estimator
class SolverClassifier(OptimalClassifier):
    """An optimal classification tree by a solver of mixed-integer programmes.

    Parameters
    ----------
    max_depth : int or None, default=2
        Maximum number of edges from the root to a leaf. None: no limit.
    time_limit : float or None, default=60.0
        Seconds after which the search ends with the best tree so far, compilation excluded. None: no limit. The solver
        checks the time between its steps. With a million coefficients, a step may take half a minute.
    solver : {"highs", "scip", "gurobi", "cplex"}, default="highs"
        The solver. Each solver needs its package: highspy, pyscipopt, gurobipy or cplex.
    start : {"search", "cart", "none"}, default="search"
        What the solver starts from: the tree of Orchard's own search, the tree of CART, or no tree.
    workers : int, default=1
        Threads of the solver.
    random_state : int, RandomState or None, default=0
        Seed of the solver's random choices.
    """

    max_depth: int | None = 2
    time_limit: float | None = 60.0
    solver: Annotated[str, Choice(tuple(SOLVERS))] = "highs"
    start: Start = "search"
    workers: Annotated[int, Whole(1)] = 1
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _by_solver(
        self,
        instance: Instance,
        on_progress: OnProgress | None,
        formulation: Formulation,
        thresholds: int | None = None,
    ) -> Solution:
        return solve_mio(
            instance,
            Effort(seconds=self.time_limit),
            formulation=formulation,
            thresholds=thresholds,
            solver=self.solver,
            start=self.start,
            workers=self.workers,
            seed=int(check_random_state(self.random_state).randint(2_000_000_000)),  # which every solver takes
            on_progress=on_progress,
        )


@estimator
class OCTMIOClassifier(SolverClassifier):
    """The optimal classification tree by a published mixed-integer programme, with one constraint corrected.

    It minimises errors / L + alpha x splits, where L are the errors of the majority rule. A test of a nominal attribute
    separates one label from the others. The programme suits small data, up to about 200 rows and depth 2: its linear
    relaxation is weak, so solvers find the best tree long before they prove it best.

    Raises
    ------
    ImportError
        The package of `solver` is not installed.
    ValueError
        The weights differ too much for a solver, or the model is too large; or a numeric attribute has too many
        distinct values.
    RuntimeError
        The solver fails, or its answer contradicts its tree.

    Notes
    -----
    The programme is that of Bertsimas & Dunn 2017 as reported by Li.

    References
    ----------
    - Bertsimas & Dunn (2017), *Optimal Classification Trees*, as reported by Li (slides), *Optimal Decision Tree*,
      section Finding the Global Optima - OCT.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import OCTMIOClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OCTMIOClassifier(max_depth=1).fit(X, y)
    >>> model.get_n_leaves()
    2
    >>> round(model.score(X, y), 2)
    0.67
    """

    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        return self._by_solver(instance, on_progress, "oct")


@estimator
class OCTFlowClassifier(SolverClassifier):
    """The optimal classification tree by a mixed-integer programme of flows, for attributes of few values.

    It minimises errors / L + alpha x splits, where L are the errors of the majority rule. A test of a nominal attribute
    separates one label from the others. A numeric attribute may be split at every threshold, or at some thresholds only
    (`thresholds`). The linear relaxation of the programme is stronger than that of `OCTMIOClassifier`.

    Parameters
    ----------
    thresholds : int or None, default=None
        Number of quantiles at which each numeric attribute may be split; the tree is then proven best only among trees
        that split at these quantiles. None: every threshold.

    Raises
    ------
    ImportError
        The package of `solver` is not installed.
    ValueError
        The weights differ too much for a solver, or the model is too large.
    RuntimeError
        The solver fails, or its answer contradicts its tree.

    Notes
    -----
    The formulation follows the max-flow trees of Aghaei, Gómez and Vayanos.

    References
    ----------
    - Aghaei, Gómez and Vayanos (2020), *Learning Optimal Classification Trees: Strong Max-Flow Formulations*.
    - Li (slides), *Optimal Decision Tree*, section Finding the Global Optima - OCT.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import OCTFlowClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OCTFlowClassifier(max_depth=1, thresholds=5).fit(X, y)
    >>> model.get_n_leaves()
    2
    >>> round(model.score(X, y), 2)
    0.67
    """

    thresholds: Annotated[int, Whole(1)] | None = None

    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        return self._by_solver(instance, on_progress, "flow", self.thresholds)
