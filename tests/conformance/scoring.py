"""``scoring/``: hands with jokers whose chips, mult and score are known.

A case is one hand with everything that is stated about its outcome; which cards score is a case of its own. Numbers
must be equal. Some are stated as text with more digits than a double has; the game scores in doubles, so these are
compared in the 15 digits that every double keeps. Some scores are stated before rounding; the game adds whole numbers,
so these are rounded down as well.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from conformance.corpus import CorpusFile
from conformance.hand_setup import ENOUGH_HANDS, HandSetup, SetupCard, SetupJoker, scoring_positions
from conformance.names import deck_key
from conformance.report import Case
from jimbo.engine import Action, Preview
from jimbo.engine.catalog import BLINDS, EDITIONS, ENHANCEMENTS, JOKERS

Record = Mapping[str, Any]

RANKS = {str(rank): str(rank) for rank in range(2, 10)} | {
    "10": "T",
    "Jack": "J",
    "Queen": "Q",
    "King": "K",
    "Ace": "A",
}
COUNTS_MULT = frozenset(
    ("j_ceremonial", "j_ride_the_bus", "j_green_joker", "j_red_card", "j_flash", "j_trousers", "j_popcorn")
)
COUNTS_CHIPS = frozenset(("j_runner", "j_square", "j_ice_cream", "j_castle", "j_wee"))
WORTH_TEN = set("TJQK")
HIGH_CARD_BY_CHIPS = "high_card_by_chips"
"""The rule by which such a difference is accounted for."""
WHICH_SCORE = {"scoring_cards", "scoring_card_indices"}
GROWS_FIRST = frozenset(("j_ride_the_bus", "j_green_joker", "j_trousers", "j_runner", "j_square"))
"""Grow by the hand itself before they score."""


def check_balatrolator(file: CorpusFile) -> Iterator[Case]:
    for record in _cases(file):
        if record["luck"] != "average":
            setup = _without_growth(_setup(record))
            yield from _compare(record["id"], setup, record["luck"], record["expected"])


def check_hand_detection(file: CorpusFile) -> Iterator[Case]:
    for record in _cases(file):
        jokers = [SetupJoker(_joker_key(name)) for name in record["jokers"]]
        setup = HandSetup(played=_cards(record["played"]), jokers=jokers)
        yield from _compare(record["id"], setup, "none", record["expected"])


def check_generated(file: CorpusFile) -> Iterator[Case]:
    for record in file.records():
        yield from _compare(record["id"], _setup(record), record["luck"], record["expected"])


def check_worked_by_hand(file: CorpusFile) -> Iterator[Case]:
    """Hands that a person has worked out: cards and jokers are keys, with their marks after a colon."""
    for record in file.records():
        setup = HandSetup(
            played=_marked(record["played"]),
            held=_marked(record.get("held", ())),
            jokers=[SetupJoker(key, edition or "e_base") for key, _, edition in _split(record.get("jokers", ()))],
            deck=record.get("deck", "b_red"),
            blind=record.get("blind", "bl_small"),
            hands={hand: {"level": level} for hand, level in record.get("levels", {}).items()},
        )
        yield from _compare(record["id"], setup, "none", record["expected"])


def _marked(cards: Sequence[str]) -> list[SetupCard]:
    return [SetupCard(key, tuple(marks.split(":")) if marks else ()) for key, _, marks in _split(cards)]


def _split(texts: Sequence[str]) -> list[tuple[str, str, str]]:
    return [text.partition(":") for text in texts]


def check_disputed(file: CorpusFile) -> Iterator[Case]:
    """Three calculators, three answers: one case for each, so at most one of three can pass."""
    for record in file.records():
        for tool, answer in record["answers"].items():
            score = {"score": answer["total" if "total" in answer else "score"]}
            yield from _compare(f"{record['id']}.{tool}", _setup(record), record["luck"], score)


def check_balatro_rs(file: CorpusFile) -> Iterator[Case]:
    """Its games are fresh: the played cards come on top of a full draw pile."""
    for record in _cases(file):
        jokers = [SetupJoker(_joker_key(joker["name"])) for joker in record["jokers"]]
        setup = HandSetup(played=_cards(record["played"]), held=_cards(record["held"]), jokers=jokers)
        yield from _compare(record["id"], setup, "none", record["expected"])


def check_jackdaw(file: CorpusFile) -> Iterator[Case]:
    # Several cases of one test are hands of one round.
    earlier: dict[str, dict[str, int]] = defaultdict(dict)
    for record in _cases(file):
        played = earlier[record["source"]]
        hand = record["expected"]["hand"]
        luck = "all" if record["opts"].get("probabilities_normal", 1) > 1 else "none"
        yield from _compare(record["id"], _jackdaw_setup(record, played), luck, record["expected"])
        played[hand] = played.get(hand, 0) + 1


def _cases(file: CorpusFile) -> Iterator[Record]:
    for document in file.records():
        yield from document


# --- Comparing ------------------------------------------------------------------------------------------------------


def _compare(path: str, setup: HandSetup, luck: str, expected: Record) -> Iterator[Case]:
    which = sorted(WHICH_SCORE & expected.keys())
    stated, found = _outcome(setup, luck, expected)
    if outcome := [name for name in expected if name not in which]:
        yield Case(path, _only(stated, outcome), _only(found, outcome))
    for name in which:
        case = Case(f"{path}.{name}", stated[name], found[name] if isinstance(found, dict) else found)
        yield case._replace(explained_by=(HIGH_CARD_BY_CHIPS,)) if _is_high_card_by_chips(setup, case) else case


def _is_high_card_by_chips(setup: HandSetup, case: Case) -> bool:
    """One scoring card stands for another; both are worth 10 chips."""
    if not (case.path.endswith(".scoring_card_indices") and isinstance(case.found, list)):
        return False
    stated, found = set(case.expected) - set(case.found), set(case.found) - set(case.expected)
    ranks = {setup.played[place].front[-1] for place in stated | found}
    return len(stated) == len(found) == 1 and ranks <= WORTH_TEN


def _only(values: dict[str, Any] | str, names: Sequence[str]) -> dict[str, Any] | str:
    return {name: values[name] for name in names} if isinstance(values, dict) else values


def _outcome(setup: HandSetup, luck: str, expected: Record) -> tuple[dict[str, Any], dict[str, Any] | str]:
    """What is stated and what was found, each in one form; or what is found is why the hand cannot be set up."""
    try:
        preview = setup.preview("none" if luck == "deterministic" else luck)
    except ValueError as error:
        return dict(expected), f"the engine cannot hold this hand: {error}"
    pairs = {name: _field(name, value, setup, preview) for name, value in expected.items()}
    return {name: stated for name, (stated, _) in pairs.items()}, {name: found for name, (_, found) in pairs.items()}


def _field(name: str, stated: Any, setup: HandSetup, preview: Preview) -> tuple[Any, Any]:
    match name:
        case "hand":
            return stated, preview.hand
        case "chips" | "mult":
            return _comparable(stated, getattr(preview, name))
        case "score":
            return _comparable(_floor(stated), preview.score)
        case "scoring_card_indices":
            return sorted(stated), scoring_positions(preview)
        case "scoring_cards":
            return [_described(card) for card in stated], _scoring_cards(setup, preview)
        case "debuffed":
            return stated, preview.blocked
        case "dollars":
            return stated, sum(event.amount for event in preview.events if event.kind == "dollars")
    raise ValueError(f'the outcome "{name}" is not known')


def _floor(stated: str | float) -> str | int:
    if isinstance(stated, str):
        return str(Decimal(stated).to_integral_value(ROUND_FLOOR))
    return math.floor(stated)


def _comparable(stated: str | float, found: float) -> tuple[object, object]:
    if not isinstance(stated, str):
        return stated, found
    exact = Decimal(stated)
    if Decimal(float(stated)) == exact:
        return float(stated), found
    return f"{exact:.14e}", f"{Decimal(found):.14e}"


def _scoring_cards(setup: HandSetup, preview: Preview) -> list[str]:
    without_effect = {event.index for event in preview.events if event.actor == "card" and event.kind == "no_effect"}
    cards = [(i, setup.played[i]) for i in scoring_positions(preview)]
    return [_text(card.front, card.modifiers, i in without_effect) for i, card in cards]


def _described(card: Record) -> str:
    return _text(_front(card), _modifiers(card), card.get("debuffed", False))


def _text(front: str, modifiers: Sequence[str], debuffed: bool) -> str:
    return " ".join([front, *modifiers, *(["debuffed"] if debuffed else [])])


# --- Reading --------------------------------------------------------------------------------------------------------


def _setup(record: Record) -> HandSetup:
    state = record["state"]
    jokers = record["jokers"]
    (blind,) = (key for key, fact in BLINDS.items() if fact.name == state["blind"]["name"])
    setup = HandSetup(
        played=_cards(record["played"]),
        held=_cards(record["held"]),
        jokers=[_joker(joker) for joker in jokers],
        deck=deck_key(state["deck"]),
        blind=blind,
        blind_disabled=not state["blind"]["active"],
        money=state["money"],
        hands_left=state["hands_left_before_play"] or ENOUGH_HANDS,
        discards_left=state["discards_left"],
        joker_slots=state["joker_slots"],
        hands={hand: {"level": s["level"], "played": s["plays"]} for hand, s in state["hand_levels"].items()},
        planets=state.get("observatory_planets", {}),
        tarots_used=_tarots_used(state, jokers),
        targets=_targets(jokers),
    )
    return _with_sell_values(setup, jokers)


def _cards(cards: Sequence[Record]) -> list[SetupCard]:
    return [SetupCard(_front(card), _modifiers(card), card.get("debuffed", False)) for card in cards]


def _front(card: Record) -> str:
    return f"{card['suit'][0]}_{RANKS[card['rank']]}"


def _modifiers(card: Record) -> tuple[str, ...]:
    words = {fact.word: key for key, fact in ENHANCEMENTS.items()}
    modifiers = []
    if card.get("enhancement", "None") != "None":
        modifiers.append(words[card["enhancement"]])
    if card.get("edition", "Base") != "Base":
        modifiers.append(_edition(card["edition"]))
    if card.get("seal", "None") != "None":
        modifiers.append(f"seal_{card['seal'].lower()}")
    return tuple(modifiers)


def _edition(name: str) -> str:
    return next(key for key, fact in EDITIONS.items() if fact.name == name)


def _joker(joker: Record) -> SetupJoker:
    key = _joker_key(joker["name"])
    state: dict[str, Any] = {}
    if key in COUNTS_MULT and "plus_mult" in joker:
        state["count"] = joker["plus_mult"]
    elif key in COUNTS_CHIPS and "plus_chips" in joker:
        state["count"] = joker["plus_chips"]
    elif "x_mult" in joker:
        state["x_mult"] = joker["x_mult"]
    if key == "j_loyalty_card":
        # Counted from the hand at which it came; every sixth hand after that one is its turn.
        state["count"] = 1 if joker.get("active") else 0
    return SetupJoker(key, _edition(joker["edition"]), state)


def _joker_key(name: str) -> str:
    """Names differ in spelling between the tools, and some write them as identifiers."""
    plain = _plain(name)
    for key, fact in JOKERS.items():
        if _plain(fact.name) == plain:
            return key
    if plain == "thejoker":
        return "j_joker"
    raise ValueError(f'there is no joker "{name}"')


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _tarots_used(state: Record, jokers: Sequence[Record]) -> int:
    for joker in jokers:
        if joker["name"] == "Fortune Teller":
            return int(joker["plus_mult"])
    return int(state.get("tarots_used", 0))


def _targets(jokers: Sequence[Record]) -> dict[str, str]:
    targets: dict[str, str] = {}
    for joker in jokers:
        if joker["name"] == "The Idol":
            targets |= {"idol_rank": RANKS[joker["rank"]].replace("T", "10"), "idol_suit": joker["suit"][0]}
        if joker["name"] == "Ancient Joker":
            targets["ancient_suit"] = joker["suit"][0]
    return targets


def _with_sell_values(setup: HandSetup, jokers: Sequence[Record]) -> HandSetup:
    """Swashbuckler shows what the other jokers sell for: one of them makes up for the difference."""
    stated = [(i, joker["plus_mult"]) for i, joker in enumerate(jokers) if joker["name"] == "Swashbuckler"]
    if not stated:
        return setup
    ((place, mult),) = stated
    values = [joker.sell_value for joker in setup.run().public_state().jokers]
    other = 0 if place else 1
    bonus = mult - (sum(values) - values[place])
    return _with_state(setup, other, {"sell_bonus": bonus})


def _without_growth(setup: HandSetup) -> HandSetup:
    """Takes back what jokers gain by the hand itself: this tool states the number that they score with."""
    growing = [i for i, joker in enumerate(setup.jokers) if joker.key in GROWS_FIRST and "count" in joker.state]
    if not growing:
        return setup
    run = setup.run()
    run.step(Action("play", cards=list(range(len(setup.played)))))
    after = json.loads(run.to_json())["jokers"]
    for i in growing:
        stated = setup.jokers[i].state["count"]
        setup = _with_state(setup, i, {"count": 2 * stated - after[i]["count"]})
    return setup


def _with_state(setup: HandSetup, place: int, state: Record) -> HandSetup:
    jokers = list(setup.jokers)
    jokers[place] = replace(jokers[place], state={**jokers[place].state, **state})
    return replace(setup, jokers=jokers)


# --- The jackdaw tests ----------------------------------------------------------------------------------------------


def _jackdaw_setup(record: Record, played: Mapping[str, int]) -> HandSetup:
    opts = record["opts"]
    game = opts.get("game_state", {})
    hands = {hand: {"played_this_round": count} for hand, count in played.items()}
    for hand, stats in record["hand_levels"].items():
        hands[hand] = {"level": stats["level"], "played": stats["plays"], "played_this_round": stats["plays"]}
    return HandSetup(
        played=[_jackdaw_card(card) for card in record["played"]],
        held=[_jackdaw_card(card) for card in record["held"]],
        jokers=[_jackdaw_joker(joker) for joker in record["jokers"]],
        deck=opts.get("back_key", "b_red"),
        blind=record["blind"],
        # Stated as it is while the hand scores.
        hands_left=game["hands_left"] + 1 if "hands_left" in game else ENOUGH_HANDS,
        hands=hands,
        steel_in_deck=game.get("steel_tally", 0),
    )


def _jackdaw_card(card: Record) -> SetupCard:
    modifiers = [] if card["center"] == "c_base" else [card["center"]]
    if card["edition"]:
        modifiers.append(f"e_{card['edition']['type']}")
    if card["seal"]:
        modifiers.append(f"seal_{card['seal'].lower()}")
    return SetupCard(_front(card), tuple(modifiers), card["debuffed"], card.get("perma_bonus", 0))


def _jackdaw_joker(joker: Record) -> SetupJoker:
    key = joker["center"].removesuffix("_stub")
    ability = joker["ability"]
    edition = f"e_{joker['edition']['type']}" if joker["edition"] else "e_base"
    # What else an ability holds is the same for every joker of the key.
    match key:
        case "j_green_joker":
            return SetupJoker(key, edition, {"count": ability["mult"]})
        case "j_ice_cream":
            return SetupJoker(key, edition, {"count": ability["extra"]["chips"]})
        case "j_selzer":
            return SetupJoker(key, edition, {"count": ability["extra"]})
        case "j_glass":
            return SetupJoker(key, edition, {"x_mult": ability["x_mult"]})
    return SetupJoker(key, edition)
