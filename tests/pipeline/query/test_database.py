"""The sandbox: verified parts are read, and nothing else; nothing is written, fetched, loaded or set."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pipeline.errors import ConfigError
from pipeline.query.database import MOST_THREADS, Database, opened
from pipeline.record.kept import KeptRun, stored_runs
from pipeline.storage.part_files import PartFiles
from pipeline.storage.parts import Part, state_of
from tests.pipeline.command_line import parts
from tests.pipeline.questions import finished_run


@pytest.fixture(scope="module")
def folder(finished_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the finished run beside files that are nobody's business."""
    folder = tmp_path_factory.mktemp("sandbox")
    shutil.copytree(finished_once / "outputs", folder / "outputs")
    (folder / "secret.txt").write_text("secret words\n")
    (folder / "secret.csv").write_text("word\nsecret\n")
    shutil.copyfile(parts(finished_once / "outputs")[0], folder / "other.parquet")
    return folder


@pytest.fixture(scope="module")
def database(folder: Path) -> Iterator[Database]:
    run = finished_run(folder / "outputs")
    with opened(stored_runs(run.output, run.id), run.output) as database:
        yield database


def content(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


COPIES = (
    "copy (select 1 as x) to '{name}' (format parquet, use_tmp_file false)",
    "with x as (copy (select 1) to '{name}' (format parquet, use_tmp_file false)) select * from x",
    "with x as (copy (select 1) to '{name}') select * from x",
    "select * from query('with x as (copy (select 1) to ''{name}'' (use_tmp_file false)) select * from x')",
    "select * from query('copy (select 1) to ''{name}''')",
    "explain analyze copy (select 1 as x) to '{name}' (format parquet, use_tmp_file false)",
)


@pytest.mark.parametrize("question", COPIES)
@pytest.mark.parametrize("target", ["part", "named", "new"])
def test_no_select_writes_a_part_or_another_file(database: Database, folder: Path, question: str, target: str) -> None:
    names = {"part": str(parts(folder / "outputs")[0]), "named": database.files.names[0], "new": str(folder / "new")}
    before = content(folder)
    with pytest.raises((duckdb.Error, ConfigError)):
        database.answer(question.format(name=names[target])).fetchall()
    assert content(folder) == before


@pytest.mark.parametrize(
    "question",
    [
        "select * from read_text('{folder}/secret.txt')",
        "select * from read_blob('{folder}/secret.txt')",
        "select * from read_csv('{folder}/secret.csv')",
        "select * from read_json('{folder}/secret.csv')",
        "select * from read_parquet('{folder}/other.parquet')",
        "select * from parquet_metadata('{folder}/other.parquet')",
        "select * from parquet_schema('{folder}/other.parquet')",
        "select * from sniff_csv('{folder}/secret.csv')",
        "select * from '{folder}/secret.csv'",
        "select * from query_table('{folder}/secret.csv')",
        "select * from query('select * from ''{folder}/secret.csv''')",
        "select * from read_parquet(['{part}', '{folder}/other.parquet'])",
        "select * from read_parquet('{real}')",
        "select * from read_csv('{part}/../../secret.csv')",
        "select * from read_text('parts://../secret.txt')",
        "select * from read_text('parts://{folder}/secret.txt')",
        "select * from read_text('file://{folder}/secret.txt')",
        "select * from read_text('/dev/stdin')",
        "select * from read_text('/proc/self/environ')",
        "select * from read_text('http://127.0.0.1:9/x')",
        "select * from read_csv('s3://bucket/x.csv')",
        "select * from glob('{folder}/*')",
        "select * from glob('/etc/pass*')",
        "select * from duckdb_secrets()",
        "select * from read_duckdb('{folder}/x.db')",
        "select * from sqlite_scan('{folder}/x.db', 't')",
        "select * from read_xlsx('{folder}/x.xlsx')",
        "select * from st_read('{folder}/x')",
        "select getenv('HOME')",
        "select secret from local",
    ],
)
def test_nothing_else_is_read(database: Database, folder: Path, question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    local = __import__("pyarrow").table({"secret": [1]})  # which a question must not find by its name
    assert local.num_rows == 1
    monkeypatch.chdir(folder)
    names = {"folder": folder, "part": database.files.names[0], "real": parts(folder / "outputs")[0]}
    with pytest.raises(duckdb.Error) as caught:
        database.answer(question.format(**names)).fetchall()
    assert "secret words" not in str(caught.value)
    assert "install the required extension" not in str(caught.value)  # which would be fetched from the network


@pytest.mark.parametrize(
    "statement",
    [
        "set memory_limit = '1TB'",
        "set enable_external_access = true",
        "set lock_configuration = false",
        "reset allowed_paths",
        "set threads = 64",
        "set temp_directory = '/tmp'",
        "set autoinstall_known_extensions = true",
        "install httpfs",
        "load httpfs",
        "attach '/tmp/x.db'",
        "create secret (type s3, key_id 'x', secret 'y')",
    ],
)
def test_what_is_shut_stays_shut_for_any_statement(database: Database, statement: str) -> None:
    with pytest.raises(duckdb.Error):
        database.connection.execute(statement)


@pytest.mark.parametrize(
    "question",
    [
        "from results limit 1",
        "table results limit 1",
        "values (1)",
        "select 1;",
        "select 1 -- and a remark",
        "select ';' ; ;\n",
        "select 'é;' as \";\"; -- a remark; and more\n; /* another */",
        "/* first */ select 1 ;",
        "with x as (select 1) from x",
        "describe results",
        "summarize results",
        "show tables",
        "select * from (pivot results on builder in ('exact') using avg(nodes) group by run)",
        "select * from query('select 1')",
    ],
)
def test_a_select_is_answered(database: Database, question: str) -> None:
    assert database.answer(question).limit(5).fetchall()


def test_a_select_within_a_statement_that_changes_data_finds_nothing_to_change(database: Database) -> None:
    before = database.answer("select count(*) from results").fetchall()
    for question in (
        "with x as (insert into results values (1) returning *) select * from x",
        "with x as (delete from results returning *) select * from x",
        "with x as (update results set depth = 0 returning *) select * from x",
    ):
        with pytest.raises(duckdb.Error):
            database.answer(question).fetchall()
    assert database.answer("select count(*) from results").fetchall() == before


def test_nothing_but_the_answer_is_printed(database: Database) -> None:
    assert database.answer("select current_setting('enable_progress_bar')").fetchall() == [(False,)]


def test_memory_and_threads_are_bounded_and_nothing_spills(database: Database) -> None:
    question = "select current_setting('threads'), current_setting('temp_directory'), current_setting('memory_limit')"
    ((threads, spill, memory),) = database.answer(question).fetchall()
    assert 1 <= threads <= MOST_THREADS
    assert spill == ""
    with duckdb.connect() as free:
        ((most,),) = free.execute("select current_setting('memory_limit')").fetchall()
    sizes = {"MiB": 1.0, "GiB": 1024.0, "TiB": 1024.0**2}
    ours, theirs = (float(size) * sizes[unit] for size, unit in (memory.split(), most.split()))
    assert ours == pytest.approx(theirs * 5 / 8, rel=0.02)  # half of what there is, DuckDB's own being four fifths


@pytest.mark.parametrize("name", ["out[1]", "o*t", "o?t", "**", "o'q", "a=b", "line\nbreak", "ü"])
def test_an_output_folder_may_be_called_anything(finished_once: Path, tmp_path: Path, name: str) -> None:
    for other in ("out1", "oxt"):  # what such names would mean
        shutil.copytree(finished_once / "outputs", tmp_path / other)
    shutil.copytree(finished_once / "outputs", tmp_path / name)
    run = finished_run(tmp_path / name)
    with opened(stored_runs(run.output, run.id), run.output) as database:
        assert database.answer("select count(*) from results").fetchall() == [(1360,)]
        assert "a" not in database.answer("from results").columns


def test_ids_are_texts_whatever_digits_they_have(finished_once: Path) -> None:
    run = finished_run(finished_once / "outputs")
    with opened(stored_runs(run.output, run.id), run.output) as database:
        assert database.answer("select typeof(grid), typeof(run) from results limit 1").fetchall() == [
            ("VARCHAR", "VARCHAR")
        ]
        assert database.answer("select distinct grid, run from results").fetchall() == [(run.name, run.id)]


def test_views_are_named_after_grids_or_listed(finished_once: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run,) = stored_runs(finished_once / "outputs")
    names = ["my-grid", "order", "Trees", "it's", "MY-GRID", "12"]
    output = finished_once / "outputs"
    runs = [run, *(_renamed(run, name) for name in names)]
    with opened(runs, output) as database:
        views = {view.name: (view.rows, view.runs) for view in database.views}
        alone = ("greedy_vs_dp", "my-grid", "order", "Trees", "it's", "12")
        assert views == {"results": (1360 * 7, 7), "runs": (7, 7), **dict.fromkeys(alone, (1360, 1))}
        assert list(database.without) == ["MY-GRID"]
        errors = capsys.readouterr().err
        for name, instead in database.without.items():
            assert f'the grid {name} has the name of a table or of another grid: query it as "{instead}"' in errors
            assert database.answer(f"select count(*) {instead}").fetchall() == [(1360,)]


def _renamed(run: KeptRun, name: str) -> KeptRun:
    """The same parts as those of a run of another grid."""

    class Renamed(KeptRun):
        def folder(self, table: str) -> Path:
            return run.folder(table)

    return Renamed(run.record, name, run.id, run.output)


def test_a_part_file_can_be_read_and_is_reported_when_it_is_gone(tmp_path: Path) -> None:
    files = PartFiles()
    path = tmp_path / "part.parquet"
    path.write_bytes(b"rows")
    name = files.name(Part(0, 1, path, state=state_of(path.stat())))
    assert files.open(name).read() == b"rows"
    assert files.info(name)["size"] == 4
    for mode in ("wb", "ab", "r+b", "xb", "w"):
        with pytest.raises(PermissionError, match="cannot write"):
            files.open(name, mode)
    with pytest.raises(KeyError):
        files.open(str(path))
    assert not files.stale
    path.unlink()
    with pytest.raises(FileNotFoundError):
        files.open(name)
    assert files.stale


def test_a_part_that_changed_is_not_read(tmp_path: Path) -> None:
    files = PartFiles()
    path = tmp_path / "part.parquet"
    path.write_bytes(b"rows")
    before = path.stat()
    name = files.name(Part(0, 1, path, state=state_of(before)))
    opened_before = files.open(name)
    time.sleep(0.05)  # file systems keep times to a few milliseconds
    path.write_bytes(b"lies")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    for reading in (opened_before.read, lambda: files.open(name)):
        with pytest.raises(OSError, match="changed since it was verified"):
            reading()
    assert files.stale
