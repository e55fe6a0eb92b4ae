"""How numba compiles a kernel of ours: code of a kernel that Python does not call is optimised once, in its callers.

numba optimises each kernel along with all that it calls, and generates machine code of both. A kernel that is ten calls
below the one that Python calls would go through that ten times, though only the last machine code ever runs.
"""

from __future__ import annotations

import gc
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

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


class KernelCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler with the code of inner kernels kept for their callers, and without collecting garbage."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function. What it leaves is collected afterwards: each collection would look through all of it."""
        collects = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(func)
        finally:
            if collects:
                gc.enable()

    def define_pipelines(self) -> Any:
        """As numba does, with another library for a kernel that Python does not call."""
        state = self.state
        if state.flags.no_cpython_wrapper and state.flags.no_cfunc_wrapper:
            state.library = InnerCode(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return super().define_pipelines()
