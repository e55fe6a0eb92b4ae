"""Crates of runs that were really made, judged by the validators of RO-Crate and Croissant and by plain hashing."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.crate.command import METADATA, TABLES, write_crate
from pipeline.crate.process_run import _data_sets
from pipeline.record.kept import stored_runs
from pipeline.schema import RESULTS
from tests.oracles.beside import absent
from tests.pipeline.command_line import FINISHED, ROOT, run_orchard
from tests.pipeline.crate.contexts import CONTEXTS

CATALOGUE = ("+grid=catalogue", "source=[rule/corral,sklearn/iris]", "cluster=threads")
DEPRECATED = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what mlcroissant is made with
GRIDS = ("greedy_vs_dp", "catalogue")


@pytest.fixture(scope="session")
def described_once(made_once: Callable[[str, Callable[[Path], None]], Path], finished_once: Path) -> Path:
    """A folder with two runs, one of data sets, and their crates; read it only."""

    def make(folder: Path) -> None:
        shutil.copytree(finished_once, folder, dirs_exist_ok=True)
        for words in (CATALOGUE, ("crate",)):
            done = run_orchard(*words, cwd=folder)
            assert done.returncode == 0, done.stderr

    return made_once("described", make)


@pytest.fixture
def described(described_once: Path, tmp_path: Path) -> Path:
    """A copy of it, to spoil."""
    copy = tmp_path / "described"
    shutil.copytree(described_once, copy, symlinks=True)
    return copy


def crate_of(folder: Path, grid: str = "greedy_vs_dp") -> Path:
    (crate,) = folder.glob(f"outputs/crates/grid={grid}/run=*")
    return crate


def entities(crate: Path) -> dict[str, dict[str, Any]]:
    return {entity["@id"]: entity for entity in json.loads((crate / METADATA).read_text())["@graph"]}


def files(crate: Path) -> Iterator[dict[str, Any]]:
    return (entity for entity in entities(crate).values() if entity["@type"] == "File")


def changed(crate: Path) -> set[str]:
    """The files whose bytes or sizes are not those that the crate says."""
    contents = {file["@id"]: (crate / file["@id"]).read_bytes() for file in files(crate)}
    return {
        file["@id"]
        for file in files(crate)
        if hashlib.sha256(contents[file["@id"]]).hexdigest() != file["sha256"]
        or str(len(contents[file["@id"]])) != file["contentSize"]
    }


def flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def issues(crate: Path, tmp_path: Path, severity: str = "REQUIRED") -> list[str]:
    """What rocrate-validator finds wrong, in an environment of its own: it takes an older rich than ours."""
    program = shutil.which("rocrate-validator")
    if program is None:
        absent(
            "there is no rocrate-validator (python -m venv VENV && VENV/bin/pip install roc-validator, and add to PATH)"
        )
    contexts = tmp_path / "contexts.json"
    contexts.write_text(json.dumps(CONTEXTS))
    words = [Path(program).resolve().with_name("python"), Path(__file__).with_name("validator.py"), crate, severity]
    done = subprocess.run([*words, contexts], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    parsed = json.loads(done.stdout.splitlines()[-1])
    assert parsed["profile"] == "process-run-crate-0.5"
    return [message for _, message in parsed["issues"]]


@pytest.mark.parametrize("grid", GRIDS)
def test_the_validator_of_ro_crate_finds_no_fault(described_once: Path, tmp_path: Path, grid: str) -> None:
    assert issues(crate_of(described_once, grid), tmp_path) == []


def test_without_an_answer_no_licence_is_claimed(described_once: Path) -> None:
    crate = crate_of(described_once)
    by_id = entities(crate)
    assert by_id[by_id["./"]["license"]["@id"]]["name"] == "No licence is given"
    assert json.loads((crate / TABLES).read_text())["license"] == "No licence is given"


def test_with_an_agent_only_what_no_run_knows_is_missing(described: Path, tmp_path: Path) -> None:
    words = ("crate", "--agent", "Ada Lovelace", "https://orcid.org/0000-0002-1825-0097", "--license", "CC-BY-4.0")
    assert run_orchard(*words, cwd=described).returncode == 0
    crate = crate_of(described)
    by_id = entities(crate)
    assert by_id["./"]["license"] == {"@id": "https://spdx.org/licenses/CC-BY-4.0"}
    assert by_id["https://orcid.org/0000-0002-1825-0097"]["name"] == "Ada Lovelace"
    assert {message.partition(" SHOULD")[0] for message in issues(crate, tmp_path, "RECOMMENDED")} == {
        "The Application",  # has no homepage
        "The SoftwareApplication id",
        "The `publisher` property of a `Root Data Entity`",
        "The author",  # has no affiliation
    }


def test_the_validator_of_ro_crate_finds_faults(described: Path, tmp_path: Path) -> None:
    crate = crate_of(described)
    whole = json.loads((crate / METADATA).read_text())
    for entity in whole["@graph"]:
        for name in ("instrument", "license") + ("conformsTo",) * (entity["@id"] == "./"):
            entity.pop(name, None)
    (crate / METADATA).write_text(json.dumps(whole))
    result = " ".join(issues(crate, tmp_path))
    assert "MUST have an instrument property" in result
    assert "MUST have a `license` property" in result
    assert "consistent with the versioned permalink of the profile" in result


@pytest.mark.parametrize("grid", GRIDS)
@DEPRECATED
def test_mlcroissant_accepts_the_tables_and_loads_every_row(described_once: Path, grid: str) -> None:
    import mlcroissant

    crate = crate_of(described_once, grid)
    dataset = mlcroissant.Dataset(jsonld=crate / TABLES)
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert all("citeAs" in warning for warning in issues.warnings)
    tables = {folder.parent.name: folder for folder in (described_once / "outputs").glob(f"*/grid={grid}")}
    tables = {name: folder for name, folder in tables.items() if name not in {"summaries", "crates"}}
    assert {records.name for records in dataset.metadata.record_sets} == set(tables)
    for table, folder in tables.items():
        parts = sorted(folder.glob("run=*/part-*.parquet"))
        rows = pa.concat_tables(pq.ParquetFile(part).read() for part in parts).to_pylist()
        loaded = [{name: _plain(value) for name, value in row.items()} for row in dataset.records(table)]
        assert loaded == [{f"{table}/{name}": value for name, value in row.items()} for row in rows]


def _plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value.item() if hasattr(value, "item") else value


@DEPRECATED
def test_mlcroissant_refuses_a_field_without_a_type(described: Path) -> None:
    import mlcroissant

    path = crate_of(described) / TABLES
    whole = json.loads(path.read_text())
    del whole["recordSet"][0]["field"][3]["dataType"]
    path.write_text(json.dumps(whole))
    with pytest.raises(mlcroissant.ValidationError, match="dataType"):
        mlcroissant.Dataset(jsonld=path)


def test_the_columns_are_those_of_the_schema_with_their_meanings(described_once: Path) -> None:
    whole = json.loads((crate_of(described_once, "catalogue") / TABLES).read_text())
    fields = {records["name"]: records["field"] for records in whole["recordSet"]}
    *results, made_with = [(field["name"], field["description"]) for field in fields["results"]]
    assert results == [(field.name, field.metadata[b"meaning"].decode()) for field in RESULTS]
    assert made_with[0] == "made_with"
    kinds = {"int32": "cr:Int32", "int64": "cr:Int64", "string": "sc:Text"}
    with (ROOT / "pipeline/grids/catalogue/columns.csv").open(newline="") as text:
        declared = [row for row in csv.DictReader(text) if row["type"]]
    result = {field["name"]: (field["dataType"], field["description"]) for field in fields["data_sets"]}
    assert declared
    assert all(result[row["column"]] == (kinds[row["type"]], row["meaning"]) for row in declared)


@pytest.mark.parametrize("grid", GRIDS)
def test_a_crate_has_each_file_of_its_run_with_its_digest(described_once: Path, grid: str) -> None:
    crate = crate_of(described_once, grid)
    there = {path.relative_to(crate).as_posix() for path in crate.rglob("*") if path.is_file()} - {METADATA}
    by_id = entities(crate)
    assert there == {file["@id"] for file in files(crate)} == {part["@id"] for part in by_id["./"]["hasPart"]}
    assert changed(crate) == set()
    outputs = described_once / "outputs"
    made = [*outputs.glob(f"*/grid={grid}/run=*/part-*.parquet"), *outputs.glob(f"summaries/grid={grid}/run=*/*")]
    assert {path.name for path in made} <= {name.rpartition("/")[2] for name in there}
    (action,) = (entity for entity in by_id.values() if entity["@type"] == "CreateAction")
    made_by_it = {each["@id"] for each in action["result"]}
    assert made_by_it == there - {TABLES, "_run/config.yaml"}
    assert action["startTime"] <= action["endTime"] == by_id["./"]["datePublished"]


def test_data_sets_are_named_with_their_fingerprints(described_once: Path) -> None:
    crate = crate_of(described_once, "catalogue")
    by_id = entities(crate)
    (action,) = (entity for entity in by_id.values() if entity["@type"] == "CreateAction")
    used = [each["@id"] for each in action["object"]]
    assert used == ["_run/config.yaml", "#rule/corral", "#sklearn/iris"]
    (table,) = crate.glob("summaries/data_sets.csv")
    with table.open(newline="") as text:
        computed = {row["source"]: row["fingerprint"] for row in csv.DictReader(text)}
    for name in ("rule/corral", "sklearn/iris"):
        assert by_id[by_id[f"#{name}"]["identifier"]["@id"]]["value"] == computed[name]


def test_fingerprints_are_known_wherever_an_identity_has_them() -> None:
    identity = {
        "data_sets": ["a grid may have a list of this name"],
        "sources": [{"name": "rule/corral", "fingerprints": ["f0"]}, {"data_sets": {"sklearn/iris": ["f1", "f2"]}}],
    }
    entities = [(entity["@id"], entity["@type"]) for entity in _data_sets(identity)]
    assert entities == [
        ("#rule/corral", "CreativeWork"),
        ("#rule/corral-f0", "PropertyValue"),
        ("#sklearn/iris", "CreativeWork"),
        ("#sklearn/iris-f1", "PropertyValue"),
        ("#sklearn/iris-f2", "PropertyValue"),
    ]


def test_packages_are_named_in_all_versions_that_made_rows(described: Path) -> None:
    (known,) = described.glob("outputs/results/grid=greedy_vs_dp/run=*/_run/environments/*.json")
    other = json.loads(known.read_text())
    other["versions"]["numpy"] = "1.0.7"
    known.with_name("01234567.json").write_text(json.dumps(other))
    assert run_orchard("crate", cwd=described).returncode == 0
    versions = {
        entity.get("softwareVersion")
        for entity in entities(crate_of(described)).values()
        if entity.get("name") == "numpy"
    }
    assert "1.0.7" in versions
    assert len(versions) == 2


def test_a_changed_byte_is_noticed(described: Path) -> None:
    crate = crate_of(described)
    flip(crate / "summaries/cells.csv", 100)
    assert changed(crate) == {"summaries/cells.csv"}
    assert run_orchard("crate", cwd=described).returncode == 0
    assert changed(crate) == set()
    part = sorted(crate.glob("results/part-*.parquet"))[0]
    flip(part, 1000)
    assert changed(crate) == {f"results/{part.name}"}
    refused = run_orchard("crate", "--run", crate.name.removeprefix("run="), cwd=described)
    assert refused.returncode == 1
    assert f"{part.name} has changed since it was published" in " ".join(refused.stderr.split())
    others = run_orchard("crate", cwd=described)
    assert others.returncode == 0
    assert "catalogue" in others.stdout
    assert "greedy_vs_dp" not in others.stdout


def test_a_crate_is_left_as_it_is_until_its_run_changes(described: Path) -> None:
    crate = crate_of(described)
    before = {path: path.stat().st_mtime_ns for path in (crate / METADATA, crate / TABLES)}
    (crate / "results/part-of-before.parquet").symlink_to("nowhere")
    (crate / "gone").mkdir()
    (crate / "gone/part.parquet").symlink_to("nowhere")
    assert run_orchard("crate", cwd=described).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not os.path.lexists(crate / "results/part-of-before.parquet")
    assert not (crate / "gone").exists()


def test_a_resumed_run_has_a_crate_again(described: Path) -> None:
    crate = crate_of(described)
    (first, *_) = sorted(crate.glob("results/part-*.parquet"))
    first.resolve().unlink()
    run = crate.name.removeprefix("run=")
    refused = run_orchard("crate", "--run", run, cwd=described)
    assert refused.returncode == 2
    message = " ".join(refused.stderr.split())
    assert f"run {run} is stopped with" in message
    assert "resume it with: " in message
    before = entities(crate)["./"]["datePublished"]
    time.sleep(1)  # the times of sessions are in seconds
    assert run_orchard(*FINISHED, "cluster=threads", cwd=described).returncode == 0
    assert run_orchard("crate", "--run", run, cwd=described).returncode == 0
    assert changed(crate) == set()
    assert entities(crate)["./"]["datePublished"] > before


def test_a_summary_of_other_parts_is_refused(described: Path) -> None:
    (summary,) = described.glob("outputs/summaries/grid=catalogue/run=*/summary.json")
    summary.unlink()
    refused = run_orchard("crate", "--run", summary.parent.name.removeprefix("run="), cwd=described)
    assert refused.returncode == 1
    assert "has no crate: it has no summary.json; to repair the run, type: " in " ".join(refused.stderr.split())


def test_a_crate_leads_to_no_file_of_another_folder(described: Path, tmp_path: Path) -> None:
    (table,) = described.glob("outputs/summaries/grid=greedy_vs_dp/run=*/cells.csv")
    table.rename(tmp_path / "private")
    table.symlink_to(tmp_path / "private")
    refused = run_orchard("crate", "--run", table.parent.name.removeprefix("run="), cwd=described)
    assert refused.returncode == 1
    assert "cells.csv: it is a link, not a file of the run" in " ".join(refused.stderr.split())


def test_a_crate_can_be_moved_with_its_output_and_copied_alone(described: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    described.rename(moved)
    assert changed(crate_of(moved)) == set()
    alone = tmp_path / "alone"
    shutil.copytree(crate_of(moved), alone)  # which follows links
    shutil.rmtree(moved)
    assert changed(alone) == set()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--run", "nothing"), "run 'nothing' is not among the runs in outputs"),
        (("--output", "elsewhere"), "no results in elsewhere"),
        (("--output", "memory://bucket"), "--output memory://bucket is in an object store: copy the results"),
        (("--license", "as you like"), "--license is 'as you like': expected an identifier"),
        (("--agent", "Ada", "Lovelace"), "--agent is 'Ada Lovelace': expected a name in quotes"),
    ],
)
def test_impossible_requests_are_reported(described_once: Path, words: tuple[str, ...], expected: str) -> None:
    refused = run_orchard("crate", *words, cwd=described_once)
    assert refused.returncode == 2
    assert expected in " ".join(refused.stderr.split())


def test_a_crate_is_written_in_less_than_a_second(described: Path) -> None:
    runs = stored_runs(described / "outputs")
    shutil.rmtree(described / "outputs/crates")
    for run in runs:
        began = time.process_time()
        write_crate(run)
        assert time.process_time() - began < 1
