"""GOSDT of Lin, Zhong, Hu, Rudin and Seltzer, by gosdt."""

from __future__ import annotations

import contextlib
import io
import math
from typing import Any

from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from pipeline.grids.peers.base import Classes, Peer, PeerFit, errors_first, timed

__all__ = ["GOSDT"]


class GOSDT(Peer):
    """Attributes of two values; alpha for each leaf as a share of the rows, which it cannot do without.

    Without alpha it is asked for one so small that fewest errors come first.
    """

    package = "gosdt"
    leaf_sizes = False
    size_penalty = True

    def _fit(self, values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
        from gosdt import GOSDTClassifier
        from gosdt._libgosdt import Status

        model = GOSDTClassifier(
            regularization=instance.size_cost / instance.data.rows or errors_first(instance),
            allow_small_reg=True,
            depth_budget=instance.max_depth,
            time_limit=math.ceil(seconds),
        )
        with contextlib.redirect_stdout(io.StringIO()):  # it prints its warnings
            _, took = timed(lambda: model.fit(values, classes))
        (tree, *_) = model.trees_  # whose `predict` works with any scikit-learn, unlike that of the classifier
        splits = int(model.get_result()["models_string"].count('"feature"'))
        return PeerFit(tree.predict(values), splits, model.result_.status == Status.CONVERGED, took)
