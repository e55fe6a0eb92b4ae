"""The attribute of least impurity for each of the sixteen greedy algorithms, all at once.

The eight impurities of a part are a vector: ent, gini, me and rt, and these weighted by its rows. So are their maxima
and sums over the parts of an attribute, and the least of those so far.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from algorithms._numba.bits import is_wide, words_of
from algorithms._numba.lanes import broadcast

__all__ = ["choose_least"]

MEASURES, KINDS = 8, 2
WORD, NUMBER, FLAG, REAL = ir.IntType(64), ir.IntType(32), ir.IntType(1), ir.DoubleType()
REALS, WORDS = ir.VectorType(REAL, MEASURES), ir.VectorType(WORD, MEASURES)


@intrinsic
def choose_least(
    _context: Any, value_rows: Any, decision_rows: Any, entropy_terms: Any, rows: Any, rounding: Any, chosen: Any
) -> Any:
    """Write into `chosen` (16,) the first attribute of least impurity on a set of rows, for each algorithm.

    The algorithms are in the order max, sum, w_max, w_sum, each of ent, gini, me, rt. An impurity is less than another
    if it is below it times `rounding`. Weighted ones are not divided by the number of rows of the set, which is the
    same for each attribute. `entropy_terms` are n log2 n, by n.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _Choice(context, builder, signature, arguments).write()
        return context.get_dummy_value()

    signature = types.void(value_rows, decision_rows, entropy_terms, rows, rounding, chosen)
    return (signature, generate) if is_wide(rows) and rounding == types.float64 else None


class _Choice:
    """The code for a set of rows."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        self.builder, kinds = builder, signature.args
        self.words = words_of(builder, kinds[3], arguments[3])
        arrays = [cgutils.create_struct_proxy(kinds[i])(context, builder, arguments[i]) for i in (0, 1, 2, 5)]
        self.value_rows, self.decision_rows, self.entropy_terms, self.chosen = (array.data for array in arrays)
        self.attributes, self.values = (builder.extract_value(arrays[0].shape, axis) for axis in range(2))
        self.decisions = builder.extract_value(arrays[1].shape, 0)
        self.rounding = broadcast(builder, arguments[4], MEASURES)

    def write(self) -> None:
        """Loop over the attributes, then write the choices in the order of the algorithms."""
        builder = self.builder
        least = [self._buffer(REALS, [float("inf")] * MEASURES) for _ in range(KINDS)]
        chosen = [self._buffer(WORDS, [0] * MEASURES) for _ in range(KINDS)]
        with cgutils.for_range(builder, self.attributes, intp=WORD) as loop:
            worst_and_total, constant = self._of_attribute(loop.index)
            with builder.if_then(builder.not_(constant)):
                attribute = broadcast(builder, loop.index, MEASURES)
                for impurity, low, first in zip(worst_and_total, least, chosen, strict=True):
                    before = builder.load(low)
                    less = builder.fcmp_ordered("<", impurity, builder.fmul(before, self.rounding))
                    builder.store(builder.select(less, impurity, before), low)
                    builder.store(builder.select(less, attribute, builder.load(first)), first)
        half = MEASURES // 2
        for algorithm in range(KINDS * MEASURES):
            weighted, kind, measure = algorithm // MEASURES, algorithm // half % KINDS, algorithm % half
            lane = ir.Constant(NUMBER, measure + half * weighted)
            choice = builder.extract_element(builder.load(chosen[kind]), lane)
            builder.store(choice, builder.gep(self.chosen, [ir.Constant(WORD, algorithm)]))

    def _of_attribute(self, attribute: Any) -> tuple[list[Any], Any]:
        """The greatest impurities and the sums over the parts of an attribute, and whether it has one part."""
        builder = self.builder
        worst, total = (self._buffer(REALS, [0.0] * MEASURES) for _ in range(KINDS))
        constant = self._buffer(FLAG, 0)
        start = builder.mul(attribute, self.values)
        with cgutils.for_range(builder, self.values, intp=WORD) as loop:
            part, whole = self._part(builder.add(start, loop.index))
            builder.store(builder.or_(builder.load(constant), whole), constant)
            impurity, before = self._impurity(part), builder.load(worst)
            builder.store(builder.select(builder.fcmp_ordered(">", impurity, before), impurity, before), worst)
            builder.store(builder.fadd(builder.load(total), impurity), total)
        return [builder.load(worst), builder.load(total)], builder.load(constant)

    def _part(self, branch: Any) -> tuple[list[Any], Any]:
        """The words of a part, and whether it has all rows."""
        builder, part, whole = self.builder, [], ir.Constant(FLAG, 1)
        for k, of_set in enumerate(self.words):
            part.append(builder.and_(builder.load(builder.gep(self.value_rows, [self._at(branch, k)])), of_set))
            whole = builder.and_(whole, builder.icmp_unsigned("==", part[-1], of_set))
        return part, whole

    def _impurity(self, part: list[Any]) -> Any:
        """The impurities of a part as a vector."""
        builder = self.builder
        size = self._bit_count(part)
        most, squares, terms = self._buffer(WORD, 0), self._buffer(WORD, 0), self._buffer(REAL, 0.0)
        with cgutils.for_range(builder, self.decisions, intp=WORD) as loop:
            with_decision = (builder.gep(self.decision_rows, [self._at(loop.index, k)]) for k in range(len(part)))
            count = self._bit_count(
                [builder.and_(word, builder.load(at)) for word, at in zip(part, with_decision, strict=True)]
            )
            before = builder.load(most)
            builder.store(builder.select(builder.icmp_unsigned(">", count, before), count, before), most)
            builder.store(builder.add(builder.load(squares), builder.mul(count, count)), squares)
            builder.store(builder.fadd(builder.load(terms), self._entropy_term(count)), terms)
        one = ir.Constant(WORD, 1)
        some = builder.select(builder.icmp_unsigned("==", size, ir.Constant(WORD, 0)), one, size)
        share = builder.fdiv(ir.Constant(REAL, 1.0), builder.sitofp(some, REAL))
        pairs = builder.lshr(builder.sub(builder.mul(size, size), builder.load(squares)), one)
        rt = builder.sitofp(pairs, REAL)
        me = builder.sitofp(builder.sub(size, builder.load(most)), REAL)
        gini = builder.fmul(builder.fmul(ir.Constant(REAL, 2.0), rt), share)
        ent = builder.fsub(self._entropy_term(size), builder.load(terms))
        result = ir.Constant(REALS, ir.Undefined)
        for lane, number in enumerate((ent, gini, me, rt) * 2):
            result = builder.insert_element(result, number, ir.Constant(NUMBER, lane))
        factors = ir.Constant(REALS, [1.0] * MEASURES)
        for lane, factor in ((0, share), (1, share), (6, builder.sitofp(size, REAL)), (7, builder.sitofp(size, REAL))):
            factors = builder.insert_element(factors, factor, ir.Constant(NUMBER, lane))
        return builder.fmul(result, factors)

    def _entropy_term(self, count: Any) -> Any:
        return self.builder.load(self.builder.gep(self.entropy_terms, [count]))

    def _bit_count(self, words: list[Any]) -> Any:
        total, *rest = (self.builder.ctpop(word) for word in words)
        for count in rest:
            total = self.builder.add(total, count)
        return total

    def _at(self, index: Any, k: int) -> Any:
        """The position of the k-th word of a wide word."""
        count = len(self.words)
        return self.builder.add(self.builder.mul(index, ir.Constant(WORD, count)), ir.Constant(WORD, k))

    def _buffer(self, kind: Any, start: Any) -> Any:
        buffer = cgutils.alloca_once(self.builder, kind)
        self.builder.store(ir.Constant(kind, start), buffer)
        return buffer
