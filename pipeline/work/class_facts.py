"""What a run has to know of a builder's class before it makes anything of it; the class is imported, and not called."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

__all__ = ["OWN_PACKAGE", "ClassFacts", "UnfitClassError", "class_named", "path_of"]

OWN_PACKAGE = "algorithms"


class UnfitClassError(Exception):
    """A class that cannot be imported, or is no builder; the message names it."""


@dataclass(frozen=True)
class ClassFacts:
    """What is known of a class.

    parameters      : what it can be called with by name
    ours            : paths of the classes of `algorithms` that it is or extends
    handles_missing : whether it says that values may be missing
    evolves         : whether it declares `history_`, the fitness by generation
    """

    parameters: tuple[str, ...]
    ours: tuple[str, ...]
    handles_missing: bool
    evolves: bool

    @staticmethod
    def of(class_path: str) -> ClassFacts:
        """The facts of a class; UnfitClassError where it cannot be imported, or has no `fit` or `predict`."""
        try:
            kind = class_named(class_path)
            lacking = [method for method in ("fit", "predict") if not callable(getattr(kind, method, None))]
            if inspect.isclass(kind) and not lacking:
                return ClassFacts(
                    parameters=_parameters(kind),
                    ours=tuple(path_of(one) for one in kind.__mro__ if one.__module__.startswith(f"{OWN_PACKAGE}.")),
                    handles_missing=getattr(kind, "handles_missing", False) is True,
                    evolves=any("history_" in inspect.get_annotations(one) for one in kind.__mro__),
                )
        except (Exception, SystemExit) as error:  # code of others runs here
            raise UnfitClassError(unimportable(class_path, str(error))) from error
        what = f"has no {' and no '.join(lacking)}" if lacking else "is no class"
        msg = f"{class_path} is no builder, for it {what}"
        raise UnfitClassError(msg)


def class_named(class_path: str) -> type[Any]:
    """The class that a path names, imported."""
    module, _, name = class_path.rpartition(".")
    return cast("type[Any]", getattr(import_module(module), name))


def path_of(kind: type[Any]) -> str:
    """The path of a class: its module and its name."""
    return f"{kind.__module__}.{kind.__qualname__}"


def unimportable(class_path: str, why: str) -> str:
    """What to say of a class that cannot be imported."""
    return f"cannot import the class {class_path}: {why}"


def _parameters(kind: type[Any]) -> tuple[str, ...]:
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(name for name, one in inspect.signature(kind).parameters.items() if one.kind in named)
