"""Results of kernels reach Python whole when Ctrl-C arrives.

numba looks up the type of each array and named tuple that a kernel returns by a function of Python, and does not notice
if that raises. Python handles signals when it enters such a function. So Ctrl-C ended the process by a segmentation
fault, became a SystemError, or was lost. A cache in C answers in its place, in which no signal is handled.
"""

from functools import cache

from numba.core import serialize

serialize._numba_unpickle = cache(serialize._numba_unpickle)
