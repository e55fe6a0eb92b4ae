"""DL8.5 of Aglin, Nijssen and Schaus, by pydl8.5."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from pipeline.grids.solvers.peers.base import Classes, Peer, PeerFit, timed

__all__ = ["DL85"]


class DL85(Peer):
    """Attributes of two values; its limit is in whole seconds."""

    package = "pydl8.5"

    def _fit(self, values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
        from pydl85 import DL85Classifier

        options = {
            "max_depth": instance.max_depth,
            "min_sup": instance.min_rows_leaf,
            "time_limit": math.ceil(seconds),
        }
        model, took = timed(lambda: DL85Classifier(**options).fit(values, classes))
        if model.tree_ is None:
            msg = f"it found no tree in {seconds:g} s"
            raise TimeoutError(msg)
        return PeerFit(model.predict(values), model.size_ // 2, not model.timeout_, took)
