"""What the command needs besides what the library does: packages that the extras of `orchard-trees` install."""

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
"""The modules that are imported of each extra."""


def check_installed(*extras: str) -> None:
    """Check that what the extras install can be imported.

    Raises
    ------
    ConfigError
        A package is not there; the message says what to type.
    """
    absent = [module for extra in extras for module in MODULES[extra] if find_spec(module) is None]
    if absent:
        msg = f"this command needs {', '.join(absent)}, not installed: pip install 'orchard-trees[{','.join(extras)}]'"
        raise ConfigError(msg)
