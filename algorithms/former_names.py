"""Former names of parameters and classes: pickles and recorded runs still hold them."""

__all__ = ["FORMER_CLASSES", "FORMER_PARAMETERS"]

FORMER_PARAMETERS = {"min_rows_leaf": "min_samples_leaf", "nominal": "categorical_features"}
"""Each parameter of an estimator that had another name: the former name and the present one."""

FORMER_CLASSES = {
    "algorithms.optimal.mio.classifiers.OCTFlowClassifier": "algorithms.optimal.mio.mio_classifiers.OCTFlowClassifier",
    "algorithms.optimal.mio.classifiers.OCTMIOClassifier": "algorithms.optimal.mio.mio_classifiers.OCTMIOClassifier",
    "algorithms.optimal.search.OCTSearchClassifier": "algorithms.optimal.search.OCTClassifier",
}
"""Each estimator that had another path: the former path and the present one."""
