"""Overrides go to the grids that have their keys."""

from __future__ import annotations

import pytest

from pipeline.documents.command import overrides_by_grid, overrides_of
from pipeline.errors import ConfigError

GRIDS = ("greedy_vs_dp", "did_vs_svm")


def test_each_grid_gets_the_overrides_of_keys_that_it_has() -> None:
    given = ["seed=1", "tables.count=40", "data.folder=/d", "cluster=slurm", "cluster.jobs=4", "protocol.folds=5"]
    assert overrides_by_grid(GRIDS, overrides_of(given)) == {
        "greedy_vs_dp": ["seed=1", "tables.count=40", "cluster=slurm", "cluster.jobs=4"],
        "did_vs_svm": ["seed=1", "data.folder=/d", "cluster=slurm", "cluster.jobs=4", "protocol.folds=5"],
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("tabels.count=4", r"no grid here has the key 'tabels.count', did you mean 'tables'\? The keys are size, "),
        ("tables.cuont=4", "no grid here has the key 'tables.cuont'"),
        ("seed", "expected key=value"),
        ("+grid=greedy_vs_dp", "'grid' cannot be set here"),
        ("hydra.run.dir=/x", "'hydra.run.dir' cannot be set here"),
        ("seed=1,2", "has several values"),
        ("seed=[", "cannot read 'seed=\\['"),
        ("seed.x=1", "no grid here has the key 'seed.x'"),
    ],
)
def test_a_key_that_no_grid_has_is_refused(given: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        overrides_by_grid(GRIDS, overrides_of([given]))


def test_values_are_read_as_hydra_reads_them() -> None:
    given = ["output='a folder'", "dry_run=True", "+size=paper", "cluster=slurm", "seed=7"]
    assert [(override.key_or_group, override.value()) for override in overrides_of(given)] == [
        ("output", "a folder"),
        ("dry_run", True),
        ("size", "paper"),
        ("cluster", "slurm"),
        ("seed", 7),
    ]
