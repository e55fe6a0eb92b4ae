"""Optimal classification trees by search over nominal attributes and numbers at any threshold.

`solve_ranks` solves an instance and `rank_search` runs its compiled search: `phases`, which takes each node through its
phases, and what it calls (`node_entry`, `split_steps`, `children`, `cut_bounds`, `stumps`, `sides`,
`sweeps`, `list_sweeps`, `cut_windows`). If labels of few codes are missing, it finds trees of two levels by
`code_pairs`.
"""
