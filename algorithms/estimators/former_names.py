"""Former names of parameters and classes, which pickles and recorded runs still hold."""

FORMER_PARAMETERS = {"min_rows_leaf": "min_samples_leaf", "nominal": "categorical_features"}
"""For each parameter of an estimator that was renamed, the former and the present name."""

FORMER_CLASSES = {
    "algorithms.optimal.mio.classifiers.OCTFlowClassifier": "algorithms.optimal.mio.mio_classifiers.OCTFlowClassifier",
    "algorithms.optimal.mio.classifiers.OCTMIOClassifier": "algorithms.optimal.mio.mio_classifiers.OCTMIOClassifier",
    "algorithms.optimal.search.OCTSearchClassifier": "algorithms.optimal.search.OCTClassifier",
}
"""For each estimator that was moved, the former and the present path."""
