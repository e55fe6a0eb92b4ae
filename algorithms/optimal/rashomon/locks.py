"""A lock for the methods of an object that share scratch arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, TypeVar, cast


class Lock:
    """A lock for the threads of a process. A copy of it, or of its pickle, is another lock."""

    def __init__(self) -> None:
        self._lock = RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[Lock], tuple[()]]:
        return Lock, ()


Method = TypeVar("Method", bound=Callable[..., Any])


def locked(method: Method) -> Method:
    """Decorate a method: an object, which has a field `lock`, runs its decorated methods in one thread at a time."""

    @wraps(method)
    def alone(self: Any, *arguments: Any) -> Any:
        with self.lock:
            return method(self, *arguments)

    return cast("Method", alone)
