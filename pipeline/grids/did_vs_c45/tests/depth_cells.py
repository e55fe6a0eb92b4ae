"""The tables of did_vs_c45 of made-up depths and results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.grammar.columns import Row
from pipeline.grids.did_vs_c45.summary import SUMMARY
from tests.summaries.builder_rows import summary_rows


def cells_of(*depths: dict[str, Any], results: Sequence[dict[str, Any]] = (), table: str = "did_vs_c45") -> list[Row]:
    """The rows of a table, of depths and results."""
    return summary_rows(SUMMARY, results, depths=depths)[table]
