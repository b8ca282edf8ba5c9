"""Requests about searches for seeds: odds before they begin, running ones as they go, and what they found."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo.seeds.jaml import MOST_BYTES
from jimbo.serve.web.hunts import PageHunt, PageHunts, asked_of, made, odds_view
from jimbo.serve.web.state import web_of
from jimbo.serve.web.wire import Event, Plain, read_object, stream

_MOST_BODY = MOST_BYTES + (1 << 16)
_GONE = "There is no such search here. It may have been removed."


def _hunts(request: Request) -> PageHunts:
    found: PageHunts = request.app.state.hunts
    return found


def _hunt(request: Request) -> PageHunt:
    try:
        return _hunts(request).get(request.path_params["id"])
    except KeyError:
        raise HTTPException(404, _GONE) from None


async def _odds(request: Request) -> Response:
    asked = asked_of(await read_object(request, _MOST_BODY))

    def estimated() -> dict[str, Any]:
        hunt = made(asked)
        return odds_view(hunt, hunt.odds())

    return Plain(await asyncio.to_thread(estimated))


async def _listed(request: Request) -> Response:
    return Plain({"searches": _hunts(request).listed()})


async def _begin(request: Request) -> Response:
    data = await read_object(request, _MOST_BODY)
    chance = data.get("chance")
    known = (
        float(chance) if isinstance(chance, int | float) and not isinstance(chance, bool) and 0 < chance <= 1 else None
    )
    hunt = await _hunts(request).begin(asked_of(data), known)
    return Plain(hunt.view(), 201)


async def _events(request: Request) -> Response:
    hunt, web = _hunt(request), web_of(request)
    told = ""

    def news() -> list[Event]:
        nonlocal told
        view = hunt.view()
        now = json.dumps(view, sort_keys=True)
        if now == told:
            return []
        told = now
        return [(str(hunt.changes.count), "search", view)]

    return stream(hunt.changes, news, lambda: web.stopping)


async def _pause(request: Request) -> Response:
    hunt = _hunt(request)
    await hunt.pause()
    return Plain(hunt.view())


async def _resume(request: Request) -> Response:
    hunt = _hunt(request)
    await _hunts(request).resume(hunt.id)
    return Plain(hunt.view())


async def _remove(request: Request) -> Response:
    await _hunts(request).remove(_hunt(request).id)
    return Plain({})


async def _export(request: Request) -> Response:
    found, ending = _hunt(request), request.path_params["ending"]
    if ending not in ("csv", "json"):
        raise HTTPException(404, "Searches are exported as csv or json.")
    is_csv = ending == "csv"
    text = found.hunt.csv() if is_csv else json.dumps(found.hunt.data()) + "\n"
    kind = "text/csv; charset=utf-8" if is_csv else "application/json"
    name = f'attachment; filename="{found.id}.{ending}"'
    return Response(text, media_type=kind, headers={"content-disposition": name, "cache-control": "no-store"})


ROUTES = [
    Route("/api/seeds/odds", _odds, methods=["POST"]),
    Route("/api/seeds/searches", _listed),
    Route("/api/seeds/searches", _begin, methods=["POST"]),
    Route("/api/seeds/searches/{id}/events", _events),
    Route("/api/seeds/searches/{id}/pause", _pause, methods=["POST"]),
    Route("/api/seeds/searches/{id}/resume", _resume, methods=["POST"]),
    Route("/api/seeds/searches/{id}/remove", _remove, methods=["POST"]),
    Route("/api/seeds/searches/{id}/hits.{ending}", _export),
]
