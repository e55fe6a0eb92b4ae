"""Builders of trees that predict, each a function and a scikit-learn estimator."""
