"""Questions in words: what an adviser is asked, out of which options.

Texts say only what a player sees. Options have letters, and labels by which an answer is known again.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jimbo.data.record import Decision, public_hash
from jimbo.engine import Action, ActionKind, Phase, PublicState
from jimbo.engine.catalog import BLINDS
from jimbo.llm.cache import Asked
from jimbo.llm.protocol import ModelQuestion, answering
from jimbo.serve.assistant.advice import Suggestion
from jimbo.text.cards import card_name, card_short, offer_name
from jimbo.text.jokers import joker_name
from jimbo.text.numbers import percent_text
from jimbo.text.situation import rules_of_game, situation

GAME = (
    "Balatro in short. A run has 8 antes of 3 blinds: Small Blind, Big Blind, and a boss with a rule of its own. "
    "A blind is beaten when the hands played score its target; discards draw new cards. A played hand scores chips x "
    "mult: those of its poker hand and its level, plus the chips of the scoring cards, then jokers from left to right; "
    "those with X Mult multiply and belong on the right. Beating a blind pays its reward, $1 for each hand left, and "
    "interest of $1 for each $5 owned, at first up to $5. Losing to a blind ends the run; beating the boss of ante 8 "
    "wins it. Editions: Foil +50 Chips, Holographic +10 Mult, Polychrome X1.5 Mult, Negative takes no slot. Targets "
    "grow fast, so a run needs chips and mult early, and jokers that multiply mult, or scale, by about ante 5."
)
_ADVISER = (
    "You advise a program that plays Balatro. It computes well what is near, such as what a hand scores; you are asked "
    "where it is in doubt, above all about what a build needs in the long run. {topic} Choose one of the options by "
    "calling the tool. The program's numbers are estimates, close to each other here: weigh them, but think for "
    f"yourself. {GAME}"
)
_TOPICS = {
    "shop": "The question is how to spend money: what fits the jokers that are owned, what the build lacks, and "
    "whether to save for interest.",
    "voucher": "A voucher is on sale: it lasts for the whole run, so it is worth more the earlier it comes.",
    "boss": "A boss is being played: its rule decides what is worth most now.",
    "blind": "The question is whether to play the blind, or to skip it for its tag and forgo its reward and its shop.",
    "pack": "A pack is open: the question is what is worth taking.",
    "hand": "The question is how to reach the target with the hands and discards left.",
}
_PHASES = {
    Phase.shop: "shop",
    Phase.blind_select: "blind",
    Phase.pack_opening: "pack",
    Phase.selecting_hand: "hand",
    Phase.round_eval: "shop",
}
_ANTES = (3, 6)
"""The last antes of the early and of the middle part of a run."""


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """Something that an adviser can choose."""

    letter: str
    label: str
    suggestion: Suggestion


def options_of(suggestions: Sequence[Suggestion], state: PublicState) -> list[AnswerOption]:
    """The options among which an adviser chooses; the first is what the program would do."""
    pairs = zip(string.ascii_uppercase, suggestions, strict=False)
    return [AnswerOption(letter, label_of(one, state), one) for letter, one in pairs]


def label_of(suggestion: Suggestion, state: PublicState) -> str:
    """What is done, by the things themselves and not by their places: ``buy Blueprint``."""
    then = f" {suggestion.then}" if suggestion.then else ""
    return f"{suggestion.action.kind} {_thing(suggestion.action, state)}".strip() + then


def _thing(action: Action, state: PublicState) -> str:
    cards = " ".join(sorted(card_name(state.hand[place]) for place in action.cards))
    match action.kind:
        case ActionKind.buy | ActionKind.buy_and_use:
            return f"{offer_name(state.shop[action.index])} {cards}"
        case ActionKind.redeem:
            return state.shop_vouchers[action.index].name
        case ActionKind.open_booster:
            return state.shop_boosters[action.index].name
        case ActionKind.pick:
            return f"{offer_name(state.pack.cards[action.index])} {cards}" if state.pack else ""
        case ActionKind.use:
            return f"{state.consumables[action.index].name} {cards}"
        case ActionKind.sell_consumable:
            return state.consumables[action.index].name
        case ActionKind.sell_joker:
            return joker_name(state.jokers[action.index])
        case ActionKind.move_joker:
            return f"{joker_name(state.jokers[action.index])} to {action.to}"
        case ActionKind.move_card:
            return f"{card_short(state.hand[action.index])} to {action.to}"
    return cards


# --- What an adviser is asked -----------------------------------------------------------------------------------------


def adviser_question(
    state: PublicState, decision: Decision, options: Sequence[AnswerOption], confidence: float, max_tokens: int
) -> ModelQuestion:
    """Ask which of the options to take."""
    lines = [*rules_of_game(state), *situation(state), "", "Options:"]
    lines += [f"{one.letter}: {_option_words(one.suggestion)}" for one in options]
    win = f" Its chance to win the run: {percent_text(decision.win)}." if decision.win is not None else ""
    lines += ["", f"The program leans to A, with a confidence of {percent_text(confidence)}.{win}"]
    properties: dict[str, dict[str, Any]] = {
        "reason": {"type": "string", "description": "Why, in at most two short sentences."},
        "option": {"type": "string", "enum": [one.letter for one in options], "description": "The letter."},
        "confidence": {"type": "number", "description": "How sure you are, from 0 to 1."},
    }
    return ModelQuestion(
        system=_ADVISER.format(topic=_TOPICS[topic_of(state, options)]),
        prompt="\n".join(lines),
        tools=[answering("choose", "Choose what the program does now.", properties)],
        max_tokens=max_tokens,
    )


def _option_words(one: Suggestion) -> str:
    """What is done, what to expect of it, and what speaks for it."""
    then = f", {one.then}" if one.then else ""
    return ". ".join(filter(None, (f"{one.words}{then}", one.expected, one.reason.rstrip(".")))) + "."


def topic_of(state: PublicState, options: Sequence[AnswerOption]) -> str:
    """What a question is about."""
    topic = _PHASES[state.phase]
    if topic == "hand" and BLINDS[state.blind.key].boss:
        return "boss"
    return "voucher" if any(one.suggestion.action.kind == ActionKind.redeem for one in options) else topic


def asked_of(model: str, state: PublicState, options: Sequence[AnswerOption]) -> Asked:
    """A question as the cache knows it."""
    labels = sorted(one.label for one in options)
    band = sum(state.ante > last for last in _ANTES)
    key = hashlib.sha256("\n".join((model, public_hash(state), *labels)).encode()).hexdigest()
    features = {
        f"ante {state.ante}": 0.5,
        f"part {band}": 0.5,
        f"blind {state.blind.key if state.phase == 'selecting_hand' else state.boss}": 1.0,
        f"money {min(state.dollars, 50) // 5}": 0.5,
        f"hands {state.hands_left} {state.discards_left}": 0.5,
        **{f"joker {joker.key}": 1.0 for joker in state.jokers},
        **{f"option {label}": 1.5 for label in labels},
        **{f"level {hand.hand} {hand.level}": 0.5 for hand in state.hands if hand.level > 1},
    }
    place = f"{model} {state.phase}"
    return Asked(key, place, features, "\n".join((place, f"{band}", *labels)))
