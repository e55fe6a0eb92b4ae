"""Classes of plugins, each builder's in a separate process, so that their side effects reach nothing else.

This guards against accidents, not against attacks: such a process has all rights of the user.
"""

from __future__ import annotations

import importlib
import io
import pickle
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from functools import lru_cache
from itertools import count
from time import perf_counter  # the original, even if a class replaces `time.perf_counter`
from types import SimpleNamespace
from typing import Any

import numpy as np

from pipeline.failures import CELL_ERRORS, FailedError, Failure, failure_of
from pipeline.import_path import importable
from pipeline.work.child_process import ChildProcess, EndedError, NotStartedError
from pipeline.work.class_facts import ClassFacts, UnfitClassError, class_named, import_failure
from pipeline.work.limits import Limits, current_limits, paused
from pipeline.work.restored import ending_forks

PLAIN = {
    "builtins": {"bytearray", "complex", "frozenset", "set"},
    "types": {"SimpleNamespace"},
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "algorithms.trees.costs": {"Costs"},
    "algorithms.data.data_set": {"Attribute", "AttributeKind"},
    "algorithms.evolutionary.evolution": {"History"},
    "algorithms.optimal.solution": {"Frontier", "FrontierPoint", "Progress", "Solution", "Status"},
    "algorithms.optimal.trace": {"Trace"},
    "algorithms.data.table": {"Labels"},
    "algorithms.trees.decision_tree": {"DecisionTree"},
}
"""The allowed content of an answer besides numbers, texts, lists, tuples and mappings: names by module."""

_thread = threading.local()
_instances = count()


class PluginClassifier:
    """A proxy for an instance of a plugin's class, which is made, fitted and used in another process.

    There is one such process for each builder in each thread of a worker. It holds the instance that was used last. If
    another was used since, or the process ended, the instance is made and fitted again.

    Its attributes are read from the instance if they are plain: see PLAIN.

    Every use raises FailedError if the class raised an error, ended its process, or exceeded the limits of a cell.
    """

    def __init__(self, builder: str, class_path: str, folder: str | None, parameters: Mapping[str, Any]) -> None:
        self._process = _process_of(builder, class_path, folder)
        self._class_path = class_path
        self._number = next(_instances)
        self._steps = [_Step("__init__", (), dict(parameters))]
        self._limits = current_limits()
        self._spent = 0.0

    def fit(self, X: Any, y: Any = None, **others: Any) -> PluginClassifier:  # noqa: N803 - scikit-learn's name
        """Learn from rows."""
        fit = _Step("fit", (X,) if y is None else (X, y), others)
        self._result(fit)
        self._steps = [self._steps[0], fit]
        return self

    def predict(self, X: Any) -> Any:  # noqa: N803
        """(rows,): the label of the class of each row."""
        return self._result(_Step("predict", (X,)))

    def costs(self, X: Any) -> Any:  # noqa: N803
        """The costs of the tree over rows."""
        return self._result(_Step("costs", (X,)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self._result(_Step(name))
        return replace(value) if name == "tree_" else value  # checks its arrays

    def _result(self, step: _Step) -> Any:
        answer = self._answer(step)
        if answer.lacks:
            raise AttributeError(step.name)
        if answer.status:
            self._process.holder = None
            raise FailedError(Failure(answer.status, answer.error))
        try:
            return _plain(answer.value)
        except pickle.UnpicklingError as error:
            raise FailedError(Failure("failed", f"{step.name} returned {error}")) from error

    def _answer(self, step: _Step) -> _Answer:
        """The answer of the process; FailedError if it gave none."""
        process, began, inside = self._process, perf_counter(), 0.0

        def question() -> _Question:
            holder = (process.started, self._number)
            steps, process.holder = [] if process.holder == holder else self._steps, holder
            return _Question([*steps, step], self._limits.memory_bytes)

        try:
            with paused():
                process.ready()
                ready, compiled = perf_counter(), process.compiled
                try:
                    answer = _Answer(**process.ask(question, self._limits.seconds - self._spent))
                finally:
                    self._spent += perf_counter() - ready - (process.compiled - compiled)
            inside = answer.seconds
        except NotStartedError as error:
            raise FailedError(
                replace(error.failure, error=import_failure(self._class_path, error.failure.error))
            ) from error
        except EndedError as error:
            raise FailedError(error.failure) from error
        except TimeoutError as error:
            raise FailedError(self._limits.exceeded()) from error
        finally:
            took = perf_counter() - began
            _thread.waited = _waited() + took - min(took, max(0.0, inside))  # NaN would persist for all other builders
        return answer


def clock() -> float:
    """A clock for builders, which stops while kernels are compiled or loaded.

    For a plugin's builder it counts the time of its class in its process, not the pipes.
    """
    from algorithms._numba.compiling import seconds_compiled_here

    return perf_counter() - seconds_compiled_here() - _waited()


@lru_cache
def facts_of_plugin(class_path: str, folder: str | None) -> ClassFacts:
    """The facts of a plugin's class, from a separate process; UnfitClassError if it is not a builder.

    `folder` is that of its package if it is not installed.
    """
    with paused(), _PluginProcess(class_path, folder) as process:
        try:
            facts = process.ready()
        except EndedError as error:
            raise UnfitClassError(import_failure(class_path, error.failure.error)) from error
    if isinstance(facts, str):  # the reason why the class is unfit
        raise UnfitClassError(facts)
    return ClassFacts(**facts)


class _PluginProcess(ChildProcess):
    """The process of a builder; `holder` is the number of processes started, and the number of the held instance."""

    def __init__(self, class_path: str, folder: str | None) -> None:
        super().__init__(_InstanceServer(class_path, folder), _plain)
        self.holder: tuple[int, int] | None = None


def _process_of(builder: str, class_path: str, folder: str | None) -> _PluginProcess:
    """The process of a builder for this thread; it starts at the first question."""
    processes: dict[tuple[str, str, str | None], _PluginProcess] = vars(_thread).setdefault("processes", {})
    return processes.setdefault((builder, class_path, folder), _PluginProcess(class_path, folder))


def _waited() -> float:
    """The seconds that this thread waited for processes of plugins, minus those of their classes."""
    return float(getattr(_thread, "waited", 0.0))


@dataclass(frozen=True)
class _Step:
    """An action on an instance: making it (`__init__`), calling a method, or reading an attribute."""

    name: str
    arguments: tuple[Any, ...] | None = None
    named: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Question:
    """Steps, the last of which is the question, and their memory limit."""

    steps: Sequence[_Step]
    memory_bytes: int | None


@dataclass(frozen=True)
class _Answer:
    """The pickled result of the last step and its seconds; or that the attribute does not exist; or a failure."""

    value: bytes = b""
    seconds: float = 0.0
    lacks: bool = False
    status: str = ""
    error: str = ""


class _InstanceServer:
    """What that process does: hold an instance of the class, and perform steps on it."""

    def __init__(self, class_path: str, folder: str | None) -> None:
        self.class_path, self.folder = class_path, folder
        self.instance: Any = None

    def ready(self) -> dict[str, Any] | str:
        """The facts of the class, or the reason why it is unfit."""
        if self.folder is not None:
            importable([self.class_path], self.folder)
        try:
            with ending_forks():
                return asdict(ClassFacts.of(self.class_path))
        except UnfitClassError as error:
            return str(error)
        except CELL_ERRORS as error:
            return import_failure(self.class_path, failure_of(error).error)

    def answer(self, question: _Question) -> dict[str, Any]:
        """The fields of an _Answer."""
        *before, last = question.steps
        try:
            with Limits(0.0, question.memory_bytes).limiting_memory(), ending_forks(), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # such as about a search that reached its limit: the result is measured
                for step in before:
                    self._result(step)
                began = perf_counter()
                result = self._result(last)
                seconds = perf_counter() - began
                return {"value": _pickled(result), "seconds": seconds}
        except CELL_ERRORS as error:
            if last.arguments is None and isinstance(error, AttributeError):
                return {"lacks": True}
            return asdict(failure_of(error))

    def _result(self, step: _Step) -> Any:
        """Perform a step; returns its result in a form that can be sent."""
        if step.name == "__init__":
            self.instance = class_named(self.class_path)(**step.named)
            return None
        result = getattr(self.instance, step.name)
        if step.arguments is not None:
            result = result(*step.arguments, **step.named)
        if step.name == "fit":
            return None
        if step.name == "predict":
            return np.asarray(result.tolist() if np.ma.isMaskedArray(result) else result)  # None for a masked label
        if step.name == "history_":
            return SimpleNamespace(best=np.asarray(result.best), mean=np.asarray(result.mean))
        return result


class _PlainPickler(pickle.Pickler):
    """Pickles a member of an enumeration by its class and value; Python before 3.11.4 names `getattr` for it."""

    def reducer_override(self, value: Any) -> Any:
        return (type(value), (value.value,)) if isinstance(value, Enum) else NotImplemented


def _pickled(result: Any) -> bytes:
    content = io.BytesIO()
    _PlainPickler(content, protocol=5).dump(result)
    return content.getvalue()


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """A class that an answer may contain."""
        if name in PLAIN.get(module, ()):
            return getattr(importlib.import_module(module), name)
        raise pickle.UnpicklingError(
            f"a {module}.{name}: expected a number, a text, a list or array of these, or a tree of `algorithms`"
        )


def _plain(content: memoryview | bytes) -> Any:
    """The content of an answer; UnpicklingError for values that are not plain."""
    return _PlainUnpickler(io.BytesIO(content)).load()
