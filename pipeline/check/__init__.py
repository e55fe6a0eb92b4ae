"""`python -m pipeline.check TABLE.csv`: which figures of a printed table cannot be."""
