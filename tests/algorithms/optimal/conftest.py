"""Tests of mixed-integer programmes need a solver: HiGHS, of the extra `mio`."""

from __future__ import annotations

try:
    import highspy  # noqa: F401
except ImportError:
    collect_ignore_glob = ["test_mio*.py"]
