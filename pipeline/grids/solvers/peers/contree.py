"""ConTree of Briţa, van der Linden and Demirović, by pycontree."""

from __future__ import annotations

import warnings
from typing import Any

from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from pipeline.grids.solvers.peers.base import Classes, Peer, PeerFit, timed

__all__ = ["ConTree"]


class ConTree(Peer):
    """Numeric attributes at any threshold; alpha for each split, which it knows as a share of the rows."""

    package = "pycontree"
    numeric = True
    leaf_sizes = False
    size_penalty = True

    def _fit(self, values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
        from pycontree import ConTree as Classifier

        cost = min(instance.size_cost / instance.data.rows, 1.0)
        options = {"max_depth": instance.max_depth, "complexity_cost": cost, "time_limit": seconds}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that its time was up, which it tells otherwise too
            model, took = timed(lambda: Classifier(**options).fit(values, classes))
        proven = bool(model._config.is_within_time_limit())
        return PeerFit(model.predict(values), model.get_num_branching_nodes(), proven, took)
