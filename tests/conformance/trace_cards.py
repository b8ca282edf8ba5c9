"""Playing cards as traces write them: ``<rank><suit>[~id][/enh][*edition][#seal][+N][!][^][@]``."""

from __future__ import annotations

import re
from typing import Any

from jimbo.engine.seed_tools import starting_deck

Json = dict[str, Any]

EDITIONS = {"foil": "e_foil", "holo": "e_holo", "poly": "e_polychrome", "neg": "e_negative"}
EDITION_WORDS = {key: word for word, key in EDITIONS.items()}
SEALS = {word: f"seal_{word.lower()}" for word in ("Gold", "Red", "Blue", "Purple")}
SIGNS = {"!": "debuffed", "^": "face_down", "@": "forced"}

TOKEN = re.compile(
    r"(?P<rank>[2-9TJQKA])(?P<suit>[SHCD])(?:~(?P<id>\d+))?(?:/(?P<enhancement>\w+))?(?:\*(?P<edition>\w+))?"
    r"(?:#(?P<seal>\w+))?(?:\+(?P<bonus>\d+))?(?P<signs>!?\^?@?)"
)
DECKS_WITHOUT_PLACES = {"b_erratic", "b_checkered"}


class Tokens:
    """Reads and writes the tokens of one run, whose deck says which ids go without saying."""

    def __init__(self, seed: str, deck: str) -> None:
        known = [] if deck in DECKS_WITHOUT_PLACES else starting_deck(seed, deck)
        self._places = {front: place for place, front in enumerate(known, 1)}

    def write(self, card: Json) -> str:
        front: str = card["key"]
        text = front[2] + front[0]
        if self._places.get(front) != card["uid"]:
            text += f"~{card['uid']}"
        if card["modifier"]:
            text += "".join(sorted(map(_modifier, card["modifier"]), key=lambda part: "/*#".index(part[0])))
        if bonus := card.get("bonus"):
            text += f"+{bonus}"
        if card["state"]:
            text += "".join(sign for sign, state in SIGNS.items() if state in card["state"])
        return text

    def read(self, token: str) -> Json:
        """As the engine's JSON has it. Raises ValueError for a text that is not a token."""
        match = TOKEN.fullmatch(token)
        if not match:
            raise ValueError(f'"{token}" is not a playing card')
        front = f"{match['suit']}_{match['rank']}"
        modifier = []
        if match["enhancement"]:
            modifier.append(f"m_{match['enhancement']}")
        if match["edition"]:
            modifier.append(EDITIONS[match["edition"]])
        if match["seal"]:
            modifier.append(SEALS[match["seal"]])
        return {
            "uid": int(match["id"]) if match["id"] else self._places[front],
            "key": front,
            "modifier": modifier,
            "state": [SIGNS[sign] for sign in match["signs"]],
            "bonus": int(match["bonus"] or 0),
        }


def _modifier(key: str) -> str:
    if key.startswith("m_"):
        return f"/{key[2:]}"
    if key.startswith("e_"):
        return f"*{EDITION_WORDS[key]}"
    return f"#{key.removeprefix('seal_').capitalize()}"
