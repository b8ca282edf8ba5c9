"""What a selection of cards scores, as text."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from jimbo.colours import GREEN, QUIET, RED
from jimbo.engine import PublicState
from jimbo.engine.catalog import BLINDS
from jimbo.serve.assistant.scoring import QUANTILES, Scored, best_selection, better_orders, score_selection
from jimbo.serve.terminal.story import breakdown, words
from jimbo.text import card_short, counted, number_text, percent_text


def scored_text(state: PublicState, scored: Scored, width: int) -> Group:
    """How a play scores, effect by effect, and what is to be said of it."""
    head = words(f"{scored.score.hand}: {cards_of(state, scored)}", "bold")
    return Group(head, breakdown(scored.score.told, width), *judgement(state, scored))


def judgement(state: PublicState, scored: Scored) -> Iterator[Text]:
    """Whether a play beats the blind, what chance makes of it, and what would be better."""
    yield verdict(state, scored)
    yield from chances(scored)
    if scored.score.guessed:
        yield Text("What lies face down is a guess.", style=QUIET)
    for order in better_orders(state, scored):
        gain = f"{number_text(order.expected)} instead of {number_text(scored.score.expected)}"
        yield words(f"Better order of the {order.what}: {order.words}, {gain}.")
    best = best_selection(state)
    if best == tuple(scored.action.cards):
        yield Text("No other play is expected to score more.", style=QUIET)
    else:
        other = score_selection(state, best)
        yield words(f"Best play: {cards_of(state, other)}, {other.score.hand}, {number_text(other.mean)}.")


def cards_of(state: PublicState, scored: Scored) -> str:
    return " ".join(card_short(state.hand[place]) for place in scored.action.cards)


def verdict(state: PublicState, scored: Scored) -> Text:
    """``Beats the Big Blind``, or what is missing."""
    name, needed = BLINDS[state.blind.key].name, number_text(scored.score.needed)
    blind = name if BLINDS[state.blind.key].boss else f"the {name}"
    if not scored.worlds:
        if scored.beats:
            return Text(f"Beats {blind}: {needed} needed.", style=GREEN)
        return Text(f"Needs {number_text(scored.missing)} more to beat {blind}: {needed} needed.", style=RED)
    chance = f"{percent_text(scored.beats)} +/- {100 * scored.error:.1f}"
    more = f", {number_text(scored.missing)} short on average" if scored.missing else ""
    return Text(
        f"Beats {blind} in {chance} of worlds: {needed} needed{more}.", style=GREEN if scored.beats >= 0.5 else RED
    )


def chances(scored: Scored) -> list[Text]:
    """The distribution over chance, where there is one."""
    if not scored.worlds:
        return []
    shares = ", ".join(
        f"{number_text(value)} in {100 * share:.0f} %" for share, value in zip(QUANTILES, scored.quantiles, strict=True)
    )
    mean = f"{number_text(scored.mean)} +/- {number_text(scored.mean_error)}"
    return [Text(f"By chance at most {shares}; mean {mean} of {counted(scored.worlds, 'world')}.", style=QUIET)]
