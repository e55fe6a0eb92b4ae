"""Which rows train and which test: parts of all rows, drawn from what they are called and nothing else."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.weka_folds import weka_folds
from pipeline.data.protocols import Protocol, ProtocolError, SplitSource, drawn_seed
from pipeline.errors import ConfigError

K_FOLD = Protocol("k_fold", folds=3, repeats=2, stratified=True)
HOLDOUT = Protocol("holdout", test_share=0.25, stratified=True)
PUBLISHED = Protocol("published")
UNSET = {"folds": None, "test_share": None, "repeats": 1, "stratified": True, "weka": False, "validation_share": None}
DEFAULTS = {
    "published": UNSET | {"stratified": False},
    "holdout": UNSET | {"test_share": 0.3},
    "k_fold": UNSET | {"folds": 10},
}


def source(decisions: list[int], name: str = "mine", published: int | None = None) -> SplitSource:
    labels = tuple(f"c{code}" for code in range(max(decisions) + 1))
    return SplitSource(name, np.array(decisions, np.int32), labels, published)


def config(method: str, **changes: Any) -> Any:
    return SimpleNamespace(method=method, **(DEFAULTS.get(method, DEFAULTS["k_fold"]) | changes))


@given(
    st.lists(st.integers(0, 2), min_size=6, max_size=40).filter(lambda result: max(map(result.count, result)) >= 5),
    st.integers(2, 5),
    st.booleans(),
    st.integers(0, 3),
)
def test_each_row_tests_once_a_repeat_and_trains_in_all_other_folds(
    decisions: list[int], folds: int, stratified: bool, seed: int
) -> None:
    protocol = Protocol("k_fold", folds=folds, repeats=2, stratified=stratified)
    for repeat in (1, 2):
        splits = [protocol.split(source(decisions), seed, repeat, fold) for fold in range(1, folds + 1)]
        assert sorted(np.concatenate([split.test for split in splits])) == list(range(len(decisions)))
        for split in splits:
            assert sorted([*split.train, *split.test]) == list(range(len(decisions)))
            if stratified:
                counts = np.bincount(np.array(decisions)[split.test], minlength=3)
                whole = np.bincount(decisions, minlength=3)
                assert (np.abs(counts - whole / folds) <= 1).all()


def test_5x2_is_ten_splits() -> None:
    assert Protocol("k_fold", folds=2, repeats=5).splits == 10


def test_rows_depend_on_seed_name_and_repeat_alone() -> None:
    decisions = [0, 1] * 20
    first = K_FOLD.split(source(decisions), 0, 1, 2)
    assert np.array_equal(first.test, K_FOLD.split(source(decisions), 0, 1, 2).test)
    others = [
        K_FOLD.split(source(decisions), 1, 1, 2),
        K_FOLD.split(source(decisions), 0, 2, 2),
        K_FOLD.split(source(decisions, "other"), 0, 1, 2),
    ]
    assert not any(np.array_equal(first.test, other.test) for other in others)


def test_seeds_of_different_draws_differ() -> None:
    assert len({drawn_seed(0, "a", 11), drawn_seed(0, "a1", 1), drawn_seed(0, "a", 1, 1), drawn_seed(1, "a", 11)}) == 4
    assert drawn_seed(3, "iris", 1, 2) == drawn_seed(3, "iris", 1, 2) < 2**32


def test_a_holdout_tests_its_share_of_every_class() -> None:
    split = HOLDOUT.split(source([0] * 40 + [1] * 20), 5, 1, 1)
    assert np.bincount(np.array([0] * 40 + [1] * 20)[split.test]).tolist() == [10, 5]
    assert not set(split.train) & set(split.test)


def test_the_published_split_is_that_of_the_data_set() -> None:
    split = PUBLISHED.split(source([0, 1, 0, 1, 1], published=3), 0, 1, 1)
    assert (split.train.tolist(), split.test.tolist()) == ([0, 1, 2], [3, 4])


def test_weka_draws_its_folds_with_the_seed_of_each_repeat() -> None:
    protocol = Protocol("k_fold", folds=4, repeats=3, stratified=True, weka=True)
    decisions = [0, 1, 2, 1, 0, 0, 1, 2, 2, 1, 0, 1, 0]
    for repeat in (1, 2, 3):
        for fold, (train, test) in enumerate(weka_folds(decisions, 4, seed=repeat), start=1):
            split = protocol.split(source(decisions), 0, repeat, fold)
            assert split.train.tolist() == train.tolist()  # in Weka's order, on which ties may depend
            assert split.test.tolist() == test.tolist()
    shifted = protocol.split(source(decisions), 2, 1, 1)
    assert shifted.test.tolist() == next(weka_folds(decisions, 4, seed=3))[1].tolist()


@pytest.mark.parametrize(
    ("protocol", "decisions", "published", "named"),
    [
        (PUBLISHED, [0, 1], None, "'mine' has no published split"),
        (PUBLISHED, [0, 1], 2, "has no row with a class"),
        (K_FOLD, [0, 1], None, r"protocol\.folds is 3, but 'mine' has 2 rows with a class: set protocol.folds=2"),
        (K_FOLD, [0, 1, 0, 1], None, "no class of 'mine' has more than 2 rows: use fewer folds, or set protocol.strat"),
        (K_FOLD, [0, 1, 2, 3, 0], None, "has more than 2 rows: choose another column as the class, or merge classes"),
        (K_FOLD, [0], None, "'mine' has 1 row with a class, but a split needs two rows or more"),
        (HOLDOUT, [0, 0, 0, 0, 1], None, "class 'c1' of 'mine' has a single row"),
        (HOLDOUT, [0, 0, 1, 1, 2, 2], None, "test_share=0.25: .*; choose other shares, or set protocol.stratified"),
    ],
)
def test_sets_that_cannot_be_split_are_reported(
    protocol: Protocol, decisions: list[int], published: int | None, named: str
) -> None:
    with pytest.raises(ProtocolError, match=named):
        protocol.split(source(decisions, published=published), 0, 1, 1)


def test_without_stratification_a_class_may_have_one_row() -> None:
    assert len(replace(HOLDOUT, stratified=False).split(source([0, 0, 0, 0, 1]), 0, 1, 1).test) == 2


@pytest.mark.parametrize("method", list(DEFAULTS))
def test_protocols_come_from_a_configuration_and_from_their_identity(method: str) -> None:
    protocol = Protocol.of(config(method))
    assert Protocol(**protocol.identity()) == protocol


@pytest.mark.parametrize(
    ("method", "changes", "named"),
    [
        ("leave_one", {}, "protocol.method is 'leave_one': expected one of published, holdout, k_fold"),
        ("k_fold", {"folds": 1}, "protocol.folds is 1"),
        ("k_fold", {"folds": None}, "protocol.folds is null"),
        ("k_fold", {"repeats": 0}, "protocol.repeats is 0"),
        ("k_fold", {"test_share": 0.1}, "protocol.test_share is 0.1, but protocol.method=k_fold does not use this key"),
        (
            "k_fold",
            {"weka": True, "stratified": False},
            "protocol.weka is true, but protocol.stratified is false",
        ),
        ("holdout", {"test_share": 1.0}, "protocol.test_share is 1.0"),
        ("holdout", {"folds": 3}, "protocol.folds is 3, but"),
        ("published", {"repeats": 5}, "protocol.repeats is 5, but"),
    ],
)
def test_a_value_that_cannot_be_is_named(method: str, changes: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Protocol.of(config(method, **changes))
    assert named in str(caught.value)


THREE_WAY = Protocol("holdout", test_share=0.25, validation_share=0.25, repeats=5)


@given(st.lists(st.integers(0, 2), min_size=8, max_size=60), st.integers(0, 3))
def test_rows_set_apart_to_tune_by_neither_train_nor_test(decisions: list[int], seed: int) -> None:
    rows, drawn = len(decisions), source(decisions)
    for repeat in range(1, 6):
        split = THREE_WAY.split(drawn, seed, repeat, 1)
        assert sorted([*split.train, *split.validation, *split.test]) == list(range(rows))
        assert abs(len(split.validation) - rows / 4) <= 1
        assert abs(len(split.test) - rows / 4) <= 1
        without = replace(THREE_WAY, validation_share=0.0).split(drawn, seed, repeat, 1)
        assert without.test.tolist() == split.test.tolist()  # what tests does not depend on what tunes
        assert len(without.validation) == 0


def test_rows_to_tune_by_are_drawn_anew_each_repeat_and_can_keep_the_proportions_of_the_classes() -> None:
    balanced = source([0, 1] * 40)
    drawn = [THREE_WAY.split(balanced, 0, repeat, 1).validation.tolist() for repeat in range(1, 6)]
    assert len({tuple(rows) for rows in drawn}) == 5
    stratified = replace(THREE_WAY, stratified=True).split(balanced, 0, 1, 1)
    for rows in (stratified.train, stratified.validation, stratified.test):
        assert np.bincount(rows % 2).tolist() == [len(rows) // 2] * 2
    with pytest.raises(ProtocolError, match=r"'mine' cannot be split by protocol\.test_share=0\.25 and protocol"):
        THREE_WAY.split(source([0, 1]), 0, 1, 1)


def test_a_validation_share_is_required_only_where_something_is_tuned() -> None:
    shares = {"test_share": 0.25, "validation_share": 0.25, "stratified": False, "repeats": 5}
    assert Protocol.of(config("holdout", **shares), tunes=True) == THREE_WAY
    for changes, tunes, named in (
        (shares, False, "validation_share is 0.25: expected null"),
        (shares | {"validation_share": None}, True, "validation_share is null: expected the share"),
        (shares | {"validation_share": 0.75}, True, r"less than 0.75 \(1 - protocol.test_share"),
        (shares | {"validation_share": 0.0}, True, "validation_share is 0.0: expected more than 0"),
    ):
        with pytest.raises(ConfigError, match=named):
            Protocol.of(config("holdout", **changes), tunes=tunes)
    with pytest.raises(ConfigError, match="does not use this key"):
        Protocol.of(config("k_fold", validation_share=0.2), tunes=True)
