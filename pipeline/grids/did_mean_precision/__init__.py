"""The grid `did_mean_precision`."""
