"""What a recorded run or an evaluation was made with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from jimbo import __version__
from jimbo.engine import build_info
from jimbo.engine.bench import signature


@cache
def versions() -> Mapping[str, str]:
    """What decides how a run goes, beside its settings: other rules are other runs."""
    return {"jimbo": __version__, "engine": build_info(), "rules": signature()}
