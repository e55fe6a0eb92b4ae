"""Download from openml.org by scikit-learn, and pack the data set as one Parquet file."""

from __future__ import annotations

import io
import json
import socket
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from pipeline.errors import AbsentError, ConfigError, DataError

__all__ = ["NOTES", "downloaded"]

NOTES = b"orchard.openml"
"""Key of the Parquet metadata with OpenML's description of the data set, as JSON.

target   : the class, or several with commas; null if OpenML names none
labels   : of the nominal columns, in the declared order
title    : name of the data set
warnings : OpenML's own
url, md5 : its page, and the MD5 of the downloaded file
"""


def downloaded(name: str, which: Mapping[str, Any], patience: float) -> bytes:
    """The Parquet file of a data set.

    name     : for messages
    which    : `data_id`, or `name` and optionally `version`, as `fetch_openml` takes them
    patience : seconds without an answer after which it is given up

    Raises ConfigError: OpenML has no such data set.
    Raises DataError: it cannot be downloaded, is sparse, or has columns of text.
    """
    return _packed(_fetched(name, which, patience))


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


def _fetched(name: str, which: Mapping[str, Any], patience: float) -> _Fetched:
    """Download a data set from openml.org; scikit-learn verifies its MD5."""
    from sklearn.datasets import fetch_openml

    with _explained(name), _patience(patience), warnings.catch_warnings(record=True) as raised:
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
    """Turn errors of OpenML, of the network and of files into errors that say what to do."""
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
    """Set a time limit for sockets opened in the block; scikit-learn has no such option."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)
