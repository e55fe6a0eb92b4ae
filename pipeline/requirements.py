"""The packages that the command needs beyond the library: those that the extras of `orchard-trees` install."""

from __future__ import annotations

from importlib.util import find_spec

from pipeline.errors import ConfigError

__all__ = ["MODULES", "check_installed"]

MODULES = {
    "pipeline": (
        "cryptography", "dask", "distributed", "duckdb", "fsspec", "hydra", "matplotlib", "omegaconf", "pooch",
        "psutil", "yaml", "requests", "rich", "urllib3",
    ),
    "report": ("jinja2", "markupsafe"),
}  # fmt: skip
"""The modules that each extra provides."""


def check_installed(*extras: str) -> None:
    """Check that the packages of extras can be imported.

    Raises
    ------
    ConfigError
        A package is missing; the message says what to type.
    """
    absent = [module for extra in extras for module in MODULES[extra] if find_spec(module) is None]
    if absent:
        msg = f"this command needs {', '.join(absent)}, not installed: pip install 'orchard-trees[{','.join(extras)}]'"
        raise ConfigError(msg)
