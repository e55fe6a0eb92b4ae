"""Protect the results of kernels from Ctrl-C.

For each array or named tuple that a kernel returns, numba calls a Python function to look up its type, and ignores an
exception. Python handles signals when it enters such a function. So Ctrl-C could cause a segmentation fault or a
SystemError, or be lost. After the first look-up of a type, `functools.cache` answers: it is written in C and handles no
signals.
"""

from functools import cache

from numba.core import serialize

serialize._numba_unpickle = cache(serialize._numba_unpickle)
