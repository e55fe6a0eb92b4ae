"""Classes of plugins in processes of their own: the same numbers, and nothing of theirs in this process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from sklearn.datasets import load_iris
from sklearn.ensemble import ExtraTreesClassifier

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.induction.cart import CARTClassifier
from algorithms.trees.decision_tree import DecisionTree
from pipeline.builders import Builder
from pipeline.data.preparation import Preparation
from pipeline.failures import FailedError, Failure
from pipeline.work import plugin_process
from pipeline.work.limits import Limits
from pipeline.work.plugin_process import PluginClassifier, clock
from tests.pipeline.command_line import ROOT, marked, python, until

PLUGIN = """
import os, time

class Label:
    def __init__(self, *arguments):
        with open("made_in", "a") as file:
            file.write(f"{os.getpid()} ")
    def __reduce__(self):
        return Label, (1,)

class Odd:
    def __init__(self, way="well"):
        self.way = way
    def fit(self, X, y=None):
        if self.way == "sleeps":
            time.sleep(0.7)
        if self.way == "hangs":
            time.sleep(600)
        if self.way == "replaces the clock":
            time.perf_counter = lambda: float("nan")
        self.label_, self.rows_ = y[0], len(X)
        return self
    def predict(self, X):
        if self.way == "labels of its own":
            return [Label()] * len(X)
        if self.way == "no pickle":
            return [lambda: None] * len(X)
        if self.way == "leaves":
            os._exit(3)
        return [self.label_] * len(X)
"""
GROWN = """
import os
from algorithms.induction.cart import CARTClassifier

class Grown(CARTClassifier):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        if os.environ.get("DAMAGED"):
            object.__setattr__(self.tree_, "edge_to", self.tree_.edge_to + 1000)
        return self
"""
X, Y = np.zeros((4, 2)), np.array(["a", "a", "b", "a"])


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Makes instances of a class that is beside the test; their processes end with it."""
    (tmp_path / "odd_plugin.py").write_text(PLUGIN)
    (tmp_path / "grown_plugin.py").write_text(GROWN)  # which takes longer to import
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield lambda way="well": PluginClassifier("odd", "odd_plugin.Odd", None, {"way": way})
    vars(plugin_process._thread).clear()


def test_a_class_of_scikit_learn_gives_what_it_gives_in_this_process() -> None:
    features, labels = load_iris(return_X_y=True)
    builder = Builder("extra", "sklearn.ensemble.ExtraTreesClassifier", '{"n_estimators": 20}', Preparation())
    named = np.array(["one", "two", "three"])[labels]
    for seed in (0, 7):
        expected = ExtraTreesClassifier(n_estimators=20, random_state=seed).fit(features[::2], named[::2])
        made = builder.made(seed).fit(features[::2], named[::2])
        assert made.predict(features).tolist() == expected.predict(features).tolist()
        assert made.feature_importances_.tolist() == expected.feature_importances_.tolist()


def test_a_class_that_extends_ours_gives_its_tree_and_its_costs(odd: Any) -> None:
    features, labels = load_iris(return_X_y=True)
    attributes = tuple(Attribute(f"x{index}", AttributeKind.NUMERIC) for index in range(4))
    data = DataSet(attributes, tuple(features.T.copy()), ("0", "1", "2"), labels.astype(np.int32))
    builder = Builder("grown", "grown_plugin.Grown", "{}", Preparation())
    expected = CARTClassifier().fit(data)
    made: Any = builder.made(0).fit(data)
    assert builder.grows_tree
    assert builder.compiles
    assert builder.extends(CARTClassifier)
    assert isinstance(made.tree_, DecisionTree)
    assert made.tree_.edge_to.tolist() == expected.tree_.edge_to.tolist()
    assert (made.costs(data), made.labels_) == (expected.costs(data), expected.labels_)
    assert not hasattr(made, "history_")
    assert "grown_plugin" not in sys.modules


def test_a_tree_that_was_damaged_there_is_not_walked_here(odd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAGED", "1")
    made: Any = PluginClassifier("grown", "grown_plugin.Grown", None, {}).fit([[0.0], [1.0]], ["a", "b"])
    with pytest.raises(ValueError, match="edge"):
        _ = made.tree_


@pytest.mark.parametrize(
    ("way", "failure"),
    [
        ("labels of its own", Failure("failed", "predict returned a odd_plugin.Label: expected a number, a text")),
        ("no pickle", Failure("failed", "")),
        ("leaves", Failure("killed", "its process exited with status 3")),
    ],
)
def test_an_unusable_answer_is_a_loss_and_no_class_of_a_plugin_gets_here(
    odd: Any, tmp_path: Path, way: str, failure: Failure
) -> None:
    made = odd(way).fit(X, Y)
    with pytest.raises(FailedError) as caught:
        made.predict(X)
    assert caught.value.failure.status == failure.status
    assert caught.value.failure.error.startswith(failure.error)
    made_in = tmp_path / "made_in"
    assert str(os.getpid()) not in (made_in.read_text().split() if made_in.exists() else [])
    assert odd().fit(X, Y).predict(X).tolist() == ["a"] * 4


@pytest.mark.parametrize("evil", [os.system, eval, getattr, np.load, subprocess.run, Builder])
def test_an_answer_names_nothing_but_plain_classes(evil: Any) -> None:
    with pytest.raises(pickle.UnpicklingError, match="expected a number, a text"):
        plugin_process._plain(pickle.dumps(evil))


def test_seconds_are_those_of_the_class(odd: Any) -> None:
    began, here = time.perf_counter(), clock()
    made = odd("sleeps").fit(X, Y)
    took, elapsed = clock() - here, time.perf_counter() - began
    assert 0.3 <= took < elapsed
    here = clock()
    made.predict(X)
    assert clock() - here < 0.3


def test_seconds_do_not_include_compiling() -> None:
    began, here = time.perf_counter(), clock()
    with global_compiler_lock:  # numba holds it while it compiles or loads a kernel
        time.sleep(0.3)
    assert clock() - here < 0.2 < time.perf_counter() - began


def test_a_clock_that_the_class_replaced_changes_no_seconds(odd: Any) -> None:
    began, here = time.perf_counter(), clock()
    odd("replaces the clock").fit(X, Y).predict(X)
    assert 0 < clock() - here < time.perf_counter() - began


def test_seconds_that_cannot_be_do_not_reach_other_builders(odd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = odd().fit(X, Y)
    answer = made._process.ask
    for seconds in (float("nan"), float("inf"), -1e9):
        wrong_seconds = {"seconds": seconds}
        monkeypatch.setattr(
            made._process, "ask", lambda *question, expected=wrong_seconds: answer(*question) | expected
        )
        began, here = time.perf_counter(), clock()
        made.predict(X)
        assert 0 <= clock() - here <= time.perf_counter() - began


def test_instances_of_a_builder_may_be_used_in_turn_and_after_their_process_ended(odd: Any) -> None:
    first, second = odd().fit(X, Y), odd().fit(X[:3], Y[2:])
    assert (first.predict(X[:1]).tolist(), second.predict(X[:1]).tolist()) == (["a"], ["b"])
    assert (first.rows_, second.rows_) == (4, 3)
    first._process.end()
    assert (second.rows_, first.rows_) == (3, 4)


def test_a_cell_beyond_its_time_limit_is_a_loss_and_its_process_ends(odd: Any) -> None:
    limits = replace(Limits(2.0, None), shared=True)
    with limits.in_force(), pytest.raises(FailedError) as caught:
        odd("hangs").fit(X, Y)
    assert caught.value.failure == Failure("time_limit", "took more than the 2 s of limits.seconds")
    assert odd().fit(X, Y).predict(X).tolist() == ["a"] * 4


def test_the_limit_of_a_worker_stands_still_while_a_plugin_works(tmp_path: Path, odd: Any) -> None:
    """Else it would end the worker beside the process of the plugin."""
    program = (
        "from pipeline.work.limits import Limits\nfrom pipeline.work.plugin_process import PluginClassifier\n"
        "limits = Limits(4.0, 1 << 30)\n"
        "with limits.in_force(), limits.ending_worker(), limits.limiting_memory():\n"
        "    for _ in range(6): PluginClassifier('odd', 'odd_plugin.Odd', None, {'way': 'sleeps'}).fit([[0]], ['a'])\n"
        "print('lives')"
    )
    assert python(program, cwd=tmp_path, PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}") == "lives\n"


def test_all_that_a_plugin_started_ends_with_its_worker(tmp_path: Path) -> None:
    (tmp_path / "forks.py").write_text(
        "import os, time\nclass Forks:\n    def fit(self, X, y=None):\n        for _ in range(2):\n"
        "            if not os.fork(): time.sleep(600)\n        open('forked', 'w').close()\n        time.sleep(600)\n"
        "    def predict(self, X): ...\n"
    )
    program = (
        "from pipeline.work.plugin_process import PluginClassifier\n"
        "PluginClassifier('forks', 'forks.Forks', None, {}).fit([[0]], ['a'])"
    )
    environment = {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", "DRILL_MARK": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path, env=environment) as worker:
        until((tmp_path / "forked").exists, seconds=60)
        assert len(marked(str(tmp_path))) >= 4
        worker.kill()
    until(lambda: not marked(str(tmp_path)), seconds=20)
