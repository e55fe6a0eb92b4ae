"""Reports what a process computes with: versions of packages and digests of code.

A process elsewhere gets the text of this module (see `expression_for`), since it may lack our code or have another
version. So only the standard library is imported, and Python 3.8 can read it.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

MODULES = (".py", ".so", ".pyd")
NOWHERE = "not installed"
IMPORTED_AS = {"scikit-learn": "sklearn", "hydra-core": "hydra"}


def inspected(packages: list[str], code: list[str], folder: str | None = None) -> dict[str, str]:
    """The version of Python and of each distribution, and a digest of each package of code.

    A package that is not on the import path is looked for in the folder.
    """
    result = {"python": platform.python_version()}
    result.update((package, _version(package)) for package in packages)
    result.update((code_name(package), _digest(package, folder)) for package in code)
    return result


def code_name(package: str) -> str:
    """The key of the digest of a package's code among the versions."""
    return f"code of {package}"


def module_digests(package: str, folder: str | None = None) -> dict[str, str]:
    """A digest of each module of an import package, by its path in it; empty if there is no such package."""
    try:
        spec = find_spec(package) or (PathFinder.find_spec(package, [folder]) if folder else None)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return {}
    if spec.submodule_search_locations is None:
        files = {Path(spec.origin or ""): package}
    else:
        files = {
            file: file.relative_to(root).as_posix()
            for root in map(Path, spec.submodule_search_locations)
            for file in root.rglob("*")
            if file.suffix in MODULES and file.is_file()
        }
    return {name: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file, name in sorted(files.items())}


def expression_for(function: str, *arguments: object) -> str:
    """An expression that calls a function of this module in any process that evaluates it."""
    source = Path(__file__).read_text(encoding="utf-8")
    call = f"{function}(*{arguments!r})"
    return f"(lambda names: (exec({source!r}, names), eval({call!r}, names))[1])({{'__name__': 'inspection'}})"


def _digest(package: str, folder: str | None) -> str:
    modules = module_digests(package, folder)
    return hashlib.sha256(repr(sorted(modules.items())).encode()).hexdigest()[:16] if modules else NOWHERE


def _version(package: str) -> str:
    """The installed version, and the loaded one if it differs."""
    try:
        installed = version(package)
    except PackageNotFoundError:
        installed = NOWHERE
    loaded = getattr(sys.modules.get(IMPORTED_AS.get(package, package)), "__version__", installed)
    return installed if loaded == installed else f"{loaded} (and {installed} installed since)"
