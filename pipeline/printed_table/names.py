"""Match names as papers print them to known names."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

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
"""Names of builders elsewhere, in lower case, letters and digits only."""
SET_NAMES: Mapping[str, str] = {
    "breastw": "uci/breast-cancer-wisconsin",
    "credita": "uci/credit-approval",
    "creditg": "uci/german-credit",
    "diabetes": "uci/pima",
    "segment": "uci/image-segmentation",
    "vote": "uci/house-votes-84",
}
"""Names of the catalogue's data sets in Weka and OpenML, in lower case, letters and digits only."""
MOST_NEAR = 3


@dataclass(frozen=True)
class Match:
    """The known name that a printed name stands for.

    name : None if no known name matches
    near : similar known names
    """

    name: str | None
    near: Sequence[str] = ()


@dataclass(frozen=True)
class NameMatcher:
    """Matches printed names to the known names of one kind of thing, such as builders.

    known : in order of preference
    given : printed names, with the names that a person says they stand for
    other : names elsewhere in lower case, letters and digits only, with the known names
    """

    known: Sequence[str]
    given: Mapping[str, str]
    other: Mapping[str, str]

    def find(self, printed: str) -> Match:
        """Find the known name for a printed name: the given name, the same name, or the same letters and digits.

        A data set `group/name` also matches by `name` alone; if several groups have it, the first known one counts.
        """
        if printed in self.given:
            return Match(self.given[printed])
        if printed in self.known:
            return Match(printed)
        plain = _plain(printed)
        if plain in self.other:
            return Match(self.other[plain])
        if plain in self._whole:
            return Match(self._whole[plain])
        return Match(None, _near(plain, self._short))

    @cached_property
    def _short(self) -> dict[str, str]:
        """The known names by their plain form without the group."""
        return {_plain(name.partition("/")[2] or name): name for name in reversed(self.known)}

    @cached_property
    def _whole(self) -> dict[str, str]:
        """The known names by their plain form, with and without the group."""
        forms = ((form, name) for name in reversed(self.known) for form in (name, name.partition("/")[2]))
        return {_plain(form): name for form, name in forms if _plain(form)}


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _near(plain: str, by_plain: Mapping[str, str]) -> list[str]:
    """The known names that contain the plain name or are contained in it, then those with the most similar letters."""
    close = difflib.get_close_matches(plain, by_plain, n=MOST_NEAR, cutoff=0.6)
    within = [name for name in by_plain if len(plain) > 2 and (plain in name or (len(name) > 2 and name in plain))]
    return [by_plain[name] for name in dict.fromkeys([*within, *close])][:MOST_NEAR]
