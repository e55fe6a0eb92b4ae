"""Attributes coded another way: cut points of numbers, a column for each label, two values only."""
