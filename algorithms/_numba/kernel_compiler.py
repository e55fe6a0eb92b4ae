"""Compiles a kernel that Python does not call only as part of its callers.

numba optimises each kernel together with everything that it calls, and generates machine code for both. A kernel ten
calls below the one that Python calls would be optimised ten times, though only the last machine code runs. The same
holds for numba's own functions that kernels call, such as `max` and `np.zeros`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

import llvmlite.binding as llvm
from numba import config, jit
from numba.core import base
from numba.core.callconv import CPUCallConv
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.target_extension import CPU, jit_registry
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import AnnotateTypes, InlineOverloads, IRLegalization, NopythonRewrites
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import InlineClosureLikes

from algorithms._numba.by_reference import Reference, by_address

ENVIRONMENT = "_ZN08NumbaEnv"
"""Prefix of the name of the variable that numba sets when a kernel is compiled or loaded."""

OF_COUNTED = {InlineClosureLikes, InlineOverloads, NopythonRewrites, IRLegalization}
"""Passes that a kernel needs only if it may allocate arrays: for closures, expressions of arrays and lifetimes."""

UNUSED = {AnnotateTypes}
"""Passes that no kernel needs: a list of the types of all variables would be kept with each kernel."""


class KernelCode(JITCodeLibrary):  # type: ignore[misc] # numba has no types
    """The code of a kernel that Python calls."""

    def _optimize_functions(self, module: Any) -> None:
        """Optimise each function that a module defines a little, before it is linked; all passes run afterwards.

        numba runs all passes already here. It prepares them for functions that are only declared, too.
        """
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=min(int(config.OPT), 1))
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class LargeCode(KernelCode):
    """The code of a large kernel that counts no references; its loops are neither unrolled nor vectorised."""

    def _optimize_final_module(self) -> None:
        options = llvm.create_pipeline_tuning_options(int(config.OPT))
        options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = False
        builder = llvm.create_pass_builder(self._codegen._tm, options)
        builder.getModulePassManager().run(self._final_module, builder)


class InnerCode(KernelCode):
    """The code of a kernel that only kernels call, to be linked into theirs; only its variables become machine code."""

    _final_module: Any

    def finalize(self) -> None:
        """Link the functions that the kernel calls, and nothing else."""
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
    """numba's flags, compared by those that are set; numba compares all thirty at each call in a kernel."""

    __slots__ = ()

    def __eq__(self, other: object) -> Any:
        """Whether all flags are equal, defaults included."""
        return (isinstance(other, Flags) and self._values == other._values) or super().__eq__(other)

    def __hash__(self) -> int:
        """The hash of numba, which is the same for all flags."""
        return HASH_OF_FLAGS


HASH_OF_FLAGS = hash(Flags())


class KernelCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler: it keeps the code of inner kernels for their callers and does nothing twice."""

    code = KernelCode
    """The code of a kernel that Python calls."""

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, return_type: Any, flags: Any, local_types: Any
    ) -> None:
        self.from_python = args  # Python finds the compiled kernel by these types
        if not (flags.nrt or flags.no_cpython_wrapper):
            args = tuple(map(by_address, args))
        super().__init__(typing, target, library, args, return_type, KernelFlags(flags), local_types)

    def compile_extra(self, func: Any) -> Any:
        """Compile a function and numba's own functions that it calls."""
        with (
            _without_garbage_collection(),
            _compiling_overloads_inside(),
            _without_idle_work(),
        ):
            result = super().compile_extra(func)
        return result._replace(signature=result.signature.replace(args=tuple(self.from_python)))

    def define_pipelines(self) -> Any:
        """As in numba, with another code library for a kernel that Python does not call, and without idle passes."""
        state = self.state
        is_inner = state.flags.no_cpython_wrapper and state.flags.no_cfunc_wrapper
        code = InnerCode if is_inner else self.code
        state.library = code(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        pipelines = super().define_pipelines()
        idle = UNUSED if state.flags.nrt else UNUSED | OF_COUNTED
        for pipeline in pipelines:
            pipeline.passes[:] = [each for each in pipeline.passes if each[0] not in idle]
        return pipelines


class LargeKernelCompiler(KernelCompiler):
    """The compiler of large kernels."""

    code = LargeCode


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Pause garbage collection: each collection would visit all objects that compiling leaves.

    Afterwards they are in the oldest generation, as if collected, unless the process has frozen objects.
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
    """Compile numba's own functions that a kernel uses for this kernel alone, like an inner kernel."""
    before = jit_registry[CPU]
    jit_registry.update({CPU: _jit_inside})  # unlike an assignment, `update` may replace an entry
    try:
        yield
    finally:
        jit_registry.update({CPU: before})


def _jit_inside(**options: Any) -> Any:
    return jit(**options, no_cfunc_wrapper=True, pipeline_class=KernelCompiler)


@contextmanager
def _replaced(owner: Any, name: str, replacement: Any) -> Iterator[None]:
    """Replace a part of numba."""
    before = getattr(owner, name)
    setattr(owner, name, replacement)
    try:
        yield
    finally:
        setattr(owner, name, before)


POST_PROCESS, GET_CALL_TYPE = PostProcessor.run, BaseFunction.get_call_type
GET_FUNCTION, GET_SIZE = base.BaseContext.get_function, base.BaseContext.get_abi_sizeof
TAKES_LOCATION = base._has_loc
DECORATE = CPUCallConv.decorate_function


@contextmanager
def _without_idle_work() -> Iterator[None]:
    """Replace what numba does again, in vain or badly, until a kernel and all kernels that it calls are compiled."""
    if BaseFunction.get_call_type is not GET_CALL_TYPE:  # this kernel is compiled for another
        yield
        return
    with ExitStack() as replaced:
        for owner, name, replacement in (
            (PostProcessor, "run", _without_lifetimes),
            (BaseFunction, "get_call_type", _call_types_with_memo()),
            (base.BaseContext, "get_abi_sizeof", _sizes_with_memo()),
            (base, "_has_loc", cache(TAKES_LOCATION)),
            (base.BaseContext, "get_function", _get_function),
            (CPUCallConv, "decorate_function", _decorate),
        ):
            replaced.enter_context(_replaced(owner, name, replacement))
        yield


def _without_lifetimes(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Do what `PostProcessor.run` does, but compute the lifetimes of variables only when a pass uses them.

    numba computes them after most passes. What it keeps with each block is used only with `emit_dels`.
    """
    code = processor.func_ir
    if emit_dels or code.is_generator:
        POST_PROCESS(processor, emit_dels, extend_lifetimes)
        return
    code.blocks = canonicalize_cfg(code.blocks)
    code.variable_lifetime = VariableLifetime(code.blocks)
    code.generator_info = None


def _get_function(context: Any, function: Any, signature: Any, _firstcall: bool = True) -> Any:
    """Do what numba's `get_function` does, but do not load its registries again for an optional feature of a type.

    numba looks for such a feature, a string, in most operations on arrays; no kernel has one.
    """
    return GET_FUNCTION(context, function, signature, _firstcall and not isinstance(function, str))


def _decorate(convention: Any, function: Any, names: Any, kinds: Any, noalias: bool = False) -> None:
    """Do what numba's `decorate_function` does, and tell LLVM that nothing changes a named tuple by reference.

    Otherwise its fields would be read again after each store to an array.
    """
    DECORATE(convention, function, names, kinds, noalias)
    of_references = [convention.context.get_argument_type(kind) for kind in kinds if isinstance(kind, Reference)]
    for argument in convention.get_arguments(function):
        if argument.type in of_references:
            argument.add_attribute("noalias")


def _sizes_with_memo() -> Any:
    """A `get_abi_sizeof` that computes the size of a type once. numba parses a module in LLVM for each variable."""
    memo: dict[str, int] = {}

    def get_abi_sizeof(context: Any, kind: Any) -> int:
        name = str(kind)
        if name not in memo:
            memo[name] = GET_SIZE(context, kind)
        return memo[name]

    return get_abi_sizeof


def _call_types_with_memo() -> Any:
    """A `get_call_type` that finds the signature of a function for some types once, not at each call and operator."""
    memo: dict[Any, Any] = {}

    def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
        key = (id(function), id(context), *map(id, args), *((name, id(value)) for name, value in kws.items()))
        if key not in memo:  # the objects are kept, so that no other object has their id
            memo[key] = GET_CALL_TYPE(function, context, args, kws), function, context, args, kws
        return memo[key][0]

    return get_call_type
