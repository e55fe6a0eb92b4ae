"""`python -m pipeline.check TABLE.csv`: find impossible figures in a printed table."""
