"""The grid `did_vs_svm`."""
