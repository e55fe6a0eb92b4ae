"""Shortcuts through numba's compiler while it compiles our kernels: the same machine code in less time.

They leave out work whose result is known or not used. numba tries up to thirty implementations of an operator each time
that a kernel uses it, imports thirty modules each time that it looks for an implementation in vain, follows the
variables of a function nine times, and reports each of ten thousand calls of LLVM to the timers of all kernels that are
being compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from llvmlite.binding import ffi
from numba.core.cpu import CPUContext
from numba.core.errors import NumbaError
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.target_extension import get_local_target
from numba.core.transforms import canonicalize_cfg
from numba.core.types import Type
from numba.core.types.functions import BaseFunction, _unlit_non_poison
from numba.core.utils import order_by_target_specificity

__all__ = ["with_shortcuts"]

_resolve: Callable[..., Any] = BaseFunction.get_call_type
_load_registries: Callable[[Any], None] = CPUContext.load_additional_registries
_follow_variables: Callable[..., None] = PostProcessor.run
_lock = ffi.lib._lock
_lock._cblist  # noqa: B018 # an error at import if numba has changed, and then plain twins are used

_matches: dict[tuple[Any, ...], tuple[Any, bool]] = {}
"""Which implementation matches a function and its arguments, and whether it asks for literal arguments."""
_loaded: set[int] = set()
"""The registries that are loaded: of a processor, shared by all kernels."""


@contextmanager
def with_shortcuts() -> Iterator[None]:
    """Take the shortcuts in this block, which holds numba's lock of the compiler."""
    if BaseFunction.get_call_type is _match:
        yield
        return
    with ExitStack() as before:
        for owner, name, value in (
            (BaseFunction, "get_call_type", _match),
            (CPUContext, "load_additional_registries", _load_once),
            (PostProcessor, "run", _follow_variables_where_used),
            (_lock, "_cblist", []),
        ):
            before.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, value)
        yield


def _match(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """The signature of a call, by the implementation that matched such arguments before."""
    key = None if kws or not all(isinstance(kind, Type) for kind in args) else (self, *args)
    if key in _matches:
        return _signature(self, *_matches[key], context, args, kws) or _resolve(self, context, args, kws)
    for template in order_by_target_specificity(get_local_target(context), self.templates, fnkey=self.key[0]):
        for literal in (True, False) if template.prefer_literal else (False, True):
            try:
                signature = _signature(self, template, literal, context, args, kws)
            except NumbaError:
                continue
            if signature is not None:
                if key is not None:
                    _matches[key] = template, literal
                return signature
    return _resolve(self, context, args, kws)  # raises an error that explains why none matches


def _signature(self: Any, template: Any, literal: bool, context: Any, args: Any, kws: Any) -> Any:
    """The signature of a call by one implementation; None if it does not match."""
    if not literal:
        args = tuple(map(_unlit_non_poison, args))
        kws = {name: _unlit_non_poison(kind) for name, kind in kws.items()}
    matching = template(context)
    signature = matching.apply(args, kws)
    if signature is not None:
        self._impl_keys[signature.args] = matching.get_impl_key(signature)
    return signature


def _load_once(self: Any) -> None:
    """Load the implementations that numba has for processors; once loaded, only those that were added since."""
    if id(self._registries) not in _loaded:
        _load_registries(self)
        _loaded.add(id(self._registries))
    for registry in list(self._registries):
        self.install_registry(registry)


def _follow_variables_where_used(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Prepare a function for the next pass; where its variables are last used is found if something asks for it.

    numba finds it nine times for a function, and uses it once, to release what variables hold.
    """
    function = self.func_ir
    if emit_dels or function.is_generator:
        _follow_variables(self, emit_dels, extend_lifetimes)
        return
    function.blocks = canonicalize_cfg(function.blocks)
    function.variable_lifetime = VariableLifetime(function.blocks)
    function.generator_info = None
