"""Facts about a builder's class that a run needs before it creates one; the class is imported, not called."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

OWN_PACKAGE = "algorithms"


class UnfitClassError(Exception):
    """A class cannot be imported or is not a builder; the message names it."""


@dataclass(frozen=True)
class ClassFacts:
    """Facts about a class.

    parameters      : names of the keyword arguments that it takes
    ours            : paths of the classes of `algorithms` that it is or extends
    handles_missing : whether it declares that values may be missing
    evolves         : whether it declares `history_`, the fitness by generation
    """

    parameters: tuple[str, ...]
    ours: tuple[str, ...]
    handles_missing: bool
    evolves: bool

    @staticmethod
    def of(class_path: str) -> ClassFacts:
        """The facts about a class; UnfitClassError if it cannot be imported or lacks `fit` or `predict`."""
        try:
            kind = class_named(class_path)
            lacking = [method for method in ("fit", "predict") if not callable(getattr(kind, method, None))]
            if inspect.isclass(kind) and not lacking:
                return ClassFacts(
                    parameters=_parameters(kind),
                    ours=tuple(path_of(base) for base in kind.__mro__ if base.__module__.startswith(f"{OWN_PACKAGE}.")),
                    handles_missing=getattr(kind, "handles_missing", False) is True,
                    evolves=any("history_" in inspect.get_annotations(base) for base in kind.__mro__),
                )
        except (Exception, SystemExit) as error:  # code of others runs here
            raise UnfitClassError(import_failure(class_path, str(error))) from error
        what = f"has no {' and no '.join(lacking)}" if lacking else "is not a class"
        raise UnfitClassError(f"{class_path} is not a builder: it {what}")


def class_named(class_path: str) -> type[Any]:
    """Import the class at a path."""
    module, _, name = class_path.rpartition(".")
    return cast("type[Any]", getattr(import_module(module), name))


def path_of(kind: type[Any]) -> str:
    """The path of a class: its module and its name."""
    return f"{kind.__module__}.{kind.__qualname__}"


def import_failure(class_path: str, why: str) -> str:
    """The message that a class cannot be imported, and why."""
    return f"cannot import the class {class_path}: {why}"


def _parameters(kind: type[Any]) -> tuple[str, ...]:
    keywords = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    signature = inspect.signature(kind).parameters
    return tuple(name for name, parameter in signature.items() if parameter.kind in keywords)
