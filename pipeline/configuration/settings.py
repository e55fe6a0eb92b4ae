"""The shape of every configuration.

The classes have only types. Values are in `conf/`: a schema is merged after `config.yaml`, so a value here would
silently replace the value there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

MISSING: Any = "???"
"""Stands for a value that is not set. Equals `omegaconf.MISSING`; workers import these classes without OmegaConf."""


@dataclass
class Local:
    """A cluster on this machine."""

    workers: int | None = MISSING
    dashboard: bool = MISSING


@dataclass
class Threads(Local):
    """Threads of the driver itself."""


@dataclass
class Address:
    """A running cluster."""

    address: str = MISSING
    tls_ca_file: str | None = MISSING
    tls_cert: str | None = MISSING
    tls_key: str | None = MISSING
    plain_tcp: bool = MISSING
    patience: float | None = MISSING


@dataclass
class Slurm:
    """Jobs in a Slurm queue."""

    jobs: int = MISSING
    processes: int = MISSING
    memory: str = MISSING
    walltime: str = MISSING
    queue: str | None = MISSING
    account: str | None = MISSING
    interface: str | None = MISSING
    prologue: list[str] = MISSING
    directives: list[str] = MISSING
    python: str | None = MISSING
    patience: float | None = MISSING
    dashboard: bool = MISSING


@dataclass
class Ssh:
    """Machines reached by ssh."""

    hosts: list[str] = MISSING
    processes: int = MISSING
    python: str | None = MISSING
    config: str | None = MISSING
    interface: str | None = MISSING
    patience: float | None = MISSING
    dashboard: bool = MISSING


@dataclass
class LimitSettings:
    """Limits of a cell."""

    seconds: float = MISSING
    memory_mib: int | None = MISSING


@dataclass
class Settings:
    """Keys of every run."""

    grid: str = MISSING
    seed: int = MISSING
    output: str = MISSING
    chunk: int | None = MISSING
    redo: str | None = MISSING
    versions: str = MISSING
    dry_run: bool = MISSING
    plugins: list[str] = MISSING
    limits: LimitSettings = MISSING
    cluster: Any = MISSING


@dataclass
class Tables:
    """Random decision tables."""

    groups: int = MISSING
    count: int = MISSING
    rows: int = MISSING
    attributes: int = MISSING
    values: int = MISSING
    decisions: int = MISSING
    value_probabilities: list[float] | None = MISSING
    decision_probabilities: list[float] | None = MISSING
    equal_rows: str = MISSING


@dataclass
class Data:
    """Where to look for data sets."""

    folder: str | None = MISSING
    own: str | None = MISSING


@dataclass
class TableFromData:
    """How a data set becomes a decision table."""

    missing: str = MISSING
    numeric: str = MISSING
    bins: int = MISSING
    thresholds: Any = MISSING
    distinct_attributes: str = MISSING
    decision_ties: str = MISSING
    row_weights: str = MISSING


@dataclass
class ProtocolSettings:
    """Which rows train, validate and test."""

    method: str = MISSING
    folds: int | None = MISSING
    test_share: float | None = MISSING
    validation_share: float | None = MISSING
    repeats: int = MISSING
    stratified: bool = MISSING
    weka: bool = MISSING


@cache
def register() -> None:
    """Make the schemas known to Hydra."""
    from hydra.core.config_store import ConfigStore

    store = ConfigStore.instance()
    store.store(group="schema", name="settings", node=Settings, package="_global_")
    store.store(group="schema", name="protocol", node=ProtocolSettings)
    for kind in (Local, Threads, Address, Slurm, Ssh):
        store.store(group="schema/cluster", name=kind.__name__.lower(), node=kind)
