"""`python -m pipeline.show`: any row of a run again, its table and its tree."""
