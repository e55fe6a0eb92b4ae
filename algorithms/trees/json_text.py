"""A decision tree as JSON and back."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import numpy as np

from algorithms.plurals import counted
from algorithms.trees.arrays import ARRAY_TYPES, TreeError
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.given import tree_and_labels

__all__ = ["FORMAT", "from_json", "to_json"]

FORMAT = "orchard.tree/1"

_TWO_DIMENSIONS = {"counts", "coefficients"}


def to_json(tree: Any) -> str:
    """Return the arrays of a tree as strict JSON, without names of attributes and without labels.

    Parameters
    ----------
    tree : DecisionTree or fitted estimator
        The tree, or an estimator that has one as `tree_`.

    Returns
    -------
    str
        From this text, `from_json` makes the same tree. An infinite bound is null.

    Examples
    --------
    >>> from orchard import ID3Classifier, to_json
    >>> to_json(ID3Classifier().fit([["red"], ["blue"]], ["stop", "go"]))[:12]
    '{"format": "'
    """
    tree, _ = tree_and_labels(tree)
    arrays = {field.name: getattr(tree, field.name).tolist() for field in fields(tree)}
    arrays["edge_bound"] = [bound if np.isfinite(bound) else None for bound in arrays["edge_bound"]]
    return json.dumps({"format": FORMAT, **arrays}, allow_nan=False)


def from_json(text: str) -> DecisionTree:
    """Return the tree that `to_json` wrote.

    Parameters
    ----------
    text : str

    Returns
    -------
    DecisionTree

    Raises
    ------
    TreeError
        The text is not JSON or not of this format, or its arrays are not a tree.

    Examples
    --------
    >>> from orchard import ID3Classifier, from_json, to_json
    >>> from_json(to_json(ID3Classifier().fit([["red"], ["blue"]], ["stop", "go"])))
    <DecisionTree: 3 nodes, 2 leaves, depth 1>
    """
    try:
        arrays = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise TreeError(f"the text is not a tree, because it is not JSON ({error})") from error
    if not isinstance(arrays, dict) or arrays.pop("format", None) != FORMAT:
        raise TreeError(f'the text is not a tree: expected a JSON object with "format": "{FORMAT}"')
    if set(arrays) != set(ARRAY_TYPES):
        absent, unknown = sorted(set(ARRAY_TYPES) - set(arrays)), sorted(set(arrays) - set(ARRAY_TYPES))
        fault = f"lacks the arrays {', '.join(absent)}" if absent else f"has the unknown arrays {', '.join(unknown)}"
        raise TreeError(f"the text is not a tree: its object {fault}")
    return DecisionTree(**{name: _array(name, arrays[name]) for name in ARRAY_TYPES})


def _array(name: str, value: Any) -> Any:
    if name == "edge_bound" and isinstance(value, list):
        value = [np.inf if bound is None else bound for bound in value]
    dimensions = 2 if name in _TWO_DIMENSIONS else 1
    try:
        array = np.array(value)
    except ValueError as error:
        raise TreeError(f"the text is not a tree: `{name}` has rows of different lengths") from error
    if array.dtype.kind not in "iuf":
        raise TreeError(f"the text is not a tree: `{name}` is not a list of numbers")
    if array.size == 0:
        return np.zeros((0,) * dimensions, ARRAY_TYPES[name])
    with np.errstate(invalid="ignore"):  # checked below
        exact = array.astype(ARRAY_TYPES[name])
    if array.ndim != dimensions or not np.array_equal(exact, array):
        expected = f"{ARRAY_TYPES[name]} in {counted(dimensions, 'dimension')}"
        raise TreeError(f"the text is not a tree: `{name}` is not an array of {expected}")
    return exact
