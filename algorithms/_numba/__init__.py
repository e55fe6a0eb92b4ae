"""Everything that uses numba's private parts, each with a plain twin; kernels use `decorators` and `primitives` alone.

`decorators` compile a kernel and keep it (`caching`); `compiling` measures time without compilation; `by_reference` and
`cells` hand over arrays and tuples cheaply; `bits`, `lanes`, `pair_scan` and `list_sweeps` are machine instructions;
`copies` copies arrays without code for errors. `ORCHARD_PLAIN_NUMBA=1` selects the twins in `plain`.
"""
