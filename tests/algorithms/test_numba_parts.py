"""Machine instructions and numba's private parts: the same answers for any processor, and with public numba alone."""

from __future__ import annotations

import ast
import enum
import importlib
import os
from pathlib import Path

import pytest

from algorithms._numba import lanes
from algorithms._numba.caching import SOURCES
from tests.algorithms.programs import run

ROOT = Path(lanes.__file__).parents[2]
PLAIN = {"ORCHARD_PLAIN_NUMBA": "1"}
UNOPTIMISED = PLAIN | {"NUMBA_OPT": "0"}
"""Plain numba whose code is compiled in less time, for programs that compute little."""


@pytest.mark.parametrize(
    ("triple", "features", "expected"),
    [
        ("x86_64-unknown-linux-gnu", "+avx2,+bmi,+bmi2", True),
        ("x86_64-unknown-linux-gnu", "+avx2,+bmi,-bmi2", False),
        ("x86_64-unknown-linux-gnu", "+bmi2,-bmi2", False),
        ("x86_64-unknown-linux-gnu", "-bmi2,+bmi2", True),
        ("x86_64-unknown-linux-gnu", "", False),
        ("aarch64-unknown-linux-gnu", "+bmi2", False),
    ],
)
def test_instructions_are_those_of_the_target(triple: str, features: str, expected: bool) -> None:
    assert lanes.has_bmi2(triple, features) is expected


def test_no_index_is_a_member_of_an_enum() -> None:
    """numba 0.67 and older, which pyproject.toml allows, do not compile such an index."""
    for path, source in SOURCES.items():
        name = "algorithms." + path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        module = importlib.import_module(name)
        enums = {name for name, value in vars(module).items() if isinstance(value, enum.EnumMeta)}
        indices = [node.slice for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Subscript)]
        members = [node for index in indices for node in ast.walk(index) if isinstance(node, ast.Attribute)]
        assert [ast.unparse(node) for node in members if ast.unparse(node.value) in enums] == [], path


INNER = """
import gc
import numpy as np
from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import outer

@outer
def doubled(values, into):
    copy_into(values, into)
    for k in range(len(into)):
        into[k] *= 2

into = np.zeros(3, np.int64)
doubled(np.arange(3), into)
defined = [len(list(kernel.overloads[kernel.signatures[0]].library.get_defined_functions()))
           for kernel in (copy_into, doubled)]
print(into, defined[0], defined[1] > 0, gc.isenabled())
"""


def test_kernels_that_python_does_not_call_have_no_machine_code_of_their_own(tmp_path: Path) -> None:
    assert run(INNER, ROOT, NUMBA_CACHE_DIR=str(tmp_path)).stdout == "[0 2 4] 0 True True\n"


PASSES = """
import numpy as np
from algorithms._numba.decorators import kernel, outer

def last(values):
    return values[len(values) - 1]

for decorator in outer, kernel:
    compiled = decorator(last)
    compiled(np.arange(3))
    times = compiled.overloads[compiled.signatures[0]].metadata["pipeline_times"]["nopython"]
    print(*(name in " ".join(times) for name in ("ir_legalization", "annotate_types", "native_lowering")))
"""


def test_only_kernels_that_count_references_end_the_lifetimes_of_variables_and_none_lists_their_types() -> None:
    assert run(PASSES, ROOT).stdout == "False False True\nTrue False True\n"


WORK = """
from collections import Counter
import numpy as np
from llvmlite import ir
from numba.core import base
from numba.core.codegen import JITCPUCodegen

calls = Counter()

def counted(owner, name, key):
    function = getattr(owner, name)
    def count(*arguments, **options):
        calls[name, key(*arguments, **options)] += 1
        return function(*arguments, **options)
    setattr(owner, name, count)

counted(base, "_has_loc", id)
counted(base.BaseContext, "refresh", type)
counted(ir.Type, "_get_ll_global_value_type", lambda kind, *_: str(kind))
counted(JITCPUCodegen, "_function_pass_manager", lambda _, opt=3: opt)

from algorithms._numba.decorators import inner, outer

def doubled(values, index):
    first, second = values[index], values[index + 1]
    while second < 9:
        first, second = second, first + 1
    return first + second

def total(values):
    return doubled(values, 0) + doubled(values, len(values) - 2)

for _ in range(2):  # the first time, numba loads its modules
    calls.clear()
    doubled = inner(getattr(doubled, "py_func", doubled))
    outer(total).compile("int64(int64[::1])")
most = Counter()
for (name, _), times in calls.items():
    most[name] = max(most[name], times)
print(calls["_function_pass_manager", 1], *sorted(most.items()))
"""


def test_compiling_does_nothing_in_vain() -> None:
    """A kernel and one that it calls: the first has a wrapper for Python; numba loads its registries for each."""
    once = "('_function_pass_manager', 3) ('_get_ll_global_value_type', 1) ('_has_loc', 1)"
    assert run(WORK, ROOT).stdout == f"3 {once} ('refresh', 2)\n"


NUMBERS = """
import numpy as np
from algorithms._numba.decorators import inner, outer

@inner
def at(values, index, twice):
    return values[index] * (2 if twice else 1)

@outer
def total(values):
    return at(values, 0, True) + at(values, 1, False) + at(values, len(values) - 1, values[0] > 0)

print(total(np.array([3, 5, 7])), len(at.signatures))
"""


def test_a_kernel_is_not_compiled_again_for_each_plain_number() -> None:
    assert run(NUMBERS, ROOT).stdout == "25 1\n"


LOOPS = """
import numpy as np
from algorithms._numba.decorators import large, outer

def total(values):
    result = np.int64(0)
    for value in values:
        result += value
    return result

for decorator in outer, large:
    compiled = decorator(total)
    print(compiled(np.arange(99)), "vector.body" in compiled.inspect_llvm(compiled.signatures[0]))
"""


def test_loops_of_large_kernels_stay_as_they_are() -> None:
    assert run(LOOPS, ROOT).stdout == "4851 True\n4851 False\n"


LANES = """
import numpy as np
from numba import njit
from algorithms._numba.primitives import (
    BRANCHES_AT_ONCE, LANES, any_bit, fold, keep_if, lane_min, lowest, pack, part_masks, popcount, read,
    sum_of_each, width, with_bit, without_lowest, write,
)

LANE_BITS = np.uint64(0x7FFF_7FFF_7FFF_7FFF)

@njit
def packed(words, chosen):
    return [(pack(word, some), popcount(word), lowest(word)) for word, some in zip(words, chosen)]

@njit
def as_sets(words, chosen):
    write(words, 0, chosen[1])
    return [(without_lowest(word), with_bit(word, 9), any_bit(word), keep_if(some, word), sum_of_each(word, some),
             width(word), fold(word, some), read(words, 2, word), lane_min(word & LANE_BITS, some & LANE_BITS))
            for word, some in zip(words, chosen)]

@njit
def branches(value_rows, decision_rows, sets, branch):
    for i in range(len(sets)):
        first, last = np.uint64(i % 5), np.uint64(27)
        print(*part_masks(value_rows, decision_rows, sets[i], branch[i], np.uint64(2), first, last))

rng = np.random.default_rng(0)
print(packed(*rng.integers(0, 2**64, (2, 50), np.uint64)))
print(as_sets(*rng.integers(0, 2**64, (2, 50), np.uint64)))
codes, decisions = rng.integers(0, 3, (9, 60)), rng.integers(0, 4, 60)
powers = np.uint64(1) << np.arange(60, dtype=np.uint64)
value_rows = np.zeros(27 + BRANCHES_AT_ONCE, np.uint64)
value_rows[:27] = [powers[codes[b // 3] == b % 3].sum() for b in range(27)]
decision_rows = np.array([[powers[decisions == d].sum()] for d in range(4)], np.uint64)
shares = (0.05, 0.1, 0.2, 0.5, 1) * 8
sets = np.array([powers[rng.random(60) < share].sum() | np.uint64(1) for share in shares], np.uint64)
branch = np.zeros((40, 40), np.uint32)
branches(value_rows[:27].reshape(9, 3, 1), decision_rows, sets, branch)
print([row[2:25].tolist() for row in branch])
"""


VECTORS = """
from algorithms._numba.primitives import (
    any_flag, beside, bit_counts, choose, flags_of, greater, least_lane, lesser, load, store, vector, zeros
)

@njit
def vectors(numbers, word, into):
    first, second = load(numbers, 0, zeros(numbers)), load(numbers, LANES, zeros(numbers))
    chosen = choose(flags_of(word) & (first > second) | (first == 3), first - 2 * second, 7)
    results = lesser(first, second), greater(first, second), chosen, choose(first < 2, 0, second), first + zeros(into)
    for at, result in zip(range(0, 10 * LANES, 2 * LANES), results):
        store(into, at, beside(result, second * first))
    store(into, 2, vector((numbers[5], numbers[1], numbers[7])))
    return least_lane(first), any_flag(second >= 8), any_flag(second > 8)

@njit
def bits_of(numbers, into):
    store(into, 0, bit_counts(load(numbers, 0, zeros(numbers)) & 0x55))

for kind in (np.int16, np.int32, np.int64, np.float64):
    numbers, into = rng.integers(-9, 9, 2 * LANES).astype(kind), np.zeros(10 * LANES, kind)
    print(vectors(numbers, rng.integers(0, 1 << LANES), into), into)
    if kind != np.float64:
        bits_of(numbers, into)
        print(into[:LANES])
"""


def test_instructions_compute_the_same_for_any_processor_and_in_plain_numba() -> None:
    program = LANES + VECTORS
    native = run(program, ROOT).stdout
    assert native.count("\n") > 50
    assert run(program, ROOT, NUMBA_CPU_NAME="generic").stdout == native
    assert run(program, ROOT, **UNOPTIMISED).stdout == native


BROKEN = """
import numba.core.caching
del numba.core.caching.CompileResultCacheImpl
from algorithms._numba.primitives import PLAIN, popcount
from algorithms._numba.decorators import kernel
import numpy as np

@kernel
def bits(word):
    return popcount(word)

print(PLAIN, bits(np.uint64(255)))
"""


def test_a_numba_without_a_private_part_is_named_and_serves() -> None:
    done = run(BROKEN, ROOT)
    assert done.stdout == "True 8\n"
    assert "slower kernels are used" in done.stderr
    assert "CompileResultCacheImpl" in done.stderr


FITS = """
import numpy as np
from algorithms.optimal.search import OCTClassifier
from algorithms.trees.json_text import to_json

rng = np.random.default_rng(0)
binary, numbers = rng.integers(0, 2, (150, 40)), rng.normal(size=(60, 4)).round(2)
for X in (binary, numbers):
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=len(X)) > 0.7).astype(int)
    for options in ({"alpha": 0.01}, {"max_splits": 4, "class_weight": "balanced"}):
        solution = OCTClassifier(max_depth=3, **options).fit(X, y).solution_
        print(to_json(solution.tree), solution.objective, solution.optimal)
"""


@pytest.mark.long
def test_trees_are_the_same_for_any_processor() -> None:
    native = run(FITS, ROOT).stdout
    assert native.count("True\n") == 4
    assert run(FITS, ROOT, NUMBA_CPU_NAME="generic").stdout == native


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_trees_are_the_same_with_public_numba_alone() -> None:
    assert run(FITS, ROOT, **PLAIN).stdout == run(FITS, ROOT).stdout


INTERRUPTED = """
import signal
import numpy as np
from orchard import OCTClassifier

def interrupt(number, frame):
    raise KeyboardInterrupt

values = np.random.default_rng(0).normal(size=(100, 5))
good = OCTClassifier(max_depth=2, alpha=0.01).rashomon_set(values, values[:, 0] > 0, epsilon=0.02)
good.votes()
signal.signal(signal.SIGALRM, interrupt)
ended = 0
for _ in range(60):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        for _ in range(10_000):
            good.votes()
    except KeyboardInterrupt:
        ended += 1
print(ended)
"""


def test_a_signal_while_results_are_boxed_is_neither_lost_nor_the_end_of_the_process() -> None:
    assert run(INTERRUPTED, ROOT, NUMBA_CACHE_DIR=os.environ.get("NUMBA_CACHE_DIR", "")).stdout == "60\n"
