"""Everything that uses numba's private parts, each with a plain twin; kernels use `decorators` and `primitives` alone.

`decorators` compile a kernel and keep it (`caching`); `compiling` measures time without compilation; `by_reference` and
`cells` hand over arrays and tuples cheaply; `bits`, `lanes` and `vectors` are machine instructions;
`copies` copies arrays without code for errors. `ORCHARD_PLAIN_NUMBA=1` selects the twins in `plain`.

`by_reference` and `cells` stay because they pay: without them the two exact searches took 40 % and 28 % longer (medians
of six pairs) and 19 % and 13 % longer to compile, with the same trees (numba 0.68.1).
"""
