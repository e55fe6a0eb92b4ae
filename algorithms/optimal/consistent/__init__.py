"""The fewest leaves of a consistent tree, one that gives each row its class."""
