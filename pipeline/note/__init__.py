"""Notes and tags on runs: `python -m pipeline.note`."""
