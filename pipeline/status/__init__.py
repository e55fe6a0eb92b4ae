"""How far runs are: `python -m pipeline.status`."""
