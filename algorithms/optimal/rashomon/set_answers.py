"""The answers of a Rashomon set about its trees and their attributes."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["AttributeUse", "GoodSize", "ImportanceInterval"]


class GoodSize(NamedTuple):
    """How many good trees have the same errors, splits and leaves, and so the same objective.

    Attributes
    ----------
    objective : float
    errors : float
        The weight of the rows that each tree misclassifies.
    splits, leaves : int
    number : int
        How many trees there are.
    """

    objective: float
    errors: float
    splits: int
    leaves: int
    number: int


class AttributeUse(NamedTuple):
    """The share of the good trees that use an attribute, and the loss without it.

    Attributes
    ----------
    attribute : int
        Its index.
    share : float
        The share of the good trees that use it.
    loss : float
        How much greater the least objective is without it.
    """

    attribute: int
    share: float
    loss: float


class ImportanceInterval(NamedTuple):
    """How important an attribute is in good trees: from the least to the greatest.

    Attributes
    ----------
    attribute : int
        Its index.
    least, greatest : float
        The least and the greatest share of the rows, by weight, that reach a node that tests the attribute.
    """

    attribute: int
    least: float
    greatest: float
