"""A lock for the methods of an object that share scratch arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])


def locked(method: Method) -> Method:
    """Decorate a method: an object, which has a field `lock`, runs its decorated methods in one thread at a time."""

    @wraps(method)
    def alone(self: Any, *arguments: Any) -> Any:
        with self.lock:
            return method(self, *arguments)

    return cast("Method", alone)
