"""The Bayesian signed-rank test of two builders over data sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["Posterior", "posterior"]

DRAWS, CHUNK = 50_000, 5_000
PRIOR = 0.5
"""Weight of an imaginary difference of 0; each observed difference has weight 1."""


class Posterior(NamedTuple):
    """Probabilities that the first builder is worse, practically equivalent and better."""

    worse: float
    equivalent: float
    better: float


def posterior(differences: Sequence[float], region: float) -> Posterior:
    """How probable it is that a builder is worse than, equivalent to or better than another.

    The distribution of the differences has a Dirichlet process prior, centred on equality of the two. The probability
    of each outcome is the share of draws from the posterior in which it is the most likely one for the mean of two
    further differences (Benavoli, Corani, Mangili, Zaffalon and Ruggeri 2014, section 3; Benavoli, Corani, Demšar and
    Zaffalon 2017, section 4.1).

    Parameters
    ----------
    differences : sequence of float, shape (n,)
        One for each data set, the first builder minus the second.
    region : float
        Differences from -region to region are practically equal to 0.

    Returns
    -------
    Posterior
        From draws with a fixed seed, so that it is the same each time; accurate to about .005.
    """
    values = np.array([0.0, *differences])
    sums = values[:, None] + values
    above, below = (np.heaviside(side - 2 * region, 0.5) for side in (sums, -sums))
    weights = np.ones(len(values))
    weights[0] = PRIOR
    random, counts = np.random.default_rng(0), np.zeros(3, dtype=np.int64)
    for _ in range(DRAWS // CHUNK):
        drawn = random.dirichlet(weights, CHUNK)
        better, worse = (((drawn @ side) * drawn).sum(axis=1) for side in (above, below))
        outcomes = np.stack([worse, 1 - worse - better, better], axis=1)
        counts += np.bincount(outcomes.argmax(axis=1), minlength=3)
    return Posterior(*(counts / counts.sum()).tolist())
