"""Shortcuts through numba's compiler: the same code as without them, and numba as it was afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from algorithms._numba.primitives import PLAIN

if PLAIN:
    pytest.skip("plain twins compile as numba does", allow_module_level=True)

from algorithms._numba import kernel_compiler, shortcuts
from algorithms._numba.kernel_compiler import KernelCompiler, KernelFlags


def operators(values: Any, count: Any) -> Any:
    total = 0.0
    for i in range(count):
        total += max(values[i], i) * 2 if i % 3 else -abs(values[i] - 1)
    return total, count // 2, count < 3.5


def arrays(values: Any, count: Any) -> Any:
    made = np.zeros(count, np.int32)
    made[1:] += np.uint8(3)
    pair = (made, values * 2 + values)
    return pair[0].sum() + pair[1][0] + min(count, len(made))


def generators(values: Any, count: Any) -> Any:
    largest = values[0]
    for i in range(count):
        largest = max(largest, values[i])
        yield largest - i


def keywords(values: Any, count: Any) -> Any:
    return np.full(shape=(count, 2), fill_value=values[0], dtype=np.float32)


def without_implementation(values: Any, count: Any) -> Any:
    return values @ (count, count)


def code(function: Callable[..., Any], kind: Any) -> str:
    """The optimised code of a function for an array of this kind, without numbers of compilations and their lengths."""
    compiled = njit(function, pipeline_class=KernelCompiler)
    compiled(np.ones(5, kind), 4)
    (llvm,) = compiled.inspect_llvm().values()
    return re.sub(r"(?<=[Bv])\d+|0x[0-9a-f]+|\d+(?= x i8)", "", llvm)


@pytest.mark.parametrize("kind", [np.int64, np.float64, np.uint8])
@pytest.mark.parametrize("function", [operators, arrays, generators, keywords])
def test_code_is_the_same_without_shortcuts(
    function: Callable[..., Any], kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = code(function, kind)
    assert code(function, kind) == short  # what is remembered of the first time changes nothing
    monkeypatch.setattr(kernel_compiler, "with_shortcuts", nullcontext)
    assert code(function, kind) == short


def test_a_call_that_nothing_implements_is_explained_as_by_numba() -> None:
    def error(**options: Any) -> str:
        with pytest.raises(TypingError) as raised:
            njit(without_implementation, **options)(np.ones(5), 4)
        return " ".join(str(raised.value).split())

    assert error(pipeline_class=KernelCompiler) == error()


@pytest.mark.parametrize("function", [operators, without_implementation])
def test_numba_is_as_it_was_afterwards(function: Callable[..., Any]) -> None:
    before = _patched()
    try:
        njit(function, pipeline_class=KernelCompiler)(np.ones(5), 4)
    except TypingError:
        assert function is without_implementation
    assert _patched() == before


def _patched() -> list[object]:
    """What shortcuts replace."""
    function, context = shortcuts.BaseFunction, shortcuts.CPUContext
    replaced = [function.get_call_type, context.load_additional_registries, shortcuts.PostProcessor.run]
    return [*replaced, shortcuts._lock._cblist]


def test_flags_are_equal_if_their_values_are_with_defaults() -> None:
    unset, default, other = KernelFlags(), KernelFlags(), KernelFlags()
    default.nrt = unset.nrt
    other.nrt = not unset.nrt
    assert unset == default
    assert hash(unset) == hash(default)
    assert unset != other
    assert unset != "flags"
