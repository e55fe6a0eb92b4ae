"""Folders and addresses of object stores behave alike; the store here is in this process's memory."""

from __future__ import annotations

import sys
import uuid
from pathlib import Path

import pytest

from pipeline.driver.lock import held
from pipeline.errors import ConfigError, OutputError
from pipeline.storage.atomic import in_object_store, write_atomically
from pipeline.storage.locations import append, copied_back, create, listed, located, matching, modified, move
from pipeline.storage.parts import SET_ASIDE, publish, read, remove_unfinished, scan, set_aside
from tests.pipeline.command_line import python
from tests.pipeline.small_grids import grid

GRID = grid()
RUN = "0123456789ab"


@pytest.fixture(params=["folder", "object store"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / "location" if request.param == "folder" else located(f"memory://bucket/{uuid.uuid4().hex}")


def test_a_text_names_a_folder_or_an_address() -> None:
    assert located("outputs") == Path("outputs")
    assert located("/a/b") == located("file:///a/b") == Path("/a/b")
    assert located("file://localhost/a/b") == Path("/a/b")
    assert located("c:outputs") == Path("c:outputs")
    address = located("memory://bucket/prefix/")
    assert (str(address), in_object_store(address)) == ("memory://bucket/prefix", True)
    assert str(located("memory://bucket//prefix//below/")) == "memory://bucket/prefix/below"
    assert not in_object_store(Path("outputs"))


@pytest.mark.parametrize(
    "text",
    ["nosuch://bucket/x", "s3:///x", "://x", "s3://", "s3:///", "memory://", "file://", "s3:/bucket/x", "data://x",
     "a\0b", "a\udcff", "github://x"],
)  # fmt: skip
def test_what_is_neither_a_folder_nor_an_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="expected a folder, or an address such as s3://bucket/prefix"):
        located(text)


def test_a_secret_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ConfigError, match="put access keys into environment variables") as caught:
        located("s3://me:secret@bucket/prefix")
    assert "secret" not in str(caught.value)


def test_an_invalid_endpoint_is_reported_with_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("s3fs").S3FileSystem.clear_instance_cache()  # of another test, with another endpoint
    monkeypatch.setenv("AWS_ENDPOINT_URL", "localhost:9")
    with pytest.raises(
        ConfigError, match="Invalid endpoint: localhost:9; begin the endpoint, such as AWS_ENDPOINT_URL"
    ):
        located("s3://of-no-endpoint/prefix")


def test_a_missing_package_is_reported_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "upath", None)
    with pytest.raises(ConfigError, match=r"install 'orchard-trees\[s3\]', or give a folder"):
        located("s3://bucket/prefix")


def test_names_come_in_order_and_of_nothing_there_are_none(location: Path) -> None:
    assert listed(location) == []
    for name in ("b.parquet", "a.txt", "[c]*.parquet"):
        write_atomically(location / name, b"x")
    write_atomically(location / "below" / "d.parquet", b"x")
    assert listed(location) == ["[c]*.parquet", "a.txt", "b.parquet", "below"]
    assert [path.name for path in matching(location, "*.parquet")] == ["[c]*.parquet", "b.parquet"]
    assert [str(path) for path in matching(location, "bel*", "*")] == [str(location / "below" / "d.parquet")]


def test_only_one_can_make_a_file(location: Path) -> None:
    create(location / "lock", b"first")
    with pytest.raises(FileExistsError):
        create(location / "lock", b"second")
    assert (location / "lock").read_bytes() == b"first"
    assert modified(location / "lock") > 0
    with pytest.raises(FileNotFoundError):
        modified(location / "none")


def test_text_is_added_and_files_are_moved(location: Path) -> None:
    append(location / "x.jsonl", "1\n")
    append(location / "x.jsonl", "2\n")
    assert (location / "x.jsonl").read_text() == "1\n2\n"
    move(location / "x.jsonl", location / "aside" / "x.1")
    assert listed(location) == ["aside"]
    assert (location / "aside" / "x.1").read_text() == "1\n2\n"


def test_files_made_in_a_folder_come_to_where_they_belong(location: Path) -> None:
    append(location / "log.txt", "before\n")

    def cut_off() -> None:
        with copied_back(location) as folder:
            assert isinstance(folder, Path)
            with (folder / "log.txt").open("a") as log:
                log.write("now\n")
            write_atomically(folder / "below" / "cells.csv", b"1")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_off()
    assert (location / "log.txt").read_text() == "before\nnow\n"
    assert (location / "below" / "cells.csv").read_bytes() == b"1"


def test_parts_are_published_verified_and_set_aside(location: Path) -> None:
    rows = GRID.work(0, 4)["results"]
    part = publish(rows, location, RUN, 0, 4)
    spoilt = publish(GRID.work(4, 5)["results"], location, RUN, 4, 5)
    write_atomically(spoilt.path, spoilt.path.read_bytes()[:-1])
    result = scan(location, RUN, GRID.cells_per_item)
    assert result.parts == (part,)
    assert [(path.name, "has changed since" in why) for path, why in result.rejected.items()] == [
        (spoilt.path.name, True)
    ]
    assert read(result.parts[0]).to_pylist() == rows.to_pylist()
    set_aside(result.rejected)
    remove_unfinished(location)
    assert listed(location) == [SET_ASIDE, part.path.name]
    assert [name.startswith(f"{spoilt.path.name}.") for name in listed(location / SET_ASIDE)] == [True]


def test_copies_are_the_very_bytes_that_were_verified(location: Path, tmp_path: Path) -> None:
    part = publish(GRID.work(0, 4)["results"], location, RUN, 0, 4)
    (copy,) = scan(location, RUN, GRID.cells_per_item, tmp_path / "copies").parts
    assert copy.path == tmp_path / "copies" / part.path.name
    assert copy.path.read_bytes() == part.path.read_bytes()


def test_a_lock_is_held_and_let_go(location: Path) -> None:
    with held(location) as hold:
        hold.check()
        assert [name for name in listed(location / "_run") if name.startswith("lock")]
    with held(location):
        pass
    assert [name for name in listed(location / "_run") if name.startswith("lock-")] == []


def test_an_error_of_the_store_says_what_to_look_at() -> None:
    message = str(OutputError.of(RuntimeError("nobody answers"), "s3://bucket/x"))
    assert message.startswith("cannot write to s3://bucket/x: nobody answers; check that the store")
    assert "free space" in str(OutputError.of(OSError(28, "No space left on device", "/x/y"), "/x"))


def test_nothing_of_object_stores_is_loaded_for_a_folder() -> None:
    code = "import sys, pipeline.driver.run; from pipeline.storage.locations import located; located('outputs'); "
    code += "print({'upath', 's3fs', 'fsspec'} & {*sys.modules})"
    assert python(code) == "set()\n"


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every shell expands `--output=~/runs`, and a YAML is read by none; Arrow expands the paths of part files."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert located("~/runs") == tmp_path / "runs"
    assert [located(text) for text in ("a/~", "~no-such-user/x")] == [Path("a/~"), Path("~no-such-user/x")]
