"""The available data sets, by name, and how each is obtained."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from algorithms.data.data_set import DataSet
from pipeline.data.catalogue.column_choice import NO_CHOICE, ColumnChoice
from pipeline.data.catalogue.entry import Address, Entry
from pipeline.data.catalogue.entry_yaml import names_in, read_entry
from pipeline.data.catalogue.fetching import DownloadError, Fetcher
from pipeline.data.catalogue.loading import LoadedSet, content_of, fingerprint, load_file, loaded_set
from pipeline.data.catalogue.missing_files import DATA_VARIABLE, MissingFiles, MissingFilesError
from pipeline.data.catalogue.openml import is_openml, load_openml
from pipeline.errors import AbsentError, ConfigError, DataError
from pipeline.typed_paths import typed_path

LONGEST_NAME = 200
MOST_LISTED = 10
"""Most names of a group that the message about an unknown name lists."""
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")  # parts of a name, between slashes
FILE_SUFFIXES = {".csv", ".tsv", ".txt", ".data", ".dat", ".arff", ".parquet", ".gz", ".z", ".zip"}

BuiltIn = Mapping[str, Callable[[], Mapping[str, DataSet]]]


def catalogue(
    data: str | os.PathLike[str] | None = None,
    *,
    own: Sequence[Path] = (),
    cache: Path | None = None,
    offline: bool = False,
) -> Catalogue:
    """The shipped catalogue and the built-in sets, preceded by the `catalogue` folder in each folder of `own`.

    data    : local folder of data; None: the folder in the environment variable ORCHARD_DATA, if it is set
    cache   : folder of downloads; None: the operating system's cache folder of this user
    offline : nothing is downloaded

    Raises ConfigError if the local folder does not exist.
    """
    from pipeline.data.catalogue.built_in import BUILT_IN
    from pipeline.discovery import conf_folder

    if cache is None:
        import platformdirs

        cache = Path(platformdirs.user_cache_dir("orchard"))
    folders = tuple(folder / "catalogue" for folder in (*own, conf_folder()))
    return Catalogue(folders, Fetcher(cache, offline=offline), data_folder(data), BUILT_IN)


def data_folder(configured: str | os.PathLike[str] | None) -> Path | None:
    """The local folder of data: the configured one, else that of the environment variable ORCHARD_DATA, else None."""
    chosen = configured or os.environ.get(DATA_VARIABLE)
    if not chosen:
        return None
    folder = typed_path(chosen)
    if not folder.is_dir():
        origin = "data.folder" if configured else DATA_VARIABLE
        raise ConfigError(f"{origin} is {folder}, which is not a folder: give a folder with files <set>/<file>")
    return folder


@dataclass(frozen=True)
class Catalogue:
    """Folders of YAMLs, and the sources of the files.

    folders  : each has YAMLs at `<group>/<set>.yaml`; if two have the same name, the first is used
    built_in : data sets that need no file, by name; they take precedence over any YAML
    data     : a local folder with the files; None: they are downloaded
    """

    folders: Sequence[Path]
    fetcher: Fetcher
    data: Path | None = None
    built_in: BuiltIn = field(default_factory=dict)

    def names(self) -> list[str]:
        """All names, sorted. A set with variants is listed by its variants, and by itself if it is a data set, too."""
        names = set(self.built_in)
        for folder in self.folders:
            for path in folder.rglob("*.yaml"):
                names.update(names_in(path, path.relative_to(folder).with_suffix("").as_posix()))
        return sorted(names)

    def entry(self, name: str) -> Entry:
        """The catalogue's entry for a name. Raises ConfigError, which lists similar names, if there is none."""
        words = name.split("/")
        if len(name) <= LONGEST_NAME and all(map(WORD.fullmatch, words)):
            for folder in self.folders:
                if (path := folder.joinpath(*words[:-1], words[-1] + ".yaml")).is_file():
                    return read_entry(path, name)
                if words[:-2] and (path := folder.joinpath(*words[:-2], words[-2] + ".yaml")).is_file():
                    return read_entry(path, "/".join(words[:-1]), words[-1])
        known = self.names()
        alike = [other for other in known if words[-1] and words[-1] in other]
        near = difflib.get_close_matches(name[:100], known, n=3, cutoff=0.8) or alike[:3]
        group = [other for other in known if other.startswith(f"{words[0]}/")]
        hint = "`python -m pipeline.fetch --list` lists all names."
        if near:
            hint = f"did you mean {' or '.join(near)}?"
        elif 0 < len(group) <= MOST_LISTED:
            hint = f"{words[0]}/ has {', '.join(group)}. {hint}"
        raise ConfigError(
            f"no data set is called '{name[:100]}': {hint} For a file of your own, give its path, such as ./mine.csv"
        )

    def fingerprints(self, name: str) -> tuple[str, ...]:
        """The contents known to be the data set with this name; empty if the catalogue does not say."""
        if name in self.built_in or is_undescribed(name):
            return (self.load(name).fingerprint,)
        return self.entry(name).fingerprints or (self.load(name).fingerprint,)

    def declares(self, name: str) -> bool:
        """Whether the contents of a data set are specified: by a fingerprint in its YAML, or by its rule."""
        return name in self.built_in or (not is_undescribed(name) and bool(self.entry(name).fingerprints))

    def load(self, name: str, choice: ColumnChoice = NO_CHOICE) -> LoadedSet:
        """Load the data set with a name, or a file of the user's own: a path with a suffix, `./`, `../` or `/`.

        choice : the user's choice of columns of a file, or of a data set of OpenML

        Raises ConfigError: there is no such name, or its YAML has a mistake.
        Raises DataError: its files are missing and cannot be downloaded, cannot be read, or contradict the fingerprint.
        """
        if name in self.built_in:
            parts = self.built_in[name]()
            return LoadedSet(name, parts, fingerprint(parts))
        if is_path(name):
            return load_file(typed_path(name), choice)
        if is_openml(name):
            return load_openml(name, choice, self.fetcher)
        entry = self.entry(name)
        if choice != NO_CHOICE:
            keys = ", ".join(choice.identity())
            raise ConfigError(
                f"{keys} cannot be given for '{name}', whose columns the catalogue describes: leave {keys} out, "
                "or give the path of a file"
            )
        return self._read(entry)

    def fetch(self, name: str) -> LoadedSet:
        """Load the data set with a name from the cache or its addresses, whatever the local folder contains.

        Raises as `load` does.
        """
        return replace(self, data=None).load(name)

    def _read(self, entry: Entry) -> LoadedSet:
        """The set from the local folder if its files are there, else from the first addresses that have it."""
        if self.data is not None:
            local = {part: self.data / file.path for part, file in entry.files.items()}
            if all(path.is_file() for path in local.values()):
                contents = {part: (str(path), content_of(path)) for part, path in local.items()}
                loaded = loaded_set(entry, contents)
                _check(entry, loaded, [str(path) for path in local.values()])
                return loaded
        failures = []
        for addresses in _ranks(entry):
            cached = all(self.fetcher.holds(entry.name, address) for address in addresses.values())
            if self.fetcher.offline and not cached:
                continue
            try:
                return self._downloaded(entry, addresses)
            except DataError as error:
                failures.append(str(error))
            if cached and not self.fetcher.offline:  # the cached file is spoiled: try once more without it
                with suppress(DataError):
                    return self._downloaded(entry, addresses)
        raise self._unobtainable(entry, failures)

    def _downloaded(self, entry: Entry, addresses: Mapping[str, Address]) -> LoadedSet:
        """The set from one address for each part. Files that are not that data set are removed from the cache."""
        cached = {address: self.fetcher.holds(entry.name, address) for address in addresses.values()}
        contents = {part: self.fetcher.fetch(entry.name, address) for part, address in addresses.items()}
        try:
            loaded = loaded_set(entry, contents)
            _check(entry, loaded, [name for name, _ in contents.values()])
        except DataError as error:
            for address, was_cached in cached.items():
                self.fetcher.forget(entry.name, address, set_aside=was_cached)
            raise DownloadError(
                f"{', '.join(url for address in addresses.values() for url in address.urls)}: {error}"
            ) from error
        return loaded

    def _unobtainable(self, entry: Entry, failures: Sequence[str]) -> AbsentError:
        missing = MissingFiles(entry, self.data, self.fetcher.cache, tuple(failures))
        if self.fetcher.offline and not failures:
            return AbsentError(
                f"'{entry.name}' is missing: {missing.looked}. A command that only reads does not download it: set "
                f"{DATA_VARIABLE} to a folder with {entry.paths}, or run `python -m pipeline.fetch {entry.name}`"
            )
        return MissingFilesError(missing)


def _ranks(entry: Entry) -> Iterator[dict[str, Address]]:
    """For each rank of address, each part's address with that rank; a part with fewer addresses repeats its last."""
    if not all(file.addresses for file in entry.files.values()):
        return
    for rank in range(max(len(file.addresses) for file in entry.files.values())):
        yield {part: file.addresses[min(rank, len(file.addresses) - 1)] for part, file in entry.files.items()}


def _check(entry: Entry, loaded: LoadedSet, origins: Sequence[str]) -> None:
    if entry.fingerprints and loaded.fingerprint not in entry.fingerprints:
        raise DataError(
            f"{', '.join(origins)}: the content is not the data set '{entry.name}' in the catalogue ({entry.source}): "
            f"the fingerprint is {loaded.fingerprint}, expected {' or '.join(entry.fingerprints)}. Get another copy of "
            "the data set, or describe this copy in a YAML file of your own catalogue"
        )


def is_path(name: str) -> bool:
    """Whether a name is that of a file rather than of a catalogue's set."""
    return name.startswith(("/", "./", "../", "~", "\\")) or Path(name).suffix.lower() in FILE_SUFFIXES


def is_undescribed(name: str) -> bool:
    """Whether no catalogue describes the data set with this name: a file, or a data set of OpenML."""
    return is_path(name) or is_openml(name)
