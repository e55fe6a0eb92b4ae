"""The shape of every configuration.

The classes hold types alone: a schema is merged after `config.yaml`, so that a value here would silently replace one
from there. Values stand in `conf/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING

__all__ = [
    "Address",
    "BuilderComparison",
    "CatalogueSettings",
    "CompareBuilders",
    "Comparison",
    "Data",
    "DidVsC45",
    "EvoVsExact",
    "GreedGrows",
    "GreedyVsDp",
    "InductionGap",
    "LimitSettings",
    "Local",
    "OctVsCart",
    "ProtocolSettings",
    "RemovedFeatures",
    "Settings",
    "Slurm",
    "SmallestTree",
    "Solvers",
    "Ssh",
    "Steps",
    "TableFromData",
    "Tables",
    "Threads",
    "UciExact",
    "WorkedExamples",
    "register",
]


@dataclass
class Local:
    """A cluster on this machine."""

    workers: int | None = MISSING
    dashboard: bool = MISSING


@dataclass
class Threads:
    """Threads of the driver itself."""

    workers: int | None = MISSING
    dashboard: bool = MISSING


@dataclass
class Address:
    """A cluster that runs already."""

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
    """What a cell may take."""

    seconds: float = MISSING
    memory_mib: int | None = MISSING


@dataclass
class Settings:
    """What every run has."""

    grid: str = MISSING
    seed: int = MISSING
    output: str = MISSING
    chunk: int | None = MISSING
    redo: str | None = MISSING
    versions: str = MISSING
    dry_run: bool = MISSING
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
class GreedyVsDp(Settings):
    """Greedy heuristics against exact minima on random tables."""

    tables: Tables = MISSING
    heuristics: list[str] = MISSING


@dataclass
class Steps:
    """The sizes that each dimension of a table takes."""

    rows: list[int] = MISSING
    attributes: list[int] = MISSING
    values: list[int] = MISSING


@dataclass
class GreedGrows(GreedyVsDp):
    """Greedy heuristics against exact minima on random tables of one shape after another."""

    steps: Steps = MISSING


@dataclass
class Data:
    """Where data sets are found."""

    folder: str | None = MISSING
    own: str | None = MISSING
    most_columns: int = MISSING
    most_classes: int = MISSING


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
class UciExact(Settings):
    """Exact trees of real tables."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    table: TableFromData = MISSING
    heuristics: list[str] = MISSING
    orders: list[list[str]] = MISSING
    alphas: list[float] = MISSING
    graph_mib: int = MISSING


@dataclass
class CatalogueSettings(Settings):
    """Every data set of the catalogue."""

    source: Any = MISSING
    data: Data = MISSING


@dataclass
class ProtocolSettings:
    """Which rows train, which tune and which test."""

    method: str = MISSING
    folds: int | None = MISSING
    test_share: float | None = MISSING
    validation_share: float | None = MISSING
    repeats: int = MISSING
    stratified: bool = MISSING
    weka: bool = MISSING


@dataclass
class BuilderComparison(Settings):
    """Builders that predict, on data sets, by a protocol."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    incomplete_rows: str = MISSING
    most_rows: int | None = MISSING
    protocol: ProtocolSettings = MISSING
    builders: Any = MISSING
    plugins: list[str] = MISSING


@dataclass
class CompareBuilders(BuilderComparison):
    """Builders side by side, summarised in one way or another."""

    summary: str = MISSING


@dataclass
class RemovedFeatures(BuilderComparison):
    """Builders side by side as data sets lose attributes."""

    random_orders: int = MISSING


@dataclass
class WorkedExamples(Settings):
    """The examples that the documents work by hand."""

    source: list[str] = MISSING


@dataclass
class Comparison:
    """Data sets, and which of their rows train and test."""

    source: Any = MISSING
    protocol: ProtocolSettings = MISSING


@dataclass
class DidVsC45(Settings):
    """Average depths and accuracies of DID over its weights, beside other builders and exact minima."""

    folded: Comparison = MISSING
    published: Comparison = MISSING
    drawn: Comparison = MISSING
    data: Data = MISSING
    builders: Any = MISSING
    ratios: list[float] = MISSING
    orders: int = MISSING
    plugins: list[str] = MISSING
    graph_mib: int = MISSING


@dataclass
class InductionGap(Settings):
    """Trees of builders and heuristics against exact minima on real tables."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    table: TableFromData = MISSING
    heuristics: list[str] = MISSING
    builders: Any = MISSING
    plugins: list[str] = MISSING
    graph_mib: int = MISSING


@dataclass
class OctVsCart(Settings):
    """Optimal classification trees beside CART, both tuned."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    protocol: ProtocolSettings = MISSING
    depths: list[int] = MISSING
    min_rows_leaf: float = MISSING
    refit: bool = MISSING
    work: int | None = MISSING


@dataclass
class Solvers(Settings):
    """Exact solvers, ours and those of others, on the same instances."""

    source: Any = MISSING
    numeric: Any = MISSING
    folder: str | None = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    bins: int = MISSING
    depths: list[int] = MISSING
    min_rows_leaf: int = MISSING
    alpha: float = MISSING
    seconds: float = MISSING
    builders: Any = MISSING
    plugins: list[str] = MISSING
    peers: list[str] = MISSING


@dataclass
class SmallestTree(Settings):
    """Grown trees beside the smallest that classify the same."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    builders: Any = MISSING
    two_branches: list[str] = MISSING
    plugins: list[str] = MISSING
    max_work: int = MISSING
    graph_mib: int = MISSING


@dataclass
class EvoVsExact(Settings):
    """Evolved and grown trees of a depth beside the fewest training errors of any."""

    source: Any = MISSING
    target: str | None = MISSING
    data: Data = MISSING
    depths: list[int] = MISSING
    repeats: int = MISSING
    builders: Any = MISSING
    plugins: list[str] = MISSING
    max_work: int = MISSING


def register() -> None:
    """Make the schemas known to Hydra."""
    store = ConfigStore.instance()
    store.store(group="schema", name="settings", node=Settings, package="_global_")
    store.store(group="schema", name="greedy_vs_dp", node=GreedyVsDp, package="_global_")
    store.store(group="schema", name="greed_grows", node=GreedGrows, package="_global_")
    store.store(group="schema", name="catalogue", node=CatalogueSettings, package="_global_")
    store.store(group="schema", name="uci_exact", node=UciExact, package="_global_")
    store.store(group="schema", name="compare_builders", node=CompareBuilders, package="_global_")
    store.store(group="schema", name="removed_features", node=RemovedFeatures, package="_global_")
    store.store(group="schema", name="worked_examples", node=WorkedExamples, package="_global_")
    store.store(group="schema", name="did_vs_c45", node=DidVsC45, package="_global_")
    store.store(group="schema", name="induction_gap", node=InductionGap, package="_global_")
    store.store(group="schema", name="oct_vs_cart", node=OctVsCart, package="_global_")
    store.store(group="schema", name="solvers", node=Solvers, package="_global_")
    store.store(group="schema", name="smallest_tree", node=SmallestTree, package="_global_")
    store.store(group="schema", name="evo_vs_exact", node=EvoVsExact, package="_global_")
    store.store(group="schema", name="protocol", node=ProtocolSettings)
    store.store(group="schema/cluster", name="local", node=Local)
    store.store(group="schema/cluster", name="threads", node=Threads)
    store.store(group="schema/cluster", name="address", node=Address)
    store.store(group="schema/cluster", name="slurm", node=Slurm)
    store.store(group="schema/cluster", name="ssh", node=Ssh)
