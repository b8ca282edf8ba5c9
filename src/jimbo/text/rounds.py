"""What a round brings: the boss in play, the cash-out, how a run was lost, and what may still be drawn."""

from __future__ import annotations

from collections import Counter

from jimbo.engine import LAST_ANTE, PublicCard, PublicState
from jimbo.engine.catalog import BLINDS
from jimbo.text.cards import RANKS, is_stone, rank_and_suit
from jimbo.text.numbers import counted, number_text

WON = f"You have won in ante {LAST_ANTE}! Play on for as long as you like"


def just_won(state: PublicState) -> bool:
    """Whether this is the cash-out of the boss that won the run."""
    return bool(state.won) and state.ante == LAST_ANTE + 1 and BLINDS[state.blind.key].boss


def boss_words(state: PublicState) -> str:
    """What the boss in play does, with the hand that it is about; empty for a small or big blind."""
    blind = state.blind
    text = BLINDS[blind.key].text
    if blind.key == "bl_ox":
        text += f"  ({state.most_played})"
    if blind.key == "bl_mouth" and blind.only_hand:
        text += f"  ({blind.only_hand})"
    return text


def payout_rows(state: PublicState) -> list[tuple[int, str]]:
    """Dollars of the cash-out sheet and what for, without those that bring nothing."""
    payout = state.payout
    rows = (
        (payout.blind, f"reward of {BLINDS[state.blind.key].name}"),
        (payout.hands, "hands left"),
        (payout.discards, "discards left"),
        (payout.jokers, "jokers"),
        (payout.interest, "interest"),
        (payout.tags, "tags"),
    )
    return [(dollars, what) for dollars, what in rows if dollars]


def lost_words(state: PublicState) -> str:
    """Why a run is over."""
    if state.end == "no_room":
        return "The run has outgrown the room that the engine has for cards."
    blind = BLINDS[state.blind.key].name
    return f"Lost to {blind}: {number_text(state.chips)} of {number_text(state.blind.target)}."


def hands_words(state: PublicState) -> str:
    """How many hands were played, and which most often."""
    most = max(state.hands, key=lambda hand: hand.played)
    facts = f"{counted(state.run_hands, 'hand')} played"
    return facts + (f", {most.hand} most often ({counted(most.played, 'time')})." if most.played else ".")


def left_to_draw(state: PublicState) -> tuple[Counter[tuple[str, str]], list[PublicCard]]:
    """How many cards of each suit and rank may still be drawn, and those of them with something on them.

    A face-down card in the hand is not known, so it counts among them; a Stone card has neither suit nor rank.
    """
    unseen = state.unseen
    counts = Counter(rank_and_suit(card)[::-1] for card in unseen if not is_stone(card))
    special = [card for card in unseen if card.enhancement or card.edition or card.seal or card.bonus]
    return counts, sorted(special, key=_order)


def _order(card: PublicCard) -> tuple[str, str, int]:
    rank, suit = rank_and_suit(card)
    return card.enhancement or "", suit, RANKS.index(rank)
