"""Fixtures that the tests of grids share with all others. Like these tests, it is not part of the installed package."""

from tests.conftest import made_once, shared
from tests.pipeline.conftest import small_run

__all__ = ["made_once", "shared", "small_run"]
