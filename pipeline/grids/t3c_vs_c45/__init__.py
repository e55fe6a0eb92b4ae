"""The grid `t3c_vs_c45`."""
