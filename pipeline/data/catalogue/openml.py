"""Data sets of OpenML by number or name: fetched once by scikit-learn, kept as Parquet, verified at every use."""

from __future__ import annotations

import hashlib
import io
import json
import re
import socket
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.catalogue.delimited import TextTable
from pipeline.data.catalogue.entry import Column, ColumnKind, Layout
from pipeline.data.catalogue.fetching import REFUSED, Fetcher
from pipeline.data.catalogue.limits import Limits
from pipeline.data.catalogue.lines import some
from pipeline.data.catalogue.reading import read_text
from pipeline.errors import AbsentError, ConfigError, DataError
from pipeline.storage.atomic import write_atomically

__all__ = ["OpenmlTable", "is_openml", "openml_table"]

GROUP = "openml/"
NAME = re.compile(
    r"openml/(?:(?P<id>[1-9]\d{0,8})|(?P<name>(?!\d+(/|$))[A-Za-z0-9][\w.()+-]{0,99})(?:/(?P<version>[1-9]\d{0,4}))?)"
)
NOTES = b"orchard.openml"
"""Under which the Parquet file keeps what OpenML says of the data set."""


@dataclass(frozen=True)
class OpenmlTable:
    """A data set of OpenML as text.

    table   : its columns without row identifiers and those that OpenML says to ignore
    choice  : what a person says of the columns, with OpenML's class where they name none
    remarks : which data set it is, and OpenML's own warnings
    """

    table: TextTable
    choice: ColumnChoice
    remarks: tuple[str, ...]


def is_openml(name: str) -> bool:
    """Whether a name is that of a data set of OpenML."""
    return name.startswith(GROUP)


def openml_table(name: str, choice: ColumnChoice, fetcher: Fetcher, limits: Limits) -> OpenmlTable:
    """The data set of a name such as `openml/31`, `openml/credit-g` or `openml/credit-g/1`.

    It is fetched where it is not in the cache, or not as it was put there.

    Raises
    ------
    ConfigError
        The name has another form, or OpenML has no such data set.
    DataError
        It cannot be fetched, is sparse, has columns of text, or has no class.
    """
    asked = NAME.fullmatch(name)
    if asked is None:
        msg = f"'{name[:120]}': expected openml/NUMBER, openml/NAME or openml/NAME/VERSION, such as openml/31"
        raise ConfigError(msg)
    path = fetcher.cache / "openml" / f"{name.removeprefix(GROUP).replace('/', ',').lower()}.parquet"
    content = _kept(path, name, offline=fetcher.offline)
    if content is None:
        content = _packed(_fetched(name, asked, fetcher))
        _keep(path, content)
    table = read_text(content, name, Layout(), limits)
    notes = _notes(content)
    target = choice.target or notes["target"]
    names = [column.name for column in table.columns]
    if target not in names:
        what = f"has no column '{target}'" if choice.target else "has no class by default, or more than one"
        msg = f"{name}: {what}: name its class, target=NAME; columns: {some(names)}"
        raise DataError(msg)
    labels: Mapping[str, list[str]] = notes["labels"]
    columns = tuple(
        Column(one, ColumnKind.NOMINAL, tuple(labels[one])) if one in labels else Column(one, ColumnKind.NUMERIC)
        for one in names
    )
    remarks = (f"{name}: {notes['title']}; class: {target}", *(f"{name}: {said}" for said in notes["warnings"]))
    return OpenmlTable(replace(table, columns=columns), replace(choice, target=target), remarks)


def _digest_file(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _kept(path: Path, name: str, *, offline: bool) -> bytes | None:
    """What is in the cache, if it is what was put there; else it is set aside, and must be fetched."""
    try:
        content = path.read_bytes()
        good = hashlib.sha256(content).hexdigest() == _digest_file(path).read_text("ascii").strip()
    except FileNotFoundError:
        content, good = b"", False
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path}: cannot be read: {error}"
        raise DataError(msg) from error
    if good:
        return content
    if offline:
        state = f"not as it was fetched ({path})" if content else "not here"
        msg = f"'{name}' is {state}, and cannot be downloaded by a command that only reads: run "
        msg += f"`python -m pipeline.fetch {name}`"
        raise AbsentError(msg)
    if content:
        path.replace(path.with_name(path.name + REFUSED))
    return None


def _keep(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)
        write_atomically(_digest_file(path), f"{hashlib.sha256(content).hexdigest()}\n".encode())
    except OSError as error:
        msg = f"{path}: cannot be written: {error.strerror or error}; set XDG_CACHE_HOME to a folder of yours"
        raise DataError(msg) from error


def _notes(content: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pyarrow.parquet.read_schema(pa.BufferReader(content)).metadata[NOTES])
    return found


@dataclass(frozen=True)
class _Fetched:
    """What scikit-learn returns: the columns with their names, labels of the nominal ones, notes."""

    names: list[str]
    values: np.ndarray[Any, np.dtype[np.float64]]
    labels: Mapping[str, list[str]]
    notes: Mapping[str, Any]


def _packed(found: _Fetched) -> bytes:
    """The bytes of a Parquet file: text and numbers, missing values null, and the notes."""
    columns = {}
    labels = {name: [label.strip() for label in found.labels[name]] for name in found.names if name in found.labels}
    for place, name in enumerate(found.names):
        column = found.values[:, place]
        if name in labels:
            codes = pa.array(np.where(np.isnan(column), 0, column).astype(np.int32), mask=np.isnan(column))
            columns[name] = pa.array(labels[name], pa.string()).take(codes)
        else:
            columns[name] = pa.array(column, from_pandas=True)
    table = pa.table(columns).replace_schema_metadata({NOTES: json.dumps({**found.notes, "labels": labels})})
    stream = io.BytesIO()
    pyarrow.parquet.write_table(table, stream, write_page_checksum=True)
    return stream.getvalue()


def _fetched(name: str, asked: re.Match[str], fetcher: Fetcher) -> _Fetched:
    """A data set from openml.org, whose MD5 scikit-learn verifies."""
    from sklearn.datasets import fetch_openml

    which: dict[str, Any] = {"data_id": int(asked["id"])} if asked["id"] else {"name": asked["name"]}
    if asked["version"]:
        which["version"] = int(asked["version"])
    with _explained(name), _patience(fetcher.patience), warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        with tempfile.TemporaryDirectory() as folder:
            found = fetch_openml(
                **which,
                data_home=folder,
                target_column=None,
                as_frame=False,
                parser="liac-arff",
                n_retries=1,
                delay=0.1,
            )
    if found.details["format"].lower() == "sparse_arff":
        msg = f"{name} is sparse, which is not read here: take a data set that is stored with all its values"
        raise DataError(msg)
    details = found.details
    target = details.get("default_target_attribute")
    said = [str(warning.message).splitlines()[0] for warning in raised if not str(warning.message).startswith("A net")]
    title = f"data set {details['id']} of OpenML, {details['name']}, version {details['version']}"
    notes = {"target": target, "title": title, "warnings": said, "url": found.url, "md5": details["md5_checksum"]}
    return _Fetched(list(found.feature_names), np.asarray(found.data, np.float64), found.categories, notes)


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Raise errors of OpenML, of the network and of files as errors that say what to do."""
    try:
        yield
    except (OSError, HTTPException) as error:  # URLError and HTTPError are OSErrors
        cause = error.reason if isinstance(error, URLError) and not isinstance(error, HTTPError) else error
        why = str(cause) or type(error).__name__
        msg = (
            f"'{name}' is not here, and openml.org does not send it: {why}; run `python -m pipeline.fetch {name}` "
            "where there is a network, and take the cache along"
        )
        raise AbsentError(msg) from error
    except ValueError as error:
        if type(error).__name__ == "OpenMLError":
            msg = (
                f"'{name}': OpenML has no such data set: look for its number at https://www.openml.org/search?type=data"
            )
            raise ConfigError(msg) from error
        if str(error).startswith("STRING"):
            msg = (
                f"{name} has columns of text, which cannot be fetched: download its ARFF file from openml.org, and "
                "name it by its path, source=./FILE.arff, with drop=[NAME] for columns that are no attributes"
            )
            raise DataError(msg) from error
        msg = f"{name}: what openml.org has sent cannot be read: {error}"
        raise DataError(msg) from error
    except (KeyError, TypeError, IndexError, AttributeError, EOFError) as error:
        msg = f"{name}: what openml.org has sent is not what is expected of it: {type(error).__name__}: {error}"
        raise DataError(msg) from error
    except Exception as error:
        if "arff" not in type(error).__module__:
            raise
        msg = f"{name}: the ARFF file that openml.org has sent cannot be read: {error}"
        raise DataError(msg) from error


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Have sockets that are opened within this give up after so many seconds; scikit-learn has no such option."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)
