"""Requests about reviews: the runs that there are, how one was played, and its positions, chosen again or played on."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo.data.position import position_text
from jimbo.data.record import versions
from jimbo.engine import Action, PublicState
from jimbo.report.render import html
from jimbo.serve.game import BadInput
from jimbo.serve.review.document import review_document
from jimbo.serve.review.telling import review_data
from jimbo.serve.web.asked import action_of, number_in, places_in
from jimbo.serve.web.board import board, weigh
from jimbo.serve.web.games import PLAYER
from jimbo.serve.web.reviews import MOST_BYTES, Reviewing, Reviews
from jimbo.serve.web.state import web_of
from jimbo.serve.web.wire import Event, Plain, read_body, read_object, stream

Json = dict[str, Any]
_MOST_MOVES = 24
_SENT = "application/octet-stream"
GONE = "There is no such run here. Choose one from the list, or open its file."


async def _listed(request: Request) -> Response:
    web = web_of(request)
    runs = [one for one in web.games.listed() if one["decisions"]]
    return Plain({"runs": runs, "files": _reviews(request).files(), "most": MOST_BYTES})


async def _add(request: Request) -> Response:
    """Take a file. Its content type is one that no form of another page can send."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != _SENT:
        raise BadInput(f"Send the file with the content type {_SENT}.")
    data = await read_body(request, MOST_BYTES)
    name = request.query_params.get("name") or "run"
    return Plain({"id": (await _reviews(request).add(name, data)).id}, 201)


async def _events(request: Request) -> Response:
    found, web = await _review(request), web_of(request)
    known: list[Json] = []
    sent = -1

    def news() -> list[Event]:
        nonlocal sent
        if sent == found.changes.count:
            return []
        sent = found.changes.count
        view = found.view(known)
        known[view["first"] :] = view["rows"]
        return [(f"{sent}", "view", view)]

    return stream(found.changes, news, lambda: web.stopping, found.watched)


async def _look(request: Request) -> Response:
    """A position as it is drawn, and what the chosen cards would score there."""
    found, asked = await _review(request), await read_object(request)
    state = found.state(number_in(asked, "step"), _moves(asked))
    weighed = weigh(state, places_in(asked.get("cards", [])))
    return Plain({"board": board(state, found.run.seed), "position": _typed(state), **weighed})


async def _choose(request: Request) -> Response:
    found, asked = await _review(request), await read_object(request)
    step, moves, action = number_in(asked, "step"), _moves(asked), action_of(asked.get("action"))
    loop = asyncio.get_running_loop()
    return Plain(await loop.run_in_executor(web_of(request).pool, found.choose_again, step, moves, action))


async def _retry(request: Request) -> Response:
    """Play on from before a decision: the same run where the simulator knows it, else one that looks the same."""
    found, asked = await _review(request), await read_object(request)
    step, run, games = number_in(asked, "step"), found.run, web_of(request).games
    state = found.state(step)
    if state.over:
        raise BadInput("The run is over there. Choose an earlier decision.")
    if run.start:
        header = replace(run.start, agent=PLAYER, options={}, nonce=0, versions=versions())
        made = await games.again(header, run.taken()[: step - 1])
    else:
        made = await games.anew(state, run.seed)
    return Plain({"id": made.id}, 201)


async def _page(request: Request) -> Response:
    found = await _review(request)
    text = await asyncio.to_thread(lambda: html(review_document(found.review, _worst(found))))
    return Response(text, headers=_saved(found, "html"), media_type="text/html; charset=utf-8")


async def _data(request: Request) -> Response:
    found = await _review(request)
    text = await asyncio.to_thread(lambda: json.dumps(review_data(found.review, _worst(found))))
    return Response(text, headers=_saved(found, "json"), media_type="application/json")


# --- What is asked ----------------------------------------------------------------------------------------------------


def _reviews(request: Request) -> Reviews:
    found: Reviews = request.app.state.reviews
    return found


async def _review(request: Request) -> Reviewing:
    try:
        return await _reviews(request).get(request.path_params["id"])
    except KeyError:
        raise HTTPException(404, GONE) from None


def _typed(state: PublicState) -> str:
    """The state as a typed position; empty where it cannot be one."""
    try:
        return position_text(state)
    except ValueError:
        return ""


def _moves(asked: Json) -> list[Action]:
    moves = asked.get("moves", [])
    if not isinstance(moves, list) or len(moves) > _MOST_MOVES:
        raise BadInput(f"At most {_MOST_MOVES} moves can stand before a choice.")
    return [action_of(move) for move in moves]


def _worst(found: Reviewing) -> Any:
    if found.worst is None:
        raise BadInput("The run is not reviewed to its end yet. Wait for it, then save it.")
    return found.worst


def _saved(found: Reviewing, ending: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="review-{found.id}.{ending}"', "cache-control": "no-store"}


ROUTES = [
    Route("/api/reviews", _listed),
    Route("/api/reviews", _add, methods=["POST"]),
    Route("/api/reviews/{id}/events", _events),
    Route("/api/reviews/{id}/html", _page),
    Route("/api/reviews/{id}/json", _data),
    Route("/api/reviews/{id}/look", _look, methods=["POST"]),
    Route("/api/reviews/{id}/choose", _choose, methods=["POST"]),
    Route("/api/reviews/{id}/retry", _retry, methods=["POST"]),
]
