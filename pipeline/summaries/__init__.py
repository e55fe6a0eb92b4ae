"""Summaries of experiments: statistics, verdicts against printed figures, tables and figures."""
