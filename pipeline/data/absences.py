"""Data sets that a run names and that are not here, reported all at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pipeline.data.catalogue.lines import some
from pipeline.errors import AbsentError, DataError, OrchardError

__all__ = ["Absences", "same_without_file"]

ALWAYS_HERE = "sklearn/iris"


@dataclass
class Absences:
    """What was raised while data sets were looked for, by their names."""

    found: dict[str, OrchardError] = field(default_factory=dict)

    @contextmanager
    def of(self, name: str, kind: type[OrchardError] = AbsentError) -> Iterator[None]:
        """Note errors of a kind, and that a data set is absent, so that the next data set is looked for, too."""
        try:
            yield
        except (AbsentError, kind) as error:
            self.found.setdefault(name, error)

    def check(self) -> None:
        """Return only if nothing was noted; else raise it: one ConfigError as it is, all else as a DataError."""
        from pipeline.data.catalogue.built_in import BUILT_IN

        if not self.found:
            return
        first = next(iter(self.found.values()))
        if len(self.found) == 1 and not isinstance(first, AbsentError):
            raise first
        same = [one for name in self.found for one in same_without_file(name, BUILT_IN)]
        instead = " or ".join(f"`{name}`" for name in (same[:3] or [ALWAYS_HERE]))
        ending = f"or try {instead}, which {'need' if len(same) > 1 else 'needs'} neither file nor network"
        if len(self.found) == 1:
            msg = f"{first}; {ending}"
        else:
            lines = [str(error) for error in self.found.values()]
            folder = (
                "set data.folder to a folder that has them, or " if any("data.folder" in one for one in lines) else ""
            )
            msg = f"{len(lines)} data sets are not here, {some(list(self.found))}: {folder}get each in its own way:"
            msg += "".join(f"\n- {line}" for line in lines) + f"\n{ending}"
        raise DataError(msg) from first


def same_without_file(name: str, built_in: Collection[str]) -> list[str]:
    """The data sets that need no file and have the name of another one, whatever their group."""
    return [one for one in built_in if one != name and one.partition("/")[2] == name.partition("/")[2]]
