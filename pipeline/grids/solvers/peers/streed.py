"""STreeD of van der Linden, de Weerdt and Demirović, by pystreed."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from pipeline.grids.solvers.peers.base import Classes, Peer, PeerFit, timed

__all__ = ["STreeD"]


class STreeD(Peer):
    """Attributes of two values; alpha for each split, which it knows as a share of the rows."""

    package = "pystreed"
    size_penalty = True

    def _fit(self, values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
        from pystreed import STreeDClassifier

        options = {
            "optimization_task": "cost-complex-accuracy" if instance.alpha else "accuracy",
            "max_depth": instance.max_depth,
            "min_leaf_node_size": instance.min_rows_leaf,
            "cost_complexity": min(instance.size_cost / instance.data.rows, 1.0),
            "time_limit": seconds,
        }
        model, took = timed(lambda: STreeDClassifier(**options).fit(values, classes))
        found = model.fit_result
        return PeerFit(model.predict(values), found.tree_nodes(), bool(found.is_optimal()), took)
