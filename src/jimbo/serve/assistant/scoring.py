"""What a selection of cards scores: exactly where no chance is in it, by many worlds where there is; the best play, the
best orders, and what it would be without a joker or with another number on it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from jimbo.data.action_json import action_to_json
from jimbo.data.notation_items import cards, typed_joker
from jimbo.data.notation_words import Word, key_of
from jimbo.engine import (
    MAX_SELECTED,
    Action,
    Phase,
    PublicCard,
    PublicState,
    Run,
    best_hand_order,
    best_joker_order,
)
from jimbo.engine.catalog import JOKERS
from jimbo.files import finite
from jimbo.serve.assistant.deals import best_play, in_order
from jimbo.serve.assistant.prospects import Prospects, Score
from jimbo.serve.game import BadInput, check
from jimbo.text import PHASES, card_short, counted, joker_name
from jimbo.text.spellings import JOKER_WORDS

SCORE_SCHEMA = "score_v1"
WORLDS = 1000
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_MOST_TRIED = 5000
"""Plays of which each is tried; of more, what the engine takes for the best."""
_MOST_JOKERS = 5
"""Jokers whose orders are all tried."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What a play would score."""

    action: Action
    score: Score
    beats: float
    """The chance that it beats the blind alone."""
    error: float
    """The standard error of that chance; 0 where nothing is left to chance."""
    mean: float
    mean_error: float
    quantiles: tuple[float, ...]
    """Of the scores, by ``QUANTILES``."""
    worlds: int
    """In which it was tried; 0 where nothing is left to chance."""

    @property
    def missing(self) -> float:
        """What the expected score lacks to beat the blind; 0 where it does."""
        return max(0.0, self.score.needed - self.mean)


@dataclass(frozen=True, slots=True)
class Order:
    """A better order, and the expected score of the play in it."""

    what: str
    """``jokers`` or ``cards``."""
    places: tuple[int, ...]
    """The present places, in the better order."""
    words: str
    expected: float


def score_selection(state: PublicState, places: Sequence[int], *, worlds: int = WORLDS) -> Scored:
    """Score the cards at these places of the hand. BadInput where they cannot be played, or lie face down."""
    if state.phase != Phase.selecting_hand:
        raise BadInput(f"Cards are scored in a blind, and nothing is held {PHASES.get(state.phase, 'here')}.")
    action = Action("play", cards=list(places))
    check(action, state)
    score = Prospects(state).score(action)
    if score is None:
        raise BadInput("A face-down card is among them: nobody knows what it would score.")
    made = sorted(_outcome(state, action, world) for world in range(worlds)) or [score.expected]
    if made[0] == made[-1] and score.least == score.most == made[0]:
        return Scored(action, score, float(made[0] >= score.needed), 0.0, made[0], 0.0, (made[0],) * len(QUANTILES), 0)
    beats = sum(one >= score.needed for one in made) / len(made)
    mean = math.fsum(made) / len(made) if made[-1] < math.inf else math.inf
    spread = math.sqrt(math.fsum((one - mean) ** 2 for one in made) / len(made)) if made[-1] < 1e150 else math.inf
    return Scored(
        action=action,
        score=score,
        beats=beats,
        error=math.sqrt(max(beats * (1 - beats), 1 / len(made)) / len(made)),
        mean=mean,
        mean_error=spread / math.sqrt(len(made)),
        quantiles=tuple(made[min(int(share * len(made)), len(made) - 1)] for share in QUANTILES),
        worlds=len(made),
    )


def _outcome(state: PublicState, action: Action, nonce: int) -> float:
    """What the play scores in a world that looks the same."""
    world = state.imagine(nonce)
    before = world.chips
    world.step(action)
    return world.chips - before


# --- The best play and the best orders --------------------------------------------------------------------------------


def best_selection(state: PublicState) -> tuple[int, ...]:
    """The places of the play with the largest expected score; BadInput where none can be known."""
    if state.phase != Phase.selecting_hand:
        raise BadInput(f"Cards are scored in a blind, and nothing is held {PHASES.get(state.phase, 'here')}.")
    run = state.imagine(0)
    count = sum(math.comb(len(state.hand), size) for size in range(1, MAX_SELECTED + 1))
    best = best_play(run, of_all=count <= _MOST_TRIED)
    if best is None:
        raise BadInput("No play can be scored here.")
    places, score = sorted(best[0]), best[1].score
    for place in best[0]:  # cards that add nothing stay in the hand
        fewer = Action("play", cards=[other for other in places if other != place])
        if state.refusal(fewer) is None and run.preview(fewer.cards, "expected").score >= score:
            places.remove(place)
    return tuple(places)


def better_orders(state: PublicState, scored: Scored) -> tuple[Order, ...]:
    """Orders of the jokers and of the played cards in which the play is expected to score more."""
    run, action = state.imagine(0), scored.action
    found: list[Order] = []
    if len(state.jokers) > 1 and not state.hidden_jokers:
        size = len(state.jokers)
        orders = permutations(range(size)) if size <= _MOST_JOKERS else [tuple(best_joker_order(run))]
        made = ((order, _expected(*in_order(run, "move_joker", order), action)) for order in orders)
        order, expected = max(((order, score) for order, score in made if score is not None), key=lambda one: one[1])
        words = ", ".join(joker_name(state.jokers[place]) for place in order)
        found.append(Order("jokers", order, words, expected))
    order = tuple(best_hand_order(run, action))
    moved = _expected(*in_order(run, "move_card", order), Action("play", cards=list(range(len(order)))))
    if moved is not None:
        found.append(Order("cards", order, " ".join(card_short(state.hand[place]) for place in order), moved))
    return tuple(one for one in found if one.expected > scored.score.expected * (1 + 1e-9))


def _expected(run: Run, whole: bool, play: Action) -> float | None:
    """The expected score; None where the order is not what it should be, or the play is refused."""
    return None if not whole or run.refusal(play) is not None else run.preview(play.cards, "expected").score


# --- Another table ----------------------------------------------------------------------------------------------------


def edited(state: PublicState, mute: Iterable[str] = (), numbers: Iterable[str] = ()) -> PublicState:
    """The state with some jokers muted, by name or by place (``j2``), and with other numbers on some: ``Ride the Bus:
    mult 12``, ``j2: 12``. A ValueError says what was not understood."""
    data = state.to_data()
    for name in mute:
        for held in _held(data, name.strip()):
            held["debuffed"] = True
    for text in numbers:
        name, colon, number = text.partition(":")
        if not colon:
            raise BadInput(f'"{text}" names no number. Write a joker, a colon and its number: "Ride the Bus: mult 12".')
        for held in _held(data, name.strip()):
            told = typed_joker(f"{JOKERS[held['key']].name} ({number.strip()})")
            data["targets"] |= told.pop("targets")
            held |= told
    return PublicState.from_data(data)


def _held(data: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The jokers of a name, or the one at a place."""
    owned = [one for one in data["jokers"] if one.get("key")]
    if place := re.fullmatch(r"[jJ](\d{1,3})", name):
        if not 1 <= int(place[1]) <= len(data["jokers"]):
            raise BadInput(f"There is no {name}; you have {counted(len(data['jokers']), 'joker')}.")
        held = [data["jokers"][int(place[1]) - 1]]
        if held[0] not in owned:
            raise BadInput(f"{name} lies face down: nobody knows which joker it is.")
        return held
    key = key_of(JOKER_WORDS, JOKERS, Word(name, 0), "joker")
    if held := [one for one in owned if one["key"] == key]:
        return held
    there = ", ".join(JOKERS[one["key"]].name for one in owned)
    raise BadInput(f"{JOKERS[key].name} is not among the jokers{f', which are {there}' if there else ''}.")


def places_of(text: str, state: PublicState) -> tuple[int, ...]:
    """The places in the hand of cards such as ``As Kd``; BadInput for one that is not held."""
    taken: list[int] = []
    for told in cards(Word(text.strip(), 0, "cards")):
        free = [place for place in range(len(state.hand)) if place not in taken]
        found = next((place for place in free if _is(state.hand[place], told)), None)
        if found is None:
            held = " ".join(card_short(one) for one in state.hand)
            raise BadInput(f"There is no {told['rank']}{told['suit'].lower()} left in the hand, which is {held}.")
        taken.append(found)
    return tuple(sorted(taken))


def _is(held: PublicCard, told: dict[str, Any]) -> bool:
    return all(getattr(held, name) == value for name, value in told.items())


# --- JSON -------------------------------------------------------------------------------------------------------------


def score_data(state: PublicState, scored: Scored, best: Scored | None, orders: Sequence[Order]) -> dict[str, Any]:
    """A score as JSON (score_v1)."""
    return {
        "schema": SCORE_SCHEMA,
        **_play_data(state, scored),
        "target": finite(state.blind.target),
        "scored": finite(state.chips),
        "best": _play_data(state, best) if best else None,
        "orders": [
            {"what": one.what, "places": list(one.places), "words": one.words, "expected": finite(one.expected)}
            for one in orders
        ],
    }


def _play_data(state: PublicState, scored: Scored) -> dict[str, Any]:
    score = scored.score
    lines = ((line, *(line.totals or (0.0, 0.0))) for line in score.told)
    return {
        "action": action_to_json(scored.action, state.phase),
        "cards": [card_short(state.hand[place]) for place in scored.action.cards],
        "hand": score.hand,
        "expected": finite(score.expected),
        "least": finite(score.least),
        "most": finite(score.most),
        "needed": finite(score.needed),
        "missing": finite(scored.missing),
        "beats": scored.beats,
        "error": scored.error,
        "mean": finite(scored.mean),
        "mean_error": finite(scored.mean_error),
        "quantiles": {f"{share:g}": finite(value) for share, value in zip(QUANTILES, scored.quantiles, strict=True)},
        "worlds": scored.worlds,
        "guessed": score.guessed,
        "breakdown": [
            {"who": line.who, "what": line.what, "chips": finite(chips), "mult": finite(mult)}
            for line, chips, mult in lines
        ],
    }
