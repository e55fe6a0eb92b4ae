"""EVO-Tree for streams with concept drift: a window of the last rows, and a population that keeps evolving."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length

from algorithms.array_types import Numbers, Words
from algorithms.data.data_set import MISSING, Column, DataSet
from algorithms.data.data_set_of import checked_classes
from algorithms.estimators.estimator import estimator
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.evolutionary.evolution import Evolution, Evolved, History
from algorithms.evolutionary.evolved_tree import MissingValues
from algorithms.evolutionary.generations import words_of_stream
from algorithms.evolutionary.population import Population
from algorithms.evolutionary.selection import Selection
from algorithms.evolutionary.training_rows import LeafLabels, TrainingRows
from algorithms.optimal.plan import Leaf, tree_of_plan
from algorithms.options import MOST_WHOLE, Whole
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["EVOTreeStreamClassifier"]

HALF = np.uint64(32)
"""Bits of a random word that one draw uses."""


@estimator
class EVOTreeStreamClassifier(EVOTreeClassifier):
    """EVO-Tree for streams: it learns batch after batch from the last rows.

    After each batch `partial_fit` evolves the population for some more generations, over the last `window` rows;
    earlier rows are forgotten. A leaf has the most common class of its rows. `fit` starts again. While the window has
    only one class, or no attribute with two values, the tree has no split and nothing evolves. `partial_fit` does not
    accept a "balanced" `class_weight`.

    Parameters
    ----------
    window : int or None, default=500
        Number of last rows to learn from. None: all rows.
    generations : int, default=5
        Generations after each batch; fewer if 100 generations in a row bring no improvement.

    Attributes
    ----------
    history_ : History
        The best and the mean fitness of the generations since the last batch.

    Raises
    ------
    ValueError
        `individuals` is not more than 3, or the trees, or the tests of labels, need too much memory.

    Notes
    -----
    Jankowski & Jackowski 2014 propose streams as future work (section 6). The differences below are in points of
    accuracy, with standard errors. Each batch of 100 rows was first used for testing and then for training, on 3,600
    rows and with five seeds.

    - Learning from all rows instead of the last 500 loses 20.1 (0.5) on the STAGGER concepts, 4.2 (1.1) on a rotating
      hyperplane and 0.2 (0.1) on SEA, whose concepts differ little. From the sixth to the ninth batch after a drift,
      100 % of the rows of STAGGER are classified correctly with the window, and 57 % with all rows.
    - Evolving new trees for each window, in the same number of generations, loses 1.0 (0.3) on SEA, 0.5 (0.2) on the
      hyperplane and nothing on STAGGER. With 20 generations, new trees take twice the time and gain -0.2 (0.4) on SEA,
      0.6 (0.3) on the hyperplane and 0.4 (0.1) on STAGGER.

    The concepts are those of Schlimmer and Granger 1986 (STAGGER); Hulten, Spencer and Domingos 2001 (the hyperplane);
    Street and Kim 2001 (SEA).

    References
    ----------
    - Jankowski & Jackowski (2014), *Evolutionary Algorithm for Decision Tree Induction*, section 6.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import EVOTreeStreamClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = EVOTreeStreamClassifier(individuals=50).fit(X, y)
    >>> model.get_n_leaves()
    53
    >>> round(model.score(X, y), 2)
    0.95
    """

    window: Annotated[int, Whole(1, MOST_WHOLE)] | None = 500
    generations: int = 5
    patience: ClassVar[int] = 100  # type: ignore[misc]
    elite: ClassVar[int] = 3  # type: ignore[misc]
    crossover_share: ClassVar[float] = 0.6  # type: ignore[misc]
    split_probability: ClassVar[float] = 0.7  # type: ignore[misc]
    selection: ClassVar[Selection] = "stochastic_uniform"  # type: ignore[misc]
    leaf_labels: ClassVar[LeafLabels] = "majority"  # type: ignore[misc]
    missing: ClassVar[MissingValues] = "refuse"  # type: ignore[misc]

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:  # noqa: N803
        """Forget everything, and learn from rows as from a first batch; see `EVOTreeClassifier.fit`."""
        with self._restored_after_errors():
            self._begin()
            return super().fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Any:  # noqa: N803
        """Learn from the next rows of the stream; return the estimator.

        Parameters
        ----------
        X, y, sample_weight
            The rows, their classes and weights, as `fit` takes them.
        classes : array-like of shape (n_classes,), optional
            All classes of the stream, needed in the first call unless X is a `DataSet`, which has them. Further calls
            may give the same classes again.

        Raises
        ------
        ValueError
            X, y or the weights are not what `fit` takes, a class is not among `classes`, `classes` is missing in the
            first call or differs in a further call, or `class_weight` is "balanced".
        """
        self._check_parameters()
        if self.class_weight == "balanced":
            raise ValueError(
                "class_weight is 'balanced', but partial_fit never has all rows: expected None, or a dict that gives "
                "each class a weight"
            )
        with self._restored_after_errors():
            if hasattr(self, "tree_"):
                if classes is not None and not np.array_equal(_distinct(classes), self.classes_):
                    before = ", ".join(map(str, self.classes_))
                    raise ValueError(f"`classes` is {classes!r}: expected the classes of the first call, {before}")
                data, weights = self._following(X, y, sample_weight)
                weights = np.concatenate([self._weights_of_rows, self._weighted_by_class(data, weights)])
                rows = _joined(self._rows, data)
            else:
                self._begin()
                rows, weights = self._first(X, y, classes, sample_weight)
                weights = self._weighted_by_class(rows, weights)
            self._learn_all(rows, weights)
        return self

    def _begin(self) -> None:
        self._population: tuple[Population, TrainingRows] | None = None
        self._generation = 0

    def _first(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> tuple[DataSet, Numbers]:  # noqa: N803
        if isinstance(X, DataSet):
            return self._training(X, y, sample_weight)
        if classes is None or not np.size(classes):
            raise ValueError(f"`classes` is {classes!r}: expected all classes in the first call of partial_fit")
        data, weights = self._training(X, y, sample_weight)
        row_labels = self.classes_[data.decisions]
        self.classes_ = _distinct(classes)
        labels = tuple(str(label) for label in self.classes_.tolist())
        return replace(data, classes=labels, decisions=self._codes(row_labels)), weights

    def _following(self, X: Any, y: Any, sample_weight: Any) -> tuple[DataSet, Numbers]:  # noqa: N803
        """Rows of a further batch with a class and a positive weight; there may be none."""
        data = self._read(X)
        if isinstance(X, DataSet):
            known = data.decisions != MISSING
            decisions = np.full(data.rows, MISSING, np.int32)
            decisions[known] = self._codes(np.array(data.classes)[data.decisions[known]])
        else:
            decisions = self._codes(checked_classes(y, type(self).__name__))
        check_consistent_length(data.decisions, decisions)
        data = replace(data, classes=self._rows.classes, decisions=decisions)
        weights = self._weights(sample_weight, data)
        kept = (weights > 0) & (decisions != MISSING)
        return data.take(kept), weights[kept]

    def _codes(self, labels: NDArray[Any]) -> NDArray[np.int32]:
        """(rows,): the index of each label in `classes_`."""
        indices = np.searchsorted(self.classes_, labels).clip(0, len(self.classes_) - 1)
        unknown = self.classes_[indices] != labels
        if unknown.any():
            example = labels[unknown].tolist()[0]
            raise ValueError(
                f"y has the unknown class {example!r}: expected one of {', '.join(map(str, self.classes_))}"
            )
        return indices.astype(np.int32)

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        window = data.rows if self.window is None else int(self.window)
        data, weights = data.take(np.arange(data.rows)[-window:]), weights[-window:]  # a copy: X may be used again
        self._rows, self._weights_of_rows = data, weights
        evolution, coded = self._evolution(), self._coded(data, weights, self.leaf_labels)
        if coded.can_evolve:
            return self._fittest(evolution, coded, weights)
        leaf = tree_of_plan(Leaf(), coded.data, weights)
        alone = evolution.fitness(leaf.counts.max(axis=1), leaf.counts.sum(), np.zeros(1, np.int64))
        self.fitness_, self.history_ = float(alone[0]), History(alone, alone)
        return leaf

    def _evolved(self, evolution: Evolution, coded: TrainingRows) -> Evolved:
        start, seed = None, int(self.random_state)
        if self._population is not None:
            population, before = self._population
            if len(population.depth) == evolution.individuals and population.depth.max() <= evolution.max_depth:
                index = evolution.individuals + 1  # the streams of a generation's trees and parents have those before
                words = words_of_stream(seed, self._generation, index, int(population.start[-1]))
                start = transferred(population, before, coded, words)
        evolved = evolution.run(coded, seed, start, self._generation)
        self._population = evolved.population, coded
        self._generation += len(evolved.history.best) - 1
        return evolved


def _distinct(classes: Any) -> NDArray[Any]:
    """The classes of a stream, in order."""
    try:
        return np.unique(checked_classes(classes, "partial_fit"))
    except (TypeError, ValueError) as error:
        raise ValueError(f"`classes` is {classes!r}: expected a list of all classes ({error})") from error


def _joined(rows: DataSet, new_rows: DataSet) -> DataSet:
    """Rows and those that follow, whose attributes may have more labels."""
    columns = tuple(cast("Column", np.concatenate(pair)) for pair in zip(rows.columns, new_rows.columns, strict=True))
    return DataSet(new_rows.attributes, columns, rows.classes, np.concatenate([rows.decisions, new_rows.decisions]))


def transferred(population: Population, before: TrainingRows, after: TrainingRows, words: Words) -> Population:
    """The trees with tests of the new rows, which have the same attributes.

    A cut moves to the nearest possible cut. A test for a label that no row has becomes one for the label of the nearest
    code. A test of an attribute that is now constant is drawn again, by a random word for each node. Classes of leaves
    stay, so they are meaningful only if leaves take the class of most rows.
    """
    nodes = population.nodes[: population.start[-1]].copy()
    attribute_before, drawn = nodes["attribute"].copy(), words[: len(nodes)]
    for tested, attribute in enumerate(before.attribute):
        testing = attribute_before == tested
        if attribute in after.attribute:
            tested_after = after.attribute.index(attribute)
            positions = _positions(before, tested)[nodes["cut"][testing]]
            nodes["attribute"][testing] = tested_after
            nodes["cut"][testing] = _nearest(_positions(after, tested_after), positions)
        else:
            nodes["attribute"][testing] = _below(drawn[testing] >> HALF, len(after.attribute))
            cuts = after.tests.cuts[nodes["attribute"][testing]]
            nodes["cut"][testing] = _below(drawn[testing] & np.uint64((1 << 32) - 1), cuts)
    return Population(nodes, population.start.copy(), population.depth.copy(), np.zeros_like(population.correct))


def _positions(coded: TrainingRows, tested: int) -> Numbers:
    """(tests,): the position of each test of an attribute: midway between two numbers or codes, or a label's code."""
    values = coded.values[tested].astype(np.float64)
    return values if coded.labels[tested] else values[:-1] / 2 + values[1:] / 2


def _nearest(positions: Numbers, numbers: Numbers) -> NDArray[np.int64]:
    """For each number the index of the nearest of increasing positions; of two equally near, the lower."""
    above = np.searchsorted(positions, numbers).clip(0, len(positions) - 1)
    below = (above - 1).clip(0)
    return np.asarray(np.where(numbers - positions[below] <= positions[above] - numbers, below, above))


def _below(words: Words, counts: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Words of 32 bits as integers from 0 to below counts."""
    return (words * np.asarray(counts).astype(np.uint64) >> HALF).astype(np.int64)
