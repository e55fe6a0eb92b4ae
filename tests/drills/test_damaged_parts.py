"""D7: part files truncated, zeroed, flipped or deleted: noticed before a query, set aside and made again."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.drills.oracle import settled, undisturbed_run
from tests.pipeline.command_line import GRID, parts, run_folder, run_orchard

RUN = (*GRID, "tables.groups=1", "tables.count=200", "chunk=10")
COUNT = "select count(*) from results"


def truncate(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


def zero(content: bytes, chance: random.Random) -> bytes:
    first = chance.randrange(len(content))
    stop = min(len(content), first + chance.choice([8, 512, 4096]))
    return content[:first] + bytes(stop - first) + content[stop:]


def flip(content: bytes, chance: random.Random) -> bytes:
    index = chance.randrange(len(content))
    return content[:index] + bytes([content[index] ^ (1 << chance.randrange(8))]) + content[index + 1 :]


DAMAGES: list[Callable[[bytes, random.Random], bytes] | None] = [truncate, zero, flip, None]  # None: deleted


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = undisturbed_run(tmp_path_factory.mktemp("undisturbed"), *RUN)
    assert len(parts(output)) == 20
    return output


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 7))])
def test_damaged_part_files_are_named_and_computed_again(tmp_path: Path, undisturbed: Path, seed: int) -> None:
    chance = random.Random(seed)
    shutil.copytree(undisturbed, tmp_path / "outputs")
    damaged = {}
    for path, damage in zip(chance.sample(parts(tmp_path / "outputs"), 4), DAMAGES, strict=True):
        content = path.read_bytes()
        spoilt = damage(content, chance) if damage else b""
        if damage:
            path.write_bytes(spoilt)
        else:
            path.unlink()
        if damage and spoilt != content:  # a stretch of zeros may have been one before
            damaged[path.name] = spoilt
    lost = 10 * (len(damaged) + 1)

    answer = run_orchard(COUNT, "--format", "csv", cwd=tmp_path, module="pipeline.query")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.split() == ["count_star()", str((200 - lost) * 17)]
    lines = answer.stderr.splitlines()
    assert f"run {run_folder(undisturbed).name.removeprefix('run=')} lacks {lost} of 200 tables" in lines[0]
    left_out = sorted(line.split()[2] for line in lines if line.startswith("left out: "))
    assert [Path(path).name for path in left_out] == sorted(damaged)
    assert all("has changed since it was published" in line for line in lines[1:])

    settled(RUN, tmp_path, undisturbed)
    aside = {path.name.rpartition(".")[0]: path.read_bytes() for path in tmp_path.rglob("_set_aside/*")}
    assert aside == damaged
    answer = run_orchard(COUNT, "--format", "csv", cwd=tmp_path, module="pipeline.query")
    assert (answer.stderr, answer.stdout.split()[-1]) == ("", str(200 * 17))
