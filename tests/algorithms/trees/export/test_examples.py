"""The examples of the exporters' documentation."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from algorithms.trees import export

MODULES = [module.name for module in pkgutil.iter_modules(export.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name: str) -> None:
    if name == "onnx_model":
        pytest.importorskip("onnx")
    module = importlib.import_module(f"algorithms.trees.export.{name}")
    found = doctest.testmod(module)
    assert found.failed == 0
    assert found.attempted or name in {"questions", "statements"}
