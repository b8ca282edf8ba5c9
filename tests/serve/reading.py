"""What a terminal or a pipe shows, and what a file of a run holds."""

import os
import select
import time
from pathlib import Path

from jimbo.data.game_files import read_game
from jimbo.engine import Run


def read_until(handle: int, text: str) -> str:
    """All that is shown until a text comes, for a minute at most."""
    seen = ""
    end = time.monotonic() + 60
    while text not in seen and time.monotonic() < end:
        if select.select([handle], [], [], 0.1)[0]:
            seen += os.read(handle, 65536).decode(errors="replace")
    assert text in seen, seen
    return seen


def run_in(path: Path) -> Run:
    """The run of a file, where it was saved."""
    run = read_game(path).run
    assert run
    return run
