"""What tests of grids share with those of the pipeline."""

from tests.pipeline.conftest import command

__all__ = ["command"]
