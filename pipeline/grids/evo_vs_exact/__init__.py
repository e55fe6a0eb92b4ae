"""The grid `evo_vs_exact`."""
