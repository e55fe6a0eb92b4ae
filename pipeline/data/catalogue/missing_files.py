"""The error that the files of a data set are missing; one text for all sets that are missing for the same reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.data.catalogue.entry import Entry
from pipeline.errors import AbsentError

DATA_VARIABLE = "ORCHARD_DATA"


@dataclass(frozen=True)
class MissingFiles:
    """The files of a data set in the catalogue, which are not on this machine and cannot be downloaded.

    entry    : of the data set
    folder   : the local folder, if one is set
    cache    : the folder of downloaded files
    failures : for each address that was tried, the address and why the download failed
    """

    entry: Entry
    folder: Path | None
    cache: Path
    failures: tuple[str, ...]

    @property
    def looked(self) -> str:
        """Where the files were looked for on this machine."""
        if self.folder is None:
            return "no local folder is set"
        absent = (file.path for file in self.entry.files.values() if not (self.folder / file.path).is_file())
        return f"{self.folder} has no {' and no '.join(map(str, absent))}"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the downloads failed, without the addresses."""
        return tuple(dict.fromkeys(map(_without_address, self.failures)))

    def __str__(self) -> str:
        name, files = self.entry.name, self.entry.paths
        untested = "" if self.entry.tried or not self.failures else " (untested URLs)"
        why = "; ".join(self.failures) or f"{self.entry.source} gives no address of {files}"
        elsewhere = f"; or run `{_fetch([name])}` {_elsewhere(self.cache)}" if self.failures else ""
        return (
            f"'{name}' is missing: {self.looked}, and it cannot be downloaded{untested}: {why}. You can "
            f"{_in_a_folder(files)}{elsewhere}"
        )


class MissingFilesError(AbsentError):
    """The files of a data set in the catalogue are missing."""

    def __init__(self, missing: MissingFiles) -> None:
        super().__init__(missing)
        self.missing = missing


def together(errors: Iterable[Exception]) -> list[str]:
    """The text of each error, but one text for all data sets whose files are missing for the same reasons."""
    texts: list[str] = []
    alike: dict[object, list[MissingFiles]] = {}
    for error in errors:
        if isinstance(error, MissingFilesError) and error.missing.reasons:
            alike.setdefault((error.missing.folder, error.missing.reasons), []).append(error.missing)
        else:
            texts.append(str(error))
    return [*(str(sets[0]) if len(sets) == 1 else _of_many(sets) for sets in alike.values()), *texts]


def _of_many(sets: Sequence[MissingFiles]) -> str:
    folder, cache, reasons = sets[0].folder, sets[0].cache, "; ".join(sets[0].reasons)
    looked = "no local folder is set" if folder is None else f"{folder} has not all of their files"
    entries = [each.entry for each in sets]
    width = max(len(entry.name) for entry in entries)
    return "\n".join(
        [
            f"{len(sets)} data sets are missing: {looked}, and they cannot be downloaded: {reasons}. You can "
            f"{_in_a_folder('these files')}; or run the command below them {_elsewhere(cache)}",
            *(f"  {entry.name:{width}}  {entry.paths}" for entry in entries),
            f"  {_fetch([entry.name for entry in entries])}",
        ]
    )


def _in_a_folder(files: str) -> str:
    return f"set data.folder, or the environment variable {DATA_VARIABLE}, to a folder with {files}"


def _fetch(names: Sequence[str]) -> str:
    return f"python -m pipeline.fetch {' '.join(names)}"


def _elsewhere(cache: Path) -> str:
    return f"on a machine with a network, and copy its cache to {cache}"


def _without_address(failure: str) -> str:
    address, _, reason = failure.partition(": ")
    return reason if address.startswith(("http://", "https://")) else failure
