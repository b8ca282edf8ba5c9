"""What a terminal or a pipe shows."""

import os
import select
import time


def read_until(handle: int, text: str) -> str:
    """All that is shown until a text comes, for a minute at most."""
    seen = ""
    end = time.monotonic() + 60
    while text not in seen and time.monotonic() < end:
        if select.select([handle], [], [], 0.1)[0]:
            seen += os.read(handle, 65536).decode(errors="replace")
    assert text in seen, seen
    return seen
