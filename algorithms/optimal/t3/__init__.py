"""T2, T3, T3C: a branch per value or interval and one for unknown values, few levels (Li, *Optimal Decision Tree*)."""
