"""Conditions that an optimal tree must meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from numpy.typing import ArrayLike

from algorithms.options import Columns, ParameterError, Whole, check_parameters

__all__ = ["Conditions"]

Name = str | int


@dataclass(frozen=True, eq=False, kw_only=True)
class Conditions:
    """Conditions for the tree of `OCTClassifier`, which finds the best tree that meets all of them.

    Attributes are given by their names or positions. Each parameter may be left out.

    Parameters
    ----------
    first : str, int or tuple, optional
        The attribute that the root tests; or a pair of a numeric attribute and the threshold of the root's test. Rows
        whose value is at most the threshold go left.
    forbidden : sequence of str or int, default=()
        Attributes that no node tests.
    required : sequence of str or int, default=()
        Attributes that the tree must test, each at some node.
    order : sequence of str, int or sequence, default=()
        Attributes in the order in which a path from the root may test them, such as cheap tests before expensive tests:
        below a test of an attribute, no attribute that comes before it in `order` is tested. A sequence inside `order`
        gives its attributes the same position. Attributes that are not listed may be tested anywhere.
    once : sequence of str or int, default=()
        Attributes that each path from the root tests at most once.
    max_attributes : int, optional
        Largest number of different attributes that the tree tests, 0 or more.
    monotone : mapping of str or int to 1 or -1, optional
        Numeric attributes. As such an attribute grows, the class must not fall (1) or must not rise (-1): see Notes.
    class_order : sequence, optional
        All classes from low to high, for `monotone`; by default in the order of `classes_`.
    attribute_costs : mapping of str or int to float, optional
        The cost of knowing an attribute for a row of weight 1, from 0 to 1e+100; 0 for attributes that are left out. A
        row pays once for each attribute that is tested on its path.
    misclassification_costs : array-like of shape (n_classes, n_classes), optional
        Entry (i, j) is the cost of a row of weight 1 that has class i and reaches a leaf of class j, in the order of
        `classes_`. Entries are numbers from 0 to 1e+100, with 0 on the diagonal. By default each error costs 1. If a
        pandas frame names the classes in its index and its columns, they may have any order.

    Raises
    ------
    ParameterError
        A parameter has a wrong type or is out of range. `fit` raises it if an attribute is unknown, or if no tree meets
        the conditions. Sometimes only the search finds out that there is no such tree.

    Notes
    -----
    The tree minimises (costs of misclassification + costs of attributes) / L + alpha x size. L is the cost of the best
    tree without a split, or 1 if this cost is 0. Without `misclassification_costs`, this cost is the errors of the
    majority rule.

    At each test of a monotone attribute, the leaves on both sides are compared. With 1, no leaf on the side of the
    smaller values has a greater class than a leaf on the other side. With -1, no leaf on the side of the smaller values
    has a smaller class than a leaf on the other side. scikit-learn's `monotonic_cst` has the
    same requirement for probabilities of two classes. The condition on the leaves is sufficient for monotone
    predictions, but not necessary.

    References
    ----------
    - Turney (1995), *Cost-Sensitive Classification: Empirical Evaluation of a Hybrid Genetic Decision Tree Induction
      Algorithm*, section 2: a case pays for each test on its path, and once for a test that is repeated.

    Examples
    --------
    >>> from orchard import Conditions, OCTClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> model = OCTClassifier(max_depth=2, conditions=Conditions(order=["f2", "f1"])).fit(X, y)
    >>> print(model.export_text())
    f2 <= 0.5: 0
    f2 > 0.5
    |   f1 <= 0.5: 0
    |   f1 > 0.5: 1
    >>> model.price_of_conditions_.difference
    0.0
    """

    first: Name | tuple[Name, float] | None = None
    forbidden: Sequence[Name] = ()
    required: Sequence[Name] = ()
    order: Sequence[Name | Sequence[Name]] = ()
    once: Sequence[Name] = ()
    max_attributes: int | None = None
    monotone: Mapping[Name, int] | None = None
    class_order: Sequence[Any] | None = None
    attribute_costs: Mapping[Name, float] | None = None
    misclassification_costs: ArrayLike | None = None

    def __post_init__(self) -> None:
        """Check the types; `terms_of` checks the rest against the rows."""
        check_parameters({"max_attributes": [Whole(0), None]}, {"max_attributes": self.max_attributes})
        for name in ("forbidden", "required", "order", "once"):
            if not Columns().allows(getattr(self, name)) or (name == "order" and isinstance(self.order, Set)):
                raise ParameterError(
                    f"`{name}` is {getattr(self, name)!r}: expected a list of names or positions of attributes"
                )
        for name, what in (("monotone", "1 or -1"), ("attribute_costs", "their costs")):
            if not isinstance(getattr(self, name), Mapping | None):
                raise ParameterError(f"`{name}` is {getattr(self, name)!r}: expected a dict from attributes to {what}")

    @staticmethod
    def of(given: Conditions | Mapping[str, Any]) -> Conditions:
        """The conditions of a mapping from names of parameters, as from YAML. Raises ParameterError for a wrong one."""
        if isinstance(given, Conditions):
            return given
        names = [condition.name for condition in fields(Conditions)]
        for name in given:
            if name not in names:
                near = get_close_matches(str(name), names, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"the conditions are {', '.join(names)}"
                raise ParameterError(f"there is no condition {name!r}: {hint}")
        first = given.get("first")
        return Conditions(**{**given, "first": tuple(first) if isinstance(first, list) else first})

    def __repr__(self) -> str:
        values = ((condition, getattr(self, condition.name)) for condition in fields(self))
        settings = [f"{condition.name}={value!r}" for condition, value in values if value is not condition.default]
        return f"Conditions({', '.join(settings)})"

    @property
    def costly(self) -> bool:
        """Whether the conditions change the costs of trees, and not only which trees are allowed."""
        return bool(self.attribute_costs) or self.misclassification_costs is not None
