"""All tests of a printed table, and the data sets that its names stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from algorithms.data.data_set import MISSING, DataSet
from pipeline.data.catalogue.catalogue import Catalogue, is_undescribed
from pipeline.data.catalogue.column_choice import NO_CHOICE, ColumnChoice
from pipeline.data.catalogue.loading import LoadedSet
from pipeline.data.catalogue.missing_files import DATA_VARIABLE
from pipeline.data.sources import same_without_file
from pipeline.errors import AbsentError, ConfigError, DataError
from pipeline.printed_table.arithmetic import arithmetic_claims
from pipeline.printed_table.claim import Claim, Possibility
from pipeline.printed_table.figure import ALL, LEFT_OUT, MEAN, PrintedFigure, PrintedTable
from pipeline.printed_table.measures import TRAIN_ACCURACY, TREE_COSTS
from pipeline.printed_table.names import SET_NAMES, NameMatcher
from pipeline.printed_table.ranks import rank_claims
from pipeline.printed_table.shares import Evaluation, share_claims
from pipeline.printed_table.significance import significance_claims
from pipeline.words import first_of

PREFERRED = "uci/"
"""The group that is preferred if several groups have a data set of the same name: the published sets."""


def names_of_sets(catalogue: Catalogue, table: PrintedTable, given: Mapping[str, str]) -> NameMatcher:
    """The names of data sets, published sets first. Given names take precedence over those in the table.

    Raises ConfigError: a given name is not a row of the table.
    """
    rows = list(dict.fromkeys(figure.source for figure in table.figures if figure.source not in (MEAN, ALL)))
    for name in given:
        if name not in rows and not table.unread:
            raise ConfigError(f"`rows` has '{name}', but the rows of the table are {first_of(rows, 10)}")
    known = sorted(catalogue.names(), key=lambda name: not name.startswith(PREFERRED))
    in_table = {figure.source: figure.known for figure in table.figures if figure.known}
    return NameMatcher(known, {**in_table, **given}, SET_NAMES)


def exchanged(table: PrintedTable, names: NameMatcher) -> list[str]:
    """A remark if the headings of a table are data sets, and the names of its rows are not."""
    rows = {figure.source for figure in table.figures} - {MEAN, ALL}
    headings = list(dict.fromkeys(figure.builder for figure in table.figures if names.find(figure.builder).name))
    if not headings or any(names.find(row).name for row in rows):
        return []
    named = f"{first_of(headings, 3)} {'are data sets' if len(headings) > 1 else 'is a data set'}"
    return [f"{named} in the headings: exchange rows and columns, so that each row is a data set"]


@dataclass
class DataSets:
    """The data sets of a printed table.

    catalogue    : where they come from
    names        : finds the data set that a name of the table stands for
    option       : gives the option by which a name of the table stands for a known name
    choice       : the columns of data sets that are named by the path of their file
    published    : whether trees are grown from the published training part and tested on the test part
    complete     : whether rows with a missing value are left out
    remarks      : a line for each data set that is not here, added when it is first loaded
    without_file : for data sets that are not here, the same data set without a file if there is one, keyed by the name
                   in the table
    """

    catalogue: Catalogue
    names: NameMatcher
    option: Callable[[str, str], str] = "--rows '{}={}'".format
    choice: ColumnChoice = NO_CHOICE
    published: bool = False
    complete: bool = False
    remarks: list[str] = field(default_factory=list)
    without_file: dict[str, str] = field(default_factory=dict)
    _loaded: dict[str, LoadedSet | None] = field(default_factory=dict)

    def loaded(self, printed: str) -> LoadedSet | None:
        """The data set that a printed name stands for; None if it stands for none, or its files are missing."""
        if printed not in self._loaded:
            self._loaded[printed] = self._load(printed)
        return self._loaded[printed]

    def rows(self, figure: PrintedFigure) -> int | None:
        """The number of rows that are tested, by the table or else by the data set; None if the figure is of several.

        The table has the number of all rows, which does not give that of a published test part.
        """
        if figure.source in (MEAN, ALL):
            return None
        if figure.n is not None and not self.published:
            return figure.n
        tested = self._used(figure, "test")
        return None if tested is None else tested[1].rows

    def data(self, figure: PrintedFigure) -> tuple[str, DataSet] | None:
        """The name of a figure's data set, and the rows that its trees are grown from."""
        return self._used(figure, "train")

    def _used(self, figure: PrintedFigure, part: str) -> tuple[str, DataSet] | None:
        """The name and the rows with a class of a figure's data set; with published parts, those of this part."""
        loaded = self.loaded(figure.source)
        if loaded is None or (self.published and part not in loaded.parts):
            return None
        name, data = (f"{loaded.name} ({part})", loaded.parts[part]) if self.published else (loaded.name, loaded.whole)
        usable = data.decisions != MISSING
        if self.complete:
            usable &= ~data.missing.any(axis=1)
        return name, data if usable.all() else data.take(np.flatnonzero(usable))

    def _load(self, printed: str) -> LoadedSet | None:
        match = self.names.find(printed)
        name = match.name or printed
        if name == LEFT_OUT:
            return None
        if match.name is None and not is_undescribed(printed):
            near = f": is it {' or '.join(match.near)}?" if match.near else "."
            mend = f"Write {self.option(printed, 'NAME')}, or add a column n with its number of rows"
            self.remarks.append(f"data set {printed}: no data set has this name{near} {mend}")
            return None
        try:
            return self.catalogue.load(name, self.choice if is_undescribed(name) else NO_CHOICE)
        except (ConfigError, DataError) as error:
            absent = isinstance(error, AbsentError) and not is_undescribed(name)
            text = self._absent(printed, name) if absent else str(error).splitlines()[0]
            self.remarks.append(f"data set {printed}: {text}")
        return None

    def _absent(self, printed: str, name: str) -> str:
        """Say what to do about a missing data set of the catalogue; note its equivalent without a file, if any."""
        same = same_without_file(name, self.catalogue.built_in)
        folder = f"a folder with {self.catalogue.entry(name).paths}"
        options = [f"run `python -m pipeline.fetch {name}`", f"set {DATA_VARIABLE} to {folder}"]
        if same:
            options.append(f"write {self.option(printed, same[0])}, which needs no file")
            self.without_file[printed] = same[0]
        return f"{name} is missing: {', '.join(options[:-1])}, or {options[-1]}"


def claims_on(
    table: PrintedTable, sets: DataSets, evaluation: Evaluation | None = None, *, error_free: bool = False
) -> Iterator[Claim]:
    """All claims on the figures of a table, the cheapest tests first. No builder is run.

    error_free : as in `bound_claims`
    """
    figures = table.figures
    claims = chain(
        share_claims(figures, sets.rows, evaluation or Evaluation()),
        arithmetic_claims(figures),
        rank_claims(figures),
        significance_claims(figures),
    )
    bounded = {TRAIN_ACCURACY, *(TREE_COSTS if error_free else ())}
    if any(figure.measure.name in bounded for figure in figures):
        from pipeline.printed_table.bounds import bound_claims  # imports searches, for two seconds

        claims = chain(claims, bound_claims(figures, sets.data, error_free=error_free))
    for claim in claims:
        if table.unread and claim.whole and claim.verdict is Possibility.IMPOSSIBLE:
            why = f"{claim.proof}; undecided, because part of the table could not be read"
            yield replace(claim, verdict=Possibility.UNDECIDED, proof=why)
        else:
            yield claim
