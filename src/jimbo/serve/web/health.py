"""The health of this machine and of the server: what ``jimbo doctor`` finds, and how the process is."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import asdict
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo import __version__
from jimbo.engine import signature
from jimbo.serve.doctor import check_all
from jimbo.serve.web.state import web_of
from jimbo.serve.web.wire import Plain, page
from jimbo.system import load

_BEGAN = time.monotonic()


async def _health(request: Request) -> Response:
    """Say at once how the server is, to programs that ask again and again; to people it is a page."""
    if "text/html" in request.headers.get("accept", ""):
        return await page(request)
    return Plain(
        {
            "status": "ok",
            "version": __version__,
            "rules": signature(),
            "seconds": round(time.monotonic() - _BEGAN, 3),
            "memory_mb": _memory(),
            "load": load(),
        }
    )


async def _doctor(request: Request) -> Response:
    """What this machine has and lacks, with remedies; it takes a moment."""
    settings = web_of(request).settings
    real = settings.real is not None
    url = settings.real.client.url if settings.real else None
    findings = await asyncio.get_running_loop().run_in_executor(None, partial(check_all, real=real, url=url))
    rows: list[dict[str, Any]] = [asdict(finding) for finding in findings]
    return Plain({"ok": all(row["status"] != "missing" for row in rows), "findings": rows})


def _memory() -> float | None:
    """Return the most memory that the process has held, in MB, where the system tells it."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


ROUTES = [Route("/health", _health), Route("/api/doctor", _doctor)]
