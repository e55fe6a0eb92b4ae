"""External solvers: their options, and how each is called."""

from __future__ import annotations

import contextlib
import importlib
import io
import math
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data.data_set import AttributeKind
from algorithms.optimal.instance import Instance
from pipeline.work.plugin_process import clock

MOST_CALLS = 5
ENOUGH = 0.05
"""Calls that take longer are not repeated; shorter times depend on what else the machine is doing."""

Classes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class PeerFit:
    """The result of an external solver for an instance.

    predicted : (rows,) the class of each training row, as an index into the classes of the data set
    splits    : nonterminal nodes of its tree, whose tests have two branches
    proven    : whether it claims that no tree is better
    seconds   : wall time of the fit, by `timed`
    """

    predicted: Classes
    splits: int
    proven: bool
    seconds: float


@dataclass(frozen=True)
class Peer:
    """An external solver.

    package      : its name for pip
    solve        : fits values (rows, attributes), classes (rows,), an instance and seconds. Values are the whole
                   numbers 0 and 1 if it takes no others. It imports the package when it is called
    numeric      : whether it splits numeric attributes at any threshold; if not, all attributes must have two values
    leaf_sizes   : whether it takes a least number of rows in a leaf
    size_penalty : whether it takes a cost of size
    limited      : whether it takes a time limit
    exact        : whether it looks for proofs; if not, its trees are near-optimal at best
    """

    package: str
    solve: Callable[[NDArray[Any], Classes, Instance, float], PeerFit]
    numeric: bool = False
    leaf_sizes: bool = True
    size_penalty: bool = False
    limited: bool = True
    exact: bool = True

    def version(self) -> str | None:
        """The installed version; None if it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None

    def lacks(self, instance: Instance) -> str | None:
        """The reason why it cannot solve an instance; None if it can."""
        numeric = any(attribute.kind is AttributeKind.NUMERIC for attribute in instance.data.attributes)
        multiway = any(len(attribute.labels) > 2 for attribute in instance.data.attributes)
        weighted = bool((instance.weights != 1).any())
        lacking = (
            (self.version() is None, f"not installed: pip install {self.package}"),
            (instance.max_depth is None, "needs a depth limit"),
            (multiway, "cannot split an attribute of more than two labels"),
            (numeric and not self.numeric, "cannot split numeric attributes"),
            (instance.min_samples_leaf > 1 and not self.leaf_sizes, "has no least number of rows in a leaf"),
            (instance.alpha > 0 and not self.size_penalty, "cannot penalise the size of a tree"),
            (instance.max_splits is not None, "the grid passes it no limit of splits"),
            (weighted, "the grid passes it no weights"),
        )
        return next((reason for lack, reason in lacking if lack), None)

    def fit(self, instance: Instance, seconds: float) -> PeerFit:
        """The tree that it finds within this many seconds; exceptions are not caught.

        It is called only for instances that it supports, see `lacks`.
        """
        values = instance.data.values()
        return self.solve(
            values if self.numeric else values.astype(np.intc), instance.data.decisions, instance, seconds
        )


def timed(fit: Callable[[], Any]) -> tuple[Any, float]:
    """The result of a call and its wall time in seconds; for a short call those of the quickest of several calls."""
    calls: list[tuple[float, Any]] = []
    while not calls or (len(calls) < MOST_CALLS and sum(seconds for seconds, _ in calls) < ENOUGH):
        began = clock()
        result = fit()
        calls.append((clock() - began, result))
    seconds, result = min(calls, key=lambda call: call[0])
    return result, seconds


def errors_first(instance: Instance) -> float:
    """A cost per leaf, as a share of the rows, so small that all leaves of a tree together cost less than one error."""
    depth = instance.max_depth or 0
    return 1 / (instance.data.rows * (2.0**depth + 1))


def _streed(values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
    """STreeD of van der Linden, de Weerdt and Demirović. It takes alpha for each split as a share of the rows."""
    from pystreed import STreeDClassifier

    options = {
        "optimization_task": "cost-complex-accuracy" if instance.alpha else "accuracy",
        "max_depth": instance.max_depth,
        "min_leaf_node_size": instance.min_samples_leaf,
        "cost_complexity": min(instance.size_cost / instance.data.rows, 1.0),
        "time_limit": seconds,
    }
    model, took = timed(lambda: STreeDClassifier(**options).fit(values, classes))
    result = model.fit_result
    return PeerFit(model.predict(values), result.tree_nodes(), bool(result.is_optimal()), took)


def _contree(values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
    """ConTree of Briţa, van der Linden and Demirović. It takes alpha for each split as a share of the rows."""
    from pycontree import ConTree as Classifier

    cost = min(instance.size_cost / instance.data.rows, 1.0)
    options = {"max_depth": instance.max_depth, "complexity_cost": cost, "time_limit": seconds}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that its time was up, which it may also report otherwise
        model, took = timed(lambda: Classifier(**options).fit(values, classes))
    proven = bool(model._config.is_within_time_limit())
    return PeerFit(model.predict(values), model.get_num_branching_nodes(), proven, took)


def _dl85(values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
    """DL8.5 of Aglin, Nijssen and Schaus. Its time limit is in whole seconds."""
    from pydl85 import DL85Classifier

    options = {
        "max_depth": instance.max_depth,
        "min_sup": instance.min_samples_leaf,
        "time_limit": math.ceil(seconds),
    }
    model, took = timed(lambda: DL85Classifier(**options).fit(values, classes))
    if model.tree_ is None:
        raise TimeoutError(f"the solver found no tree in {seconds:g} s")
    return PeerFit(model.predict(values), model.size_ // 2, not model.timeout_, took)


def _pytrees(name: str, values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
    """DL8.5 and ConTree in Kiossou's pytrees-rs; `name` is the class."""
    kind = getattr(importlib.import_module("pytrees"), name)
    options = {"max_depth": instance.max_depth, "min_sup": instance.min_samples_leaf, "max_time": seconds}
    model, took = timed(lambda: kind(**options).fit(values, classes))
    if model.tree_ is None:
        raise TimeoutError(f"the solver found no tree in {seconds:g} s")
    splits = int(np.count_nonzero(model.tree_.children_left >= 0))
    return PeerFit(model.predict(values), splits, model.status_ == "optimal", took)


def _gosdt(values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
    """GOSDT of Lin, Zhong, Hu, Rudin and Seltzer.

    It takes alpha for each leaf as a share of the rows, and requires it: an alpha of 0 becomes one so small that the
    fewest errors come first.
    """
    from gosdt import GOSDTClassifier
    from gosdt._libgosdt import Status

    options = {
        "regularization": instance.size_cost / instance.data.rows or errors_first(instance),
        "allow_small_reg": True,
        "depth_budget": instance.max_depth,
        "time_limit": math.ceil(seconds),
    }
    with contextlib.redirect_stdout(io.StringIO()), silent():  # it prints its warnings
        model, took = timed(lambda: GOSDTClassifier(**options).fit(values, classes))
    (tree, *_) = model.trees_  # its `predict` works with any scikit-learn, unlike that of the classifier
    splits = int(model.get_result()["models_string"].count('"feature"'))
    return PeerFit(tree.predict(values), splits, model.result_.status == Status.CONVERGED, took)


def _licketysplit(values: NDArray[Any], classes: Classes, instance: Instance, _: float) -> PeerFit:
    """LicketySPLIT of Babbar, McTavish, Heile, Seltzer and Rudin.

    It takes alpha for each leaf as a share of the rows.
    """
    from licketysplit import LicketySPLITClassifier

    options = {"lambda_leaf": instance.size_cost / instance.data.rows, "depth_budget": instance.max_depth}
    model, took = timed(lambda: LicketySPLITClassifier(**options).fit(values, classes))
    return PeerFit(model.predict(values), len(model.leaf_paths()) - 1, False, took)


def _rashomon_set(
    module: str,
    name: str,
    options: Mapping[str, Any],
    values: NDArray[Any],
    classes: Classes,
    instance: Instance,
    _: float,
) -> PeerFit:
    """A program of Heile, McTavish, Babbar, Seltzer and Rudin, which finds all optimal trees; the first is taken.

    It rounds a cost of size to whole rows, and is exact if it looks ahead to the last split. PRAXIS has no time limit;
    with one, ArborEnum would be exact for some thresholds only.
    """
    kind = getattr(importlib.import_module(module), name)
    depth = instance.max_depth or 0
    given = {"lambda_reg": 0.0, "depth_budget": depth, "rashomon_mult": 0.0, "lookahead_k": max(depth - 1, 1)}

    def fitted() -> Any:
        model = kind()
        model.fit(values, classes, **given, **options)
        return model

    with silent():
        model, took = timed(fitted)
        predicted = np.asarray(model.get_predictions(0, values))
    return PeerFit(predicted, len(model.get_tree_paths(0)[0]) - 1, True, took)


ARBORENUM = partial(_rashomon_set, "arborenum", "ArborEnum", {"proxy_mode": "continuous"})
PRAXIS = partial(_rashomon_set, "praxis", "PRAXIS", {})


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Discard what its C++ code prints past Python's own stream."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


PEERS: Mapping[str, Peer] = {
    "pystreed": Peer("pystreed", _streed, size_penalty=True),
    "pycontree": Peer("pycontree", _contree, numeric=True, leaf_sizes=False, size_penalty=True),
    "pydl8.5": Peer("pydl8.5", _dl85),
    "pytrees-rs DL8.5": Peer("pytrees-rs", partial(_pytrees, "DL85Classifier")),
    "pytrees-rs ConTree": Peer("pytrees-rs", partial(_pytrees, "ConTreeClassifier"), numeric=True),
    "gosdt": Peer("gosdt", _gosdt, leaf_sizes=False, size_penalty=True),
    "licketysplit": Peer(
        "licketysplit", _licketysplit, leaf_sizes=False, size_penalty=True, limited=False, exact=False
    ),
    "arborenum": Peer("arborenum", ARBORENUM, leaf_sizes=False, limited=False),
    "tree-praxis": Peer("tree-praxis", PRAXIS, leaf_sizes=False, limited=False),
}
"""Keyed by the names in configurations and result rows."""
