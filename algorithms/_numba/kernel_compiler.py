"""How numba compiles a kernel of ours: code of a kernel that Python does not call is optimised once, in its callers.

numba optimises each kernel along with all that it calls, and generates machine code of both. A kernel that is ten calls
below the one that Python calls would go through that ten times, though only the last machine code ever runs. The same
holds for numba's own functions that kernels call, such as `max` and `np.zeros`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba import jit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.target_extension import CPU, jit_registry

__all__ = ["KernelCompiler"]

ENVIRONMENT = "_ZN08NumbaEnv"
"""With which the name of a variable begins that numba sets when a kernel is compiled or loaded."""


class InnerCode(JITCodeLibrary):  # type: ignore[misc] # numba has no types
    """The code of a kernel that only kernels call, to be linked into theirs; machine code has its variables alone."""

    _final_module: Any

    def finalize(self) -> None:
        """Link what the kernel calls, and nothing else."""
        self._raise_if_finalized()
        code = self._final_module
        variables = [variable for variable in code.global_variables if variable.name.startswith(ENVIRONMENT)]
        declared = llvm.parse_assembly("\n".join(map(str, variables)))
        declared.triple, declared.data_layout = code.triple, code.data_layout
        self._finalize_dynamic_globals()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            code.link_in(library._get_module_for_linking(), preserve=True)
        for function in code.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module, self._final_module = code, declared
        self._finalize_final_module()


class KernelFlags(Flags):  # type: ignore[misc]
    """numba's flags, compared by those that are set: numba compares all thirty of them at each call in a kernel."""

    __slots__ = ()

    def __eq__(self, other: object) -> Any:
        """Whether all flags are equal, the defaults too."""
        return (isinstance(other, Flags) and self._values == other._values) or super().__eq__(other)

    def __hash__(self) -> int:
        """That of numba's flags, which is the same for all of them."""
        return HASH_OF_FLAGS


HASH_OF_FLAGS = hash(Flags())


class KernelCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler with the code of inner kernels kept for their callers, and without collecting garbage."""

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, return_type: Any, flags: Any, local_types: Any
    ) -> None:
        super().__init__(typing, target, library, args, return_type, KernelFlags(flags), local_types)

    def compile_extra(self, func: Any) -> Any:
        """Compile a function, and what it calls of numba's own."""
        with _without_garbage_collection(), _compiling_overloads_inside():
            return super().compile_extra(func)

    def define_pipelines(self) -> Any:
        """As numba does, with another library for a kernel that Python does not call."""
        state = self.state
        if state.flags.no_cpython_wrapper and state.flags.no_cfunc_wrapper:
            state.library = InnerCode(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return super().define_pipelines()


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Collect no garbage: each collection would look through all that compiling leaves.

    That is then in the oldest generation, as if it had been looked through, unless the process keeps objects apart.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@contextmanager
def _compiling_overloads_inside() -> Iterator[None]:
    """Have numba's own functions that are compiled for a kernel kept for it alone, like an inner kernel."""
    before = jit_registry[CPU]
    jit_registry.update({CPU: _jit_inside})  # which, unlike an assignment, may replace what is there
    try:
        yield
    finally:
        jit_registry.update({CPU: before})


def _jit_inside(**options: Any) -> Any:
    return jit(**options, no_cfunc_wrapper=True, pipeline_class=KernelCompiler)
