"""Ctrl-C ends estimators that search several times: the searches after the one that it ended do not begin."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from algorithms.optimal.conditions.conditions import Conditions
from algorithms.optimal.rashomon_classifier import RashomonClassifier
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Status
from algorithms.optimal.tuned_oct import TunedOCTClassifier
from tests.algorithms.timed import timed

GENERATOR = np.random.default_rng(0)
VALUES = GENERATOR.normal(size=(1500, 12))
CLASSES = GENERATOR.integers(0, 2, 1500)
FEW = VALUES[:40, :2], CLASSES[:40]
MANY = VALUES, CLASSES


def interrupted(call: Callable[[], Any]) -> Any:
    """What a call returns or raises that Ctrl-C interrupts after half a second; it must end soon after."""
    interrupt = threading.Timer(0.5, _thread.interrupt_main)
    interrupt.start()
    result, taken = timed(call)
    assert taken < 15
    return result


@pytest.mark.parametrize(
    "call",
    [
        OCTClassifier(max_depth=4, conditions=Conditions(forbidden=[0])).fit,
        OCTClassifier(max_depth=4, alpha=0.001).rashomon_set,
        RashomonClassifier(max_depth=4, alpha=0.001).fit,
    ],
)
def test_what_has_no_result_yet_ends_with_ctrl_c(call: Callable[..., Any]) -> None:
    call(*FEW)  # compiles its kernels

    def ended() -> None:
        with pytest.raises(KeyboardInterrupt):
            call(*MANY)

    interrupted(ended)


def test_a_tuned_tree_is_not_searched_for_again() -> None:
    model = TunedOCTClassifier(max_depth=4).fit(*FEW)
    assert interrupted(lambda: model.fit(*MANY)).solution_.status is Status.INTERRUPTED
