"""SQL over the rows of all runs, read-only: `python -m pipeline.query`, and `pipeline.open_results` from Python."""
