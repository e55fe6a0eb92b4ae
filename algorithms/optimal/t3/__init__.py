"""T2, T3 and T3C: trees of few levels, a branch per value or interval and one for unknown values (`002_…`)."""
