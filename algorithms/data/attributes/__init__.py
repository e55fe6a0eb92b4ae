"""Recodings of attributes: cut points of numbers, a column for each label, two values only."""
