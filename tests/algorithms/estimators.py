"""Every estimator of the library, found by what it extends."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module

import algorithms
from algorithms.data_set_classifier import DataSetClassifier

__all__ = ["every_estimator"]


def every_estimator() -> list[type[DataSetClassifier]]:
    """The classes that can be made and fitted, by name."""
    for module in pkgutil.walk_packages(algorithms.__path__, "algorithms."):
        if ".kernels" not in module.name and not module.name.startswith(("algorithms.optimal.mio.", "algorithms._")):
            import_module(module.name)
    import_module("algorithms.optimal.mio.classifiers")
    found = {kind for kind in _below(DataSetClassifier) if kind.__module__.startswith("algorithms.")}
    return sorted((kind for kind in found if not inspect.isabstract(kind)), key=lambda kind: kind.__name__)


def _below(kind: type[DataSetClassifier]) -> Iterator[type[DataSetClassifier]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)
