"""The differences between two pieces of JSON, value by value."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

Same = Callable[[Any, Any], bool]


@dataclass(frozen=True, slots=True)
class Difference:
    """One value, and its JSON path."""

    path: str
    here: Any
    there: Any


def differences(
    here: Any, there: Any, path: str = "$", *, same: Same = operator.eq, absent: Any = None
) -> Iterator[Difference]:
    """All of them, in the order of ``here``. What is not there has the value ``absent``."""
    if isinstance(here, dict) and isinstance(there, dict):
        pairs = [(f"{path}.{name}", here.get(name, absent), there.get(name, absent)) for name in {**here, **there}]
    elif isinstance(here, list) and isinstance(there, list):
        both = zip_longest(here, there, fillvalue=absent)
        pairs = [(f"{path}[{place}]", *values) for place, values in enumerate(both)]
    elif same(here, there):
        return
    else:
        yield Difference(path, here, there)
        return
    for where, one, other in pairs:
        yield from differences(one, other, where, same=same, absent=absent)


def same_on_the_wire(one: Any, other: Any) -> bool:
    """An empty object and an empty list are one thing on the wire; numbers have 14 digits."""
    if one in ([], {}) and other in ([], {}):
        return True
    if isinstance(one, float) or isinstance(other, float):
        with_digits = [f"{value:.14g}" if isinstance(value, int | float) else value for value in (one, other)]
        return bool(with_digits[0] == with_digits[1])
    return type(one) is type(other) and bool(one == other)
