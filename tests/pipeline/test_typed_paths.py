"""A `~` in a path that a user types."""

from __future__ import annotations

import pytest

from pipeline.data.catalogue.catalogue import catalogue, data_folder
from pipeline.errors import AbsentError, ConfigError


def test_an_unknown_home_folder_is_a_path_without_a_file() -> None:
    """`Path.expanduser` raises a RuntimeError for it."""
    with pytest.raises(ConfigError, match=r"data\.folder is ~no-such-user/data, which is not a folder"):
        data_folder("~no-such-user/data")
    with pytest.raises(AbsentError, match=r"~no-such-user/mine\.csv: cannot be read: No such file"):
        catalogue().load("~no-such-user/mine.csv")
