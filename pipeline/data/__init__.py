"""Data sets and tables: where they come from, how they become decision tables, and how they are split."""
