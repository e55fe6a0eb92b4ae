"""The fewest leaves of a consistent tree, which classifies all rows correctly."""
