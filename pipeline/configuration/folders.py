"""Where configurations lie, and which grids are among them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipeline.errors import ConfigError

__all__ = ["conf_folder", "found_twice", "grids"]


def conf_folder() -> Path:
    """The folder of configurations: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    shipped = package / "conf"
    return shipped if shipped.is_dir() else package.parent / "conf"


def grids(folders: Iterable[Path]) -> dict[str, str]:
    """Each grid found in the folders, with the first comment of its file that is not a Hydra header.

    Raises ConfigError where two of the folders have a grid of the same name.
    """
    files: dict[str, Path] = {}
    for folder in folders:
        for file in sorted((folder / "grid").glob("*.yaml")):
            if files.setdefault(file.stem, file) != file:
                raise ConfigError(found_twice(file.stem, files[file.stem], file))
    found = {}
    for name, file in files.items():
        comments = (line[1:].strip() for line in file.read_text(errors="replace").splitlines() if line.startswith("#"))
        found[name] = next((line for line in comments if not line.startswith("@package")), "")
    return found


def found_twice(grid: str, first: Path, second: Path) -> str:
    """The message about a grid that two places have."""
    return f"two grids are called '{grid}': {first} and {second}: rename one of them, its YAML and its folder"
