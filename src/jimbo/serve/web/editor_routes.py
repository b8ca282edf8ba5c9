"""Requests about the board editor: a position shown, changed, scored, advised on, and played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo.data.notation_words import LONGEST, BadPosition
from jimbo.data.position import read_position
from jimbo.serve.assistant.advice import Adviser
from jimbo.serve.game import BadInput
from jimbo.serve.web.advice import advice_view
from jimbo.serve.web.asked import places_in, text_in
from jimbo.serve.web.editor import catalog, changed, editor_view
from jimbo.serve.web.state import web_of
from jimbo.serve.web.wire import Plain, read_object

T = TypeVar("T")
EXAMPLE = "hand: As Kd 10h 10c 9h 8c 7d 2s; jokers: Joker"
_SUGGESTIONS = 5


async def _catalog(_request: Request) -> Response:
    return Plain({**catalog(), "example": EXAMPLE, "longest": LONGEST})


async def _show(request: Request) -> Response:
    """Show a position, with a change made in it if one is asked for."""
    asked = await read_object(request)
    text, cards, change = _position(asked), places_in(asked.get("cards", [])), asked.get("change")
    if change is not None and not isinstance(change, dict):
        raise BadInput("A change names a part and what it holds.")
    return await _answered(request, lambda: editor_view(changed(text, change) if change else text, cards))


async def _advice(request: Request) -> Response:
    asked, web = await read_object(request), web_of(request)
    text = _position(asked)

    def advised() -> Any:
        state = read_position(text)
        advice = Adviser(web.settings.new_agent()).advise(state)
        return {"agent": advice.agent, **advice_view(advice, advice.suggestions[:_SUGGESTIONS])}

    return await _answered(request, advised)


async def _play(request: Request) -> Response:
    """Play a position in a world that looks like it."""
    state = read_position(_position(await read_object(request)))
    try:
        return Plain({"id": (await web_of(request).games.anew(state)).id}, 201)
    except BadInput:
        raise
    except ValueError as error:
        raise BadInput(f"This position cannot be played: {error}.") from None


def _position(asked: dict[str, Any]) -> str:
    return text_in(asked, "text", LONGEST) or EXAMPLE


async def _answered(request: Request, work: Callable[[], T]) -> Response:
    return Plain(await asyncio.get_running_loop().run_in_executor(web_of(request).pool, work))


async def refused(_request: Request, error: Exception) -> Response:
    """Answer with the sentence, and where in the text the trouble stands."""
    assert isinstance(error, ValueError)
    place = {"start": error.start, "end": error.end} if isinstance(error, BadPosition) else {}
    return Plain({"error": str(error), **place}, 400)


ROUTES = [
    Route("/api/board", _catalog),
    Route("/api/board", _show, methods=["POST"]),
    Route("/api/board/advice", _advice, methods=["POST"]),
    Route("/api/board/play", _play, methods=["POST"]),
]
