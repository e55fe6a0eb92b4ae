"""Limits of time begin when there is something to run: compiling does not count."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import overload

import orchard
from algorithms._numba import announcement
from algorithms._numba.compiling import Stopwatch, observing_compilation
from algorithms.data.table import DecisionTable
from algorithms.exact.graph import SubtableGraph
from algorithms.induction.c45 import C45Classifier
from algorithms.optimal.binary import bit_search as binary
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio import solve as mio
from algorithms.optimal.mio.solve import solve_mio
from algorithms.optimal.mixed import rank_search as mixed
from algorithms.optimal.solution import Effort, Status
from algorithms.optimal.t3.classifiers import T3Classifier
from algorithms.optimal.t3.limits import Spent
from tests.algorithms.data_sets import data_set_of

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 1.0
COMPILES = 1.5
"""Seconds; what is searched here takes a hundredth of one."""


def slow_kernel() -> Any:
    """A kernel that nobody has compiled yet, which takes COMPILES."""

    def slow() -> int:
        return 1

    @overload(slow)
    def typed() -> Callable[[], int]:
        time.sleep(COMPILES)
        return lambda: 1

    @njit
    def calls() -> int:
        return slow()

    return calls


def compiles_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose first call compiles a kernel."""
    kernel = slow_kernel()

    def called(*arguments: Any, **named: Any) -> Any:
        kernel()
        return function(*arguments, **named)

    return called


def test_a_clock_stands_still_while_its_thread_compiles() -> None:
    began, clock, kernel = time.perf_counter(), Stopwatch(), slow_kernel()
    kernel()
    ran = clock.seconds
    assert time.perf_counter() - began > COMPILES > 2 * ran
    time.sleep(0.2)
    kernel()
    assert clock.seconds > ran + 0.2
    assert Stopwatch().seconds < 0.1


def test_a_clock_goes_on_while_another_thread_compiles() -> None:
    clock = Stopwatch()
    of_thread: list[Stopwatch] = []

    def compiling() -> None:
        of_thread.append(Stopwatch())
        slow_kernel()()

    thread = threading.Thread(target=compiling)
    thread.start()
    thread.join()
    assert clock.seconds > COMPILES > 2 * of_thread[0].seconds


def test_an_interrupted_wait_for_the_compiler_leaves_clocks_that_go() -> None:
    from numba.core import event

    event.start_event("numba:compiler_lock")  # and no end
    clock = Stopwatch()
    time.sleep(0.1)
    assert clock.seconds > 0.1


def test_compilation_is_observed_by_its_own_thread_once_for_all_that_is_nested() -> None:
    inside = slow_kernel()

    @njit
    def outside() -> Any:
        return inside()

    seen: list[Any] = []
    with observing_compilation(lambda: seen.append("began"), seen.append):
        outside()
        outside()
        thread = threading.Thread(target=slow_kernel())
        thread.start()
        thread.join()
    slow_kernel()()
    began, seconds = seen
    assert began == "began"
    assert COMPILES < seconds < 2 * COMPILES + 10


def instance_of(kind: str, rows: int = 60, **options: Any) -> Instance:
    """Three attributes and a class that two of them determine."""
    numbers = np.random.default_rng(0).normal(size=(rows, 3)).round(1)
    decisions = (numbers[:, 0] * numbers[:, 1] > 0).astype(int).tolist()
    columns = (numbers > 0).astype(int).T if kind == "binary" else numbers.T
    data = data_set_of([column.tolist() for column in columns], decisions, [kind == "numeric"] * 3)
    return Instance(data, np.ones(rows), **options)


@pytest.mark.parametrize(("kind", "module", "kernel"), [("binary", binary, "advance"), ("numeric", mixed, "search")])
def test_no_search_counts_compiling(kind: str, module: Any, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, kernel, compiles_first(getattr(module, kernel)))
    assert solve(instance_of(kind, max_depth=3), Effort(seconds=LIMIT)).status is Status.OPTIMAL


def test_no_tree_of_few_levels_counts_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = instance_of("numeric")
    monkeypatch.setattr(Spent, "add", compiles_first(Spent.add))
    fitted = T3Classifier(time_limit=LIMIT).fit(np.transpose(instance.data.columns), instance.data.decisions)
    assert fitted.solution_.status is not Status.TIME_LIMIT


def test_no_programme_counts_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mio, "starting_tree", compiles_first(mio.starting_tree))
    solution = solve_mio(instance_of("binary", rows=30, max_depth=1), Effort(seconds=LIMIT))
    assert solution.status is Status.OPTIMAL


def test_time_that_is_run_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    add = Spent.add

    def slowly(spent: Spent, work: int) -> None:
        time.sleep(0.1)
        add(spent, work)

    monkeypatch.setattr(Spent, "add", slowly)
    instance = instance_of("numeric")
    fitted = T3Classifier(time_limit=0.05).fit(np.transpose(instance.data.columns), instance.data.decisions)
    assert fitted.solution_.status is Status.TIME_LIMIT


FIT = """
import json, sys
import numpy as np
from algorithms.optimal.search import OCTClassifier
from algorithms.trees.json_text import to_json

rng = np.random.default_rng(0)
X = rng.integers(0, 2, (300, 50))
y = (X[:, 0] ^ (rng.random(len(X)) < 0.4)).astype(int)
fitted = OCTClassifier(max_depth=4, time_limit=2.0).fit(X, y).solution_
print(json.dumps([to_json(fitted.tree), fitted.objective, fitted.optimal, str(fitted.status)]))
"""


def announced(compile_seconds: float, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is logged where one kernel is compiled after another, each for so long."""
    monkeypatch.setattr(announcement, "AFTER_SECONDS", 0.5)
    monkeypatch.setattr(announcement, "_announced", set())
    monkeypatch.setattr(announcement, "_waiting", [])
    for _ in range(2):
        with global_compiler_lock:
            announcement.announce_compilation()
            time.sleep(compile_seconds)
    time.sleep(0.6)
    return [record.getMessage() for record in caplog.records if record.name == "algorithms"]


def test_long_compiling_is_announced_once(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert announced(1.0, caplog, monkeypatch) == ["Compiling kernels: once on this machine, 5 to 30 seconds ..."]


def test_long_compiling_is_announced_for_each_caller(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    callers = iter(["C45Classifier", "OCTClassifier"])
    monkeypatch.setattr(announcement, "_caller", lambda: next(callers))
    first, second = announced(1.0, caplog, monkeypatch)
    assert first.startswith("Compiling kernels for C45Classifier:")
    assert second.startswith("Compiling kernels for OCTClassifier:")


def test_short_compiling_is_not_announced(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert announced(0.05, caplog, monkeypatch) == []


@pytest.mark.parametrize(("seconds", "about"), [(1, "1 second"), (7, "7 seconds")])
def test_who_waits_for_compiling_is_named(
    seconds: int, about: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grow(*_: Any) -> None:
        announced(1.0, caplog, monkeypatch)
        raise KeyboardInterrupt

    monkeypatch.setattr(C45Classifier, "_grow", grow)
    monkeypatch.setitem(announcement.SECONDS, "C45Classifier", seconds)
    with pytest.raises(KeyboardInterrupt):
        C45Classifier().fit([[0.0], [1.0]], ["a", "b"])
    assert f"Compiling kernels for C45Classifier: once on this machine, about {about} ..." in caplog.messages


def test_a_function_that_waits_is_named_with_its_class(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("algorithms.exact.graph.all_subtables", lambda *_, **__: announced(1.0, caplog, monkeypatch))
    with pytest.raises(AttributeError, match="_asdict"):
        SubtableGraph.of(DecisionTable.from_codes([[0], [1]], [0, 1]))
    assert "Compiling kernels for SubtableGraph.of: once on this machine, 5 to 30 seconds ..." in caplog.messages


def test_the_announcement_names_what_is_compiled_then(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    callers = iter(["RandomTables", "C45Classifier"])
    monkeypatch.setattr(announcement, "_caller", lambda: next(callers))
    (message,) = announced(0.4, caplog, monkeypatch)
    assert message.startswith("Compiling kernels for C45Classifier:")


def test_every_estimate_is_of_an_estimator() -> None:
    names = {getattr(orchard, name).__name__ for name in orchard.__all__ if name.endswith("Classifier")}
    assert set(announcement.SECONDS) <= names
    assert list(announcement.SECONDS) == sorted(announcement.SECONDS)


@pytest.mark.long
def test_the_first_fit_on_a_machine_finds_what_the_second_does(tmp_path: Path) -> None:
    def fitted() -> tuple[Any, str, float]:
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-P", "-c", FIT],
            env=os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout), done.stderr, time.perf_counter() - began

    first, message, seconds = fitted()
    about = announcement.SECONDS["OCTClassifier"]
    assert f"Compiling kernels for OCTClassifier: once on this machine, about {about} seconds" in message
    assert seconds > 4.0  # twice its limit
    second, message, _ = fitted()
    assert first == second
    assert first[2:] == [True, "optimal"]
    assert message == ""
