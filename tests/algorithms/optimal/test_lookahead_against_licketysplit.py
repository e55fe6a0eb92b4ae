"""LicketySPLIT against the authors' package, where it is installed: the same objective on binary attributes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from algorithms.optimal.lookahead.split_classifiers import LicketySPLITClassifier

peer: Any = pytest.importorskip("licketysplit", reason="the peer package licketysplit is not installed")


@pytest.mark.parametrize("seed", range(60))
def test_the_objective_is_that_of_the_authors_program(seed: int) -> None:
    """Weights differ from row to row, so that no two splits cost the same by chance."""
    generator = np.random.default_rng(seed)
    n, attributes, classes = int(generator.integers(20, 300)), int(generator.integers(3, 12)), 2 + seed % 2
    X = generator.integers(0, 2, (n, attributes))
    y = 2 * X[:, 0] + X[:, 1] * X[:, 2] - X[:, -1] + generator.normal(0, 0.7, n)
    y = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
    weights = generator.integers(512, 2048, n) / 1024
    price, depth = float(generator.choice([0.001, 0.01, 0.02])), int(generator.integers(1, 6))
    theirs = peer.LicketySPLITClassifier(lambda_leaf=price, depth_budget=depth)
    theirs.fit(X.astype(np.uint8), y, sample_weight=weights)
    baseline = weights.sum() - np.bincount(y, weights).max()
    ours = LicketySPLITClassifier(max_depth=depth, alpha=price * weights.sum() / baseline, penalty="leaves")
    solution = ours.fit(X, y, sample_weight=weights).solution_
    assert solution.objective * baseline == pytest.approx(theirs.objective_)
