"""A comparison of builders that wait, so that something can be done to a run while it is known what it is at."""

from __future__ import annotations

from pathlib import Path

import psutil

from tests.drills.misfits import WAIT_VARIABLE

__all__ = ["Waiting", "compared"]


class Waiting:
    """A folder in which builders wait, so many seconds each, or the seconds in its file."""

    def __init__(self, folder: Path, seconds: float) -> None:
        (folder / "conf/builder").mkdir(parents=True)
        (folder / "conf/builder/misfit.yaml").write_text("class: tests.drills.misfits.Misfit\n")
        self._file = folder / "wait"
        self.each(seconds)

    def each(self, seconds: float) -> None:
        """From now on they wait so long."""
        unfinished = self._file.with_suffix(".new")
        unfinished.write_text(str(seconds))
        unfinished.replace(self._file)

    @property
    def variables(self) -> dict[str, str]:
        """What the environment of the command must have."""
        return {WAIT_VARIABLE: str(self._file)}

    def processes(self) -> set[int]:
        """Those of the builders that have waited, or do."""
        return {int(path.suffix[1:]) for path in self._file.parent.glob("wait.[0-9]*")}

    def workers(self) -> set[int]:
        """What the processes that wait are below."""
        return {psutil.Process(pid).ppid() for pid in self.processes() if psutil.pid_exists(pid)}


def compared(behaviour: str, splits: int, *overrides: str) -> tuple[str, ...]:
    """The arguments of a comparison with one builder, a split a chunk."""
    return (
        "+grid=compare_builders", "plugins=[tests]", "source=[sklearn/iris]", "protocol.folds=2",
        f"protocol.repeats={splits // 2}", "chunk=1", "cluster.workers=2", "--config-dir", "conf",
        f"builders=[{{name: waiting, builder: misfit, parameters: {{behaviour: '{behaviour}'}}}}]", *overrides,
    )  # fmt: skip
