"""Fixtures that the tests of grids share with all others. Like these tests, it is not part of the installed package."""

from tests.conftest import exact_dp, shared
from tests.pipeline.conftest import command, finished, finished_once

__all__ = ["command", "exact_dp", "finished", "finished_once", "shared"]
