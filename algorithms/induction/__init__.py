"""Trees that predict, built from training rows: a function and a scikit-learn estimator for each way."""
