from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.errors import ConfigError
from pipeline.storage.atomic import check_new_file, write_atomically


def test_the_folder_is_made_and_the_content_is_there(tmp_path: Path) -> None:
    path = write_atomically(tmp_path / "new" / "x.csv", b"content")

    assert path.read_bytes() == b"content"
    assert list(path.parent.iterdir()) == [path]


def test_an_error_names_the_file_that_was_to_be_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(IsADirectoryError) as raised:
        write_atomically(tmp_path / "there", b"new")
    assert str(raised.value) == f"[Errno 21] Is a directory: '{tmp_path / 'there'}'"


def test_a_failed_write_keeps_the_old_file_and_leaves_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_atomically(tmp_path / "x.csv", b"old")

    def full_disk(_file: int) -> None:
        unfinished = [other.name for other in tmp_path.iterdir() if other != path]
        # readers of Parquet folders pass over names that begin with a dot and do not end in .parquet
        assert [name.startswith(".") and name.endswith(".tmp") for name in unfinished] == [True]
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "path", ["/dev/answer.csv", "/dev/null/../answer.csv", "/proc/answer.csv", "/sys/kernel/a.csv"]
)
def test_no_new_file_is_suggested_among_devices(path: str) -> None:
    with pytest.raises(ConfigError, match=r"--to .* is below /(dev|proc|sys).*: expected a new file"):
        check_new_file("--to", Path(path))
    check_new_file("--to", Path("/dev/shm/answer.csv"))


def test_a_link_to_a_folder_of_devices_is_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "devices").symlink_to("/dev")
    with pytest.raises(ConfigError, match="is below /dev, which has no ordinary files"):
        check_new_file("--to", tmp_path / "devices/answer.csv")
