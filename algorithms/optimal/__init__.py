"""Optimal trees: T2, T3 and T3C; optimal classification trees by mixed-integer programming and by exact search."""
