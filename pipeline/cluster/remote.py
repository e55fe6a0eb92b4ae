"""A scheduler in the driver for workers on other machines, started by a queue or by ssh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cluster.admission import Admission
from pipeline.cluster.base import PATIENCE, check_dashboard
from pipeline.cluster.driver_scheduler import DriverScheduler, driver_scheduler
from pipeline.cluster.security import run_security
from pipeline.configuration.rules import Rule, at_least

if TYPE_CHECKING:
    from pipeline.configuration.settings import Slurm, Ssh

WORKER_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "PYTHONSAFEPATH": "1",
}
"""The environment of a remote worker: one compute thread a process, no profiler, no imports from its folder."""

LINE = Rule("one line of text", lambda text: bool(text.strip()) and text.isprintable())
DEATH_SECONDS = 60  # after which a worker without a scheduler ends itself


def check_remote(cluster: Slurm | Ssh) -> None:
    """Raise ConfigError for a wrong value of a key that these clusters share."""
    at_least(1).check("cluster.processes", cluster.processes)
    PATIENCE.check("cluster.patience", cluster.patience, null=True)
    LINE.check("cluster.python", cluster.python, null=True)
    check_dashboard(cluster.dashboard)


@contextmanager
def scheduler_for_remote_workers(
    cluster: Slurm | Ssh, record_folder: Path, plugins: Sequence[str], shared: Path | None
) -> Iterator[tuple[DriverScheduler, Admission, dict[str, str]]]:
    """The scheduler, the admission of its workers, and a worker's credentials: `ca_file`, `cert` and `key`.

    Raises ConfigError if this machine has no such network interface.
    """
    _check_interface(cluster.interface)
    security = run_security()
    listens = {"protocol": "tls://", "interface": cluster.interface, "security": security}
    of_worker = security.get_tls_config_for_role("worker")
    credentials = {name: str(of_worker[name]) for name in ("ca_file", "cert", "key")}
    with (
        driver_scheduler(record_folder, listens, dashboard=cluster.dashboard) as scheduler,
        Admission(scheduler.client, plugins, shared) as admission,
    ):
        yield scheduler, admission, credentials


def _check_interface(interface: str | None) -> None:
    """Raise ConfigError if this machine has no network interface of that name."""
    if interface is None:
        return
    import psutil

    existing = sorted(psutil.net_if_addrs())
    Rule(f"an interface of this machine, one of {', '.join(existing)}", existing.__contains__).check(
        "cluster.interface", interface
    )
