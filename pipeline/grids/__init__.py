"""What each grid is made of: its items, the rows a worker makes of them, and the summary they end in."""
