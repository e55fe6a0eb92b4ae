"""A Rashomon set that several threads ask at once gives each of them what it gives one."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from operator import call
from typing import Any

import numpy as np
from sklearn.datasets import load_iris

from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.search import OCTClassifier
from algorithms.trees.json_text import to_json

GROUPS = np.arange(150) % 2
QUESTIONS: tuple[Callable[[RashomonSet], Any], ...] = (
    lambda good: [to_json(tree) for tree in good.sample(20, random_state=1)],
    lambda good: [use.share for use in good.uses()],
    lambda good: good.votes().tolist(),
    lambda good: good.importances(),
    lambda good: good.fairest(GROUPS, favourable=1).difference,
    lambda good: [to_json(tree) for tree in good.trees(30)],
)


def test_threads_that_ask_at_once_are_given_what_one_is() -> None:
    model, (values, classes) = OCTClassifier(max_depth=3, alpha=0.01), load_iris(return_X_y=True)
    once = model.rashomon_set(values, classes, epsilon=0.01)
    expected = [question(once) for question in QUESTIONS]
    again = pickle.loads(pickle.dumps(once))
    assert [question(again) for question in QUESTIONS] == expected
    for _ in range(8):  # where threads disturb each other, they do so in about every second set
        good = model.rashomon_set(values, classes, epsilon=0.01)
        with ThreadPoolExecutor(2 * len(QUESTIONS)) as threads:
            assert [*threads.map(call, 2 * QUESTIONS, repeat(good))] == 2 * expected
