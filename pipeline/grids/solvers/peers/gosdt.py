"""GOSDT of Lin, Zhong, Hu, Rudin and Seltzer, by gosdt."""

from __future__ import annotations

import contextlib
import io
import math
import os
from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from algorithms.optimal.instance import Instance
from pipeline.grids.solvers.peers.base import Classes, Peer, PeerFit, errors_first, timed

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

        options = {
            "regularization": instance.size_cost / instance.data.rows or errors_first(instance),
            "allow_small_reg": True,
            "depth_budget": instance.max_depth,
            "time_limit": math.ceil(seconds),
        }
        with contextlib.redirect_stdout(io.StringIO()), _silent():  # it prints its warnings
            model, took = timed(lambda: GOSDTClassifier(**options).fit(values, classes))
        (tree, *_) = model.trees_  # whose `predict` works with any scikit-learn, unlike that of the classifier
        splits = int(model.get_result()["models_string"].count('"feature"'))
        return PeerFit(tree.predict(values), splits, model.result_.status == Status.CONVERGED, took)


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """What its C++ prints goes nowhere, past Python's own stream."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
