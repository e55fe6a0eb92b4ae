"""The public names: each is described once, under its name in `orchard`, and constants by the text below them."""

from __future__ import annotations

from typing import Any

from sphinx.pycode import ModuleAnalyzer

import orchard

__all__ = ["describe_constant", "skip_public_names"]


def skip_public_names(_app: Any, what: str, name: str, described: Any, _skip: bool, _options: Any) -> bool | None:
    """Leave out of the page of a module what has a page as a public name; None where that is for others to say."""
    public = what == "module" and name in orchard.__all__ and getattr(orchard, name) is described
    return True if public else None


def describe_constant(_app: Any, what: str, name: str, _constant: Any, _options: Any, lines: list[str]) -> None:
    """Give a constant the text that its module has below it, in place of the docstring of its type."""
    package, _, constant = name.partition(".")
    if what == "data" and package == orchard.__name__:
        module = orchard._MODULES[constant][0]  # type: ignore[attr-defined]
        lines[:] = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", constant), [])
