"""The environment of results: versions of packages, and a fingerprint of our own code."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath

ORCHARD = "orchard-trees"
"""The name of this package for installation."""

PACKAGES = {
    ORCHARD: True,
    "numpy": True,
    "numba": True,
    "llvmlite": True,
    "scipy": True,
    "scikit-learn": True,
    "highspy": True,
    "pyarrow": True,
    "dask": False,
    "distributed": False,
    "hydra-core": False,
    "omegaconf": False,
}
"""The reported packages, each with whether a number in the results may depend on its version."""

OWN_PACKAGES = ("algorithms", "pipeline")
"""Our own packages, whose code `code` digests."""


def versions() -> dict[str, str]:
    """The version of Python and of each reported package, `not installed` if it is missing."""
    return {"python": platform.python_version(), **{package: installed(package) for package in PACKAGES}}


def numerical(reported: dict[str, str]) -> dict[str, str]:
    """The versions, among those reported, on which a number in the results may depend."""
    return {name: reported.get(name, "unknown") for name in ("python", *PACKAGES) if PACKAGES.get(name, True)}


@cache
def made_with() -> str:
    """Eight hexadecimal digits of the numerical versions of this process, constant during its life."""
    return digest(versions())


def digest(reported: dict[str, str]) -> str:
    """Eight hexadecimal digits of the numerical versions among those reported."""
    return hashlib.sha256(json.dumps(numerical(reported), sort_keys=True).encode()).hexdigest()[:8]


@cache
def code() -> str:
    """A digest of the names and bytes of our own modules, as this process first read them: sixteen hexadecimal digits.

    Tests do not count.
    """
    root = Path(__file__).resolve().parents[2]
    paths = [path for package in OWN_PACKAGES for path in (root / package).rglob("*.py")]
    return code_of({path.relative_to(root): path.read_bytes() for path in paths})


def code_of(modules: Mapping[PurePath, bytes]) -> str:
    """The value of `code` for modules with this content."""
    result = hashlib.blake2b(digest_size=8)
    for path in sorted(modules):
        if "tests" not in path.parts and path.name != "conftest.py":
            result.update(f"{path.as_posix()}\0{len(modules[path])}\0".encode())
            result.update(modules[path])
    return result.hexdigest()


def changed_versions(then: dict[str, str], now: dict[str, str]) -> list[str]:
    """The packages whose version has changed, each with both versions."""
    return [
        f"{name} {then.get(name, 'none')}, now {now.get(name, 'none')}" for name in now if then.get(name) != now[name]
    ]


@cache
def installed(package: str) -> str:
    """The version of a package, or a note that it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
