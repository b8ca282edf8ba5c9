"""Blinds, tags and where a run stands, in words."""

from __future__ import annotations

from jimbo.engine import Phase, PublicBlind, PublicState, PublicTag
from jimbo.engine.catalog import BLINDS, CHALLENGES, DECKS, STAKES, TAGS

PHASES = {
    Phase.blind_select: "while you are choosing a blind",
    Phase.selecting_hand: "during a round",
    Phase.round_eval: "at the cash-out",
    Phase.shop: "in the shop",
    Phase.pack_opening: "while a pack is open",
}
"""When something is possible or not."""


def place_name(state: PublicState) -> str:
    """Where the run stands, in a word or two: ``Small Blind``, ``Shop``."""
    match state.phase:
        case Phase.blind_select:
            return "Choose a blind"
        case Phase.selecting_hand:
            return BLINDS[state.blind.key].name
        case Phase.round_eval:
            return f"{BLINDS[state.blind.key].name} beaten"
        case Phase.shop:
            return "Shop"
        case Phase.pack_opening:
            return state.pack.name if state.pack else ""
    return "The run is over"


def game_text(deck: str, stake: str, challenge: str | None) -> str:
    """What is played; a challenge stands in the place of its deck."""
    return f"{CHALLENGES[challenge].name if challenge else DECKS[deck].name} · {STAKES[stake].name}"


def next_blind(state: PublicState) -> PublicBlind:
    """The one that is chosen next or being played."""
    return next(blind for blind in state.blinds if blind.progress == "now")


def blind_text(blind: PublicBlind) -> str:
    """What a boss does; empty for a small or big blind."""
    return BLINDS[blind.key].text


def tag_text(tag: PublicTag) -> str:
    """What it gives; an Orbital Tag with its poker hand."""
    text = TAGS[tag.key].text
    return text.replace("the named hand type", tag.hand) if tag.hand else text
