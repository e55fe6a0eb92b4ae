"""Optimal classification trees by search where every attribute has two values: rows are bits of words."""
