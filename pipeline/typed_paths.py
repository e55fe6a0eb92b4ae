"""Paths as users type them."""

import os
from pathlib import Path


def typed_path(text: str | os.PathLike[str]) -> Path:
    """The path in a text. `~` is the home folder; if there is none, as in `~unknown/x`, the path is as typed."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises an error for an unknown user
