"""Download from openml.org by scikit-learn, and pack the data set as one Parquet file."""

from __future__ import annotations

import gzip
import io
import json
import socket
import tempfile
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPException
from itertools import dropwhile
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from algorithms.array_types import Numbers
from algorithms.plurals import counted
from pipeline.errors import AbsentError, ConfigError, DataError

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
    patience : seconds without an answer after which the download fails

    Raises ConfigError: OpenML has no such data set.
    Raises DataError: it cannot be downloaded, is sparse, or has columns of text.
    """
    from sklearn.datasets import fetch_openml  # it verifies the MD5

    with _explained(name), _patience(patience), warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        with tempfile.TemporaryDirectory() as folder:
            data_set = fetch_openml(
                **which,
                data_home=folder,
                target_column=None,
                as_frame=False,
                parser="liac-arff",
                n_retries=1,
                delay=0.1,
            )
            rows = _rows_of_file(Path(folder))
    with _explained(name):  # the parts of the answer may contradict each other
        details = data_set.details
        if details["format"].lower() == "sparse_arff":
            raise DataError(
                f"{name} is sparse, which Orchard does not read: choose a data set that is stored with all its values"
            )
        if rows != len(data_set.data):
            stated = counted(len(data_set.data), "row")
            raise DataError(f"{name}: openml.org states {stated}, but has sent a file with {rows:,}")
        labels = {
            column: [label.strip() for label in data_set.categories[column]]
            for column in data_set.feature_names
            if column in data_set.categories
        }
        notes = {
            "target": details.get("default_target_attribute"),
            "title": f"data set {details['id']} of OpenML, {details['name']}, version {details['version']}",
            "warnings": [
                str(warning.message).splitlines()[0]
                for warning in raised
                if not str(warning.message).startswith("A net")
            ],
            "url": data_set.url,
            "md5": details["md5_checksum"],
            "labels": labels,
        }
        return _packed(data_set.feature_names, np.asarray(data_set.data, np.float64), labels, notes)


def _rows_of_file(folder: Path) -> int:
    """The number of rows of the downloaded ARFF file; scikit-learn reads only as many as OpenML states."""
    (path,) = (path for path in folder.rglob("*.gz") if "api" not in path.relative_to(folder).parts)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = dropwhile(lambda line: not line.lstrip().lower().startswith("@data"), lines)
        return sum(not line.lstrip().startswith("%") for line in rows if line.strip()) - 1


def _packed(names: Sequence[str], values: Numbers, labels: Mapping[str, list[str]], notes: Mapping[str, Any]) -> bytes:
    """The bytes of a Parquet file: text and numbers, missing values null, and the notes."""
    columns = {}
    for name, column in zip(names, values.T, strict=True):
        if name in labels:
            codes = pa.array(np.where(np.isnan(column), 0, column).astype(np.int32), mask=np.isnan(column))
            columns[name] = pa.array(labels[name], pa.string()).take(codes)
        else:
            columns[name] = pa.array(column, from_pandas=True)
    stream = io.BytesIO()
    table = pa.table(columns).replace_schema_metadata({NOTES: json.dumps(notes)})
    pyarrow.parquet.write_table(table, stream, write_page_checksum=True)
    return stream.getvalue()


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn errors of OpenML, of the network and of files into errors that say what to do."""
    try:
        yield
    except (OSError, HTTPException) as error:  # URLError and HTTPError are OSErrors
        cause = error.reason if isinstance(error, URLError) and not isinstance(error, HTTPError) else error
        why = " ".join(str(cause).split()) or type(error).__name__
        raise AbsentError(
            f"'{name}' is missing, and it cannot be downloaded from openml.org: {why}; run `python -m pipeline.fetch "
            f"{name}` on a machine with a network, and copy the cache here"
        ) from error
    except ValueError as error:
        if type(error).__name__ == "OpenMLError":
            raise ConfigError(
                f"OpenML has no data set '{name}': look up its number at https://www.openml.org/search?type=data"
            ) from error
        if str(error).startswith("STRING"):
            raise DataError(
                f"{name} has columns of text, which cannot be fetched: download its ARFF file from openml.org, and "
                "give the path, source=./FILE.arff; leave out columns that are not attributes by drop=[NAME]"
            ) from error
        raise DataError(f"{name}: the answer of openml.org cannot be read: {error}") from error
    except (
        LookupError, TypeError, AttributeError, EOFError, ArithmeticError, RecursionError, zlib.error,
    ) as error:  # fmt: skip
        raise DataError(f"{name}: openml.org has sent an unexpected answer: {type(error).__name__}: {error}") from error
    except Exception as error:
        if "arff" not in type(error).__module__:
            raise
        raise DataError(f"{name}: the ARFF file that openml.org has sent cannot be read: {error}") from error


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Set a time limit for sockets opened in the block; scikit-learn has no such option."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)
