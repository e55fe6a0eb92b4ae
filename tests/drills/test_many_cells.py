"""D17: a hundred thousand cells of a builder that does nothing: bounded memory, and reported progress."""

from __future__ import annotations

import re
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.pipeline.command_line import items, orchard, run_folder, started

REPEATS = 10_000
FOLDS = 10
SECONDS = 600
MIB = 2**20
BUILDER = """
class Nothing:
    def fit(self, X, y=None):
        self.label_ = y[0]
        return self
    def predict(self, X):
        return [self.label_] * len(X)
"""


@pytest.mark.long
@pytest.mark.timeout(900)  # beyond the ten minutes that it may take
def test_a_hundred_thousand_cells_in_bounded_memory(tmp_path: Path) -> None:
    (tmp_path / "stubs").mkdir()
    (tmp_path / "stubs/builders.py").write_text(BUILDER)
    (tmp_path / "mine/builder").mkdir(parents=True)
    (tmp_path / "mine/builder/nothing.yaml").write_text("class: stubs.builders.Nothing\n")
    grid = ("+grid=compare_builders", "source=[sklearn/iris]", "builders=[nothing]", "plugins=[stubs]")
    arguments = (*grid, f"protocol.folds={FOLDS}", f"protocol.repeats={REPEATS}", "--config-dir", "mine")
    began, memory = time.monotonic(), []
    with started(*arguments, cwd=tmp_path) as process:
        lines: list[tuple[float, str]] = []
        reader = threading.Thread(
            target=lambda: lines.extend((time.monotonic(), line) for line in process.stderr or ())
        )
        reader.start()
        while process.poll() is None:
            assert time.monotonic() - began < SECONDS, "took too long"
            memory.append((items(tmp_path / "outputs"), resident(process.pid)))
            time.sleep(0.5)
        reader.join()
        assert process.returncode == 0, "".join(line for _, line in lines)
    cells = FOLDS * REPEATS
    assert items(tmp_path / "outputs") == cells
    working = [bytes_ for share, bytes_ in memory if 0.1 * cells < share < 0.95 * cells]
    assert max(working) < 500 * MIB
    assert max(working) - working[0] < 50 * MIB
    listed = [when for when, line in lines if re.fullmatch(rf"[\d,]+/{cells:,} splits\n", line)]
    assert len(listed) >= 2
    assert max(after - before for before, after in pairwise(listed)) < 60
    status = orchard(cwd=tmp_path, module="pipeline.status")
    assert f"{cells:,} of {cells:,} splits (100.0 %), 0 left" in status.stdout
    counted = orchard("select count(*), count(distinct (repeat, fold)) from results", "--format", "csv", cwd=tmp_path,
                      module="pipeline.query")  # fmt: skip
    assert counted.stdout.splitlines()[1] == f"{cells},{cells}"
    assert run_folder(tmp_path / "outputs").parent.name == "grid=compare_builders"


def resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 once it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:")), 0)
