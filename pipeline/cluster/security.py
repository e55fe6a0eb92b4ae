"""Credentials for the connections between driver, scheduler and workers on several machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from distributed import Security

__all__ = ["temporary_security"]


def temporary_security() -> Security:
    """A key and certificate of this moment, held in memory: who does not have them can neither read nor command.

    Raises ConfigError where the package that makes them is not installed.
    """
    from distributed import Security

    try:
        return Security.temporary()
    except ImportError as error:
        msg = "this cluster speaks TLS, which needs the package cryptography: pip install cryptography"
        raise ConfigError(msg) from error
