"""The directives of these pages; each writes Markdown, which is then read as if it stood on the page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from orchard_docs.comments import title_of
from orchard_docs.keys import Key, base_of, common_keys, grid_keys, keys_of_choice
from orchard_docs.markdown import kind_of, table
from orchard_docs.pages import PAGE
from pipeline.discovery import SearchPath, conf_folder, grids
from pipeline.printed_table.claim import Possibility
from pipeline.printed_table.reading import read_printed_table
from pipeline.printed_table.shares import Evaluation, share_claims
from pipeline.schema import MADE_WITH, known_tables
from pipeline.work.class_facts import class_named, path_of

__all__ = ["DIRECTIVES"]


class _Written(SphinxDirective, ABC):
    """A directive that stands for Markdown."""

    @abstractmethod
    def markdown(self) -> str:
        """The Markdown that replaces it."""

    def run(self) -> list[nodes.Node]:
        """The nodes of the Markdown."""
        return self.parse_text_to_nodes(self.markdown())


class Grids(_Written):
    """All grids, each with a link to its page and the first comment of its YAML."""

    def markdown(self) -> str:
        """A table."""
        folders = SearchPath().folders()
        paged = {name for name, folder in folders.items() if (folder.path / PAGE).is_file()}
        rows = [
            (f"[{_code(name)}](grids/{name}.md)" if name in paged else _code(name), meaning)
            for name, meaning in grids([conf_folder()]).items()
        ]
        return table(("grid", "question"), rows)


class GridKeys(_Written):
    """The question of a grid, and the keys that are its own."""

    required_arguments = 1

    def markdown(self) -> str:
        """A sentence, a table, and a reference to the other keys."""
        (grid,) = self.arguments
        base = base_of(grid)
        others = f"those of [{base}]({base}.md)" if base else "[those of every run](../configuration.md)"
        title = title_of(conf_folder() / "grid" / f"{grid}.yaml")
        return f"{title}.\n\n{_keys(grid_keys(grid))}\n\nAll other keys are {others}.\n"


class KeysOf(_Written):
    """The keys of every run (`run`), or of a choice of a group (`cluster slurm`)."""

    required_arguments = 1
    optional_arguments = 1

    def markdown(self) -> str:
        """A table."""
        return _keys(common_keys() if self.arguments == ["run"] else keys_of_choice(*self.arguments))


class Impossible(_Written):
    """The accuracies of a printed table that can be no share of the rows, each with its proof.

    columns : what its headings stand for, as `columns` of the grid `printed` has it
    """

    required_arguments = 1
    option_spec = {"columns": yaml.safe_load}  # noqa: RUF012 - as Sphinx has it

    def markdown(self) -> str:
        """Their number, and a table."""
        source, _ = self.get_source_info()
        printed = read_printed_table((Path(source).parent / self.arguments[0]).resolve(), self.options["columns"])
        claims = list(share_claims(printed.figures, lambda figure: figure.n, Evaluation()))
        impossible = [claim for claim in claims if claim.verdict is Possibility.IMPOSSIBLE]
        rows = [
            (claim.figures[0].source, claim.figures[0].builder, claim.figures[0].text, claim.proof)
            for claim in impossible
        ]
        shown = table(("data set", "builder", "printed", "proof"), rows)
        count = f"{len(impossible)} of {len(claims)} figures"
        return f"{count} are impossible under these assumptions: {impossible[0].assumes}.\n\n{shown}\n"


class Builders(_Written):
    """All builders of `conf/builder/`."""

    def markdown(self) -> str:
        """A table."""
        rows = []
        for file in sorted((conf_folder() / "builder").glob("*.yaml")):
            builder = yaml.safe_load(file.read_text(encoding="utf-8"))
            given = {**builder.get("parameters", {}), **builder.get("preparation", {})}
            with_ = ", ".join(f"{name}: {value}" for name, value in given.items())
            defined = path_of(class_named(builder["class"]))  # where its page is, whatever package offers it
            rows.append((_code(file.stem), f"{{py:class}}`~{defined}`", _code(with_), title_of(file)))
        return table(("builder", "class", "settings", "description"), rows)


class Columns(_Written):
    """The columns of a table of results, by its name."""

    required_arguments = 1

    def markdown(self) -> str:
        """What a row of the table is, and a table of its columns."""
        (name,) = self.arguments
        known = known_tables()[name]
        writers = f" ({', '.join(f'[{_code(grid)}](grids/{grid}.md)' for grid in known.grids)})" if known.grids else ""
        columns = [*known.schema, MADE_WITH]
        rows = [(_code(field.name), kind_of(field.type), field.metadata[b"meaning"].decode()) for field in columns]
        return f"{known.meaning}{writers}\n\n{table(('column', 'type', 'meaning'), rows)}"


def _keys(keys: Iterable[Key]) -> str:
    return table(
        ("key", "default", "type", "meaning"),
        [(_code(key.name), _code(key.default), key.kind, key.meaning) for key in keys],
    )


def _code(words: Any) -> str:
    return f"`{words}`" if words else ""


DIRECTIVES = {
    "grids": Grids,
    "grid-keys": GridKeys,
    "keys-of": KeysOf,
    "builders": Builders,
    "columns": Columns,
    "impossible": Impossible,
}
"""By the names that pages call them by."""
