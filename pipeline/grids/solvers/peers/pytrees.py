"""DL8.5 and ConTree as Kiossou's pytrees-rs has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from pipeline.grids.solvers.peers.base import Classes, Peer, PeerFit, timed

__all__ = ["PytreesConTree", "PytreesDL85"]


class PytreesDL85(Peer):
    """DL8.5: attributes of two values."""

    package = "pytrees-rs"

    def _fit(self, values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
        from pytrees import DL85Classifier

        return _fit(DL85Classifier, values, classes, instance, seconds)


class PytreesConTree(Peer):
    """ConTree: numeric attributes at any threshold."""

    package = "pytrees-rs"
    numeric = True

    def _fit(self, values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
        from pytrees import ConTreeClassifier

        return _fit(ConTreeClassifier, values, classes, instance, seconds)


def _fit(kind: Any, values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
    options = {"max_depth": instance.max_depth, "min_sup": instance.min_rows_leaf, "max_time": seconds}
    model, took = timed(lambda: kind(**options).fit(values, classes))
    if model.tree_ is None:
        msg = "it found no tree in its time"
        raise TimeoutError(msg)
    splits = int(np.count_nonzero(model.tree_.children_left >= 0))
    return PeerFit(model.predict(values), splits, model.status_ == "optimal", took)
