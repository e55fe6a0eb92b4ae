"""The recorded configuration of a run, read without its grid."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import Any

import yaml

from pipeline.storage.places import contents

__all__ = ["kept_configuration"]

LARGEST_CONFIGURATION = 2**20  # characters
MOST_BRACKETS = 100


def kept_configuration(notes: Path) -> dict[str, Any]:
    """The configuration of a run; empty if it is lost or damaged."""
    try:
        text = contents(notes / "config.yaml").decode("utf-8")
        if len(text) > LARGEST_CONFIGURATION or not _is_shallow(text):
            return {}
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader)):
            return {}  # which a few lines make larger than any memory, once it is spelt out
        found = yaml.safe_load(text)
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_shallow(text: str) -> bool:
    """Whether no more brackets are open at a time than a configuration has; reading takes their number squared."""
    depths = accumulate((sign in "[{") - (sign in "]}") for sign in text)
    return max(depths, default=0) <= MOST_BRACKETS
