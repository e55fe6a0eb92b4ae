"""Former names of parameters: pickles and recorded runs still hold them."""

__all__ = ["FORMER_PARAMETERS"]

FORMER_PARAMETERS = {"min_rows_leaf": "min_samples_leaf", "nominal": "categorical_features"}
"""Each parameter of an estimator that had another name: the former name and the present one."""
