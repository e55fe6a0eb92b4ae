"""A run that only its record knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.record.kept import KeptRun
from pipeline.record.provenance import Record

RUN = "0123456789ab"


def made_up_record(run: str = RUN, **changes: Any) -> Record:
    """The record of a run without items."""
    fields: dict[str, Any] = {
        "run": run,
        "identity": {},
        "items": 0,
        "noun": "items",
        "tables": ("results",),
        "cells_per_item": 1,
        "command": "python -m pipeline +grid=mine",
        "versions": {},
        "machine": {},
    }
    return Record(**fields | changes)


def made_up_run(output: Path, name: str = "mine", run: str = RUN, **changes: Any) -> KeptRun:
    """A run without items; what is given instead, of its record."""
    return KeptRun(made_up_record(run, **changes), name, run, output)
