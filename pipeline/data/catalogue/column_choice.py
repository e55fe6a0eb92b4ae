"""The user's choice of columns of their own file: the class, columns to leave out, types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pipeline.configuration.rules import ONCE, one_of
from pipeline.data.catalogue.entry import Column, ColumnKind
from pipeline.data.catalogue.lines import some
from pipeline.errors import ConfigError, DataError, did_you_mean

if TYPE_CHECKING:
    from pipeline.data.catalogue.delimited import TextTable

NO_HEADER = "no header was seen (the first line has a number, or a text that occurs again)"
TYPE = one_of(ColumnKind.NOMINAL, ColumnKind.NUMERIC)


@dataclass(frozen=True)
class ColumnChoice:
    """Keys of the configuration about the columns of files without any other description.

    target : the class; None: the last column
    drop   : columns to leave out
    types  : `nominal` or `numeric`, keyed by column; other types are inferred
    """

    target: str | None = None
    drop: tuple[str, ...] = ()
    types: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def of(config: Any) -> ColumnChoice:
        """Read the choice from a configuration; ConfigError names a key whose value is not allowed."""
        drop, types = config.drop, {} if config.types is None else config.types
        ONCE.check("drop", drop)
        if not isinstance(types, dict):
            raise ConfigError(f"`types` is {types!r}: expected columns with their types, such as {{zip: nominal}}")
        types = {str(name): kind for name, kind in types.items()}
        for name, kind in types.items():
            TYPE.check(f"types of '{name}'", kind)
            if name in drop:
                raise ConfigError(f"`types` and `drop` both have '{name}': list the column in only one of the two")
        return ColumnChoice(config.target, tuple(drop), tuple(sorted(types.items())))

    def identity(self) -> dict[str, Any]:
        """Everything that differs from the default, as JSON values."""
        chosen = {"target": self.target, "drop": list(self.drop), "types": dict(self.types)}
        return {key: value for key, value in chosen.items() if value not in (None, [], {})}

    @staticmethod
    def from_identity(identity: Mapping[str, Any]) -> ColumnChoice:
        """Make the choice from an `identity()` that contains it."""
        types = tuple(sorted(identity.get("types", {}).items()))
        return ColumnChoice(identity.get("target"), tuple(identity.get("drop", ())), types)

    def check_used(self, own: Sequence[str]) -> None:
        """Raise ConfigError if columns are named but none of the sources is a file of the user's own."""
        for key in ("target", "drop", "types"):
            if getattr(self, key) and not own:
                raise ConfigError(
                    f"`{key}` applies only to files of your own, and `source` has none: leave `{key}` out, or give the "
                    "path of a file, such as source=./mine.csv"
                )

    def marked(self, table: TextTable) -> tuple[Column, ...]:
        """The columns of a table, with the class and the ones to leave out marked.

        Raises DataError: there is no such column, the class is left out or has a type, or no attribute is left.
        """
        names = [column.name for column in table.columns]
        found = f"Columns: {some(names)}" + ("" if table.named else f", named so because {NO_HEADER}")
        if self.target is not None and self.target not in names:
            near = did_you_mean(self.target, names) or "."
            raise DataError(f"{table.name}: `target` is '{self.target}', but there is no such column{near} {found}")
        of_class = names[-1] if self.target is None else self.target
        for key, columns in (("drop", self.drop), ("types", dict(self.types))):
            for name in columns:
                if name not in names:
                    near = did_you_mean(name, names) or "."
                    raise DataError(f"{table.name}: `{key}` has '{name}', but there is no such column{near} {found}")
                if name == of_class:
                    why = "is the class" if self.target else "is the class (by default, the last column)"
                    msg = (
                        f"{table.name}: `{key}` has '{name}', which {why}: leave it out of `{key}`, or choose another "
                    )
                    msg += "class with target=…"
                    raise DataError(msg)
        if len(self.drop) == len(names) - 1:
            raise DataError(
                f"{table.name}: `drop` leaves no column beside the class '{of_class}': keep at least one attribute"
            )
        kinds = {of_class: ColumnKind.CLASS} | dict.fromkeys(self.drop, ColumnKind.DROP)
        return tuple(replace(column, kind=kinds.get(column.name, column.kind)) for column in table.columns)


NO_CHOICE = ColumnChoice()
"""The default: the class is the last column, all columns are kept, and types are inferred."""
