"""SQL over the rows of all runs, read-only: `python -m pipeline.query`, and `pipeline.open_results` from Python."""

from __future__ import annotations

from pipeline.query.command import main
from pipeline.query.database import connection

__all__ = ["connection", "main"]
