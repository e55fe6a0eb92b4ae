"""Data sets of OpenML by number or name: downloaded once by scikit-learn, stored as Parquet, verified at every use."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.fetching import REFUSED, Fetcher, unwritable
from pipeline.data.catalogue.kinds import with_kinds
from pipeline.data.catalogue.lines import some
from pipeline.data.catalogue.loading import LoadedSet, date_remarks, in_memory, undescribed
from pipeline.data.catalogue.openml_download import NOTES, downloaded
from pipeline.data.catalogue.reading import read_text
from pipeline.errors import AbsentError, ConfigError, DataError
from pipeline.storage.atomic import write_atomically

GROUP = "openml/"
NAME = re.compile(
    r"openml/((?P<id>[1-9]\d{0,8})|(?P<name>(?!\d+(/|$))[A-Za-z0-9][\w.()+-]{0,99})(/(?P<version>[1-9]\d{0,4}))?)",
    re.ASCII,
)


def is_openml(name: str) -> bool:
    """Whether a name is that of a data set of OpenML."""
    return name.startswith(GROUP)


def load_openml(name: str, choice: ColumnChoice, fetcher: Fetcher) -> LoadedSet:
    """Load the data set with a name such as `openml/31`, `openml/credit-g` or `openml/credit-g/1`.

    It is downloaded unless the cache has an undamaged copy. Columns are of the types that OpenML declares or `choice`
    says.

    Raises ConfigError: the name has another form, or OpenML has no such data set.
    Raises DataError: it cannot be downloaded, is sparse, has columns of text, or has no class.
    """
    match = NAME.fullmatch(name)
    if match is None:
        raise ConfigError(
            f"'{name[:120]}': expected openml/NUMBER, openml/NAME or openml/NAME/VERSION, such as openml/31"
        )
    path = fetcher.cache / "openml" / f"{name.removeprefix(GROUP).replace('/', ',').lower()}.parquet"
    content = _kept(path, name, offline=fetcher.offline)
    if content is None:
        which: dict[str, Any] = {"data_id": int(match["id"])} if match["id"] else {"name": match["name"]}
        which |= {"version": int(match["version"])} if match["version"] else {}
        content = downloaded(name, which, fetcher.patience)
        _keep(path, content)
    table = read_text(content, name, FileLayout())
    notes = json.loads(pyarrow.parquet.read_schema(pa.BufferReader(content)).metadata[NOTES])
    target = choice.target or notes["target"]
    names = [column.name for column in table.columns]
    if target not in names:
        what = f"has no column '{target}'" if choice.target else "has no default class, or more than one"
        raise DataError(f"{name} {what}: choose a column as the class, target=NAME; the columns are {some(names)}")
    labels: Mapping[str, list[str]] = notes["labels"]
    columns = tuple(
        Column(text, ColumnKind.NOMINAL, tuple(labels[text])) if text in labels else Column(text, ColumnKind.NUMERIC)
        for text in names
    )
    remarks = (f"{name}: {notes['title']}; class: {target}", *(f"{name}: {warning}" for warning in notes["warnings"]))
    with in_memory(name):
        table = with_kinds(replace(table, columns=columns), (), replace(choice, target=target))
        return undescribed(table, (), (*remarks, *date_remarks(table.kept())))


def _digest_file(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _kept(path: Path, name: str, *, offline: bool) -> bytes | None:
    """The cached data set if it is undamaged; otherwise it is set aside, and must be downloaded."""
    try:
        content = path.read_bytes()
        undamaged = hashlib.sha256(content).hexdigest() == _digest_file(path).read_text("ascii").strip()
    except FileNotFoundError:
        content, undamaged = b"", False
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read: {error}") from error
    if undamaged:
        return content
    if offline:
        state = f"has changed since it was fetched ({path})" if content else "is missing"
        msg = f"'{name}' {state}, and a command that only reads does not download it: run "
        msg += f"`python -m pipeline.fetch {name}`"
        raise AbsentError(msg)
    if content:
        with suppress(OSError):  # another process may have set it aside
            path.replace(path.with_name(path.name + REFUSED))
    return None


def _keep(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)
        write_atomically(_digest_file(path), f"{hashlib.sha256(content).hexdigest()}\n".encode())
    except OSError as error:
        raise unwritable(path, error) from error
