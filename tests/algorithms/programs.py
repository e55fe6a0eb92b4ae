"""Programs that run in a process of their own, without numba's settings of this one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run(program: str, package: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program with a package; its answer is on stdout."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env=inherited | {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done
