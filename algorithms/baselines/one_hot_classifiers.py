"""Learners of scikit-learn that accept only numbers: nominal attributes one-hot, missing values filled."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn import ensemble, neural_network
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from algorithms.array_types import Numbers
from algorithms.data.attributes.one_hot import OneHot, PairColumns, filled, usual_values
from algorithms.data.data_set import DataSet
from algorithms.estimators.data_set_classifier import ProbabilisticClassifier
from algorithms.estimators.estimator import estimator
from algorithms.options import RANDOM_STATE, Whole

__all__ = ["MLPClassifier", "OneHotClassifier", "RandomForestClassifier", "SVMClassifier"]


class OneHotClassifier(ProbabilisticClassifier):
    """A learner of scikit-learn that takes the same input as the trees; subclasses add only `_learner`.

    Missing numbers are replaced by the mean of the training rows, missing labels by the most common label. If all
    training rows have the same class, this class is predicted and nothing is learnt.

    Attributes
    ----------
    learner_ : estimator
        The fitted classifier of scikit-learn. It does not exist if all training rows have the same class.
    """

    handles_missing = True
    pair_columns: ClassVar[PairColumns] = 2
    """The number of columns of a nominal attribute of two labels."""
    number_type: ClassVar[type[np.floating[Any]]] = np.float64
    """The type with which the learner computes."""
    largest: ClassVar[float] = np.inf
    """The largest size of a number with which the learner computes correctly."""

    @abstractmethod
    def _learner(self, columns: int, classes: int) -> Any:
        """An unfitted classifier of scikit-learn for this number of columns and classes."""

    def _learn(self, data: DataSet, weights: Numbers) -> None:
        self._filling = usual_values(data, weights)
        self._encoding = OneHot.of(data.attributes, pair_columns=self.pair_columns)
        self._known = np.unique(data.decisions)
        self.__dict__.pop("learner_", None)  # of an earlier fit
        if len(self._known) > 1:
            columns = self._columns(data)
            self.learner_ = self._learner(columns.shape[1], len(self._known))
            self._fit(columns, data.decisions, weights)

    def _fit(self, columns: Numbers, decisions: NDArray[np.int32], weights: Numbers) -> None:
        self.learner_.fit(columns, decisions, sample_weight=weights)

    def _columns(self, data: DataSet) -> Numbers:
        return self._encoding.matrix(filled(data, self._filling), self.number_type, self.largest)

    def _distribution(self, data: DataSet) -> Numbers:
        result = np.zeros((data.rows, len(self.classes_)))
        result[:, self._known] = 1.0 if len(self._known) == 1 else self._probabilities(self._columns(data))
        return result

    def _probabilities(self, columns: Numbers) -> Numbers:
        """(rows, classes of the training rows)."""
        return np.asarray(self.learner_.predict_proba(columns))


@estimator
class RandomForestClassifier(OneHotClassifier):
    """scikit-learn's random forest, for nominal and missing values.

    Nominal attributes are one-hot. Missing numbers are replaced by the mean of the training rows, missing labels by the
    most common label.

    Parameters
    ----------
    trees : int, default=100
        Number of trees. Each is grown on a bootstrap sample, and chooses among random columns at each node.
    random_state : int, RandomState or None, default=0
        Seed of the bootstrap samples and of the random columns.

    Notes
    -----
    Random forests are due to Breiman (2001).

    References
    ----------
    - Breiman (2001), *Random Forests*, section 4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RandomForestClassifier(trees=10).fit(X, y)
    >>> model.predict(X[:3])
    array([0, 0, 0])
    >>> round(model.score(X, y), 2)
    0.98
    """

    number_type = np.float32

    trees: Annotated[int, Whole(1)] = 100
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _learner(self, columns: int, classes: int) -> Any:  # noqa: ARG002
        return ensemble.RandomForestClassifier(n_estimators=self.trees, random_state=self.random_state)


@estimator
class SVMClassifier(OneHotClassifier):
    """A support vector machine as Weka runs LibSVM by default: RBF kernel, gamma = 1 / columns, C = 1.

    Numbers are not normalised. A nominal attribute of two labels becomes one column of 0 and 1, and any other nominal
    attribute becomes a column per label, as in Weka's NominalToBinary. The distances and gamma depend on this coding.
    Missing numbers are replaced by the mean of the training rows, missing labels by the most common label.
    `predict_proba` gives probability 1 to the predicted class, as Weka's LibSVM does without probability estimates.

    Notes
    -----
    Ben-Gal et al. 2014 and Jankowski & Jackowski 2014 compare with it.

    References
    ----------
    - Ben-Gal et al. (2014), *Efficient Construction of Decision Trees by the Dual Information Distance Method*,
      section 4.
    - Jankowski & Jackowski (2014), *Evolutionary Algorithm for Decision Tree Induction*, section 5.3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import SVMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SVMClassifier().fit(X, y)
    >>> model.predict(X[:3])
    array([0, 0, 0])
    >>> round(model.score(X, y), 2)
    0.99
    """

    pair_columns = 1
    largest = 1e150  # so that squares of distances are finite

    def _learner(self, columns: int, classes: int) -> Any:  # noqa: ARG002
        return SVC(C=1.0, kernel="rbf", gamma=1 / columns)

    def _probabilities(self, columns: Numbers) -> Numbers:
        return np.asarray(self.learner_.predict(columns)[:, None] == self._known, dtype=np.float64)


@estimator
class MLPClassifier(OneHotClassifier):
    """A multilayer perceptron with Weka's settings.

    It has one layer of (columns + classes) / 2 sigmoid units, inputs scaled to -1 to 1, learning rate 0.3 and momentum
    0.2. Unlike Weka's perceptron, it minimises the cross-entropy, in batches of rows. Nominal attributes are one-hot.
    Missing numbers are replaced by the mean of the training rows, missing labels by the most common label.

    Parameters
    ----------
    epochs : int, default=500
        Number of epochs. All are run, even if the training converges earlier.
    batch_rows : int, default=32
        Number of rows in a batch.
    random_state : int, RandomState or None, default=0
        Seed of the first weights and of the order of the rows.

    Notes
    -----
    Jankowski & Jackowski 2014 compare with it. On Weka's own folds (5x2) the accuracy is, as mean ± standard deviation
    over the seeds 0 to 9, 63.1 ± 0.8 % on breast-tissue and 92.5 ± 0.4 % on seeds. The accuracy of Weka's
    MLP with its default seed is 63.0 and 93.8 %. Measured by `tests/algorithms/baselines/test_baselines.py`.

    References
    ----------
    - Jankowski & Jackowski (2014), *Evolutionary Algorithm for Decision Tree Induction*, section 5.3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import MLPClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MLPClassifier(epochs=50).fit(X, y)
    >>> model.predict(X[:3])
    array([0, 0, 0])
    >>> round(model.score(X, y), 2)
    0.93
    """

    largest = 8e307  # so that differences are finite

    epochs: Annotated[int, Whole(1)] = 500
    batch_rows: Annotated[int, Whole(1)] = 32
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _learner(self, columns: int, classes: int) -> Any:
        return make_pipeline(
            MinMaxScaler((-1, 1)),
            neural_network.MLPClassifier(
                hidden_layer_sizes=(max(1, (columns + classes) // 2),),
                activation="logistic",
                solver="sgd",
                alpha=0.0,
                learning_rate_init=0.3,
                momentum=0.2,
                nesterovs_momentum=False,
                max_iter=self.epochs,
                n_iter_no_change=self.epochs,
                random_state=self.random_state,
            ),
        )

    def _fit(self, columns: Numbers, decisions: NDArray[np.int32], weights: Numbers) -> None:
        self.learner_.set_params(mlpclassifier__batch_size=min(self.batch_rows, len(columns)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # all epochs are run on purpose
            self.learner_.fit(columns, decisions, mlpclassifier__sample_weight=weights)
