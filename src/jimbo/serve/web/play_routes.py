"""Requests about games: what stands on the table, and everything that can be done there."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo.engine import Action
from jimbo.serve.game import BadInput
from jimbo.serve.web.game import Game
from jimbo.serve.web.games import REAL
from jimbo.serve.web.state import web_of
from jimbo.serve.web.wire import Event, Plain, read_object, stream

Json = dict[str, Any]
_MOST_CARDS = 64
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
    return Plain((await game_of(request)).view())


async def _events(request: Request) -> Response:
    game, web = await game_of(request), web_of(request)
    sent: int | None = None

    def news() -> list[Event]:
        nonlocal sent
        if sent == game.version:
            return []
        sent = game.version
        return [(f"{game.boot}-{sent}", "view", game.view())]

    return stream(game.changes, news, lambda: web.stopping)


async def _weigh(request: Request) -> Response:
    game, asked = await game_of(request), await read_object(request)
    return Plain(game.weigh(places_in(asked.get("cards"))))


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
    game = await game_of(request)
    await read_object(request)
    game.hint()
    return Plain(game.view())


async def _mode(request: Request) -> Response:
    game, asked = await game_of(request), await read_object(request)
    game.set_mode(str(text_in(asked, "mode")))
    return Plain(game.view())


async def _auto(request: Request) -> Response:
    game, asked = await game_of(request), await read_object(request)
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
    game = await game_of(request)
    headers = {"content-disposition": f'attachment; filename="{game.id}.jsonl"', "cache-control": "no-store"}
    return Response(game.record(), media_type="application/jsonl", headers=headers)


# --- What is asked ----------------------------------------------------------------------------------------------------


async def game_of(request: Request) -> Game:
    """The game that a request names; 404."""
    try:
        return await web_of(request).games.get(request.path_params["id"])
    except KeyError:
        raise HTTPException(404, GONE) from None


async def _fresh(request: Request) -> tuple[Game, Json]:
    """Return a game and what was asked; 409 where it was asked about an earlier state."""
    game, asked = await game_of(request), await read_object(request)
    known = asked.get("step")
    if known is not None and known != game.decisions:
        raise HTTPException(409, STALE)
    return game, asked


def action_of(data: Any) -> Action:
    """The action that was sent, as ``action_data`` writes it; BadInput for anything else."""
    if not isinstance(data, dict):
        raise BadInput("Say what to do: an action with kind, index, to and cards.")
    try:
        index, to = number_in(data, "index"), number_in(data, "to")
        return Action(str(data.get("kind")), index=index, to=to, cards=places_in(data.get("cards", [])))
    except (ValueError, TypeError, OverflowError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput("There is no such action.") from None


def places_in(value: Any) -> list[int]:
    """Places in the hand that were sent."""
    is_list = isinstance(value, list) and len(value) <= _MOST_CARDS
    if not is_list or not all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one < 1000 for one in value):
        raise BadInput("Cards are named by their places in the hand, from 0.")
    return list(value)


def number_in(data: Json, name: str, default: int = 0) -> int:
    """A number that was sent."""
    value = data.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 100_000:
        raise BadInput(f"{name} is a whole number from 0 on.")
    return value


def text_in(data: Json, name: str, longest: int = 200) -> str | None:
    """A text that was sent."""
    value = data.get(name)
    if value is not None and not (isinstance(value, str) and len(value) <= longest):
        raise BadInput(f"{name} is a short text.")
    return value or None


_OF_A_GAME = {
    "act": _act,
    "weigh": _weigh,
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
    *(Route(f"/api/games/{{id}}/{name}", function, methods=["POST"]) for name, function in _OF_A_GAME.items()),
]
