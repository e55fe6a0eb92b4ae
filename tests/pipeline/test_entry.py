"""The first moments of a command."""

from __future__ import annotations

import signal
import subprocess
import sys

from tests.pipeline.command_line import ROOT


def test_an_interrupt_within_the_first_imports_shows_no_traceback() -> None:
    program = (
        "import os, signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'pipeline.command': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from pipeline.entry import main\nmain(['status'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
