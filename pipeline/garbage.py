"""When a command searches for garbage: not while it loads modules, which stay, and not when it ends."""

from __future__ import annotations

import atexit
import gc


def search_later() -> None:
    """Search for no garbage until `search_now`, and not when Python ends: each would take a fifth of the start-up."""
    gc.disable()
    atexit.register(gc.freeze)


def search_now() -> None:
    """Search for garbage from now on, if that was put off, but never in what is already loaded."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
