"""The builder that grew the tree of a result row, where it may be asked once more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import Any

from pipeline.builders import Builder
from pipeline.errors import ConfigError
from pipeline.grids.choices import listed_choices

__all__ = ["tree_builder", "tree_example"]


def tree_builder(builders: Sequence[Builder], row: Mapping[str, Any]) -> Builder:
    """The builder that a row names, the first that grows a tree where it names none.

    Raises ConfigError where there is none such, where it makes no tree, and where its class is not ours: what a run
    says that it is of is run by workers alone.
    """
    own = [builder for builder in builders if builder.own and builder.grows_tree]
    name = row.get("builder") or next((builder.name for builder in own), None)
    for builder in builders:
        if builder.name == name:
            if builder in own:
                return builder
            why = "it makes no tree" if builder.own else "that is no class of ours, and none but workers run others"
            msg = f"builder {name} is {builder.class_path}: {why}; trees are there of {_names(own)}"
            raise ConfigError(msg)
    msg = f"builder {name}: expected {listed_choices([builder.name for builder in own])}"
    raise ConfigError(msg)


def tree_example(source: str, builders: Sequence[Builder]) -> str:
    """Arguments that have `pipeline.show` show the tree of the first builder that may be asked, from a source."""
    names = [builder.name for builder in builders if builder.own and builder.grows_tree]
    return " ".join([f"--source {quote(source)}", *(f"--builder {quote(name)}" for name in names[:1])])


def _names(builders: Sequence[Builder]) -> str:
    return ", ".join(builder.name for builder in builders) or "no builder"
