"""Trees that predict: builders as functions of a data set, and as scikit-learn estimators."""
