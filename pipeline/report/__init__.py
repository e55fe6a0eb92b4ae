"""The report: a self-contained HTML page for each run, and an index over all of them."""
