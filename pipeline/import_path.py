"""Where code is imported from: never from the working folder, except for packages that `plugins` names.

The `orchard` script does not put the working folder on Python's import path, but `python -m pipeline` does, as Python
does for any module. `pipeline/__init__.py` removes it again before anything else is imported.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from pipeline.errors import ConfigError

OURS = Path(__file__).resolve().parents[1]
"""The folder that contains the package `pipeline`: the checkout, or `site-packages`."""
SIBLING = "algorithms"
NUMBA_SETTINGS = ".numba_config.yaml"
MODULES = {
    "pipeline": (
        "cryptography", "dask", "distributed", "duckdb", "fsspec", "hydra", "matplotlib", "omegaconf",
        "platformdirs", "psutil", "yaml", "requests", "rich", "urllib3",
    ),
    "report": ("jinja2", "markupsafe"),
}  # fmt: skip
"""The modules that each extra provides."""


class _NamedPackages(MetaPathFinder):
    """Finds certain packages, each in its own folder. Installed packages of the same name take precedence."""

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The location of a package; None for other packages and for modules inside packages."""
        folder = self.folders.get(fullname) if path is None else None
        return None if folder is None else PathFinder.find_spec(fullname, [folder], target)


_NAMED = _NamedPackages()


def importable(packages: Iterable[str], folder: str | Path) -> None:
    """Let this process import these packages, and nothing else, from a folder.

    packages : names of packages; only the part before the first dot is used
    folder   : the folder that contains them; a package of the same name on the import path takes precedence
    """
    for package in packages:
        _NAMED.folders[package.partition(".")[0]] = str(folder)
    if _NAMED not in sys.meta_path:
        sys.meta_path.append(_NAMED)


class CarriesPlugins:
    """A dataclass that, when unpickled, makes the allowed packages of the pickling process importable.

    So a grid of a package in the working folder reaches the workers.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """What unpickling calls: the packages and their folders come before objects of their classes."""
        values = tuple(getattr(self, field.name) for field in fields(cast("Any", self)))
        if not _NAMED.folders:
            return type(self), values
        return _unpickled, (dict(_NAMED.folders), type(self), pickle.dumps(values))


def _unpickled(folders: dict[str, str], kind: type[Any], values: bytes) -> Any:
    for package, folder in folders.items():
        importable([package], folder)
    return kind(*pickle.loads(values))  # noqa: S301 - of our own driver


def protect_children() -> None:
    """Keep the working folder off the import path of every child process.

    Our own packages stay importable even if only the working folder has them, as in a checkout that is not installed.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    if sys.path[:1] == [str(OURS)] and str(OURS) not in sys.path[1:]:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(OURS), *filter(None, [os.environ.get("PYTHONPATH")])])


def check_working_folder() -> None:
    """Check that the working folder can be used, and that nothing in it is mistaken for code of ours.

    Raises ConfigError: the folder is gone or closed to this user, or a file there hides a package of ours, or makes
    numba load compiled code from a folder that it names.
    """
    try:
        settings = Path.cwd() / NUMBA_SETTINGS
        redirects_numba = settings.exists()
    except OSError as error:
        raise ConfigError(
            f"cannot use the working folder: {error.strerror}; run the command in a folder that you own"
        ) from error
    spec = find_spec(SIBLING)
    if spec is not None and (hiding := _hides_ours(spec)):
        raise ConfigError(
            f"{hiding} hides the package {SIBLING} of Orchard: rename that file or folder, or take the folder that "
            "contains it out of PYTHONPATH, or run this command in another folder"
        )
    if redirects_numba:
        raise ConfigError(
            f"numba would read {settings}, and this file can make numba load compiled code from anywhere: move the "
            "file away, and set what you need as NUMBA_… variables"
        )


def _hides_ours(spec: ModuleSpec) -> str:
    """The file that would be imported instead of the package beside this one; empty if there is none."""
    if spec.submodule_search_locations is None or spec.origin is None:
        return spec.origin or next(iter(spec.submodule_search_locations or ()), "")
    folder = Path(spec.origin).resolve().parent
    return str(folder) if folder.parent != OURS and folder.parent.samefile(os.curdir) else ""


def check_installed(*extras: str) -> None:
    """Check that the packages of extras can be imported.

    Raises ConfigError: a package is missing; the message says what to type.
    """
    absent = [module for extra in extras for module in MODULES[extra] if find_spec(module) is None]
    if absent:
        raise ConfigError(
            f"this command needs {', '.join(absent)}, which cannot be imported: pip install "
            f"'orchard-trees[{','.join(extras)}]'"
        )
