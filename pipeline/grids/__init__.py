"""The grids. Each folder has a grid's items, the rows that a worker computes, and the summary."""
