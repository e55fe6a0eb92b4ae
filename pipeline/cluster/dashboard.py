"""Dask's dashboard of a scheduler that we start: off, or for this machine alone."""

from __future__ import annotations

import socket
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pipeline.errors import ConfigError
from pipeline.screen import note

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["check_dashboard", "dashboard_options", "tell_dashboard"]

HERE = "127.0.0.1"
ORIGINS = "distributed.scheduler.dashboard.bokeh-application.allow_websocket_origin"


def check_dashboard(wanted: bool) -> None:
    """Raise ConfigError where a dashboard is wanted and cannot be had."""
    if wanted and find_spec("bokeh") is None:
        msg = "cluster.dashboard needs the package bokeh: pip install 'orchard-trees[dashboard]'"
        raise ConfigError(msg)


def dashboard_options(wanted: bool) -> dict[str, Any]:
    """What a scheduler is told of its dashboard; without one bokeh, which takes a second to load, is left alone.

    With one, Dask's configuration is told that its own pages alone may listen in: any other that a browser of this
    machine shows could else.
    """
    if not wanted:
        return {"dashboard": False}
    import dask

    with socket.create_server((HERE, 0)) as free:
        port = free.getsockname()[1]
    dask.config.set({ORIGINS: [f"{HERE}:{port}", f"localhost:{port}"]})
    return {"dashboard": True, "dashboard_address": f"{HERE}:{port}"}


def tell_dashboard(client: Client, wanted: bool) -> None:
    """Say where the dashboard of a scheduler of ours is, if there is to be one."""
    if wanted:
        note(f"dashboard: http://{HERE}:{client.scheduler_info()['services']['dashboard']}/status")
