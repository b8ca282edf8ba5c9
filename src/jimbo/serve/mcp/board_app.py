"""The board as an MCP App: one page that loads nothing else, made of the modules that draw the page in a browser."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from mcp.server.apps import Apps, client_supports_apps
from mcp.server.mcpserver import Context

from jimbo.engine import Action, ActionKind, PublicState
from jimbo.engine.catalog import CONSUMABLES
from jimbo.serve.assistant.scoring import Scored
from jimbo.serve.terminal.input import typed
from jimbo.serve.web.board import board, options, score_data
from jimbo.serve.web.wire import STATIC

URI = "ui://jimbo/board.html"
BOUND = {"ui": {"resourceUri": URI}}
"""The metadata of a tool whose answer is drawn."""
DRAWN = "jimbo/board"
"""What is drawn, in the metadata of answers: programs pass it to the board and not to the model."""
_STYLE = "body { padding: .8rem; } .over .button { display: none; } .again, .table + .panel { margin-top: .6rem; }"
_FROM = r"""\s*from\s*["']([^"']+)["'];?"""
_IMPORT = re.compile(r"\bimport\s*(\{[^}]*\}|\w+)" + _FROM)
_PASSED_ON = re.compile(r"\bexport\s*\{([^}]*)\}" + _FROM)
_LISTED = re.compile(r"\bexport\s*\{([^}]*)\};?")
_DECLARED = re.compile(r"\bexport\s+(?=(?:const|function)\s+(\w+))")
_ENTRY = "board_app.js"


def apps() -> Apps:
    """Return the extension of the protocol that offers the board."""
    found = Apps()
    found.add_html_resource(
        URI, page(), name="board", description="The table of a run, to look at and to play on.", prefers_border=True
    )
    return found


def drawn(
    context: Context[Any, Any], state: PublicState, seed: str, *, armed: bool, scored: Scored | None = None
) -> dict[str, Any] | None:
    """Return what the board draws, for a client that can show it. ``armed``: steps may be taken from here."""
    try:
        shown = client_supports_apps(context)
    except ValueError:  # called by this program itself
        shown = False
    if not shown:
        return None
    if scored is not None:
        return {DRAWN: {"score": score_data(scored.score)}}
    found = {name: _option(one, state) for name, one in options(state).items()}
    return {DRAWN: {"board": board(state, seed), "options": found, "can_act": armed and not state.over}}


@cache
def page() -> str:
    """The HTML of the board."""
    script = re.sub(r"</(?=script)", r"<\\/", _joined())
    style = (STATIC / "style.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Jimbo</title>\n'
        f"<style>{style}{_STYLE}</style>\n</head>\n"
        f'<body><main id="page"></main>\n<script type="module">\n{script}</script>\n</body>\n</html>\n'
    )


def _option(one: dict[str, Any], state: PublicState) -> dict[str, Any]:
    """What can be done, as ``act`` takes it; with ``cards`` the places of chosen cards come after it."""
    given = one["action"]
    action = Action(given["kind"], index=given["index"], to=given["to"], cards=given["cards"])
    return {"text": typed(action), "words": one["words"], "why_not": one["why_not"], "cards": _on_cards(action, state)}


def _on_cards(action: Action, state: PublicState) -> bool:
    match action.kind:
        case ActionKind.play | ActionKind.discard:
            return True
        case ActionKind.use:
            key: str | None = state.consumables[action.index].key
        case ActionKind.buy_and_use:
            key = state.shop[action.index].consumable
        case ActionKind.pick:
            key = state.pack.cards[action.index].consumable if state.pack else None
        case _:
            return False
    return bool(key and CONSUMABLES[key].max_targets)


# --- One script of many modules ---------------------------------------------------------------------------------------


def _joined() -> str:
    """The board's module with all that it imports, as one script: programs that show it load no other."""
    places = json.loads(re.findall(r"<script type=\"importmap\">(.*?)</script>", _text("index.html"), re.DOTALL)[0])
    joined: dict[str, str] = {}

    def add(name: str, text: str) -> None:
        joined[name] = ""  # modules that import one another would go on forever
        for _, other in _IMPORT.findall(text) + _PASSED_ON.findall(text):
            if other not in joined:
                place = places["imports"].get(other, "").removeprefix("/static/")
                add(other, _text(place or f"js/{other.removeprefix('./')}"))
        del joined[name]
        body = f"const EXPORTED = {{}};\n{_as_part(text)}\nreturn EXPORTED;"
        joined[name] = f"MODULES[{name!r}] = (() => {{ {body} }})();\n"

    add(_ENTRY, (files("jimbo.serve.mcp") / _ENTRY).read_text(encoding="utf-8"))
    return "const MODULES = {};\n" + "".join(joined.values())


def _text(place: str) -> str:
    return (STATIC / place).read_text(encoding="utf-8")


def _as_part(text: str) -> str:
    """A module as the body of a function that fills ``EXPORTED``, and finds what it imports in ``MODULES``."""
    declared = _DECLARED.findall(text)
    text = re.sub(r"//# sourceMappingURL=\S*", "", text)
    text = _IMPORT.sub(lambda found: _taken(found[1], found[2]), text)
    text = _PASSED_ON.sub(lambda found: _given(found[1], f"MODULES[{found[2]!r}]."), text)
    text = _LISTED.sub(lambda found: _given(found[1]), text)
    text = _DECLARED.sub("", text).replace("export default ", "EXPORTED.default = ")
    return f"{text}\nObject.assign(EXPORTED, {{ {', '.join(declared)} }});"


def _taken(names: str, place: str) -> str:
    if names.startswith("{"):
        return f"const {names.replace(' as ', ': ')} = MODULES[{place!r}];"
    return f"const {names} = MODULES[{place!r}].default;"


def _given(names: str, prefix: str = "") -> str:
    pairs = (name.split() for name in names.split(",") if name.strip())  # "x" or "x as y"
    return f"Object.assign(EXPORTED, {{ {', '.join(f'{pair[-1]}: {prefix}{pair[0]}' for pair in pairs)} }});"
