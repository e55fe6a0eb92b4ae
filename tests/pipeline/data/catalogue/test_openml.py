"""Data sets of OpenML from a server of our own that answers as openml.org does."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pytest
from sklearn.datasets import _openml

from pipeline.configuration.settings import Data
from pipeline.data.catalogue.catalogue import Catalogue
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.catalogue.fetching import REFUSED, Fetcher
from pipeline.data.catalogue.loading import load_file
from pipeline.data.sources import sources_named
from pipeline.errors import AbsentError, ConfigError, DataError
from tests.pipeline.command_line import run_orchard
from tests.pipeline.data.catalogue.loopback import Answer, Server, sends, served, status

ARFF = """\
@RELATION weather
@ATTRIBUTE id INTEGER
@ATTRIBUTE sky {sun, 'light rain', NA, fog}
@ATTRIBUTE degrees REAL
@ATTRIBUTE note {x, y}
@ATTRIBUTE zip INTEGER
@ATTRIBUTE play {yes, no}
@DATA
1,sun,21.5,x,53111,yes
2,'light rain',?,x,53111,no
3,NA,17.25,y,50667,?
4,?,-3,y,50667,no
5,sun,1e-7,x,53111,yes
6,NA,30,x,50667,no
"""
TYPES = {
    "id": "numeric",
    "sky": "nominal",
    "degrees": "numeric",
    "note": "nominal",
    "zip": "numeric",
    "play": "nominal",
}


def answer(value: object, code: int = 200) -> Answer:
    """JSON, as the API sends it."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        content = json.dumps(value).encode()
        handler.send_response(code)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return send


def qualities(rows: str) -> Answer:
    """The answer that states the number of rows."""
    return answer({"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": rows}]}})


DAMAGED = gzip.compress(b"{}", mtime=0)[:10] + b"\xff" * 20
"""The header of a gzip file, and bytes that are not its content."""


def put(
    server: Server, arff: str = ARFF, *, number: int = 31, left_out: tuple[str, ...] = ("id", "note"),
    types: dict[str, str] = TYPES, target: str | None = "play", form: str = "ARFF", md5: str | None = None,
) -> None:  # fmt: skip
    """Have the server know a data set."""
    content = arff.encode()
    details = {
        "id": str(number), "name": "weather", "version": "1", "format": form, "description": "For tests.",
        "status": "active", "url": f"https://www.openml.org/data/v1/download/{number}/weather.arff",
        "md5_checksum": md5 or hashlib.md5(content).hexdigest(),
    } | ({} if target is None else {"default_target_attribute": target})  # fmt: skip
    features = [
        {"index": str(index), "name": name, "data_type": kind, "is_target": str(name == target).lower(),
         "is_ignore": str(name in left_out[1:]).lower(), "is_row_identifier": str(name in left_out[:1]).lower(),
         "number_of_missing_values": "0"}
        for index, (name, kind) in enumerate(types.items())
    ]  # fmt: skip
    rows = len([line for line in arff.partition("@DATA\n")[2].splitlines() if line])
    api = "/api/v1/json/data"
    listed = {"data": {"dataset": [{"did": number, "name": "weather", "version": 1, "status": "active"}]}}
    server.put(f"{api}/{number}", answer({"data_set_description": details}))
    server.put(f"{api}/features/{number}", answer({"data_features": {"feature": features}}))
    server.put(f"{api}/qualities/{number}", qualities(str(float(rows))))
    server.put(f"{api}/list/data_name/weather/limit/2/status/active/", answer(listed))
    server.put(f"{api}/list/data_name/weather/limit/2/data_version/1", answer(listed))
    server.put(f"/data/v1/download/{number}/weather.arff", content)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that scikit-learn takes for openml.org."""
    with served() as running:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setattr(_openml.time, "sleep", lambda _: None)

        def here(request: Request) -> object:
            address = request.full_url.replace("https://www.openml.org", running.url)
            try:
                return urlopen(Request(address, headers=dict(request.header_items())))
            except HTTPError as error:
                error.close()  # scikit-learn leaves its socket open
                raise

        monkeypatch.setattr(_openml, "urlopen", here)
        running.put("/*", answer({"error": {"code": "111", "message": "Unknown dataset"}}, 412))
        yield running


@pytest.fixture
def known(tmp_path: Path) -> Catalogue:
    return Catalogue((), Fetcher(tmp_path / "cache", patience=2.0))


def offline(known: Catalogue) -> Catalogue:
    return Catalogue((), Fetcher(known.fetcher.cache, offline=True))


@pytest.mark.parametrize("name", ["openml/31", "openml/weather", "openml/Weather/1"])
def test_a_set_keeps_types_labels_and_missing_values(server: Server, known: Catalogue, name: str) -> None:
    put(server)
    loaded = known.load(name)
    data = loaded.whole
    assert [(attribute.name, attribute.kind.value, attribute.labels) for attribute in data.attributes] == [
        ("sky", "nominal", ("sun", "light rain", "NA", "fog")),
        ("degrees", "numeric", ()),
        ("zip", "numeric", ()),
    ]
    assert data.columns[0].tolist() == [0, 1, 2, -1, 0, 2]
    assert np.array_equal(data.columns[1], [21.5, np.nan, 17.25, -3, 1e-7, 30], equal_nan=True)
    assert (data.classes, data.decisions.tolist()) == (("yes", "no"), [0, 1, -1, 1, 0, 1])
    assert loaded.remarks[0] == f"{name}: data set 31 of OpenML, weather, version 1; class: play"


def test_the_same_file_by_its_path_is_the_same_data(server: Server, known: Catalogue, tmp_path: Path) -> None:
    """Our own reader of ARFF says the same, but for NA, which in a file means missing."""
    text = ARFF.replace("NA", "snow")
    put(server, text)
    (tmp_path / "weather.arff").write_text(text, encoding="utf-8")
    ours = load_file(tmp_path / "weather.arff", ColumnChoice(drop=("id", "note")))
    assert known.load("openml/31").content == ours.content


def test_a_fetched_set_is_read_without_a_network(server: Server, known: Catalogue) -> None:
    put(server)
    first = known.load("openml/31")
    requests_before = len(server.requests)
    assert known.load("openml/31").content == offline(known).load("openml/31").content == first.content
    assert len(server.requests) == requests_before
    with pytest.raises(
        AbsentError,
        match=r"and a command that only reads does not download it: run `python -m ",
    ):
        offline(known).load("openml/weather")


def test_a_file_that_was_changed_is_never_read(server: Server, known: Catalogue) -> None:
    put(server)
    first = known.load("openml/31")
    path = known.fetcher.cache / "openml/31.parquet"
    whole = path.read_bytes()
    for damaged in (whole[:-9], whole.replace(b"light", b"night"), b""):
        path.write_bytes(damaged)
        with pytest.raises(AbsentError, match="has changed since it was fetched" if damaged else "is missing"):
            offline(known).load("openml/31")
        assert known.load("openml/31").content == first.content  # fetched again
    refused = path.with_name(path.name + REFUSED)
    refused.unlink()
    refused.mkdir()  # so that nothing can be set aside under this name
    path.write_bytes(whole[:-9])
    assert known.load("openml/31").content == first.content


def test_columns_may_be_chosen(server: Server, known: Catalogue) -> None:
    put(server)
    data = known.load("openml/31", ColumnChoice("sky", ("degrees",), (("zip", "nominal"),))).whole
    assert data.classes == ("sun", "light rain", "NA", "fog")
    assert [(attribute.name, attribute.labels) for attribute in data.attributes] == [
        ("zip", ("50667", "53111")),
        ("play", ("yes", "no")),
    ]
    with pytest.raises(DataError, match="`drop` has 'skyy', but there is no such column, did you mean 'sky'"):
        known.load("openml/31", ColumnChoice(drop=("skyy",)))
    with pytest.raises(DataError, match="`types` has 'id', but there is no such column"):
        known.load("openml/31", ColumnChoice(types=(("id", "nominal"),)))


@pytest.mark.parametrize("target", [None, "sky,play"])
def test_a_set_without_one_class_needs_its_name(server: Server, known: Catalogue, target: str | None) -> None:
    put(server, target=target)
    with pytest.raises(DataError) as caught:
        known.load("openml/31")
    assert str(caught.value) == (
        "openml/31 has no default class, or more than one: choose a column as the class, target=NAME; the "
        "columns are sky, degrees, zip, play"
    )
    assert known.load("openml/31", ColumnChoice("play")).whole.classes == ("yes", "no")
    with pytest.raises(DataError, match="openml/31 has no column 'pla': choose a column"):
        known.load("openml/31", ColumnChoice("pla"))


def test_sets_that_openml_does_not_have(server: Server, known: Catalogue) -> None:
    put(server)
    for name in ("openml/99", "openml/nothing", "openml/weather/2"):
        with pytest.raises(ConfigError, match=f"OpenML has no data set '{name}': look up its number"):
            known.load(name)
    assert not list(known.fetcher.cache.rglob("*"))


@pytest.mark.parametrize(
    "name", ["openml/", "openml/../31", "openml/a b", "openml/weather/x", "openml/31/1/2", "openml/0"]
)
def test_names_of_another_form(server: Server, known: Catalogue, name: str) -> None:
    with pytest.raises(
        ConfigError, match="expected openml/NUMBER, openml/NAME or openml/NAME/VERSION, such as openml/31"
    ):
        known.load(name)
    assert not server.requests


def test_without_a_network(known: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(_: Request) -> object:
        raise _openml.URLError(OSError(101, "Network is unreachable"))

    monkeypatch.setattr(_openml, "urlopen", refuses)
    monkeypatch.setattr(_openml.time, "sleep", lambda _: None)
    with pytest.raises(AbsentError) as caught:
        known.load("openml/31")
    assert str(caught.value) == (
        "'openml/31' is missing, and it cannot be downloaded from openml.org: [Errno 101] Network is unreachable; run "
        "`python -m pipeline.fetch openml/31` on a machine with a network, and copy the cache here"
    )


@pytest.mark.parametrize(
    ("path", "answered", "expected"),
    [
        ("/api/v1/json/data/31", status(500), "it cannot be downloaded from openml.org: HTTP Error 500"),
        ("/api/v1/json/data/31", b"<html>", "the answer of openml.org cannot be read"),
        ("/api/v1/json/data/31", b"{}", "unexpected answer"),
        ("/api/v1/json/data/31", sends(DAMAGED, Content_Encoding="gzip"), "unexpected answer: error: Error -3 while"),
        ("/api/v1/json/data/features/31", b"[" * 100_000, "unexpected answer: RecursionError"),
        ("/api/v1/json/data/qualities/31", qualities("inf"), "unexpected answer: OverflowError"),
        ("/api/v1/json/data/qualities/31", qualities("5.0"), "openml.org states 5 rows, but has sent a file with 6$"),
        ("/data/v1/download/31/weather.arff", ARFF.replace("sun", "fun").encode(), "md5 checksum"),
        ("/data/v1/download/31/weather.arff", gzip.compress(b"x", mtime=0), "md5 checksum"),
    ],
)
def test_bad_answers(server: Server, known: Catalogue, path: str, answered: Answer | bytes, expected: str) -> None:
    put(server)
    server.put(path, answered)
    with pytest.raises(DataError, match=expected):
        known.load("openml/31")
    assert not list(known.fetcher.cache.rglob("*"))


def test_an_answer_that_contradicts_itself(server: Server, known: Catalogue) -> None:
    put(server, types={"sky": "nominal", "id": "numeric"} | TYPES)  # the first column of the file has no labels
    with pytest.raises(DataError, match=r"openml/31: (openml\.org has sent an unexp|the answer of openml\.org cannot)"):
        known.load("openml/31")


def test_forms_that_are_not_read(server: Server, known: Catalogue) -> None:
    put(server, ARFF.partition("1,sun")[0] + "{1 sun,2 3,5 no}\n{2 3,5 no}\n", form="Sparse_ARFF")
    with pytest.raises(DataError, match="openml/31 is sparse, which Orchard does not read"):
        known.load("openml/31")
    put(server, ARFF.replace("{x, y}", "STRING"), types=TYPES | {"note": "string"}, left_out=("id",))
    with pytest.raises(DataError, match=r"openml/31 has columns of text, .* download its ARFF file from openml.org"):
        known.load("openml/31")
    put(server, ARFF.replace("sun,21.5", "storm,21.5"))
    with pytest.raises(DataError, match=r"openml/31: the ARFF file that openml\.org has sent cannot be read"):
        known.load("openml/31")


def test_a_run_and_its_trees_need_no_network_after_the_first_fetch(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rows = "".join(f"{k},{'sun' if k % 2 else 'fog'},{k},x,{k % 3},{'yes' if k % 2 else 'no'}\n" for k in range(40))
    put(server, ARFF.partition("1,sun")[0] + rows)
    fetched = run_orchard("openml/31", cwd=tmp_path, module="pipeline.fetch")
    assert fetched.stdout.startswith("openml/31: 40 rows (all), 3 attributes, 2 classes, fingerprint ")
    server.answers.clear()
    run = ("+grid=compare_builders", "source=openml/31", "builders=[cart]", "protocol.folds=2", "cluster=threads")
    done = run_orchard(*run, "types={zip: nominal}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = run_orchard("--source", "openml/31", "--builder", "cart", cwd=tmp_path, module="pipeline.show")
    assert "sky in {sun, " in shown.stdout
    assert "the stored row has the same" in shown.stdout
    (source,) = sources_named("openml/31", ColumnChoice(types=(("zip", "nominal"),)), Data(None, None))
    assert source.load().content in source.fingerprints
    server.put("/*", status(500))
    (tmp_path / "cache/orchard/openml/31.parquet").unlink()
    gone = run_orchard("--source", "openml/31", "--builder", "cart", cwd=tmp_path, module="pipeline.show")
    assert gone.returncode != 0
    assert "run `python -m pipeline.fetch openml/31`" in gone.stderr
