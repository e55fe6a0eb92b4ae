"""Optimal classification trees by search over nominal attributes and numbers at any threshold."""
