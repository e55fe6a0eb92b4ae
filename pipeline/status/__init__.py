"""The progress of runs: `python -m pipeline.status`."""
