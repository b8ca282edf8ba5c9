"""A client that keeps how long its calls take."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from jimbo.wire.client import Client


class TimedClient(Client):
    """Counts the calls that were answered, from the connection to the last byte of the answer read as JSON."""

    def __init__(self, url: str, **options: Any) -> None:
        super().__init__(url, **options)
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        """Of each call, by method."""

    def _call(self, method: str, params: Mapping[str, Any] | None = None, timeout: float | None = None) -> Any:
        start = time.perf_counter()
        result = super()._call(method, params, timeout)
        self.seconds[method].append(time.perf_counter() - start)
        return result
