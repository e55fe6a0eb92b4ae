"""Missing data sets of a run, reported all at once."""

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
    """The errors raised while data sets were searched for, keyed by name."""

    found: dict[str, OrchardError] = field(default_factory=dict)

    @contextmanager
    def of(self, name: str, kind: type[OrchardError] = AbsentError) -> Iterator[None]:
        """Record errors of a type, and that a data set is missing, so that the next data set is searched for, too."""
        try:
            yield
        except (AbsentError, kind) as error:
            self.found.setdefault(name, error)

    def check(self) -> None:
        """Raise what was recorded, if anything: a single ConfigError unchanged, everything else as a DataError."""
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
    """The built-in data sets with the same name in any group as another one; they need no file."""
    return [one for one in built_in if one != name and one.partition("/")[2] == name.partition("/")[2]]
