"""Runs that are no longer wanted: `python -m pipeline.trash`."""
