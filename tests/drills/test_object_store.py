"""Output in an object store: complete or absent there too, whoever is killed while it is written."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.compute as pc
import pytest

from tests.drills.object_store import BUCKET, ObjectStore, Way, running_store
from tests.oracles.beside import absent
from tests.pipeline.command_line import (
    GRID,
    ROOT,
    alive,
    ended,
    kill,
    names,
    orchard,
    rows,
    run_orchard,
    started,
    until,
    workers,
)

COUNT = 420
MANY = (*GRID, "tables.groups=1", f"tables.count={COUNT}", "chunk=7")  # 60 parts: enough to be merged in the end
ENDLESS = (*GRID, "tables.groups=1", "tables.count=100000", "chunk=25")
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    with running_store(tmp_path_factory.mktemp("store")) as store, pytest.MonkeyPatch.context() as patched:
        for name, value in store.environment().items():
            patched.setenv(name, value)
        yield store


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a run that nothing disturbed, on this machine."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = run_orchard(*MANY, cwd=folder, figures=True)
    assert done.returncode == 0, done.stderr
    return folder / "outputs"


@pytest.fixture(scope="module")
def whole(store: ObjectStore, undisturbed: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The prefix of a run that nothing disturbed; not to be written to."""
    folder = tmp_path_factory.mktemp("whole")
    assert "merging 60 small part files of results into 1" in settled(store, "whole", folder, undisturbed)
    assert [path.name for path in folder.iterdir()] == ["fetched-whole"]  # nothing else is left on this machine
    return "whole"


def output(prefix: str) -> str:
    return f"output=s3://{BUCKET}/{prefix}"


def settled(store: ObjectStore, prefix: str, cwd: Path, undisturbed: Path) -> str:
    """The common oracle, in the store: the same command once more ends with 0 and the rows of the undisturbed run."""
    done = orchard(*MANY, output(prefix), cwd=cwd)
    assert done.returncode == 0, done.stderr
    fetched = store.fetch(prefix, cwd / f"fetched-{prefix}")
    results = rows(fetched)
    assert results.num_rows == len(set(names(results))) == COUNT * 17
    assert results.equals(rows(undisturbed))
    for summary in sorted((undisturbed / "summaries").rglob("*.*")):
        if summary.name != "summary.json":  # which says where the run is
            assert (fetched / summary.relative_to(undisturbed)).read_bytes() == summary.read_bytes(), summary.name
    left = [name for name in store.names(prefix) if "lock-" in name or "clock-" in name or name.endswith(".tmp")]
    assert left == []
    return done.stderr


def more_than(number: int, store: ObjectStore, prefix: str, process: subprocess.Popen[str]) -> None:
    """Wait for parts."""

    def there() -> bool:
        time.sleep(0.05)  # the server is as busy with a look as with the work
        return len(store.parts(prefix)) > number

    until(there, process)


def test_a_run_is_there_as_it_would_be_in_a_folder(whole: str, tmp_path: Path, undisturbed: Path) -> None:
    again = run_orchard(*MANY, output(whole), cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert "420 of 420 tables by earlier commands" in again.stdout
    where = ("--output", f"s3://{BUCKET}/whole")
    answer = run_orchard(
        "select count(*) n, sum(nodes) s from results", *where, "--format", "csv", cwd=tmp_path, module="pipeline.query"
    )
    expected = rows(undisturbed)
    assert answer.stdout.split() == ["n,s", f"{expected.num_rows},{pc.sum(expected['nodes']).as_py()}"], answer.stderr
    shown = run_orchard("--table", "7", *where, cwd=tmp_path, module="pipeline.show")
    assert "minimum of each cost" in shown.stdout, shown.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_an_altered_object_is_named_set_aside_and_made_again(
    store: ObjectStore, whole: str, tmp_path: Path, undisturbed: Path
) -> None:
    for name in store.names(whole):
        store.write("altered", name, store.read(whole, name))
    (name,) = store.parts("altered")[:1]
    content = bytearray(store.read("altered/results", name))
    content[len(content) // 2] ^= 4
    store.write("altered/results", name, bytes(content))
    answer = orchard(
        "select count(*) from results", "--output", f"s3://{BUCKET}/altered", cwd=tmp_path, module="pipeline.query"
    )
    assert f"left out: s3://{BUCKET}/altered/results/{name} has changed since" in answer.stderr
    message = settled(store, "altered", tmp_path, undisturbed)
    assert "has changed since it was published" in message
    (aside,) = [kept for kept in store.names("altered") if "_set_aside" in kept]
    assert store.read("altered", aside) == bytes(content)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_workers_and_drivers_are_killed_at_random(
    store: ObjectStore, tmp_path: Path, undisturbed: Path, seed: int
) -> None:
    """D1 and D4 with output in an object store."""
    chance = random.Random(seed)
    prefix = f"killed-{seed}"
    for _ in range(3):
        with started(*MANY, output(prefix), cwd=tmp_path) as process:
            more_than(len(store.parts(prefix)) + chance.randint(0, 8), store, prefix, process)
            for worker in workers(process.pid):
                kill(worker)
            more_than(len(store.parts(prefix)), store, prefix, process)
            time.sleep(chance.uniform(0, 0.3))
            kill(process.pid)
            process.wait()
    settled(store, prefix, tmp_path, undisturbed)


@pytest.mark.long
def test_a_second_driver_names_the_first_and_a_killed_one_holds_nothing(store: ObjectStore, tmp_path: Path) -> None:
    """D8 in an object store."""
    with started(*ENDLESS, output("held"), cwd=tmp_path) as process:
        more_than(0, store, "held", process)
        began = time.monotonic()
        done = orchard(*ENDLESS, output("held"), cwd=tmp_path)
        assert time.monotonic() - began < 60
        assert done.returncode == 4
        (line,) = done.stderr.splitlines()
        assert f"in use by another process, process {process.pid} on {os.uname().nodename} since 2" in line
        assert process.poll() is None
        kill(process.pid)
        process.wait()
    with started(*ENDLESS, output("held"), cwd=tmp_path) as process:  # as its process is known to be gone
        seen = len(store.parts("held"))
        more_than(seen, store, "held", process)
        process.send_signal(signal.SIGTERM)
        status, message = ended(process)
    assert status == 143, message
    assert [name for name in store.names("held") if "lock-" in name] == []


@pytest.mark.long
def test_a_driver_that_died_on_another_machine_is_succeeded_when_its_signs_of_life_are_old(
    store: ObjectStore, tmp_path: Path
) -> None:
    """D8 in an object store; another machine is one whose processes are not seen from here."""
    apart = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")
    tried = subprocess.run([*apart, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        absent(f"no process namespaces here: {tried.stderr.strip()}")
    command = [*apart, sys.executable, "-m", "pipeline", *ENDLESS, output("apart")]
    with (tmp_path / "said.txt").open("w") as log:
        process = subprocess.Popen(
            command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=log, stderr=log
        )
    try:
        more_than(0, store, "apart", process)
        assert orchard(*ENDLESS, output("apart"), cwd=tmp_path).returncode == 4
    finally:
        kill(process.pid)  # and with it all below
        process.wait()
    died = time.monotonic()
    while True:
        with started(*ENDLESS, output("apart"), cwd=tmp_path) as successor:
            seen = len(store.parts("apart"))
            while successor.poll() is None and len(store.parts("apart")) <= seen + 2:
                time.sleep(0.2)
            if successor.poll() is None:
                break
            assert ended(successor)[0] == 4
        assert time.monotonic() - died < 120
        time.sleep(2)
    assert time.monotonic() - died > 30  # for the first may have lived, for all that could be known


@pytest.mark.long
def test_a_store_that_goes_away_ends_the_run_and_the_same_command_goes_on(
    store: ObjectStore, tmp_path: Path, undisturbed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Way(store.port)
    with monkeypatch.context() as patched:
        for name, value in store.environment(way.port).items():
            patched.setenv(name, value)
        patched.setenv("AWS_MAX_ATTEMPTS", "2")
        with started(*MANY, output("gone"), cwd=tmp_path) as process:
            more_than(2, store, "gone", process)
            below = workers(process.pid)
            way.shut()
            status, message = ended(process)
    assert status == 3, message
    line = message.strip().splitlines()[-1]
    assert line.startswith(f"orchard: cannot write to s3://{BUCKET}/gone")
    assert "type the same command again; finished work is kept" in line
    assert "Traceback" not in message
    until(lambda: not any(map(alive, below)))
    settled(store, "gone", tmp_path, undisturbed)


@pytest.mark.parametrize(
    ("location", "variables", "status", "words"),
    [
        ("s3://no-such-bucket/x", {}, 3, "The specified bucket does not exist"),
        (f"s3://{BUCKET}/x", {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, 3, "credentials"),
        (
            f"s3://{BUCKET}/x",
            {"AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_MAX_ATTEMPTS": "1"},
            3,
            "Could not connect",
        ),
        ("s3:///x", {}, 2, "expected a folder, or an address such as s3://bucket/prefix"),
        ("nosuch://bucket/x", {}, 2, "expected a folder, or an address such as s3://bucket/prefix"),
    ],
)
def test_an_impossible_address_is_reported_in_a_line(
    store: ObjectStore, tmp_path: Path, location: str, variables: dict[str, str], status: int, words: str
) -> None:
    arguments = (*MANY, f"output={location}")
    done = orchard(*arguments, cwd=tmp_path, **variables) if status == 3 else run_orchard(*arguments, cwd=tmp_path)
    line = done.stderr.strip().splitlines()[-1]
    assert (done.returncode, words in line) == (status, True), done.stderr
    assert done.stderr.count("orchard: ") == 1
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_reports_a_store_that_does_not_answer_in_a_line(store: ObjectStore, tmp_path: Path) -> None:
    nowhere = {"AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_MAX_ATTEMPTS": "1"}
    done = orchard(*MANY, output("x"), "dry_run=true", cwd=tmp_path, **nowhere)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (3, "", 1), done.stderr
    assert done.stderr.startswith(f"orchard: cannot read s3://{BUCKET}/x: Could not connect")
