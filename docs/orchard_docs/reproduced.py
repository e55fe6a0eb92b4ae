"""How many printed figures are reproduced, as pages say it."""

from __future__ import annotations

import csv
from pathlib import Path

__all__ = ["counts"]


def counts(file: Path) -> dict[str, str]:
    """Count the printed figures of a published proof, those that agree, and their documents, from `documents.csv`."""
    with file.open(encoding="utf-8", newline="") as lines:
        figures = [row for row in csv.DictReader(lines) if (row["counted"], row["claim"]) == ("true", "false")]
    agree = sum(row["verdict"] == "agrees" for row in figures)
    documents = {row["document"] for row in figures}
    return {"agree": f"{agree}", "printed": f"{len(figures)}", "documents": f"{len(documents)}"}
