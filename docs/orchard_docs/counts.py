"""How many printed figures are reproduced, for sentences of these pages: from the published proof."""

from __future__ import annotations

import csv
import re
from pathlib import Path

__all__ = ["counts"]

REPRODUCED = Path(__file__).resolve().parents[2] / "reproduced"
AGREE = re.compile(r"^(\d+) of the (\d+) figures agree", re.MULTILINE)


def counts() -> dict[str, str]:
    """By name: `agree`, of the `printed` figures of so many `documents`."""
    said = AGREE.search((REPRODUCED / "README.md").read_text(encoding="utf-8"))
    if said is None:
        msg = f"{REPRODUCED / 'README.md'}: expected a sentence '… of the … figures agree'"
        raise ValueError(msg)
    with (REPRODUCED / "documents.csv").open(encoding="utf-8", newline="") as file:
        documents = {row["document"] for row in csv.DictReader(file) if row["claim"] == "false"}
    return {"agree": said[1], "printed": said[2], "documents": str(len(documents))}
