"""Builders that change their process: the rows and files of all others are what they are without them."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tests.drills.harms import HARMS, MOMENTS
from tests.pipeline.command_line import marked, orchard, parts, rows, run_orchard, until

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found through /proc")

GOOD = ("cart", "naive_bayes")
LONG = 400.0  # that a command may take, on a machine that is busy
LOST = ("closerange", "RLIMIT_NOFILE", "open")
"""Harms that may cost the row of the builder itself: its own process can open no file after them."""


TOGETHER = "+".join(harm for harm in HARMS if harm not in {*LOST, "none", "RLIMIT_FSIZE"})
"""All harms after which the process can go on, done by one builder."""


def compared(folder: Path, moment: str, harms: list[str], *overrides: str) -> tuple[str, ...]:
    """The arguments of a comparison of good builders with some that do harm at this moment."""
    (folder / "conf/builder").mkdir(parents=True)
    (folder / "harmful").mkdir()
    for number, harm in enumerate(harms):
        at_import = f"do({harm!r})\n" if moment == "import" else ""
        source = f"from tests.drills.harms import Harmful, do\n{at_import}class Harm(Harmful): ...\n"
        (folder / f"harmful/harm{number}.py").write_text(source)
        (folder / f"conf/builder/harm{number}.yaml").write_text(
            f"class: harmful.harm{number}.Harm\nparameters: {{harm: {harm}, moment: {moment}}}\n"
        )
    bad = [f"{{name: {harm[:60]}, builder: harm{number}}}" for number, harm in enumerate(harms)]
    return (
        "+grid=compare_builders", "plugins=[harmful]", f"builders=[{','.join([*bad, *GOOD])}]", "source=[sklearn/iris]",
        "protocol.folds=2", "protocol.repeats=1", "cluster.workers=1", "--config-dir", "conf", *overrides,
    )  # fmt: skip


def of_good_builders(output: Path) -> pa.Table:
    """The rows of the builders that do no harm."""
    results = rows(output)
    kept = results.filter(pc.is_in(results["builder"], pa.array(GOOD)))
    assert kept["status"].to_pylist() == ["ok"] * 2 * len(GOOD)
    return kept.drop_columns(["made_with"])


@pytest.mark.parametrize(
    ("cluster", "moment", "harms"),
    [
        pytest.param("local", "fit", [TOGETHER, "RLIMIT_FSIZE", *LOST], id="together"),
        *(
            pytest.param(cluster, moment, [*HARMS], id=f"{cluster}-{moment}", marks=pytest.mark.long)
            for cluster in ("local", "threads")
            for moment in MOMENTS
        ),
    ],
)
def test_harm_of_a_builder_to_its_process_reaches_nothing_else(
    tmp_path: Path, cluster: str, moment: str, harms: list[str]
) -> None:
    undisturbed, disturbed, mark = tmp_path / "undisturbed", tmp_path / "disturbed", uuid.uuid4().hex
    where = f"cluster={cluster}"
    done = run_orchard(*compared(undisturbed, moment, [], where), cwd=undisturbed)
    assert done.returncode == 0, done.stderr

    harms = [harm for harm in harms if (moment, harm) != ("import", "closerange")]  # which no configuration passes
    done = orchard(*compared(disturbed, moment, harms, where), cwd=disturbed, seconds=LONG, DRILL_MARK=mark)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert of_good_builders(disturbed / "outputs").equals(of_good_builders(undisturbed / "outputs"))
    lost = {row["builder"] for row in rows(disturbed / "outputs").to_pylist() if row["status"] != "ok"}
    assert lost <= set(LOST)
    umask = os.umask(0o022)
    os.umask(umask)
    assert {part.stat().st_mode & 0o777 for part in parts(disturbed / "outputs")} == {0o666 & ~umask}
    until(lambda: not marked(mark))  # neither threads nor forks of theirs are left
