"""Optimal classification trees by mixed-integer programmes, as estimators."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.utils import check_random_state

from algorithms.class_weight import ClassWeight
from algorithms.inputs import Nominal
from algorithms.optimal.instance import Instance, Penalty
from algorithms.optimal.mio.solve import CONSTRAINTS, solve_mio
from algorithms.optimal.mio.start import Start
from algorithms.optimal.oct_classifier import OCTClassifier
from algorithms.optimal.solution import Effort, Solution
from algorithms.options import RANDOM_STATE, Constraints

__all__ = ["OCTFlowClassifier", "OCTMIOClassifier"]


class OCTMIOClassifier(OCTClassifier):
    """OCT by the mixed-integer programme of the document, with the repair that it needs (`002_…`).

    A faithful method for small data, up to about 200 rows and depth 2: its relaxation is weak, so that solvers find the
    best tree long before they prove it. A nominal attribute is asked for one label against the others.

    The options that all OCT builders share are told at `OCTClassifier`; besides

    solver       : "highs", or "scip", "gurobi", "cplex" where they are installed
    start        : the tree that the solver starts from: of our own "search", of "cart", or "none"
    workers      : threads of the solver
    random_state : of its random choices
    """

    _parameter_constraints: ClassVar[Constraints] = OCTClassifier._parameter_constraints | {
        "solver": CONSTRAINTS["solver"],
        "start": CONSTRAINTS["start"],
        "workers": CONSTRAINTS["workers"],
        "random_state": RANDOM_STATE,
    }

    def __init__(  # noqa: PLR0913 - options are arguments, as scikit-learn has them
        self,
        *,
        max_depth: int | None = 2,
        min_rows_leaf: float = 1,
        max_splits: int | None = None,
        alpha: float = 0.0,
        penalty: Penalty = "splits",
        class_weight: ClassWeight = None,
        time_limit: float | None = 60.0,
        solver: str = "highs",
        start: Start = "search",
        workers: int = 1,
        random_state: Any = 0,
        nominal: Nominal = "auto",
    ) -> None:
        self.max_depth = max_depth
        self.min_rows_leaf = min_rows_leaf
        self.max_splits = max_splits
        self.alpha = alpha
        self.penalty = penalty
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.solver = solver
        self.start = start
        self.workers = workers
        self.random_state = random_state
        self.nominal = nominal

    def _solution(self, instance: Instance) -> Solution:
        return solve_mio(
            instance,
            Effort(seconds=self.time_limit),
            formulation="oct",
            solver=self.solver,
            start=self.start,
            workers=self.workers,
            seed=_seed(self.random_state),
        )


class OCTFlowClassifier(OCTClassifier):
    """OCT as flows, a mixed-integer programme with a stronger relaxation, for attributes of few values.

    A nominal attribute is asked for one label against the others, a numeric one at every threshold, or at some of them.
    The options that all OCT builders share are told at `OCTClassifier`; besides

    thresholds   : of each numeric attribute, at so many quantiles; None for all. What is proven is of trees that cut
                   there
    solver       : "highs", or "scip", "gurobi", "cplex" where they are installed
    start        : the tree that the solver starts from: of our own "search", of "cart", or "none"
    workers      : threads of the solver
    random_state : of its random choices
    """

    _parameter_constraints: ClassVar[Constraints] = OCTClassifier._parameter_constraints | {
        "thresholds": CONSTRAINTS["thresholds"],
        "solver": CONSTRAINTS["solver"],
        "start": CONSTRAINTS["start"],
        "workers": CONSTRAINTS["workers"],
        "random_state": RANDOM_STATE,
    }

    def __init__(  # noqa: PLR0913 - options are arguments, as scikit-learn has them
        self,
        *,
        max_depth: int | None = 2,
        min_rows_leaf: float = 1,
        max_splits: int | None = None,
        alpha: float = 0.0,
        penalty: Penalty = "splits",
        class_weight: ClassWeight = None,
        time_limit: float | None = 60.0,
        thresholds: int | None = None,
        solver: str = "highs",
        start: Start = "search",
        workers: int = 1,
        random_state: Any = 0,
        nominal: Nominal = "auto",
    ) -> None:
        self.max_depth = max_depth
        self.min_rows_leaf = min_rows_leaf
        self.max_splits = max_splits
        self.alpha = alpha
        self.penalty = penalty
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.thresholds = thresholds
        self.solver = solver
        self.start = start
        self.workers = workers
        self.random_state = random_state
        self.nominal = nominal

    def _solution(self, instance: Instance) -> Solution:
        return solve_mio(
            instance,
            Effort(seconds=self.time_limit),
            formulation="flow",
            thresholds=self.thresholds,
            solver=self.solver,
            start=self.start,
            workers=self.workers,
            seed=_seed(self.random_state),
        )


def _seed(random_state: Any) -> int:
    """A seed that every solver takes, by scikit-learn's `random_state`."""
    return int(check_random_state(random_state).randint(2_000_000_000))
