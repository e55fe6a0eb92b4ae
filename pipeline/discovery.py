"""Find grids by name. Each has a YAML file, and most have a folder of the same name in a package.

A package of grids has `grids/NAME/`, the grid itself, and `conf/grid/NAME.yaml`, what a person overrides. Packages are
searched in this order: `pipeline` itself, those named by `plugins=[…]`, the folder of --config-dir (`grid/NAME.yaml`
and `grids/NAME/` there), and those named by entry points of installed distributions.

Finding a grid only reads file names. Its modules are imported when the grid is requested by name. Modules in the folder
of --config-dir are imported only if `plugins` names that folder as a package.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pipeline.errors import ConfigError, raised_in
from pipeline.import_path import importable

ENTRY_POINTS = "orchard.grids"
"""The entry-point group for packages of grids; each value is the import name of a package."""

SHIPPED = "pipeline"
MARKS = ("settings.py", "grid.py", "comparison.py", "comparison.yaml")
"""A folder that contains one of these files is the folder of a grid."""


@dataclass(frozen=True)
class GridFolder:
    """The folder of a grid.

    name    : of the folder and the grid
    path    : the folder
    package : its import name; None if its Python may not be run
    """

    name: str
    path: Path
    package: str | None

    @property
    def shipped(self) -> bool:
        """Whether it is part of Orchard."""
        return self.package is not None and self.package.startswith(f"{SHIPPED}.")

    def has(self, module: str) -> bool:
        """Whether it has a module with this name."""
        return (self.path / f"{module}.py").is_file()

    def imported(self, module: str, name: str) -> Any:
        """The object that one of its modules defines; ConfigError if that is missing or its Python may not be run."""
        file = self.path / f"{module}.py"
        if self.package is None:
            folder = self.path.parents[1].name
            raise ConfigError(
                f"grid '{self.name}' needs {file}, but Python files in the folder of --config-dir run only on "
                f"request: if you trust the file, add 'plugins=[{folder}]'"
            )
        try:
            result = getattr(import_module(f"{self.package}.{module}"), name, None)
        except (Exception, SystemExit) as error:
            if self.shipped:
                raise
            raise ConfigError(
                f"grid '{self.name}' cannot be imported: {raised_in(error, self.path.parents[1])}"
            ) from error
        no_kind = name == "KIND" and not hasattr(result, "settings")
        if result is None or no_kind or hasattr(result, "offered"):  # the last is the class of a grid
            raise ConfigError(f"{file}: expected the file to define {name}, as docs/extend/grid.md describes")
        return result


@dataclass(frozen=True)
class _Location:
    """A location of grids: `grids` has their folders, `conf` their YAMLs; `package` is the import name of `grids`."""

    grids: Path
    conf: Path
    package: str | None


@dataclass(frozen=True)
class SearchPath:
    """The locations in which a command looks for grids, in order.

    plugins    : the packages given by `plugins`
    config_dir : the folder given by --config-dir
    """

    plugins: tuple[str, ...] = ()
    config_dir: Path | None = None

    def __post_init__(self) -> None:
        """Let this process import the packages from their folders, without running them."""
        for plugin in self.plugins:
            if _spec(plugin) is None:
                importable([plugin], self._folder_with(plugin))

    def check_plugins(self) -> None:
        """Raise ConfigError if a package in `plugins` cannot be found. Tools that only read can do without it."""
        for plugin in self.plugins:
            if _spec(plugin) is None:
                where = self._folder_with(plugin)
                raise ConfigError(
                    f"`plugins` has '{plugin}', but no such package is installed, and {where} has no folder of that "
                    "name"
                )

    def _folder_with(self, plugin: str) -> Path:
        """The folder in which a package is searched: the --config-dir folder if that is the package, else this one."""
        own = None if self.config_dir is None else self.config_dir.resolve()
        return own.parent if own is not None and own.name == plugin else Path.cwd()

    def folder(self, name: str) -> GridFolder | None:
        """The first folder of a grid with this name; None if no location has one."""
        return next((folder for location in self._locations() for folder in _folders(location, name)), None)

    def folders(self) -> dict[str, GridFolder]:
        """All folders of grids, keyed by name; ConfigError if two have the same name."""
        result: dict[str, GridFolder] = {}
        for location in self._locations():
            for folder in _folders(location):
                if result.setdefault(folder.name, folder) != folder:
                    raise ConfigError(found_twice(folder.name, result[folder.name].path, folder.path))
        return result

    @property
    def conf_folders(self) -> tuple[Path, ...]:
        """The configuration folders, the shipped one first."""
        return tuple(location.conf for location in self._locations() if location.conf.is_dir())

    @property
    def own_grids(self) -> tuple[Path, ...]:
        """The folders that contain the folders of grids, except the shipped one; they need not exist."""
        return tuple(location.grids for location in self._locations())[1:]

    def grids(self) -> dict[str, str]:
        """The available grids, each with the first comment of its YAML; ConfigError if two have one name."""
        return grids(self.conf_folders)

    def check_names(self) -> None:
        """Raise ConfigError if a YAML, not of a grid, has the name of an earlier one, which would be used instead.

        Data sets of one's own are used before those of the shipped catalogue.
        """
        seen: dict[Path, Path] = {}
        for folder in self.conf_folders:
            for file in sorted(folder.glob("*/*.yaml")):
                first = seen.setdefault(file.relative_to(folder), file)
                if first != file and file.parent.name not in ("catalogue", "grid"):
                    raise ConfigError(
                        f"{file} has the same name as {first}, which would be used instead: rename the file"
                    )

    def check_once(self, name: str) -> None:
        """Raise ConfigError if two locations have a grid of this name, or its folder is not the folder of a grid."""
        yamls = [file for folder in self.conf_folders for file in folder.glob("grid/*.yaml") if file.stem == name]
        folders = [folder.path for location in self._locations() for folder in _folders(location, name)]
        for paths in (yamls, folders):
            if len(paths) > 1:
                raise ConfigError(found_twice(name, *paths[:2]))
        for path in (path for location in self._locations() for path in location.grids.glob("*/")):
            if path.name == name and path not in folders:
                identifier = "a name of letters, digits and _, without a digit at its start: Python imports the folder"
                expected = f"one of the files {', '.join(MARKS)} in it" if name.isidentifier() else identifier
                raise ConfigError(f"{path} is not the folder of a grid: expected {expected}")

    def _locations(self) -> Iterator[_Location]:
        """The locations in order, each once. Entry points are looked up only when they are reached."""
        seen: set[Path] = set()
        for location in self._all_locations():
            if location.grids not in seen:
                seen.add(location.grids)
                yield location

    def _all_locations(self) -> Iterator[_Location]:
        yield _Location(Path(__file__).parent / "grids", conf_folder(), f"{SHIPPED}.grids")
        own = None if self.config_dir is None else self.config_dir.resolve()
        for plugin in self.plugins:
            for folder in _package_folders(plugin):
                conf = own if own is not None and folder.resolve() == own else folder / "conf"
                yield _Location(folder.resolve() / "grids", conf, f"{plugin}.grids")
        if own is not None:
            yield _Location(own / "grids", own, None)
        for package in _installed():
            for folder in _package_folders(package):
                yield _Location(folder.resolve() / "grids", folder / "conf", f"{package}.grids")


_schemas: dict[type[Any], GridFolder] = {}


def schema_of(folder: GridFolder) -> type[Any]:
    """The class of a grid's configuration: SCHEMA of its `settings.py`, or else the one in KIND of its `grid.py`.

    Raises ConfigError: it has neither, its Python may not be run, or another grid has the same class.
    """
    result: type[Any] = (
        folder.imported("settings", "SCHEMA") if folder.has("settings") else folder.imported("grid", "KIND").settings
    )
    first = _schemas.setdefault(result, folder)
    if first != folder:
        raise ConfigError(
            f"the grids '{folder.name}' and '{first.name}' have the same configuration class: give each grid its own "
            "class"
        )
    return result


def folder_of_schema(schema: type[Any]) -> GridFolder | None:
    """The grid whose configuration has this class, among the grids already requested in this process."""
    return _schemas.get(schema)


def _folders(location: _Location, name: str | None = None) -> Iterator[GridFolder]:
    """The folders of grids in a location, in the order of their names; or only the one with a given name."""
    for path in sorted(location.grids.glob("*/")):
        if name not in (None, path.name) or not path.name.isidentifier():
            continue
        if not path.name.startswith("__") and any((path / file).is_file() for file in MARKS):
            yield GridFolder(path.name, path, f"{location.package}.{path.name}" if location.package else None)


def _package_folders(package: str) -> list[Path]:
    """The folders of a package, found without running its code; empty if it cannot be found."""
    spec = _spec(package)
    roots = [] if spec is None else spec.submodule_search_locations or []
    return [folder for root in roots if (folder := Path(root, *package.split(".")[1:])).is_dir()]


def _spec(package: str) -> ModuleSpec | None:
    """The location of the first part of a package name, found without running code; None if it cannot be found."""
    try:
        return find_spec(package.partition(".")[0])
    except (ImportError, ValueError):
        return None


@cache
def _installed() -> tuple[str, ...]:
    """The packages of grids declared by installed distributions."""
    from importlib.metadata import entry_points

    return tuple(dict.fromkeys(point.value for point in entry_points(group=ENTRY_POINTS)))


def entry_points_without_package() -> list[str]:
    """The values of entry points that are not the import name of an installed package."""
    return [package for package in _installed() if not _package_folders(package)]


def conf_folder() -> Path:
    """The folder of configurations: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    shipped = package / "conf"
    return shipped if shipped.is_dir() else package.parent / "conf"


def grids(folders: Iterable[Path]) -> dict[str, str]:
    """Each grid in the folders, with the first comment of its file that is not a Hydra header.

    Raises ConfigError if two folders have a grid of the same name.
    """
    files: dict[str, Path] = {}
    for folder in folders:
        for file in sorted((folder / "grid").glob("*.yaml")):
            if files.setdefault(file.stem, file) != file:
                raise ConfigError(found_twice(file.stem, files[file.stem], file))
    result = {}
    for name, file in files.items():
        lines = file.read_text("utf-8", "replace").splitlines()
        comments = (line[1:].strip() for line in lines if line.startswith("#"))
        result[name] = next((line for line in comments if not line.startswith("@package")), "")
    return result


def found_twice(grid: str, first: Path, second: Path) -> str:
    """The message for a grid that exists in two locations."""
    return (
        f"two grids are called '{grid}', {first} and {second}: rename one of the two, with its YAML file and its folder"
    )
