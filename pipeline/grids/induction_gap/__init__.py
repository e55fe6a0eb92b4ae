"""The grid `induction_gap`."""
