"""The grid `did_vs_c45`."""
