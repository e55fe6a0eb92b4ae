"""Which rows of a data set train, tune and test: published split, holdout, k-fold, repeated, 5x2, Weka's folds."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Rows
from pipeline.configuration.rules import Rule, one_of, within
from pipeline.errors import ConfigError
from pipeline.words import counted

if TYPE_CHECKING:
    from pipeline.configuration.settings import ProtocolSettings

__all__ = ["Protocol", "ProtocolError", "Split", "SplitSource", "drawn_seed"]

Method = Literal["published", "holdout", "k_fold"]

MOST_FOLDS = 10_000
MOST_REPEATS = 10_000
SHARE = Rule("more than 0 and less than 1", lambda value: 0 < value < 1)


class ProtocolError(ValueError):
    """A data set cannot be split as requested. The message names the data set, the reason and a remedy."""


@dataclass(frozen=True)
class Split:
    """The indices of the training rows, the test rows and, if any, the tuning rows; no row is in two of these."""

    train: Rows
    test: Rows
    validation: Rows = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(frozen=True)
class SplitSource:
    """What a protocol must know about a data set.

    name      : for messages
    decisions : (rows,) int32, the class of each row, none missing
    classes   : the label of each class
    published : number of rows in the published training part, which come first; None: there is no such split
    seed_name : the name from which seeds are drawn; if it is empty, `name`
    """

    name: str
    decisions: NDArray[np.int32]
    classes: tuple[str, ...]
    published: int | None = None
    seed_name: str = ""


@dataclass(frozen=True)
class Protocol:
    """How often, and by which rule, rows are split into training and test rows.

    method     : `published`: the data set's own split; `holdout`: a share of the rows are test rows; `k_fold`: each
                 row is a test row once in each repeat
    folds      : of `k_fold`; 5x2 is 2 folds and 5 repeats
    test_share : of `holdout`, between 0 and 1
    validation_share : of `holdout`, the share of all rows that are kept for tuning, neither training nor test rows
    repeats    : number of random draws
    stratified : whether each part has the classes in about the proportion of the whole
    weka       : draw the folds of `k_fold` as Weka does, stratified, with seed `root seed + r` for repeat r; the
                 training rows are then in Weka's order
    key        : the key of the configuration that has it, for messages

    All other splits are drawn by scikit-learn, whose conventions define what a data set must have. The rows of a repeat
    depend only on the root seed, the name of the data set and the repeat. For a file given by its path, that is the
    name without the folders.
    """

    method: Method
    folds: int = 1
    test_share: float = 0.0
    repeats: int = 1
    stratified: bool = False
    weka: bool = False
    validation_share: float = 0.0
    key: str = field(default="protocol", compare=False)

    @staticmethod
    def of(config: ProtocolSettings, *, tunes: bool = False, key: str = "protocol") -> Protocol:
        """Make the protocol from a configuration; ConfigError names a key whose value is not allowed.

        tunes : whether the grid keeps rows for tuning
        key   : the key of this configuration
        """
        one_of(*get_args(Method)).check(f"{key}.method", config.method)
        _check_used(config, key)
        given = {name: getattr(config, name) for name in _OF_IDENTITY}
        protocol = Protocol(**{name: value for name, value in given.items() if value is not None}, key=key)
        if tunes != (config.validation_share is not None):
            expected = (
                f"the share of the rows for tuning, as {_choice(key)}=three_way sets it"
                if tunes
                else "null, because no builder is tuned"
            )
            share = "null" if config.validation_share is None else config.validation_share
            raise ConfigError(f"{key}.validation_share is {share}: expected {expected}")
        if protocol.method == "k_fold":
            within(2, MOST_FOLDS).check(f"{key}.folds", config.folds)
        if protocol.method == "holdout":
            SHARE.check(f"{key}.test_share", config.test_share)
        if tunes and not 0 < protocol.validation_share < 1 - protocol.test_share:
            raise ConfigError(
                f"{key}.validation_share is {config.validation_share}: expected more than 0 and less than "
                f"{1 - protocol.test_share:g} (1 - {key}.test_share)"
            )
        if protocol.weka and not protocol.stratified:
            raise ConfigError(
                f"{key}.weka is true, but {key}.stratified is false: Weka's folds are stratified, so set "
                f"{key}.stratified=true, or {key}.weka=false"
            )
        within(1, MOST_REPEATS).check(f"{key}.repeats", config.repeats)
        return protocol

    def identity(self) -> dict[str, Any]:
        """Everything that can change a result."""
        return {name: getattr(self, name) for name in _OF_IDENTITY}

    @property
    def splits(self) -> int:
        """The number of splits of a data set."""
        return self.repeats * self.folds

    def check(self, source: SplitSource) -> None:
        """Raise ProtocolError, with the reason, if the data set cannot be split in this way."""
        name, rows, key = source.name, len(source.decisions), self.key
        unstratified = f"{key}.stratified=false"
        if rows < 2:
            raise ProtocolError(f"'{name}' has {counted(rows, 'row')} with a class, but a split needs two rows or more")
        class_sizes = np.bincount(source.decisions, minlength=len(source.classes))
        rarest = int(np.where(class_sizes > 0, class_sizes, rows + 1).argmin())
        if self.method == "published":
            if source.published is None:
                raise ProtocolError(
                    f"'{name}' has no published split: choose another protocol, such as {_choice(key)}=k_fold"
                )
            if not 0 < source.published < rows:
                raise ProtocolError(
                    f"a part of the published split of '{name}' has no row with a class: choose another protocol, "
                    f"such as {_choice(key)}=k_fold"
                )
        elif self.method == "k_fold":
            if self.folds > rows:
                most_folds = int(class_sizes.max()) if self.stratified and not self.weka else rows
                mend = f"{key}.folds={most_folds}" if most_folds > 1 else f"{key}.folds={rows} {unstratified}"
                rows_known = counted(rows, "row")
                raise ProtocolError(
                    f"{key}.folds is {self.folds}, but '{name}' has {rows_known} with a class: set {mend}"
                )
            if self.stratified and not self.weka and self.folds > class_sizes.max():
                most = counted(int(class_sizes.max()), "row")
                mend = f"{'use fewer folds, or ' if class_sizes.max() > 1 else ''}set {unstratified}"
                if 2 * np.count_nonzero(class_sizes) > rows:
                    mend = "choose another column as the class, or merge classes"
                raise ProtocolError(
                    f"{key}.folds is {self.folds}, but no class of '{name}' has more than {most}: {mend}"
                )
        elif self.stratified and class_sizes[rarest] == 1:
            raise ProtocolError(
                f"class {source.classes[rarest]!r} of '{name}' has a single row, which cannot be in both training and "
                f"test rows: set {unstratified}, or leave the row out"
            )

    def split(self, source: SplitSource, seed: int, repeat: int, fold: int) -> Split:
        """The rows of one fold of one repeat, both counted from 1; `seed` is the root of all draws.

        Raises ProtocolError as `check` does, and if a share leaves no rows, or no rows of a class, for a part.
        """
        self.check(source)
        if self.method == "published":
            rows = np.arange(len(source.decisions))
            return Split(rows[: source.published], rows[source.published :])
        if self.weka:
            from algorithms.data.weka_folds import weka_folds

            return Split(*next(islice(weka_folds(source.decisions, self.folds, seed + repeat), fold - 1, None)))
        from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, StratifiedShuffleSplit

        seed_name = source.seed_name or source.name
        state = drawn_seed(seed, seed_name, repeat)
        shuffle = StratifiedShuffleSplit if self.stratified else ShuffleSplit
        if self.method == "holdout":
            splitter = shuffle(1, test_size=self.test_share, random_state=state)
        else:
            kind = StratifiedKFold if self.stratified else KFold
            splitter = kind(self.folds, shuffle=True, random_state=state)
        try:
            with warnings.catch_warnings():
                # the caller of `check` reports it
                warnings.filterwarnings("ignore", "The least populated class in y has only")
                parts = list(splitter.split(np.zeros(len(source.decisions)), source.decisions))
                train, test = parts[fold - 1]
                if not self.validation_share:
                    return Split(np.sort(train), np.sort(test))
                share = self.validation_share / (1 - self.test_share)  # of the rows that do not test
                again = shuffle(1, test_size=share, random_state=drawn_seed(seed, seed_name, repeat, "validation"))
                ((learn, tune),) = again.split(np.zeros(len(train)), source.decisions[train])
                return Split(np.sort(train[learn]), np.sort(test), np.sort(train[tune]))
        except ValueError as error:
            shares = f"{self.key}.test_share={self.test_share}"
            shares += f" and {self.key}.validation_share={self.validation_share}" if self.validation_share else ""
            mend = f"choose other shares{f', or set {self.key}.stratified=false' if self.stratified else ''}"
            raise ProtocolError(f"'{source.name}' cannot be split by {shares}: {error}; {mend}") from error


def drawn_seed(seed: int, *what: str | int) -> int:
    """A seed of 32 bits for a named draw, such as (source, repeat, fold), from the root seed."""
    name = "\0".join(map(str, (seed, *what)))
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest(), "big")


_OF_IDENTITY = tuple(each.name for each in fields(Protocol) if each.compare)


def _choice(key: str) -> str:
    """The key that chooses a YAML of the folder `protocol` for a key of the configuration."""
    return key if key == "protocol" else f"protocol@{key}"


def _check_used(config: ProtocolSettings, above: str) -> None:
    """Raise ConfigError for a key that the method does not use, rather than ignore it."""
    used = {
        "published": set(),
        "holdout": {"test_share", "validation_share", "repeats", "stratified"},
        "k_fold": {"folds", "repeats", "stratified", "weka"},
    }[config.method]
    no_effect: dict[str, object] = dict.fromkeys(("folds", "test_share", "validation_share"))
    no_effect |= {"repeats": 1, "stratified": False, "weka": False}
    for key, value in no_effect.items():
        if key not in used and getattr(config, key) != value:
            given = f"{above}.{key} is {getattr(config, key)}"
            raise ConfigError(
                f"{given}, but {above}.method={config.method} does not use this key: leave it out; "
                f"to change the method, type {_choice(above)}=NAME, not {above}.method=NAME"
            )
