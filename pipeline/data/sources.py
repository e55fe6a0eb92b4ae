"""Where the tables of a grid come from: data sets of the catalogue by name, the user's own files by path."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.data.catalogue.column_choice import NO_CHOICE, ColumnChoice
from pipeline.data.catalogue.lines import some
from pipeline.data.catalogue.missing_files import together
from pipeline.errors import AbsentError, ConfigError, DataError, OrchardError
from pipeline.words import listed_choices

if TYPE_CHECKING:
    from pipeline.configuration.settings import Data
    from pipeline.data.catalogue.catalogue import Catalogue
    from pipeline.data.catalogue.loading import LoadedSet

PARTS = ("all", "train", "test")
WITHOUT_FILE = "sklearn/iris"  # suggested where other data sets are missing


@dataclass(frozen=True)
class DataLocation:
    """Where data sets and builders are found on this machine; it does not change any result.

    folder   : the folder of local data sets; None: $ORCHARD_DATA. A data set that is not there is downloaded once
    own      : the user's folder, with YAML files in `catalogue/`; None: the user gave no folder
    recorded : whether these values are from the record of a run. Then nothing is downloaded, and $ORCHARD_DATA replaces
               a folder that is not on this machine
    plugins  : packages besides `algorithms` whose builders may be imported for a run that is read from its record
    """

    folder: str | None = None
    own: str | None = None
    recorded: bool = False
    plugins: tuple[str, ...] = ()

    @staticmethod
    def of(data: Data) -> DataLocation:
        """The location that a configuration names."""
        return DataLocation(data.folder, data.own)

    @staticmethod
    def from_record(configuration: Mapping[str, Any], plugins: Sequence[str]) -> DataLocation:
        """The location in the recorded configuration of a run; a missing or damaged key has its default."""
        section = configuration.get("data")
        data = section if isinstance(section, dict) else {}
        folder, own = (recorded_text(data, key) for key in ("folder", "own"))
        return DataLocation(folder, own, recorded=True, plugins=tuple(plugins))

    def open(self) -> Catalogue:
        """The catalogue with its files."""
        from pipeline.data.catalogue.catalogue import catalogue

        if self.own and not Path(self.own).is_dir():
            raise ConfigError(
                f"data.own is {self.own}, which is not a folder: give a folder that has YAML files in `catalogue/`"
            )
        absent = self.recorded and self.folder is not None and not Path(self.folder).is_dir()
        own = [Path(self.own)] if self.own else []
        return catalogue(None if absent else self.folder, own=own, offline=self.recorded)


def recorded_text(node: Mapping[str, Any], key: str) -> str | None:
    """The text under a key of a recorded configuration; None if it is missing, not a text, or contains a NUL."""
    value = node.get(key)
    return value if isinstance(value, str) and "\0" not in value else None


@dataclass(frozen=True)
class Source:
    """A part of a data set.

    name         : the name of the set in the catalogue, or the path of a file as it was given
    part         : `all`, or `train` or `test` of the published split
    fingerprints : fingerprints of the contents known to be this set. If none is declared, as for a file of the user,
                   the digest of the content with the names of its attributes
    choice       : the user's choice of columns of a file given by its path, or of a data set of OpenML
    rows         : the number of rows that the grid samples from the part; None: all
    file         : the name, without folders, of a file given by its path; otherwise empty. Seeds are drawn from it
    """

    name: str
    part: str
    fingerprints: tuple[str, ...]
    choice: ColumnChoice = NO_CHOICE
    location: DataLocation = field(compare=False, default=DataLocation())
    rows: int | None = None
    file: str = ""

    @property
    def title(self) -> str:
        """The name of the data set and, if it is not the whole set, of its part."""
        return self._titled(self.name)

    @property
    def seed_name(self) -> str:
        """The name from which seeds are drawn: the title, but with the name of a file in place of its path."""
        return self._titled(self.file or self.name)

    def _titled(self, name: str) -> str:
        part = self.row_identity["part"]
        return name if part == "all" else f"{name} ({part})"

    @property
    def row_identity(self) -> dict[str, str]:
        """The columns that identify it in result rows."""
        drawn = "" if self.rows is None else f"{self.rows} rows"
        parts = [drawn, self.part] if drawn and self.part != "all" else [drawn or self.part]
        return {"source": self.name, "part": " of ".join(parts)}

    def identity(self) -> dict[str, Any]:
        """Everything about it that can change a result."""
        identity: dict[str, Any] = {"name": self.name, "part": self.part, "fingerprints": list(self.fingerprints)}
        identity |= self.choice.identity() | ({} if self.rows is None else {"rows": self.rows})
        return identity | ({"file": self.file} if self.file else {})

    @staticmethod
    def from_identity(identity: dict[str, Any], location: DataLocation) -> Source:
        """Make the source from its `identity()`; `location` says where its files are."""
        fingerprints = tuple(identity["fingerprints"])
        choice = ColumnChoice.from_identity(identity)
        rows, file = identity.get("rows"), identity.get("file", "")
        return Source(identity["name"], identity["part"], fingerprints, choice, location, rows, file)

    def load(self) -> LoadedSet:
        """Load the data set; DataError or ConfigError if it is missing, or has changed since the run began."""
        loaded = self.location.open().load(self.name, self.choice)
        if not {loaded.fingerprint, loaded.content} & set(self.fingerprints):
            raise ConfigError(
                f"'{self.name}' has changed since the run began: run the grid's command again to begin a run of the "
                "new data"
            )
        return loaded


def sources_named(
    names: Sequence[str] | str, choice: ColumnChoice | None, data: Data, *, draws: bool = False
) -> tuple[Source, ...]:
    """Read the sources of a configuration: names of the catalogue or paths of files, perhaps with `:train` or `:test`.

    The default of a set with a published split is its training rows. `choice` is the user's choice of columns of files.
    If the grid `draws`, a number after the name or the part, such as `:210`, requests a sample of that many rows.

    Raises ConfigError: there is no such set or part, a set is given twice, or a sample is requested but the grid draws
    none.
    Raises DataError: a file cannot be read, or sources are missing; the message lists these.
    """
    choice = choice or NO_CHOICE
    choice.check_used(own_files(names))
    location = DataLocation.of(data)
    catalogue = location.open()
    read, errors = [], SourceErrors()
    for name in listed(names):
        with errors.collect(name, ConfigError):
            read.append(_source(name, choice, catalogue, location))
    errors.check()
    sources = tuple(read)
    if not sources:
        raise ConfigError("`source` is empty: give at least one data set, or the path of a file")
    refused = next((source for source in sources if source.rows is not None and not (draws and source.rows)), None)
    if refused:
        why = "1 row or more" if draws else "no number of rows, because this grid uses all rows"
        raise ConfigError(f"`source` has '{refused.name}:{refused.rows}': expected {why}")
    contents = [(source.seed_name, source.fingerprints) for source in sources]
    twice = next((content for content in contents if contents.count(content) > 1), None)
    if twice:
        titles = [source.title for source, content in zip(sources, contents, strict=True) if content == twice]
        first, second, *_ = titles
        if first == second:
            raise ConfigError(f"`source` has '{first}' twice: give the data set once")
        raise ConfigError(f"`source` has '{first}' and '{second}', whose names and rows are the same: give one of them")
    return sources


def index_of_source(sources: Sequence[Source], row: Mapping[str, Any]) -> int:
    """The index of the first source with a row's source and part; either may be missing from the row.

    The source may also be given as a title, or as name:part. Raises ConfigError, which lists the known sources, if
    none of them fits.
    """
    name, part = row.get("source"), row.get("part")
    for index, source in enumerate(sources):
        names = {None, source.name, source.title, f"{source.name}:{source.part}"}
        if name in names and part in {None, source.row_identity["part"]}:
            return index
    known = ", ".join(source.title for source in sources)
    raise ConfigError(
        f"source {name}{f' ({part})' if part else ''}: expected {'one of ' if len(sources) > 1 else ''}{known}"
    )


def listed(names: object) -> list[str]:
    """The names in a configuration, which gives a name or a list; ConfigError if it gives anything else."""
    given = [names] if isinstance(names, str) else names
    if not isinstance(given, list) or not all(isinstance(name, str) and name.isprintable() for name in given):
        raise ConfigError(
            f"`source` is {names!r}: expected the name of a data set, the path of a file, or a list of these"
        )
    return given


def own_files(names: object) -> list[str]:
    """The names in a configuration that are paths of files, or data sets of OpenML."""
    from pipeline.data.catalogue.catalogue import is_undescribed

    return [name for name in listed(names) if is_undescribed(_parsed(name)[0])]


def _parsed(named: str) -> tuple[str, str, int | None]:
    """The name or path, the part and the number of rows in a source's name; empty and None if they are not given."""
    before, colon, number = named.rpartition(":")
    rows = int(number) if colon and number.isascii() and number.isdigit() else None
    without_rows = named if rows is None else before
    name, colon, part = without_rows.rpartition(":")
    return (name, part, rows) if colon and part in PARTS else (without_rows, "", rows)


def _source(named: str, choice: ColumnChoice, catalogue: Catalogue, location: DataLocation) -> Source:
    from pipeline.data.catalogue.catalogue import is_path, is_undescribed

    name, part, rows = _parsed(named)
    if name in catalogue.built_in or is_undescribed(name):
        choice = choice if is_undescribed(name) else NO_CHOICE
        loaded = catalogue.load(name, choice)
        parts: tuple[str, ...] = tuple(loaded.parts)
        fingerprints: tuple[str, ...] = (loaded.content,)
    else:
        entry, choice = catalogue.entry(name), NO_CHOICE
        parts, fingerprints = tuple(entry.files), entry.fingerprints or (catalogue.load(name).content,)
    part = part or ("train" if "train" in parts else "all")
    if part not in (*parts, "all"):
        raise ConfigError(
            f"source '{named}': '{name}' has no part '{part}': expected {listed_choices(sorted({*parts, 'all'}))}"
        )
    file = Path(name).name if is_path(name) else ""
    return Source(name, part, fingerprints, choice, location, rows, file)


@dataclass
class SourceErrors:
    """The errors raised while data sets were looked for, keyed by name, so that all are reported at once."""

    errors: dict[str, OrchardError] = field(default_factory=dict)

    @contextmanager
    def collect(self, name: str, kind: type[OrchardError] = AbsentError) -> Iterator[None]:
        """Record an AbsentError, or an error of type `kind`, that the block raises, and go on."""
        try:
            yield
        except (AbsentError, kind) as error:
            self.errors.setdefault(name, error)

    def check(self) -> None:
        """Raise the recorded errors, if any: as a DataError, but a single error that is no AbsentError unchanged."""
        from pipeline.data.catalogue.built_in import BUILT_IN
        from pipeline.data.catalogue.catalogue import is_path

        if not self.errors:
            return
        first = next(iter(self.errors.values()))
        if len(self.errors) == 1 and not isinstance(first, AbsentError):
            raise first
        same = [equal for name in self.errors for equal in same_without_file(name, BUILT_IN)]
        instead = " or ".join(f"`{name}`" for name in (same[:3] or [WITHOUT_FILE]))
        ending = f"or try {instead}, which {'need' if len(same) > 1 else 'needs'} neither file nor network"
        if len(self.errors) == 1:
            own = is_path(next(iter(self.errors))) and not same
            msg = str(first) if own else f"{first}; {ending}"
        else:
            texts = together(self.errors.values())
            if len(texts) > 1:
                folder = "set data.folder to a folder that has them, or " if "data.folder" in "".join(texts) else ""
                heading = f"{len(self.errors)} data sets cannot be read ({some(list(self.errors))}): {folder}"
                texts.insert(0, f"{heading}do what each line says:")
            msg = "\n- ".join(texts) + f"\n{ending}"
        raise DataError(msg) from first


def same_without_file(name: str, built_in: Collection[str]) -> list[str]:
    """The other built-in data sets with the same name in any group, which need no file."""
    return [other for other in built_in if other != name and other.partition("/")[2] == name.partition("/")[2]]
