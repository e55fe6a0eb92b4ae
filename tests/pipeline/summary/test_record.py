"""`summary.json`: what is written is read again as it was, and a file that anybody may have changed is refused."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.configuration.keys import RequestedKey
from pipeline.summary.exact_json import parsed
from pipeline.summary.failures import FailureGroup, Failures
from pipeline.summary.record import (
    FORMAT,
    NAME,
    MadeFrom,
    RecordedTree,
    SummaryRecord,
    TreeLabels,
    UnreadableSummaryError,
    read_summary,
    write_summary,
)
from pipeline.summary.tables import SummaryTable
from pipeline.summary.verdicts import Verdict

RUN, GRID = "0123456789ab", "mine"
TEXTS = st.text(st.characters(), max_size=20)
VALUES = st.one_of(
    st.none(), st.booleans(), TEXTS, st.integers(-(2**100), 2**100), st.floats(), st.sampled_from(Verdict)
)


def recorded(*tables: SummaryTable) -> SummaryRecord:
    """A summary with all that it can have."""
    return SummaryRecord(
        run=RUN,
        grid=GRID,
        meaning="a study",
        finding="1 of 2 cells agrees",
        has_results=True,
        items=4,
        rows=12,
        tables=tables,
        figures={"plot.svg": 20, "plot.png": 10},
        trees=(
            RecordedTree("lost", {"source": "a", "fold": 1}, None, None, "its data are gone"),
            RecordedTree("kept", {}, {"format": "x"}, TreeLabels(("a",), (("b", "c"),), ("d",))),
        ),
        failures=Failures(
            {"ok": 11, "failed": 1}, (FailureGroup("failed", "it broke", 1, "source a"),), 0, {"12ab": 12}
        ),
        requested=(RequestedKey("seed", "1", "0"), RequestedKey("mine", "x", None)),
        made_from=MadeFrom({"results": {"part-000000000-000000004-0123456789abcdef.parquet": 99}}, "0.1.0", "ff"),
    )


def table(rows: Any = (("a", 1.5, "agrees"), ("b", 2, None))) -> SummaryTable:
    return SummaryTable("cells", "Cells", ("source", "ours", "verdict"), rows, "a note", "select {ours}, {source:name}")


def same(first: object, second: object) -> bool:
    """Whether two values are of one type and equal, a NaN a NaN and a zero of the same sign."""
    if isinstance(first, float) and isinstance(second, float):
        return (math.isnan(first) and math.isnan(second)) or (
            first == second and math.copysign(1, first) == math.copysign(1, second)
        )
    return type(first) is type(second) and first == second


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), max_size=5), TEXTS, TEXTS)
def test_what_is_written_is_read_with_its_exact_types(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Any, ...]], title: str, note: str
) -> None:
    folder = tmp_path_factory.mktemp("record")
    written = recorded(SummaryTable("cells", title, ("a", "b", "verdict"), rows, note))
    write_summary(written, folder)
    summary = read_summary(folder, RUN, GRID)
    (shown,) = summary.tables
    for row, theirs in zip(shown.rows, rows, strict=True):
        plain = [str(value) if isinstance(value, Verdict) else value for value in theirs]
        assert all(map(same, row, plain))
    assert (shown.title, shown.note) == (title, note)
    assert shown.verdicts == written.tables[0].verdicts
    for name in ("figures", "trees", "failures", "requested", "made_from", "finding", "has_results", "items", "rows"):
        assert getattr(summary, name) == getattr(written, name)


def test_numbers_of_numpy_are_written_as_pythons(tmp_path: Path) -> None:
    write_summary(recorded(table([(np.str_("a"), np.float64(1.5), None), ("b", np.int64(2), None)])), tmp_path)
    (summary,) = read_summary(tmp_path, RUN, GRID).tables
    assert [[type(value) for value in row] for row in summary.rows] == [
        [str, float, type(None)],
        [str, int, type(None)],
    ]


def test_a_question_is_the_same_after_reading(tmp_path: Path) -> None:
    write_summary(recorded(table()), tmp_path)
    (summary,) = read_summary(tmp_path, RUN, GRID).tables
    assert [summary.question_of(row) for row in summary.records] == [
        table().question_of(row) for row in table().records
    ]


def without_digest(folder: Path) -> dict[str, Any]:
    """The content of a summary; an earlier version wrote no digest."""
    whole: dict[str, Any] = json.loads((folder / NAME).read_text())
    return {key: value for key, value in whole.items() if key != "digest"}


def test_a_digit_that_was_changed_is_refused_and_a_file_without_a_digest_is_read(tmp_path: Path) -> None:
    write_summary(recorded(table()), tmp_path)
    content = (tmp_path / NAME).read_text()
    assert content.count("1.5") == 1
    last = "0" if content[-3] != "0" else "1"
    for other in (content.replace("1.5", "1.6"), f'{content[:-3]}{last}"}}', json.dumps(json.loads(content))):
        (tmp_path / NAME).write_text(other)
        with pytest.raises(UnreadableSummaryError, match="digest"):
            read_summary(tmp_path, RUN, GRID)
    (tmp_path / NAME).write_text(f"{content}\n")  # as some editors leave it
    assert read_summary(tmp_path, RUN, GRID) == recorded(table())
    (tmp_path / NAME).write_text(json.dumps(without_digest(tmp_path)))
    assert read_summary(tmp_path, RUN, GRID) == recorded(table())


def paths_in(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every path in a JSON value, the whole first."""
    yield above
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in below:
        yield from paths_in(each, (*above, name))


def changed(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """The value with another one at a path."""
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(copy[path[0]], path[1:], other)
    return copy


@pytest.mark.parametrize("other", [None, True, -1.5, "x", [], {}, [[]], {"a": []}, {"float": "nan"}, 2**130, -7])
def test_another_value_anywhere_is_refused_with_its_path_or_read_unchanged(tmp_path: Path, other: Any) -> None:
    write_summary(recorded(table()), tmp_path)
    whole = without_digest(tmp_path)
    messages: list[str] = []
    for path in paths_in(whole):
        (tmp_path / NAME).write_text(json.dumps(changed(whole, path, other)))
        try:
            read_summary(tmp_path, RUN, GRID)
        except UnreadableSummaryError as error:
            messages.append(str(error))
        else:
            here = whole
            for name in path:
                here = here[name]
            assert (
                {"tree", "row"} & set(path)
                or type(here) is type(other)
                or "rows" in path
                or path[-1] in {"default", "labels", "why"}
            ), path
    assert len(messages) > 20
    assert all(NAME in words and len(words) < 2_000 for words in messages)


@pytest.mark.parametrize("name", [*SummaryRecord.__dataclass_fields__])
def test_a_missing_field_and_an_unknown_one_are_refused(tmp_path: Path, name: str) -> None:
    write_summary(recorded(table()), tmp_path)
    whole = without_digest(tmp_path)
    for spoilt in ({key: each for key, each in whole.items() if key != name}, {**whole, f"{name}s": 1}):
        (tmp_path / NAME).write_text(json.dumps(spoilt))
        with pytest.raises(
            UnreadableSummaryError, match=r"the file is .*: expected an object with the keys run, grid, "
        ):
            read_summary(tmp_path, RUN, GRID)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "expected JSON"),
        (b"\xff\xfe\x00", "expected JSON"),
        (b"[" * 1_000_000, "expected JSON"),
        (b'{"run": NaN}', "NaN is not a JSON number"),
        (b'{"run": ' + b"9" * 10_000 + b"}", "expected JSON"),
        (b"[" * 400 + b"]" * 400, "expected an object with the keys run"),
        (b'{"format": "orchard.summary/0"}', "not of format 'orchard.summary/5'"),
    ],
)
def test_an_invalid_file_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(UnreadableSummaryError) as refused:
        read_summary(tmp_path, RUN, GRID)
    assert why in str(refused.value)
    assert len(str(refused.value)) < 2_000


@pytest.mark.parametrize(
    "question",
    [
        "{",
        "{}",
        "{0}",
        "{nothing}",
        "{source.__class__}",
        "{source[0]}",
        "{source!r}",
        "{source:>99999999}",
        "{source:{ours}}",
    ],
)
def test_a_question_reaches_nothing_but_the_values_of_its_row(tmp_path: Path, question: str) -> None:
    write_summary(recorded(table()), tmp_path)
    whole = without_digest(tmp_path)
    whole["tables"][0]["question"] = question
    (tmp_path / NAME).write_text(json.dumps(whole))
    with pytest.raises(UnreadableSummaryError, match=r"tables\[0\]"):
        read_summary(tmp_path, RUN, GRID)


@pytest.mark.parametrize("name", ["", ".hidden", "../../secret.svg", "/etc/passwd", "a\\b", "a\0", "x" * 300])
def test_a_file_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    write_summary(recorded(table()), tmp_path)
    whole = without_digest(tmp_path)
    of_table = changed(whole, ("tables", 0, "name"), name)
    for spoilt in (of_table, {**whole, "figures": {name: 1}}):
        (tmp_path / NAME).write_text(json.dumps(spoilt))
        with pytest.raises(UnreadableSummaryError, match="expected the name of a file, without a folder"):
            read_summary(tmp_path, RUN, GRID)


def test_the_summary_of_another_run_is_refused(tmp_path: Path) -> None:
    write_summary(recorded(table()), tmp_path)
    for run, grid in (("ffffffffffff", GRID), (RUN, "other")):
        with pytest.raises(UnreadableSummaryError, match=f"grid '{GRID}' and run '{RUN}'"):
            read_summary(tmp_path, run, grid)


def test_a_pipe_and_a_folder_of_its_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSummaryError, match=f"has no {NAME}"):
        read_summary(tmp_path, RUN, GRID)
    os.mkfifo(tmp_path / NAME)
    with pytest.raises(UnreadableSummaryError, match="a pipe or a device"):
        read_summary(tmp_path, RUN, GRID)
    (tmp_path / NAME).unlink()
    (tmp_path / NAME).mkdir()
    with pytest.raises(UnreadableSummaryError, match="cannot be read"):
        read_summary(tmp_path, RUN, GRID)


def test_one_that_is_too_large_to_be_read_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.summary.record.LARGEST_RECORD", 1_000)
    with pytest.raises(UnreadableSummaryError, match="expected 1,000 at most"):
        write_summary(recorded(table()), tmp_path)
    assert not list(tmp_path.iterdir())
    assert FORMAT == "orchard.summary/5"


@dataclass(frozen=True)
class Noted:
    """What a note of a run may hold."""

    name: str
    share: float
    most: int | None
    tables: tuple[str, ...]
    identity: dict[str, Any]


GOOD = {"name": "a", "share": 0.5, "most": None, "tables": ["b"], "identity": {"c": [1, {}]}}


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *(("name", value) for value in (1, None, ["a"], {})),
        *(("share", value) for value in ("0.5", None, math.nan, math.inf, True)),
        *(("most", value) for value in (0.5, True, 10**400, "1")),
        *(("tables", value) for value in ("b", {"b": 1}, [1], None)),
        *(("identity", value) for value in ("c", [1], 5)),
    ],
)
def test_a_note_with_an_entry_that_does_not_fit_is_not_read(name: str, wrong: object) -> None:
    assert parsed(Noted, json.dumps(GOOD)) == Noted("a", 0.5, None, ("b",), {"c": [1, {}]})
    assert parsed(Noted, json.dumps(GOOD | {name: wrong})) is None
    assert parsed(Noted, json.dumps([GOOD])) is parsed(Noted, "[") is None
    assert parsed(Noted, json.dumps(GOOD | {"other": 1})) is None
