"""Conditions in terms of the rows of an instance, checked against them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, unmasked
from algorithms.data.data_set import AttributeKind, Column, DataSet, missing_in
from algorithms.data.inputs import ordered_categories
from algorithms.data.selected_columns import is_ambiguous, meanings
from algorithms.optimal.conditions.conditions import Conditions
from algorithms.optimal.instance import Instance, MissingRule
from algorithms.optimal.majority_rule import greatest_ratio, sums_are_exact
from algorithms.options import Columns, Number, ParameterError
from algorithms.plurals import counted

UNRANKED = -1

MOST_COST, LEAST_SUM, MOST_SUM = 1e100, 1e-300, 1e300
"""Limits of costs, and of their products with the weight of all rows, so that sums and quotients are finite."""
COST = f"a finite number from 0 to {MOST_COST:g}"
FINITE = Number(-math.inf, math.inf, "neither")


@dataclass(frozen=True, eq=False)
class ConditionTerms:
    """Conditions by the index of each attribute; sets of attributes are bits of an integer."""

    first: int | None  # the attribute of the root
    threshold: float | None  # its threshold, if one is given
    allowed: int  # the attributes that may be tested
    required: int  # those that must be tested
    most: int  # different attributes at most
    rank: NDArray[np.int64]  # (attributes,) the position in `order`, UNRANKED for others
    once: int  # the attributes that a path may test once only
    monotone: NDArray[np.int64]  # (attributes,) 1, -1, or 0 for neither
    price: Numbers  # (attributes,) the cost of knowing it for a row of weight 1
    classes: NDArray[np.int64]  # (classes,) the classes from low to high
    cost: Numbers  # (classes, classes) of a row of the first class in a leaf of the second, both by `classes`


def check_order_of_classes(conditions: Conditions, y: Any, classes: NDArray[Any]) -> None:
    """Raise ParameterError if `monotone` would ignore the order of an ordered category of pandas, polars or Arrow."""
    if not conditions.monotone or conditions.class_order is not None:
        return
    known = classes.tolist()
    order = [label for label in ordered_categories(y) if label in known]
    if order and order != known:
        _fail(
            f"`monotone` takes the classes in the order {', '.join(map(str, known))}, but the category of y has the "
            f"order {', '.join(map(str, order))}: give one of them, such as class_order={order}"
        )


def bits_of(attributes: Iterable[int]) -> int:
    """A set of attributes as bits."""
    return sum(1 << attribute for attribute in set(attributes))


def terms_of(conditions: Conditions, instance: Instance) -> ConditionTerms:
    """The conditions for these rows. Raises ParameterError if one is wrong, or no tree can meet them."""
    data = instance.data
    first, threshold = _first(conditions, data)
    groups = [
        [group] if isinstance(group, str) or not hasattr(group, "__iter__") else list(group)
        for group in conditions.order
    ]
    rank = np.full(len(data.columns), UNRANKED)
    for position, group in enumerate(groups):
        for attribute in _indices("order", group, data):
            if rank[attribute] != UNRANKED:
                _fail(f"`order` names attribute {data.attributes[attribute].name!r} twice: name each attribute once")
            rank[attribute] = position
    all_attributes = bits_of(range(len(data.columns)))
    classes = _class_order(conditions, data)
    terms = ConditionTerms(
        first=first,
        threshold=threshold,
        allowed=all_attributes & ~bits_of(_indices("forbidden", conditions.forbidden, data)),
        required=bits_of(_indices("required", conditions.required, data)),
        most=len(data.columns) if conditions.max_attributes is None else conditions.max_attributes,
        rank=rank,
        once=bits_of(_indices("once", conditions.once, data)),
        monotone=_by_attribute("monotone", conditions, data, np.int64, _is_sign, "1 or -1"),
        price=_by_attribute("attribute_costs", conditions, data, np.float64, Number(0, MOST_COST).allows, COST),
        classes=classes,
        cost=_costs(conditions, data)[np.ix_(classes, classes)],
    )
    _check_together(terms, instance)
    return terms


def _first(conditions: Conditions, data: DataSet) -> tuple[int | None, float | None]:
    if conditions.first is None:
        return None, None
    if not isinstance(conditions.first, tuple):
        return _index("first", conditions.first, data), None
    if len(conditions.first) != 2 or not FINITE.allows(conditions.first[1]):
        _fail(f"`first` is {conditions.first!r}: expected an attribute, or a pair of an attribute and a number")
    index, threshold = _index("first", conditions.first[0], data), float(conditions.first[1])
    attribute, column = data.attributes[index], data.columns[index]
    if attribute.kind is not AttributeKind.NUMERIC:
        _fail(f"`first` gives a threshold for attribute {attribute.name!r}, which is nominal: give only the attribute")
    known = column[~missing_in(column)]
    if not len(known):
        _fail(f"`first` names attribute {attribute.name!r}, which has no value in any row: choose another attribute")
    least, most = known.min(), known.max()
    if not least <= threshold < most:
        _fail(
            f"`first` splits attribute {attribute.name!r} at {threshold:g}, but its values are from {least:g} to "
            f"{most:g}: choose a threshold that leaves rows on both sides"
        )
    return index, threshold


def _check_together(terms: ConditionTerms, instance: Instance) -> None:
    """Raise ParameterError for conditions that no tree for these rows meets together."""
    data, weight = instance.data, float(instance.weights.sum())
    greatest = max(terms.cost.max(initial=0), terms.price.max(initial=0))
    if greatest and not LEAST_SUM <= weight * greatest < MOST_SUM:
        _fail(
            f"the sum of the weights is {weight:g}, and the greatest cost is {greatest:g}: expected their product "
            f"to be from {LEAST_SUM:g} to {MOST_SUM:g}. Multiply or divide each cost by the same number"
        )
    _check_sums(terms, instance)
    names = [attribute.name for attribute in data.attributes]
    needed = [index for index in range(len(names)) if terms.required >> index & 1]
    forced = [("required", index) for index in needed]
    forced += [] if terms.first is None else [("first", terms.first)]
    for what, index in forced:
        if not terms.allowed >> index & 1:
            _fail(f"`{what}` and `forbidden` both name attribute {names[index]!r}: remove one of the two conditions")
        number, lacking = _value_counts(data.columns[index])
        if len(number) + (lacking > 0 and instance.missing != "all_branches") < 2:
            _fail(f"`{what}` names attribute {names[index]!r}, which has fewer than two values: no node can test it")
        least, kind = instance.min_samples_leaf, data.attributes[index].kind
        can_split = _splits(number, lacking, kind, instance.missing, least)
        if (what == "first" or kind is AttributeKind.NUMERIC) and not can_split:
            _fail(
                f"`{what}` names attribute {names[index]!r}, but each test of it has a branch of fewer than "
                f"{counted(least, 'row')}: reduce min_samples_leaf or remove the condition"
            )
        if instance.max_depth == 0 or instance.max_splits == 0 or data.rows < 2 * least:
            _fail(
                f"`{what}` names attribute {names[index]!r}, but the tree can have no split: raise max_depth or "
                "max_splits, or reduce min_samples_leaf"
            )
    needs = len({index for _, index in forced})
    keys = [f"`{what}`" for what in dict.fromkeys(what for what, _ in forced)]
    named = f"{' and '.join(keys)} {'name' if len(keys) > 1 else 'names'} {counted(needs, 'attribute')}"
    if needs > terms.most:
        _fail(f"max_attributes is {terms.most}, but {named}: raise max_attributes")
    most = _most_splits(instance)
    if needs > most:
        _fail(
            f"{named}, but the tree can have at most {counted(int(most), 'split')}: name fewer attributes, or raise "
            "max_depth or max_splits, or reduce min_samples_leaf"
        )
    if terms.first is not None:
        late = [index for index in needed if UNRANKED < terms.rank[index] < terms.rank[terms.first]]
        if late:
            _fail(
                f"`required` names attribute {names[late[0]]!r}, but `order` forbids it below "
                f"{names[terms.first]!r}, the attribute of `first`: change one of these three conditions"
            )
    for index in np.flatnonzero(terms.monotone).tolist():
        if data.attributes[index].kind is not AttributeKind.NUMERIC:
            _fail(
                f"`monotone` names attribute {names[index]!r}, which is nominal: expected numeric attributes. If its "
                "labels have an order, replace them by numbers in this order"
            )


def _check_sums(terms: ConditionTerms, instance: Instance) -> None:
    """Raise ParameterError if rounding of sums of costs may hide the cost of a row."""
    weights, costs = instance.weights, terms.cost[terms.cost > 0]
    if sums_are_exact(weights) and not instance.shares_rows:
        return
    greatest = float(weights.sum() * costs.max(initial=0))
    least = float(weights.min() * costs.min(initial=costs.max(initial=0)))
    most = greatest_ratio(instance.data.rows)
    if greatest > most * least:
        _fail(
            f"the cheapest error costs {least:g}, but errors in all rows cost {greatest:g}, more than {most:.2g} times "
            "as much: rounding would hide the cheapest error. Reduce the greatest weights or costs, or leave out rows "
            "of little weight"
        )


def _value_counts(column: Column) -> tuple[NDArray[np.int64], int]:
    """(values,): how many rows have each value of a column; and how many lack one."""
    lacking = missing_in(column)
    return np.unique(column[~lacking], return_counts=True)[1], int(lacking.sum())


def _splits(number: NDArray[np.int64], lacking: int, kind: AttributeKind, rule: MissingRule | None, least: int) -> bool:
    """Whether some test of an attribute has at least `least` rows in each branch.

    True for more than two labels, since a split into sets of labels may do so.

    number, lacking : of `_value_counts`
    """
    if lacking and rule == "all_branches":  # the number of rows depends on their weights
        return True
    if kind is not AttributeKind.NUMERIC:
        number = np.append(number, lacking) if lacking else number
        return bool(number.min() >= least) or len(number) > 2
    below = number.cumsum()
    above = below[-1] - below
    sides = [(below, above + lacking), (below + lacking, above)]
    if lacking and rule == "own_branch":
        sides = [(below, np.where(above > 0, above, lacking))]  # perhaps no row of a node lacks the value
    return any(((left >= least) & (right >= least)).any() for left, right in sides)


def _most_splits(instance: Instance) -> float:
    """An upper bound of the splits of a tree: each adds a leaf, and a level has at most a node for each branch."""
    most: float = instance.data.rows // instance.min_samples_leaf - 1
    if instance.max_splits is not None:
        most = min(most, instance.max_splits)
    if instance.max_depth is not None and instance.max_depth < 64:
        data = instance.data
        nominal = [attribute for attribute in data.attributes if attribute.kind is AttributeKind.NOMINAL]
        missing = len(data.incomplete) > 0
        width = max([2 + missing, *(len(attribute.labels) + missing for attribute in nominal)])
        most = min(most, sum(width**level for level in range(instance.max_depth)))
    return most


def _class_order(conditions: Conditions, data: DataSet) -> NDArray[np.int64]:
    if conditions.class_order is None:
        return np.arange(len(data.classes))
    if not Columns().allows(conditions.class_order) or isinstance(conditions.class_order, Set):
        _fail(f"class_order is {conditions.class_order!r}: expected a list of the classes {', '.join(data.classes)}")
    given = [str(label) for label in conditions.class_order]
    if sorted(given) != sorted(data.classes):
        _fail(f"class_order is {list(given)}: expected each of the classes {', '.join(data.classes)} once")
    return np.array([data.classes.index(label) for label in given])


def _costs(conditions: Conditions, data: DataSet) -> Numbers:
    classes = len(data.classes)
    if conditions.misclassification_costs is None:
        return np.asarray(1.0 - np.eye(classes))
    square = f"expected a row and a column for each of the classes {', '.join(data.classes[:9])}"
    given = _by_class(conditions.misclassification_costs, data)
    try:
        cost = np.array(given, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError(f"misclassification_costs are not a matrix of numbers: {square}") from error
    if cost.shape != (classes, classes):
        _fail(f"misclassification_costs have the shape {cost.shape}: {square}")
    wrong = np.argwhere(~((cost >= 0) & (cost <= MOST_COST)) | (np.eye(classes) * cost > 0))
    if len(wrong):
        row, column = wrong[0].tolist()
        wanted = "0, because this is not an error" if row == column else COST
        _fail(
            f"misclassification_costs are {cost[row, column]:g} for class {data.classes[row]!r} in a leaf of class "
            f"{data.classes[column]!r}: expected {wanted}"
        )
    return cost


def _by_class(costs: Any, data: DataSet) -> Any:
    """A frame of costs with names of classes in the order of the classes; anything else as given."""
    if len(getattr(costs, "shape", ())) != 2:
        return costs
    if not hasattr(costs, "iloc"):
        columns = list(getattr(costs, "column_names", getattr(costs, "columns", ())))  # of Arrow, of polars
        unnamed = [[f"{prefix}{index}" for index in range(len(columns))] for prefix in ("", "column_")]
        if columns not in (list(data.classes), *unnamed):
            _fail(
                f"misclassification_costs name the columns {columns}, and no rows: expected the columns "
                f"{', '.join(data.classes[:9])} in this order, or a pandas frame that names its rows, too"
            )
        return unmasked(costs)
    names = [[str(label) for label in axis] for axis in costs.axes]
    classes = sorted(data.classes)
    if [sorted(labels) for labels in names] == [classes, classes]:
        return costs.iloc[tuple([labels.index(label) for label in data.classes] for labels in names)]
    if any(labels != [*map(str, range(len(labels)))] for labels in names):
        known = f"expected each of the classes {', '.join(data.classes[:9])} once, as a row and as a column"
        _fail(f"misclassification_costs name the rows {names[0]} and the columns {names[1]}: {known}")
    return costs


def _by_attribute(
    what: str, conditions: Conditions, data: DataSet, dtype: type[Any], allows: Callable[[Any], bool], expected: str
) -> NDArray[Any]:
    """(attributes,): the values of a mapping, 0 for attributes that it does not have."""
    result, named = np.zeros(len(data.columns), dtype), set[int]()
    for name, value in (getattr(conditions, what) or {}).items():
        if not allows(value):
            _fail(f"`{what}` has {value!r} for attribute {name!r}: expected {expected}")
        index = _index(what, name, data)
        if index in named:
            _fail(f"`{what}` names attribute {data.attributes[index].name!r} twice: name each attribute once")
        named.add(index)
        result[index] = value
    return result


def _is_sign(value: Any) -> bool:
    return FINITE.allows(value) and value in {1, -1}


def _indices(what: str, names: Iterable[Any], data: DataSet) -> list[int]:
    return [_index(what, name, data) for name in names]


def _index(what: str, name: Any, data: DataSet) -> int:
    """The index of an attribute, by its name or position. Raises ParameterError for an unknown one."""
    names = [attribute.name for attribute in data.attributes]
    index = names.index(name) if isinstance(name, str) and name in names else name
    if not isinstance(index, Integral) or isinstance(index, bool) or not 0 <= int(index) < len(names):
        near = get_close_matches(name, names, 1) if isinstance(name, str) else []
        known = f"expected a name, such as {', '.join(names[:9])}, or a position from 0 to {len(names) - 1}"
        hint = f"did you mean {near[0]!r}?" if near else known
        _fail(f"`{what}` names {name!r}, which is not an attribute: {hint}")
    if is_ambiguous(name, names):
        _fail(f"`{what}` names {name!r}, {meanings(name, names)}")
    return int(index)


def _fail(message: str) -> NoReturn:
    raise ParameterError(message)
