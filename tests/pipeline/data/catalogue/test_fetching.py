"""Downloads from a server of our own: what is kept, what is refused, and that nothing is written but the cache."""

from __future__ import annotations

import gzip
import hashlib
import pickle
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.data.catalogue.catalogue import Catalogue
from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.fetching import Fetcher
from pipeline.errors import DataError
from pipeline.fetch.command import main
from tests.pipeline.data.catalogue.catalogues import read, shipped, zipped
from tests.pipeline.data.catalogue.loopback import ANY, Server, drips, endless, redirects, sends, served, status, waits

ROWS = b"1.5,sun,yes\n2.5,rain,no\n3.5,sun,no\n"
LAYOUT = FileLayout(
    (Column("height", ColumnKind.NUMERIC), Column("sky", ColumnKind.NOMINAL), Column("play", ColumnKind.CLASS))
)
FINGERPRINT = read(ROWS, LAYOUT).fingerprint
ENTRY = """\
title: Mine
about: For tests.
citation: none
files:
  all:
    path: mine/mine.csv
    addresses: [{addresses}]
columns:
  height: numeric
  sky: nominal
  play: class
fingerprint: {fingerprint}
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with served() as running:
        yield running


@pytest.fixture
def fetched(tmp_path: Path):
    """Loads `own/mine`, described with the addresses it is given, by way of a cache that is `tmp_path/cache`."""

    def load(*addresses: str, fingerprint: str = FINGERPRINT, **bounds: object):
        folder = tmp_path / "catalogue" / "own"
        folder.mkdir(parents=True, exist_ok=True)
        text = ENTRY.format(addresses=", ".join(addresses), fingerprint=fingerprint)
        (folder / "mine.yaml").write_text(text, encoding="utf-8")
        fetcher = Fetcher(tmp_path / "cache", **{"patience": 2.0, "longest": 4.0, **bounds})
        return Catalogue([folder.parent], fetcher).load("own/mine")

    return load


def cached(tmp_path: Path) -> list[str]:
    """The files in the cache, without the prefix that depends on the address."""
    results = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert all(path.parent == tmp_path / "cache/own/mine" for path in results)
    return sorted(path.name.partition("-")[2] for path in results)


def refused(fetched, tmp_path: Path, *addresses: str, **bounds: object) -> str:
    """The message; and nothing is left in the cache, nor written anywhere near."""
    before = sorted(tmp_path.iterdir())
    with pytest.raises(DataError) as caught:
        fetched(*addresses, **bounds)
    assert cached(tmp_path) == []
    assert set(tmp_path.iterdir()) - set(before) <= {tmp_path / "cache", tmp_path / "catalogue"}
    return str(caught.value)


def test_a_file_is_downloaded_once_and_then_needs_no_network(server: Server, fetched, tmp_path: Path) -> None:
    url = server.put("/mine.csv", ROWS)
    assert fetched(url).whole.rows == 3
    assert fetched(url).fingerprint == FINGERPRINT
    assert server.requests == ["/mine.csv"]
    assert fetched(url, offline=True).whole.rows == 3
    assert cached(tmp_path) == ["mine.csv"]


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/mine.csv.gz", gzip.compress(ROWS, mtime=0)),
        ("/two.gz", gzip.compress(ROWS[:12], mtime=0) + gzip.compress(ROWS[12:], mtime=0)),
        ("/mine.zip", zipped(("mine.csv", ROWS))),
        ("/evil.zip", zipped(("../../../evil.csv", ROWS))),
        ("/absolute.zip", zipped(("/evil.csv", ROWS))),
        ("/..%2f..%2fevil.csv", ROWS),
        ("/%2e%2e/a%00b", ROWS),
    ],
)
def test_archives_are_unpacked_and_no_path_of_theirs_is_used(
    path: str, content: bytes, server: Server, fetched, tmp_path: Path
) -> None:
    server.put(ANY, content)
    assert fetched(server.url + path).fingerprint == FINGERPRINT
    assert len(cached(tmp_path)) == 1
    assert not list(tmp_path.rglob("evil.csv"))


def test_several_addresses_of_a_file_are_joined(server: Server, fetched) -> None:
    server.put("/xaa.csv", ROWS[:12])
    server.put("/xab.csv", ROWS[12:])
    assert fetched(f'"{server.url}/xa{{a..b}}.csv"').fingerprint == FINGERPRINT


def test_a_redirect_is_followed_and_a_loop_is_not(server: Server, fetched) -> None:
    server.put("/mine.csv", ROWS)
    assert fetched(server.put("/old.csv", redirects("/mine.csv"))).whole.rows == 3
    url = server.put("/loop.csv", redirects("/loop.csv"))
    with pytest.raises(DataError, match="redirects more than 5 times"):
        fetched(url)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x"])
def test_a_redirect_to_anything_but_http_is_refused(target: str, server: Server, fetched, tmp_path: Path) -> None:
    assert "no connection" in refused(fetched, tmp_path, server.put("/mine.csv", redirects(target)))


def test_the_next_address_is_tried(server: Server, fetched) -> None:
    bad = [
        server.url + "/nothing.csv",
        server.put("/other.csv", ROWS.replace(b"1.5", b"9")),
        server.put("/cut", b"1,2"),
    ]
    assert fetched(*bad, server.put("/mine.csv", ROWS)).whole.rows == 3


def test_the_sha256_of_an_address_is_checked(server: Server, fetched, tmp_path: Path) -> None:
    url = server.put("/mine.csv", ROWS)
    digest = hashlib.sha256(ROWS).hexdigest()
    other = digest[::-1]
    message = refused(fetched, tmp_path, f"{{url: {url}, sha256: {other}}}")
    assert f"{url}: {tmp_path / 'cache' / 'own' / 'mine'}" in message
    assert f"mine.csv is not the expected file: its SHA-256 is not {other}. You can" in message
    assert fetched(f"{{url: {url}, sha256: {digest}}}").whole.rows == 3


def test_the_sha256_of_a_cached_file_is_checked_where_no_fingerprint_is(
    server: Server, fetched, tmp_path: Path
) -> None:
    url, digest = server.put("/mine.csv", ROWS), hashlib.sha256(ROWS).hexdigest()
    address = f"{{url: {url}, sha256: {digest}}}"
    assert fetched(address, fingerprint="[]").fingerprint == FINGERPRINT
    (kept,) = (tmp_path / "cache/own/mine").iterdir()
    kept.write_bytes(ROWS.replace(b"1.5", b"1.7"))
    with pytest.raises(DataError, match=f"mine.csv is not the expected file: its SHA-256 is not {digest}"):
        fetched(address, fingerprint="[]", offline=True)
    assert fetched(address, fingerprint="[]").fingerprint == FINGERPRINT
    assert cached(tmp_path) == ["mine.csv", "mine.csv.refused"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (status(404), "404 Client Error: Not Found"),
        (status(500), "500 Server Error: Internal Server Error"),
        (sends(ROWS, declared=len(ROWS) + 9), "was cut off"),
        (sends(gzip.compress(ROWS, mtime=0)[:-9]), "the gzip file is cut short: get it again"),
        (sends(gzip.compress(ROWS, mtime=0)[:-8] + bytes(8)), "the gzip file is damaged"),
        (sends(zipped(("mine.csv", ROWS))[:-9]), "the zip archive is damaged"),
        (
            sends(zipped(("a.csv", ROWS), ("b.csv", ROWS))),
            "expected a single file in the archive, found a.csv, b",
        ),
        (sends(b"PK\x03\x04" + b"\0" * 60), "the zip archive is damaged"),
        (sends(b"\x1f\x9d\x90" + b"\xff" * 40), "the .Z file is damaged near byte"),
        (sends(b"\x1f\x9d\x9f" + b"\xff" * 40), "declares codes of 31 bits, expected 9 to 16): get it"),
        (sends(b"\xfd7zXZ\0" + b"\0" * 40), "the file is xz, which Orchard does not read"),
        (sends(b"ARROW1\0\0" + b"\0" * 40), "the file is Feather, which Orchard does not read: save it as Parquet"),
        (
            sends(b"<!DOCTYPE html>\n<html><body>Please sign in, <b>stranger</b></body></html>\n"),
            "the line has 2 fields, but|fields",
        ),
        (sends(b""), "the file is empty"),
        (sends(ROWS[:20], Content_Length="many"), "fields|cut off|other data"),
        (sends(ROWS.replace(b"1.5", b"1.6")), "the content is not the data set"),
        (sends(ROWS + ROWS[:12]), "the content is not the data set"),
        (sends(b"\x80\x04cos\nsystem\n"), "is not UTF-8"),
    ],
)
def test_what_is_not_the_data_set_is_refused_and_not_kept(
    answer, expected: str, server: Server, fetched, tmp_path: Path
) -> None:
    url = server.put("/mine.csv", answer)
    message = refused(fetched, tmp_path, url)
    assert url in message
    assert any(part in message for part in expected.split("|"))
    server.put("/mine.csv", ROWS)  # the server is repaired: nothing is left of the failure
    assert fetched(url).whole.rows == 3


def test_a_slow_server_is_given_up(server: Server, fetched, tmp_path: Path) -> None:
    begun = time.monotonic()
    message = refused(fetched, tmp_path, server.put("/mine.csv", waits(30)), patience=0.3)
    assert "no answer in time" in message
    message = refused(fetched, tmp_path, server.put("/drip.csv", drips(0.05)), patience=1.0, longest=0.5)
    assert "the download was stopped after 0.5 seconds" in message
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("answer", [sends(b"1,2,3\n" * 40_000), endless(b"1,2,3\n" * 1000)])
def test_a_file_that_is_too_large_is_not_taken(answer, server: Server, fetched, tmp_path: Path) -> None:
    message = refused(fetched, tmp_path, server.put("/mine.csv", answer), largest_download=100_000)
    assert "sends more than 100,000 bytes, which is the limit of a download" in message


@pytest.mark.parametrize(
    "bomb",
    [
        gzip.compress(bytes(2_000_000)),
        gzip.compress(bytes(400_000)) * 5,
        zipped(("mine.csv", bytes(2_000_000))),
    ],
    ids=["gzip", "many gzips", "zip"],
)
def test_a_bomb_is_not_unpacked(bomb: bytes, server: Server, fetched, tmp_path: Path) -> None:
    message = refused(fetched, tmp_path, server.put("/mine.gz", bomb), largest_file=1_000_000)
    assert "the file unpacks to more than 1,000,000 bytes, which is the limit" in message


def test_a_body_that_is_sent_compressed_counts_as_it_is_sent(server: Server, fetched) -> None:
    url = server.put("/mine.csv", sends(gzip.compress(ROWS, mtime=0), Content_Encoding="gzip"))
    assert fetched(url).fingerprint == FINGERPRINT


def test_nothing_is_unpickled(server: Server, fetched, tmp_path: Path) -> None:
    class Payload:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "owned",))

    refused(fetched, tmp_path, server.put("/mine.pkl", pickle.dumps(Payload())))
    assert not (tmp_path / "owned").exists()


def test_a_spoiled_cache_is_mended_and_what_was_in_it_set_aside(server: Server, fetched, tmp_path: Path) -> None:
    url = server.put("/mine.csv", ROWS)
    fetched(url)
    (kept,) = (tmp_path / "cache/own/mine").iterdir()
    for spoiled in (ROWS.replace(b"1.5", b"1.7"), gzip.compress(ROWS, mtime=0)[:20], b""):
        kept.write_bytes(spoiled)
        assert fetched(url).fingerprint == FINGERPRINT
        assert cached(tmp_path) == ["mine.csv", "mine.csv.refused"]
        assert kept.with_name(kept.name + ".refused").read_bytes() == spoiled
    kept.write_bytes(b"1,2")
    with pytest.raises(DataError, match="most lines have 2 fields"):
        fetched(url, offline=True)
    assert kept.read_bytes() == b"1,2"  # nothing is removed where no replacement is available


def test_a_spoiled_file_that_cannot_be_set_aside_is_an_error(server: Server, fetched, tmp_path: Path) -> None:
    url = server.put("/mine.csv", ROWS)
    fetched(url)
    (kept,) = (tmp_path / "cache/own/mine").iterdir()
    kept.write_bytes(ROWS.replace(b"1.5", b"1.7"))
    kept.with_name(kept.name + ".refused").mkdir()
    with pytest.raises(DataError, match="the content is not the data set"):
        fetched(url)


def test_a_network_that_fails_for_a_moment_loses_nothing_of_the_cache(server: Server, fetched, tmp_path: Path) -> None:
    good, bad = server.put("/mine.csv", ROWS), server.put("/other.csv", status(500))
    fetched(good)
    assert fetched(good, bad).whole.rows == 3
    assert cached(tmp_path) == ["mine.csv"]


def test_a_cache_that_cannot_be_written_is_named(server: Server, fetched, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(DataError, match=r"cache/own/mine/.*mine\.csv: cannot be written: .*; set XDG_CACHE_HOME"):
        fetched(server.put("/mine.csv", ROWS))


def test_without_folder_and_network_the_error_says_what_to_do(fetched, tmp_path: Path) -> None:
    with served() as gone:
        url = gone.url + "/mine.csv"
    message = refused(fetched, tmp_path, url)
    assert message.startswith("'own/mine' is missing: no local folder is set, and it cannot be downloaded")
    assert "(untested URLs)" in message
    assert f": {url}: no connection: [Errno 111] Connection refused. You can set data.folder" in message
    assert "set data.folder, or the environment variable ORCHARD_DATA, to a folder with mine/mine.csv" in message
    assert "python -m pipeline.fetch own/mine" in message


def test_a_local_folder_comes_first_and_is_checked_too(server: Server, fetched, tmp_path: Path) -> None:
    fetched(server.put("/mine.csv", ROWS))
    server.requests.clear()
    (tmp_path / "data/mine").mkdir(parents=True)
    (tmp_path / "data/mine/mine.csv").write_bytes(ROWS.replace(b",", b";"))
    catalogue = Catalogue([tmp_path / "catalogue"], Fetcher(tmp_path / "cache", offline=True), tmp_path / "data")
    assert catalogue.load("own/mine").fingerprint == FINGERPRINT
    (tmp_path / "data/mine/mine.csv").write_bytes(ROWS.replace(b"sun", b"fog"))
    with pytest.raises(
        DataError,
        match=r"data/mine/mine\.csv: the content is not the data set .* in the catalogue \(.*mine\.yaml\): the fin",
    ):
        catalogue.load("own/mine")
    assert catalogue.fetch("own/mine").fingerprint == FINGERPRINT
    assert server.requests == []


def test_files_that_the_local_folder_lacks_are_named(tmp_path: Path) -> None:
    (tmp_path / "monks-1").mkdir()
    (tmp_path / "monks-1/monks-1.train").write_text("1")
    with pytest.raises(
        DataError,
        match=r"is missing: \S+ has no monks-1/monks-1\.test\. A command that only reads does",
    ):
        shipped(tmp_path).load("uci/monks-1")


def test_the_command_fetches_and_says_what_it_has(server: Server, fetched, tmp_path: Path, capsys) -> None:
    fetched(server.put("/mine.csv", ROWS))
    cache = ["--cache", str(tmp_path / "other"), "--own", str(tmp_path)]
    assert main(["own/mine", *cache]) == 0
    assert capsys.readouterr().out == f"own/mine: 3 rows (all), 2 attributes, 2 classes, fingerprint {FINGERPRINT}\n"
    assert main(["own/mine", "own/mien", *cache]) == 2
    assert "no data set is called 'own/mien': did you mean own/mine?" in capsys.readouterr().err
    assert main([*cache]) == 2
    assert main(["--list", *cache]) == 0
    assert {"own/mine", "uci/iris"} <= set(capsys.readouterr().out.split())
