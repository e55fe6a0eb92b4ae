"""External solvers: their trees against trying every tree, and what they say that they cannot do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from algorithms.optimal.instance import Instance
from pipeline.grids.solvers.peers import PEERS, Peer, PeerFit, errors_first
from tests.algorithms.data_sets import data_set_of
from tests.oracles.optimal_trees import best_objective
from tests.pipeline.exhaustive import exhausted


def unused(*_: object) -> PeerFit:
    raise AssertionError


def random_instance(seed: int, *, numeric: bool, **options: Any) -> Instance:
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 2, (4, 24)).tolist()
    if numeric:
        columns[0] = rng.integers(0, 9, 24).tolist()
        columns[1] = (rng.integers(0, 30, 24) / 10).tolist()
    decisions = rng.integers(0, 2 + seed % 2, 24).tolist()
    data = data_set_of(columns, decisions, [numeric and index < 2 for index in range(4)], 2 + seed % 2)
    return Instance(data, np.ones(24), **options)


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", [{}, {"alpha": 0.13}, {"min_samples_leaf": 5}], ids=["plain", "alpha", "leaves"])
def test_peers_search_the_same_trees(name: str, seed: int, options: dict[str, Any]) -> None:
    """Their objectives, counted by us, are those of trying every tree, which is itself held against another's count."""
    peer = PEERS[name]
    if peer.version() is None:
        pytest.skip(f"{peer.package} is not installed")
    for depth in (1, 2):
        instance = random_instance(seed, numeric=peer.numeric, max_depth=depth, **options)
        least = exhausted(instance).objective
        assert least == pytest.approx(best_objective(instance))
        reason = peer.lacks(instance)
        if reason is not None:
            assert ("alpha" in options and not peer.size_penalty) or (
                "min_samples_leaf" in options and not peer.leaf_sizes
            )
            continue
        model = peer.fit(instance, 10.0)
        wrong = int((model.predicted != instance.data.decisions).sum())
        assert model.proven == peer.exact
        objective = instance.objective(wrong, model.splits, model.splits + 1)
        assert objective == pytest.approx(least) if peer.exact else objective >= least - 1e-9


def test_a_cost_so_small_that_errors_come_first() -> None:
    instance = random_instance(0, numeric=False, max_depth=3)
    assert 0 < errors_first(instance) * 2**3 < 1 / instance.data.rows


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"numeric": True}, "cannot split numeric attributes"),
        ({"alpha": 0.5}, "cannot penalise the size of a tree"),
        ({"max_depth": None}, "needs a depth limit"),
        ({"max_splits": 2}, "the grid passes it no limit of splits"),
    ],
)
def test_the_limits_of_a_peer_are_reported(options: dict[str, Any], message: str) -> None:
    instance = random_instance(0, **({"max_depth": 2, "numeric": False} | options))
    assert Peer("numpy", unused).lacks(instance) == message
    absent = Peer("no-such-package-anywhere", unused)
    assert absent.lacks(instance) == "not installed: pip install no-such-package-anywhere"
