"""A run in a few lines of text."""

from __future__ import annotations

from jimbo.engine import PublicState
from jimbo.text import card_short, counted, money_text, number_text


def screen_of(state: PublicState, seed: str) -> str:
    """Where the run stands: blind, score, money, jokers, hand."""
    lines = [
        f"{seed}: ante {state.ante}, round {state.round}, {state.phase}, {money_text(state.dollars)}",
        f"score {number_text(state.chips)} of {number_text(state.blind.target)}, "
        f"{counted(state.hands_left, 'hand')}, {counted(state.discards_left, 'discard')}",
        "jokers: " + (", ".join("??" if joker.face_down else joker.name for joker in state.jokers) or "none"),
        "hand: " + (" ".join("??" if card.face_down else card_short(card) for card in state.hand) or "none"),
    ]
    return "\n".join(lines)
