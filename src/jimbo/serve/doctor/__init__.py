"""Whether this machine has what Jimbo needs, and how to fix what is missing.

Nothing here imports the engine by itself: that it cannot be imported is one of the things to be found out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from jimbo.serve.doctor.machine import Finding, check_compiler, check_engine, check_extras, check_gpu, check_python
from jimbo.serve.doctor.real_game import Given, check_game, check_places

__all__ = ["Finding", "check_all"]


def check_all(
    *, real: bool, url: str | None, love_path: Path | None = None, lovely_path: Path | None = None
) -> list[Finding]:
    """Check everything, in the order in which one thing stands on another; ValueError for a url that is none.

    ``real``: the game itself is to be played. At a ``url`` it must answer; else it may also be started from here.
    """
    engine = check_engine()
    works = engine.status == "ok"
    findings = [check_python(), engine, check_compiler(needed=not works), *check_extras(), check_gpu()]
    answers = False
    if works:
        game = check_game(url, real=real)
        findings += game
        answers = game[0].status == "ok" and len(game) > 1
    given = Given(love_path, lovely_path, os.environ)
    return findings + check_places(sys.platform, given, needed=real and url is None and not answers)
