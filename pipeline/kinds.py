"""The grid that a configuration describes, and the grid of a recorded run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pipeline.data.sources import DataLocation
from pipeline.discovery import SearchPath, folder_of_schema
from pipeline.errors import ConfigError, OrchardError, raised_in

if TYPE_CHECKING:
    from pipeline.configuration.settings import Settings
    from pipeline.grid import Grid, GridKind


def kind_named(name: str, search_path: SearchPath | None = None) -> GridKind:
    """Import the kind of grid with this name from its folder.

    Raises ConfigError: there is no such grid on the path (by default that of installed packages), or its Python
    may not be run.
    """
    folder = (search_path or SearchPath()).folder(name)
    if folder is None:
        raise ConfigError(
            f"no kind of grid called '{name}' is installed: if a package that you trust has this kind, add --plugins "
            "PACKAGE, or plugins=[PACKAGE] to a run"
        )
    return cast("GridKind", folder.imported("grid", "KIND"))


def grid_of(settings: Settings, search_path: SearchPath | None = None) -> Grid:
    """The grid that a configuration describes. Its kind is found by the class of the configuration.

    settings    : the configuration
    search_path : where grids and the YAMLs of builders are found; by default the shipped and the installed ones
    """
    search_path = search_path or SearchPath()
    folder = folder_of_schema(type(settings))
    if folder is None:
        raise ConfigError(
            f"grid '{settings.grid}' has no schema: the first entry of `defaults` in its YAML file must be an existing "
            "grid, `- NAME`, or the schema of a grid's folder, `- /schema/NAME`"
        )
    for name in {settings.grid, folder.name}:
        search_path.check_once(name)
    kind = cast("GridKind", folder.imported("grid", "KIND"))
    try:
        grid = kind.of(settings, search_path)
        cells = grid.items * len(grid.methods)
        if not folder.shipped:
            _ = grid.merges  # reports a fault in the summary before any work
    except OrchardError:
        raise
    except Exception as error:
        if folder.shipped:
            raise
        raise ConfigError(f"grid '{settings.grid}' cannot be made: {raised_in(error, folder.path)}") from error
    if not cells:
        raise ConfigError(f"grid '{settings.grid}' has no cells, because its axes or its `methods` are empty")
    return grid


def kept_grid(
    identity: dict[str, Any], tables: Sequence[str], configuration: Mapping[str, Any], search_path: SearchPath
) -> Grid:
    """Make the grid of a run again: what changes its rows from its identity, the rest from the others.

    Raises an exception of any type if the identity does not describe a grid on the path.
    """
    kind = kind_named(identity["grid"], search_path)
    grid = kind.from_identity(identity, DataLocation.from_record(configuration, search_path.plugins))
    recorded, package = identity.get("grid_package"), grid.identity().get("grid_package")
    if recorded is not None and recorded != package:
        plugin = shlex.quote(str(recorded).partition(".")[0])
        raise ConfigError(
            f"its grid '{identity['grid']}' is from {recorded!r}, but the grid found by this name is from "
            f"{package or 'Orchard'}: if you trust {plugin}, add --plugins {plugin}"
        )
    return kind.completed(grid, tables, configuration, search_path) if kind.completed else grid
