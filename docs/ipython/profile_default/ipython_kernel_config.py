"""The kernel that runs the cells of pages draws vector graphics."""

from __future__ import annotations

from typing import Any

from traitlets.config import get_config

c: Any = get_config()  # type: ignore[no-untyped-call]
c.InlineBackend.figure_formats = {"svg"}
c.InlineBackend.rc = {"svg.hashsalt": "orchard"}
c.HistoryManager.enabled = False
