"""The kinds of cluster, each made from its part of the configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeline.cluster.address import RunningCluster
from pipeline.cluster.base import Cluster
from pipeline.cluster.local import LocalProcesses, LocalThreads
from pipeline.cluster.slurm import SlurmJobs
from pipeline.cluster.ssh import SshHosts
from pipeline.configuration.settings import Address, Local, Slurm, Ssh, Threads
from pipeline.errors import ConfigError

KINDS: dict[type[Any], Callable[[Any], Cluster]] = {
    Local: lambda settings: LocalProcesses(settings.workers, settings.dashboard),
    Threads: lambda settings: LocalThreads(settings.workers, settings.dashboard),
    Address: RunningCluster,
    Slurm: SlurmJobs,
    Ssh: SshHosts,
}


def cluster_of(settings: Any) -> Cluster:
    """The cluster that `cluster` of a configuration describes; ConfigError names a key with a wrong value."""
    make = KINDS.get(type(settings))
    if make is None:
        names = list(map(_name, KINDS))
        raise ConfigError(
            f"the kind of `cluster` is not known: choose cluster={' or cluster='.join(names)}. In a YAML file of your "
            f"own in the folder cluster, `defaults` begin with one of these kinds, as in `defaults: [{names[0]}, "
            "_self_]`"
        )
    return make(settings)


def kind_of(settings: Any) -> str:
    """The choice of `cluster=` in a configuration."""
    return _name(type(settings))


def _name(kind: type[Any]) -> str:
    return kind.__name__.lower()
