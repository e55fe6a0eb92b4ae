"""Select how kernels do what public numba does not: by modules that use private parts of numba, or by plain twins.

The modules make kernels faster to compile and to run. If `ORCHARD_PLAIN_NUMBA=1` is set, or if a private part is
missing from the installed numba, all kernels use the plain twins. The results are the same. Kernels are then compiled
again in each process, and time limits include compilation. `plain.__all__` lists what both provide.
"""

from __future__ import annotations

import importlib
import logging
import os
from typing import Any


def private_parts_work() -> bool:
    """Whether the modules that use private parts of numba are enabled and can be imported."""
    if os.environ.get("ORCHARD_PLAIN_NUMBA", "0") not in ("", "0"):
        return False
    try:
        for name in ("bits", "boxing", "by_reference", "caching", "kernel_compiler", "lanes", "part_masks", "vectors"):
            importlib.import_module(f"algorithms._numba.{name}")
        importlib.import_module("numba.core.event")  # for `compiling`
    except (ImportError, AttributeError, TypeError) as error:
        import numba

        logging.getLogger("algorithms").warning(
            "numba %s lacks what fast kernels need (%s): slower kernels are used, which each process compiles again. "
            "Install numba 0.68.",
            numba.__version__,
            error,
        )
        return False
    return True


PLAIN = not private_parts_work()
"""Whether kernels use public numba alone."""

if PLAIN:
    from algorithms._numba.plain import *  # noqa: F403

    COMPILER: dict[str, Any] = {}
    """The options with which numba's `njit` compiles kernels."""

    LARGE_COMPILER: dict[str, Any] = {}
    """The same for large kernels."""

    def cached(kernel: Any) -> Any:
        """The kernel, not cached."""
        return kernel

else:
    from algorithms._numba.bits import *  # noqa: F403
    from algorithms._numba.by_reference import *  # noqa: F403
    from algorithms._numba.caching import *  # noqa: F403
    from algorithms._numba.cells import *  # noqa: F403
    from algorithms._numba.kernel_compiler import KernelCompiler, LargeKernelCompiler
    from algorithms._numba.lanes import *  # noqa: F403
    from algorithms._numba.part_masks import *  # noqa: F403
    from algorithms._numba.vectors import *  # noqa: F403

    COMPILER = {"pipeline_class": KernelCompiler}
    LARGE_COMPILER = {"pipeline_class": LargeKernelCompiler}
