"""Greedy growth and search over nominal attributes."""
