"""C4.5: growth, entries of rows with missing values, pruning."""
