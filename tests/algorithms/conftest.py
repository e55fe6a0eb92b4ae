"""The tests of the library run without extras: a test that needs a missing package of an extra is skipped."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.oracles.beside import absent

OPTIONAL = ("highspy", "matplotlib", "onnx")
"""Packages that some names of the library import when they are called."""


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, Any, Any]:
    """Skip the test, and fail it in CI, where it ended since a package of OPTIONAL is not installed."""
    try:
        return (yield)
    except (ImportError, AssertionError) as error:  # scikit-learn's checks make the second of the first
        missing = next((name for name in _missing(error) if name in OPTIONAL), None)
        if missing is None:
            raise
    absent(f"the package {missing} is not installed")


def _missing(error: BaseException | None) -> Iterator[str]:
    """The packages that an error and its causes report as missing."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name:
            yield error.name.partition(".")[0]
        error = error.__cause__ or error.__context__
