"""Reads a printed table from a text."""

from __future__ import annotations

import pytest

from pipeline.printed_table.reading import read_printed_table


@pytest.fixture
def read(tmp_path):
    def read(text, **more):
        file = tmp_path / "table.csv"
        file.write_text(text, encoding="utf-8")
        return read_printed_table(file, **more)

    return read
