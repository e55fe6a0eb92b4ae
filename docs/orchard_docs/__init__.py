"""The Sphinx extension that makes these pages' tables from what they describe: configurations, schemas, docstrings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["setup"]


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directives known to Sphinx."""
    from sphinx.domains.python import PyObject

    from orchard_docs.directives import DIRECTIVES
    from orchard_docs.docstrings import on_docstring
    from orchard_docs.door import describe_constant, skip_public_names
    from orchard_docs.pages import write_pages

    next(field for field in PyObject.doc_field_types if field.name == "variable").label = "Attributes"  # as docstrings
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-skip-member", skip_public_names)
    app.connect("autodoc-process-docstring", describe_constant)
    app.connect("autodoc-process-docstring", on_docstring)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
