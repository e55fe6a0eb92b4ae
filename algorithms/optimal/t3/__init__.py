"""T2, T3, T3C: a branch for each value or interval, one for unknown values, few levels (Li, slides)."""
