"""How many printed figures are reproduced, as pages say it."""

from __future__ import annotations

import csv
from pathlib import Path

__all__ = ["counts"]


def counts(file: Path) -> dict[str, str]:
    """Count the printed figures of a published proof, those that agree, and the documents, from its `documents.csv`."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["counted"] == "true"]
    figures = [row["verdict"] for row in rows if row["claim"] == "false"]
    documents = {row["document"] for row in rows}
    return {"agree": f"{figures.count('agrees')}", "printed": f"{len(figures)}", "documents": f"{len(documents)}"}
