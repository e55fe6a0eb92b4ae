"""What every failure drill ends with: the same command again, and the rows of a run that nothing disturbed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from unittest.mock import patch

from tests.pipeline.command_line import names, orchard, parts, rows, run_folder, run_orchard


def undisturbed_run(folder: Path, *arguments: str, **variables: str) -> Path:
    """The output folder of a command that nothing disturbs, given in a folder of its own."""
    with patch.dict(os.environ, variables):
        done = run_orchard(*arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "outputs"


def settled(arguments: tuple[str, ...], cwd: Path, undisturbed: Path, **variables: str) -> None:
    """Run the command once more; its rows are those below the folder `undisturbed`, none twice, none missing.

    No unfinished file of the time before is left, and the command ends with 0.
    """
    began = time.time()
    for path in run_folder(cwd / "outputs").glob(".*.tmp"):  # as if the command came after a minute, when it clears up
        os.utime(path, (began - 61, began - 61))
    done = orchard(*arguments, cwd=cwd, **variables) if variables else run_orchard(*arguments, cwd=cwd, workers=True)
    assert done.returncode == 0, done.stderr
    output = cwd / "outputs"
    results, expected = rows(output), rows(undisturbed)
    assert results.num_rows == len(set(names(results))) == expected.num_rows
    assert results.equals(expected)
    assert parts(output)
    unfinished = [path for path in run_folder(output).glob(".*.tmp") if path.stat().st_mtime < began]
    assert unfinished == []
