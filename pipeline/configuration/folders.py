"""Where configurations lie, and which grids are among them."""

from __future__ import annotations

from pathlib import Path

__all__ = ["conf_folder", "config_folders", "grids"]


def conf_folder() -> Path:
    """The folder of configurations: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    shipped = package / "conf"
    return shipped if shipped.is_dir() else package.parent / "conf"


def config_folders(own: Path | None = None) -> list[Path]:
    """The folders in which configurations are looked for, in this order: the shipped one, then the user's."""
    return [conf_folder(), *([own.resolve()] if own else [])]


def grids(folders: list[Path]) -> dict[str, str]:
    """Each grid found in the folders, with the first comment of its file that is not a Hydra header."""
    found = {}
    for folder in folders:
        for file in sorted((folder / "grid").glob("*.yaml")):
            comments = (
                line[1:].strip() for line in file.read_text(errors="replace").splitlines() if line.startswith("#")
            )
            found[file.stem] = next((line for line in comments if not line.startswith("@package")), "")
    return found
