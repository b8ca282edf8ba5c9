"""Requests about games: what stands on the table, and everything that can be done there."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo.data.position import position_text
from jimbo.serve.game import BadInput
from jimbo.serve.web.asked import action_of, number_in, places_in, text_in
from jimbo.serve.web.game import PageGame
from jimbo.serve.web.games import REAL
from jimbo.serve.web.orders import moves, orders_view
from jimbo.serve.web.state import web_of
from jimbo.serve.web.wire import Event, Plain, read_object, stream

Json = dict[str, Any]
STALE = "The game has gone on since; look again."
GONE = "There is no such game here. It may have been one with cards dealt anew, which are not kept."


async def _listed(request: Request) -> Response:
    web = web_of(request)
    return Plain({"games": web.games.listed(), "real": REAL if web.settings.real else None})


async def _begin(request: Request) -> Response:
    asked = await read_object(request)
    texts = {name: text_in(asked, name) for name in ("seed", "deck", "stake", "challenge")}
    stake = texts.pop("stake") or "white"
    game = await web_of(request).games.begin(stake=stake, **texts)
    return Plain({"id": game.id}, 201)


async def _view(request: Request) -> Response:
    return Plain((await _game(request)).view())


async def _events(request: Request) -> Response:
    game, web = await _game(request), web_of(request)
    sent: int | None = None

    def news() -> list[Event]:
        nonlocal sent
        if sent == game.version:
            return []
        sent = game.version
        return [(f"{game.boot}-{sent}", "view", game.view())]

    return stream(game.changes, news, lambda: web.stopping)


async def _weigh(request: Request) -> Response:
    game, asked = await _game(request), await read_object(request)
    return Plain(game.weigh(places_in(asked.get("cards"))))


async def _orders(request: Request) -> Response:
    """Orders in which the chosen cards score more. It is worked out in another thread: it may take a moment."""
    game, asked = await _game(request), await read_object(request)
    state, cards = game.session.state, places_in(asked.get("cards"))
    return Plain({"orders": await asyncio.to_thread(orders_view, state, cards)})


async def _order(request: Request) -> Response:
    """Put jokers or cards in an order, step by step."""
    game, asked = await _fresh(request)
    for action in moves(game.session.state, str(text_in(asked, "what")), places_in(asked.get("places"))):
        await game.act(action)
    return Plain(game.view())


async def _act(request: Request) -> Response:
    game, asked = await _fresh(request)
    await game.act(action_of(asked.get("action")))
    return Plain(game.view())


async def _accept(request: Request) -> Response:
    game, asked = await _fresh(request)
    await game.accept(number_in(asked, "place"))
    return Plain(game.view())


async def _refuse(request: Request) -> Response:
    game, asked = await _fresh(request)
    await game.refuse(number_in(asked, "place"))
    return Plain(game.view())


async def _undo(request: Request) -> Response:
    game, asked = await _fresh(request)
    await game.undo(max(1, number_in(asked, "steps", 1)))
    return Plain(game.view())


async def _hint(request: Request) -> Response:
    game = await _game(request)
    await read_object(request)
    game.hint()
    return Plain(game.view())


async def _mode(request: Request) -> Response:
    game, asked = await _game(request), await read_object(request)
    game.set_mode(str(text_in(asked, "mode")))
    return Plain(game.view())


async def _auto(request: Request) -> Response:
    game, asked = await _game(request), await read_object(request)
    if asked.get("on"):
        pause = asked.get("pause", 1.0)
        if isinstance(pause, bool) or not isinstance(pause, int | float):
            raise BadInput("A pause is a number of seconds.")
        game.play_on(float(pause))
    else:
        game.stop()
    return Plain(game.view())


async def _branch(request: Request) -> Response:
    game, asked = await _fresh(request)
    made = await web_of(request).games.branch(game, str(text_in(asked, "deal")))
    return Plain({"id": made.id}, 201)


async def _record(request: Request) -> Response:
    game = await _game(request)
    headers = {"content-disposition": f'attachment; filename="{game.id}.jsonl"', "cache-control": "no-store"}
    return Response(game.record(), media_type="application/jsonl", headers=headers)


async def _position(request: Request) -> Response:
    """The state as a typed position."""
    state = (await _game(request)).session.state
    try:
        return Plain({"text": position_text(state)})
    except ValueError as error:
        raise BadInput(str(error)) from None


# --- What is asked ----------------------------------------------------------------------------------------------------


async def _game(request: Request) -> PageGame:
    try:
        return await web_of(request).games.get(request.path_params["id"])
    except KeyError:
        raise HTTPException(404, GONE) from None


async def _fresh(request: Request) -> tuple[PageGame, Json]:
    """Return a game and what was asked; 409 where it was asked about an earlier state."""
    game, asked = await _game(request), await read_object(request)
    known = asked.get("step")
    if known is not None and known != game.decisions:
        raise HTTPException(409, STALE)
    return game, asked


_OF_A_GAME = {
    "act": _act,
    "weigh": _weigh,
    "orders": _orders,
    "order": _order,
    "accept": _accept,
    "refuse": _refuse,
    "undo": _undo,
    "hint": _hint,
    "mode": _mode,
    "auto": _auto,
    "branch": _branch,
}
ROUTES = [
    Route("/api/games", _listed),
    Route("/api/games", _begin, methods=["POST"]),
    Route("/api/games/{id}", _view),
    Route("/api/games/{id}/events", _events),
    Route("/api/games/{id}/record", _record),
    Route("/api/games/{id}/position", _position),
    *(Route(f"/api/games/{{id}}/{name}", function, methods=["POST"]) for name, function in _OF_A_GAME.items()),
]
