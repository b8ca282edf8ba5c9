"""One thread at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from gymnasium.error import ClosedEnvironmentError

E = TypeVar("E", bound=Any)
P = ParamSpec("P")
T = TypeVar("T")


def in_turn(method: Callable[Concatenate[E, P], T]) -> Callable[Concatenate[E, P], T]:
    """A method of an environment with ``_rows``: it waits for those of other threads, and ``close`` ends its use."""

    @wraps(method)
    def call(self: E, *args: P.args, **kwargs: P.kwargs) -> T:
        with self._rows.batch.lock:
            if self.closed:
                raise ClosedEnvironmentError("The environment has been closed. Make a new one.")
            return method(self, *args, **kwargs)

    return call
