"""A run in a few lines of text."""

from __future__ import annotations

from jimbo.engine import Run
from jimbo.engine.run import view
from jimbo.text import counted, money_text, number_text


def screen_of(run: Run) -> str:
    """Where the run stands: blind, score, money, jokers, hand."""
    seen = view(run)
    lines = [
        f"{run.seed}: ante {run.ante}, round {run.round}, {run.phase}, {money_text(run.dollars)}",
        f"score {number_text(run.chips)} of {number_text(run.target)}, "
        f"{counted(run.hands_left, 'hand')}, {counted(run.discards_left, 'discard')}",
        "jokers: " + (", ".join("??" if joker.face_down else joker.name for joker in seen.jokers) or "none"),
        "hand: " + (" ".join("??" if card.face_down else card.short for card in seen.hand) or "none"),
    ]
    return "\n".join(lines)
