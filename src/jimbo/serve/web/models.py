"""Requests about what was registered: entries with their lineage, gates with their ratios, the champion's history."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo.league.champion import DECIDED, STATUS, statuses
from jimbo.league.entry import SHOWN_ID, Entry
from jimbo.league.registry import CHAMPION, Registry
from jimbo.league.shown import lines_of, minute, size_text, won_text
from jimbo.serve.game import BadInput
from jimbo.serve.web.matrix import Evaluations, axes, matrix, recorded
from jimbo.serve.web.state import web_of
from jimbo.serve.web.wire import Plain

Json = dict[str, Any]
_MOST_TEXT, _MOST_LINES = 400, 200


async def _models(request: Request) -> Response:
    return Plain(await asyncio.to_thread(_read, web_of(request).settings.registry))


async def _matrix(request: Request) -> Response:
    """Decks and stakes of all evaluations: those that were registered, and those below the folder of runs."""
    folder = web_of(request).settings.registry
    below: Evaluations = request.app.state.trainings

    def read() -> Json:
        registry = Registry(folder)
        with _named(registry):
            kept = [*recorded(registry.entries())]
        return {**axes(), "players": matrix([*kept, *below.evaluations()])}

    return Plain(await asyncio.to_thread(read))


@contextmanager
def _named(registry: Registry) -> Iterator[None]:
    """A registry that cannot be read is named in a sentence, without its place."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        said = str(error) if isinstance(error, ValueError) else "its journal is not what was written."
        raise BadInput(f"The registry cannot be read: {said.replace(f'{registry.folder}/', '')}") from None


def _read(folder: Path | None) -> Json:
    registry = Registry(folder)
    with _named(registry):
        entries, aliases, now = registry.entries()[::-1], registry.aliases(), statuses(registry)
        whys = {event["data"]["entry"]: event["data"]["why"] for event in registry.events(STATUS)}
        history = registry.history(CHAMPION)[::-1]
        gates = [_gate(event) for event in registry.events(DECIDED)][::-1]
    return {
        "entries": [
            {
                **_entry(one, registry),
                "status": now.get(one.id, ""),
                "why": whys.get(one.id, ""),
                "aliases": [alias for alias, id in aliases.items() if id == one.id],
            }
            for one in entries
        ],
        "champions": [
            {
                "at": minute(move["at"]),
                "name": registry.name_of(move["entry"]) if move["entry"] else "",
                "why": move["why"],
            }
            for move in history
        ],
        "gates": gates,
    }


def _entry(entry: Entry, registry: Registry) -> Json:
    return {
        "id": entry.id,
        "short": entry.id[:SHOWN_ID],
        "name": entry.name,
        "kind": entry.kind,
        "at": minute(entry.created),
        "size": size_text(entry),
        "won": won_text(entry),
        "parents": [{"id": id, "name": registry.name_of(id)} for id in entry.parents],
        "files": [{"name": name, "size": f"{stored.size:,} bytes"} for name, stored in entry.files.items()],
        "results": _lines(entry.about.get("results", {})),
        "made": _lines(entry.spec),
        "about": _lines({name: value for name, value in entry.about.items() if name != "results"}),
    }


def _lines(part: Mapping[str, Any]) -> list[Json]:
    return [{"name": name, "value": value[:_MOST_TEXT]} for name, value in lines_of(part)][:_MOST_LINES]


def _gate(event: Mapping[str, Any]) -> Json:
    data = event["data"]
    return {
        "at": minute(event["at"]),
        "gate": data["gate"],
        "verdict": data["verdict"],
        "reason": data["reason"],
        "challenger": data["challenger"]["name"],
        "champion": data["champion"]["name"],
        "entries": [data["challenger"]["entry"], data["champion"]["entry"]],
        "stages": [
            {name: stage[name] for name in ("name", "pairs", "points", "ci95", "llr", "bounds", "line")}
            for stage in data["stages"]
        ],
        "guards": [{name: guard[name] for name in ("name", "passed", "text")} for guard in data["guards"]],
    }


ROUTES = [Route("/api/models", _models), Route("/api/models/matrix", _matrix)]
