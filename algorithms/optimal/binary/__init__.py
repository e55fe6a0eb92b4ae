"""Optimal classification trees by search where every attribute has two values: rows are bits of words.

`solve_bits` solves an instance and `bit_search` runs its compiled search: `pair_search`, which goes over the attributes
of a set of rows, and what it calls (`pair_levels`, `two_levels`, `pair_counts`, `pair_scan`, `side_bounds`).
"""
