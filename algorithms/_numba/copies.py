"""Copy arrays element by element. The error messages of `into[:] = values` take numba two seconds to compile."""

from algorithms._numba.decorators import inner


@inner
def copy_into(values, into):
    """Write all values (n,) to the start of an array (n or more,) that does not overlap them."""
    for k in range(len(values)):
        into[k] = values[k]
