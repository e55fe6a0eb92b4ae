"""The elements of a summary: tables of plain values, statistics and verdicts."""
