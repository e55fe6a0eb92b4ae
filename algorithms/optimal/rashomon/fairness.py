"""The fairest of the good trees: the one that treats groups of rows most alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import unmasked
from algorithms.data_set import DataSet, is_missing
from algorithms.optimal.instance import Instance
from algorithms.options import ParameterError, check_choice
from algorithms.trees.decision_tree import DecisionTree

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MEASURES", "FairTree", "Groups", "Measure", "groups_of"]

Measure = Literal["demographic_parity", "equal_opportunity"]
MEASURES = ("demographic_parity", "equal_opportunity")


class FairTree(NamedTuple):
    """A good tree, and how differently it treats groups of rows.

    Attributes
    ----------
    tree : DecisionTree
    difference : float
        The greatest rate of a group minus the least.
    rates : dict
        For each group, the share of its rows that the tree classifies as the favourable class. For equal opportunity,
        only the rows whose own class is the favourable one count.
    exact : bool
        Whether it is proven that no good tree has a smaller difference. Otherwise, the tree is the fairest of the first
        tree and of trees drawn at random.
    """

    tree: DecisionTree
    difference: float
    rates: dict[Any, float]
    exact: bool


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of rows whose rates are compared."""

    names: Sequence[Any]
    member: NDArray[np.int64]  # (rows,) the group of each row, -1 if it does not count
    favourable: int  # the class

    def judged(self, tree: DecisionTree, instance: Instance, *, exact: bool) -> FairTree:
        """A tree with the rates of the groups."""
        chosen = tree.predict(instance.data.values()) == self.favourable
        counted = self.member >= 0
        total = np.bincount(self.member[counted], instance.weights[counted])
        favoured = np.bincount(self.member[counted & chosen], instance.weights[counted & chosen], len(total))
        rates = (favoured / total).tolist()
        return FairTree(tree, max(rates) - min(rates), dict(zip(self.names, rates, strict=True)), exact)


def groups_of(instance: Instance, groups: Any, measure: str, favourable: Any) -> Groups:
    """The groups as given, for the rows of an instance. Raises ParameterError if they are not valid."""
    data = instance.data
    check_choice("measure", measure, MEASURES)
    groups = unmasked(groups)
    labels = [name.item() if isinstance(name, np.generic) else name for name in np.asarray(groups, object).ravel()]
    if np.ndim(groups) != 1 or len(labels) != data.rows:
        raise ParameterError(
            f"`groups` has the shape {np.shape(groups)}: expected one group for each of the {data.rows:,} rows of the "
            "set. Rows of weight 0 are not rows of the set"
        )
    for row, name in enumerate(labels):
        if is_missing(name):
            raise ParameterError(f"`groups` has no value for row {row}: give each row a group")
    names = list(dict.fromkeys(labels))
    if len(names) < 2:
        raise ParameterError(f"`groups` has only the group {names[0]!r}: expected two groups or more")
    index = {name: number for number, name in enumerate(names)}
    chosen = _favourable(data, favourable)
    member = np.array([index[name] for name in labels], np.int64)
    if measure == "equal_opportunity":
        member[data.decisions != chosen] = -1
        for name, number in index.items():
            if not (member == number).any():
                raise ParameterError(
                    f"group {name!r} has no row of class {data.classes[chosen]!r}: equal opportunity compares the rows "
                    "of this class. Leave the group out, or merge the group with another group"
                )
    return Groups(names, member, chosen)


def _favourable(data: DataSet, favourable: Any) -> int:
    """The index of a class, by its label; by default the second of two."""
    if favourable is None and len(data.classes) == 2:
        return 1
    if str(favourable) not in data.classes or favourable is None:
        raise ParameterError(
            f"favourable is {favourable!r}: expected one of the classes {', '.join(map(repr, data.classes))}"
        )
    return data.classes.index(str(favourable))
