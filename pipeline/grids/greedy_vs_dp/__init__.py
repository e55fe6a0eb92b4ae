"""The grid `greedy_vs_dp`."""
