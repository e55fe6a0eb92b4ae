"""Names as papers print them, matched to those that are known here."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["BUILDER_NAMES", "SET_NAMES", "Named", "NamesOf"]

BUILDER_NAMES: Mapping[str, str] = {
    "c45rules": "tree_rules",
    "decisiontree": "cart",
    "j48": "c45",
    "libsvm": "svm",
    "mlp": "mlp",
    "multilayerperceptron": "mlp",
    "nb": "naive_bayes",
    "rf": "random_forest",
    "rt": "random_tree",
    "smo": "svm",
    "weka": "c45",
}
"""What builders are called elsewhere, in small letters and digits alone."""
SET_NAMES: Mapping[str, str] = {
    "breastw": "uci/breast-cancer-wisconsin",
    "credita": "uci/credit-approval",
    "creditg": "uci/german-credit",
    "diabetes": "uci/pima",
    "segment": "uci/image-segmentation",
    "vote": "uci/house-votes-84",
}
"""What Weka and OpenML call data sets of the catalogue, in small letters and digits alone."""
MOST_NEAR = 3


@dataclass(frozen=True)
class Named:
    """What a printed name stands for.

    name : the known name; None: there is none
    near : known names that are near it
    """

    name: str | None
    near: Sequence[str] = ()


@dataclass(frozen=True)
class NamesOf:
    """The names there are of one kind of thing.

    known : in order of preference
    given : what a person says that printed names stand for
    other : what they are called elsewhere, in small letters and digits alone
    """

    known: Sequence[str]
    given: Mapping[str, str]
    other: Mapping[str, str]

    def find(self, printed: str) -> Named:
        """The known name that a printed one stands for: what is given, the same, or the same letters and digits.

        Of a data set `group/name` the name alone will do, and of several groups the first that is known.
        """
        if printed in self.given:
            return Named(self.given[printed])
        if printed in self.known:
            return Named(printed)
        plain = _plain(printed)
        if plain in self.other:
            return Named(self.other[plain])
        for name in self.known:
            if plain and plain in (_plain(name), _plain(name.partition("/")[2])):
                return Named(name)
        return Named(None, _near(plain, self.known))


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _near(plain: str, known: Iterable[str]) -> list[str]:
    """The known names that have all of these letters in a row, or the reverse, then those whose letters are nearest."""
    by_plain = {_plain(name.partition("/")[2] or name): name for name in reversed(list(known))}
    close = difflib.get_close_matches(plain, by_plain, n=MOST_NEAR, cutoff=0.6)
    within = [one for one in by_plain if len(plain) > 2 and (plain in one or (len(one) > 2 and one in plain))]
    return [by_plain[one] for one in dict.fromkeys([*within, *close])][:MOST_NEAR]
