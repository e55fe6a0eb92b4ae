"""`python -m pipeline.show`: rebuilds a row of a run, its table and its tree."""
