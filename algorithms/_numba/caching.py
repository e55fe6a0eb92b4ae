"""Keep compiled kernels between processes, in a folder for each source file and state of its sources.

The code of a kernel includes the kernels that it calls and the constants that it reads, which may be in other files.
numba's own cache checks only the file of the kernel. So here the name of a folder is a digest of a file and of all
files of the package that it imports, directly or indirectly: a *state* of the file. After a change, only the kernels
that depend on it are recompiled. The name of the parent folder has a digest of the processor, of the versions of
Python, numba and llvmlite, and of numba's settings, so machines can share a file system. A copied folder works beside a
copy of the sources.

numba unpickles and executes the files of the folder. So the folder is private to its owner. A folder that belongs to
another user, that others may write to, or that any user may replace is not used.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from numba import config, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import get_host_cpu_features
from numba.core.runtime import rtsys

from algorithms._numba.announcement import announce_compilation

__all__ = ["FOLDER", "cached", "is_stale"]

PACKAGE = Path(__file__).parents[1]
"""The folder of the package `algorithms`."""

DECORATORS = "_numba/decorators.py"
"""A file that imports this one defines kernels."""

IMPORTED = re.compile(rb"from algorithms\.([\w.]+) import")  # a pattern that begins with letters is found fastest

SETTINGS = (
    "BOUNDSCHECK",
    "CPU_FEATURES",
    "CPU_NAME",
    "DEBUGINFO_DEFAULT",
    "DISABLE_INTEL_SVML",
    "ENABLE_AVX",
    "LOOP_VECTORIZE",
    "OPT",
    "SLP_VECTORIZE",
)
"""The settings of numba that change compiled code."""

NAME = re.compile(r"orchard-kernels-[0-9a-f]{16}(-[0-9a-f]{16})?")  # earlier versions had two digests
STATE = re.compile(r"[0-9a-f]{16}")
KEPT = 3
"""States kept of one file, so that switching between git branches does not recompile."""
UNUSED_SECONDS = 30 * 86_400.0
"""Age after which folders of other environments are removed."""


def sources_of_kernels() -> dict[str, bytes]:
    """The sources that kernels are compiled from, by path within the package.

    These are the files that import the decorators, and the files of this package that they import, directly or
    indirectly.
    """
    files = {str(path.relative_to(PACKAGE)): path for path in PACKAGE.rglob("*.py") if path.is_file()}
    sources = {name: path.read_bytes() for name, path in files.items()}
    imports = _imports(sources)
    return {name: sources[name] for name in _reached([name for name in files if DECORATORS in imports[name]], imports)}


def _imports(sources: Mapping[str, bytes]) -> dict[str, set[str]]:
    """The files of `sources` that each file imports, by file."""
    return {
        name: {f"{module.decode().replace('.', '/')}.py" for module in IMPORTED.findall(source)} & sources.keys()
        for name, source in sources.items()
    }


def _reached(names: Iterable[str], imports: Mapping[str, set[str]]) -> list[str]:
    """The given files and all files that they import, directly or indirectly, sorted by name."""
    waiting = list(names)
    reached = set(waiting)
    while waiting:
        more = imports[waiting.pop()] - reached
        reached |= more
        waiting += more
    return sorted(reached)


def digest_of_sources(sources: Mapping[str, bytes]) -> str:
    """A digest of the names and contents of source files."""
    digest = hashlib.sha256()
    for name, source in sources.items():
        digest.update(f"{name}\0{len(source)}\0".encode() + source)
    return digest.hexdigest()[:16]


def _digest_of_environment() -> str:
    """A digest of the compiler's versions and settings, and of the target processor."""
    settings = [f"{name}={getattr(config, name, None)}" for name in SETTINGS]
    target = [llvm.get_process_triple(), llvm.get_host_cpu_name(), get_host_cpu_features()]
    words = [numba.__version__, llvmlite.__version__, sys.version, *target, *settings]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]


def _parents() -> Iterator[Path]:
    """The candidate parent folders, the best first."""
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR)
    yield PACKAGE / "__pycache__"
    with suppress(RuntimeError):  # the user has no home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "orchard-kernels"


def _folder() -> Path | None:
    """The folder for the kernels of this process; None if no folder is writable or the sources cannot be read."""
    if not Path(__file__).is_file():
        return None
    name = f"orchard-kernels-{_digest_of_environment()}"
    for parent in _parents():
        with suppress(OSError):
            folder = parent.absolute() / name
            if _anyone_may_rename_in(parent):
                continue
            is_new = not folder.exists()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_ours(folder):
                os.utime(folder)
                if is_new:
                    with suppress(OSError):  # another process may remove them at the same time
                        _remove_unused(parent)
                return folder
    logging.getLogger("algorithms").warning(
        "Each process compiles the kernels again, because no private, writable folder for compiled kernels was found. "
        "Set NUMBA_CACHE_DIR to a folder that only you can write to."
    )
    return None


def _is_ours(folder: Path) -> bool:
    """Whether a folder belongs to this user, and nobody else may write to it."""
    status = folder.lstat()
    own = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
    return own and stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o022 and os.access(folder, os.W_OK | os.X_OK)


def _anyone_may_rename_in(parent: Path) -> bool:
    """Whether any user may rename the folders in `parent`."""
    if not parent.is_dir():
        return False
    mode = parent.stat().st_mode
    return bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX


def _remove_unused(parent: Path) -> None:
    """Remove folders of environments that were not used for a month; a process that still uses one recompiles."""
    for path in parent.iterdir():
        old = path.stat().st_mtime < time.time() - UNUSED_SECONDS
        if old and NAME.fullmatch(path.name) and _is_ours(path):
            shutil.rmtree(path, ignore_errors=True)


def _remove_old(states: Path) -> None:
    """Remove the folders of all states of a file but the KEPT latest."""
    known = [path for path in states.iterdir() if STATE.fullmatch(path.name)]
    for path in sorted(known, key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


SOURCES = sources_of_kernels()
IMPORTS = _imports(SOURCES)
DIGESTS = {name: hashlib.sha256(source).digest() for name, source in SOURCES.items()}
FOLDER = _folder()
LOCK = Lock()


@cache
def _state(name: str) -> str:
    """The state of a file of kernels: a digest of it and of all files that it imports."""
    return digest_of_sources({reached: DIGESTS[reached] for reached in _reached([name], IMPORTS)})


@cache
def _folder_of(states: Path, state: str) -> Path:
    """The folder of a state of a file of kernels. It is created, or its time of last use is updated."""
    folder = states / state
    with suppress(OSError):
        if folder.is_dir():
            os.utime(folder)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            _remove_old(states)
    return folder


def is_stale() -> bool:
    """Whether the cache has no kernels at all, or for some file only kernels of earlier states."""
    known = {name: FOLDER / name.removesuffix(".py") for name in SOURCES} if FOLDER else {}
    kept = {name: states for name, states in known.items() if any(states.glob("*/*.nbi"))}
    return not kept or not all(any(states.glob(f"{_state(name)}/*.nbi")) for name, states in kept.items())


class Locator(_CacheLocator):  # type: ignore[misc] # numba has no types
    """The location of one cached kernel and of its source, wherever the package is installed."""

    def __init__(self, name: str, line: int, folder: Path) -> None:
        self.name, self._line, self._folder = name, line, folder

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        """The line of the kernel, which distinguishes kernels of the same name in one file."""
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Locator | None:
        """The location of a kernel; None for a kernel whose sources are not known."""
        file = Path(py_file)
        if FOLDER is None or PACKAGE not in file.parents:
            return None
        name = str(file.relative_to(PACKAGE))
        if name not in SOURCES:
            return None
        return cls(name, py_func.__code__.co_firstlineno, _folder_of(FOLDER / name.removesuffix(".py"), _state(name)))


class KernelResults(CompileResultCacheImpl):  # type: ignore[misc]
    """The format and location of numba's cached data of a kernel."""

    _locator_classes = (Locator,)


class KernelCache(FunctionCache):  # type: ignore[misc] # numba has no types
    """numba's cache of one kernel. If the cache cannot be used, the kernel is compiled."""

    _impl_class = KernelResults

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Numba's key of a signature, and the names of the fields of named tuples, which numba leaves out."""
        return *super()._index_key(sig, codegen), tuple(map(_fields, sig))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The cached kernel of a signature; None if it is absent or damaged, and then numba compiles it.

        The method of numba that this one replaces first loads all functions of the compiler, which takes twenty times
        as long as loading the kernel.
        """
        try:
            rtsys.initialize(target_context)
            overload = self._load_overload(sig, target_context)
        except MemoryError:
            raise
        except Exception:
            overload = None
            with suppress(OSError):
                self.flush()
        if overload is None:
            announce_compilation()
            with suppress(Exception):
                _load_array_functions()
        return overload

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache a compiled kernel if the folder is writable and no source has changed since the process started.

        After a change, the modules in memory may be a mixture of old and new ones, which belongs to no state.
        """
        with suppress(Exception):
            reached = _reached([self._impl.locator.name], IMPORTS)
            if all((PACKAGE / name).read_bytes() == SOURCES[name] for name in reached):
                super().save_overload(sig, data)


def _fields(kind: Any) -> tuple[Any, ...]:
    """The names of the fields of a type, and of the types in it, if it is a named tuple or refers to one."""
    kind = getattr(kind, "of", kind)
    return (getattr(kind, "fields", ()), *map(_fields, kind.types)) if isinstance(kind, types.BaseTuple) else ()


def _load_array_functions() -> None:
    """Load numba's array functions without importing SciPy's linear algebra.

    The import takes a third of the time to compile the first kernel. numba imports it here only to test whether it
    exists, and imports it again for code that uses it.
    """
    if "numba.np.arraymath" in sys.modules:
        return
    from numba.np import linalg

    check, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = check


def cached(kernel: Any) -> Any:
    """Cache the compiled code of a kernel, a dispatcher of numba, in FOLDER; return the kernel.

    Its callers use the code for any numbers, also where they pass constants.

    A kernel whose sources are not known is not cached. numba's list of locators, which a user may have configured, is
    not used here and stays unchanged.
    """
    if not hasattr(kernel, "py_func"):  # with NUMBA_DISABLE_JIT=1 it is a plain function
        return kernel
    with LOCK, suppress(RuntimeError):  # raised by numba if the locator has no folder for the kernel
        before = getattr(config, "CACHE_LOCATOR_CLASSES", "")
        config.CACHE_LOCATOR_CLASSES = ""
        try:
            kernel._cache = KernelCache(kernel.py_func)  # as `enable_caching` does
        finally:
            config.CACHE_LOCATOR_CLASSES = before
    kernel.get_call_template = _of_types(kernel.get_call_template)
    return kernel


def _of_types(template_of: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A `get_call_template` that takes a plain 0, 1 or True in a call for any number of its type.

    numba gives each a type of its own, for which it would compile the kernel, and all that this calls, once more.
    """

    def get_call_template(args: Iterable[Any], keywords: Mapping[str, Any]) -> Any:
        by_name = {name: types.unliteral(kind) for name, kind in keywords.items()}
        return template_of([*map(types.unliteral, args)], by_name)

    return get_call_template
