"""All checks, in the order in which one thing stands on another.

Nothing here imports the engine by itself: that it cannot be imported is one of the things to be found out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from jimbo.serve.doctor.extras import check_extras
from jimbo.serve.doctor.finding import Finding
from jimbo.serve.doctor.machine import check_compiler, check_engine, check_gpu, check_python
from jimbo.serve.doctor.places import Given, check_places
from jimbo.serve.doctor.wire import check_game


def check_all(
    *,
    real: bool,
    url: str | None,
    love_path: Path | None = None,
    lovely_path: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    system: str = sys.platform,
) -> list[Finding]:
    """``real``: the game itself is to be played. At a ``url`` it must answer; else it may also be started from here.

    ValueError for a url that is none.
    """
    engine = check_engine()
    works = engine.status == "ok"
    findings = [check_python(), engine, check_compiler(needed=not works), *check_extras(), check_gpu()]
    answers = False
    if works:
        game = check_game(url, real=real)
        findings += game
        answers = game[0].status == "ok" and len(game) > 1
    given = Given(love_path, lovely_path, environment)
    return findings + check_places(system, given, needed=real and url is None and not answers)
