"""Dask's dashboard of a scheduler that we start: off, or for this machine alone."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pipeline.errors import ConfigError
from pipeline.screen import note

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["LOOPBACK", "ORIGINS", "check_dashboard", "dashboard_options", "tell_dashboard"]

LOOPBACK = "127.0.0.1:0"  # a free port; the scheduler's HTTP server would else want its own
ORIGINS = {
    # every page that a browser of this machine shows could else listen in
    "distributed.scheduler.dashboard.bokeh-application.allow_websocket_origin": ["127.0.0.1:*", "localhost:*"]
}


def check_dashboard(wanted: bool) -> None:
    """Raise ConfigError where a dashboard is wanted and cannot be had."""
    if wanted and find_spec("bokeh") is None:
        msg = "cluster.dashboard needs the package bokeh: pip install 'orchard-trees[dashboard]'"
        raise ConfigError(msg)


def dashboard_options(wanted: bool) -> dict[str, Any]:
    """What a scheduler is told of its dashboard; without one bokeh, which takes a second to load, is left alone."""
    return {"dashboard": wanted, "dashboard_address": LOOPBACK}


def tell_dashboard(client: Client, wanted: bool) -> None:
    """Say where the dashboard of a client's scheduler is, if it has one and that is of interest."""
    if wanted and client.scheduler_info(n_workers=0)["services"].get("dashboard"):
        note(f"dashboard: {client.dashboard_link}")
