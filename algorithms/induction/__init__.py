"""Tree builders that predict: functions of a data set, and scikit-learn estimators."""
