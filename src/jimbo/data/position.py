"""Typed positions as states, and states as typed positions. The notation stands in ``jimbo.data.notation``.

What a position does not tell is as in a new run: the whole deck but the hand, the blind's own numbers, no jokers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jimbo.data.notation import PARTS, PositionPart, read_parts
from jimbo.data.notation_items import ANY_SEED, TARGETS, TO_DO, UNITS, counters
from jimbo.data.notation_words import BadPosition, Json
from jimbo.engine import (
    BLINDS_PER_ANTE,
    LAST_ANTE,
    Action,
    EndCode,
    PublicCard,
    PublicJoker,
    PublicOffer,
    PublicState,
    Run,
)
from jimbo.engine.catalog import (
    BLINDS,
    BOOSTERS,
    CHALLENGES,
    CONSUMABLES,
    DECKS,
    EDITIONS,
    ENHANCEMENTS,
    HANDS,
    JOKERS,
    SEALS,
    STAKES,
    TAGS,
    VOUCHERS,
)

_SLOTS = ("small", "big", "boss")
_SUITS, _RANKS = "SHCD", ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
_MADE = ("rank", "suit", "enhancement", "edition", "seal")
"""What the engine makes a playing card with; the rest is laid over."""
_OF_SHOP = ("shop", "packs", "for sale", "reroll")
_EXAMPLE = "Write for example: hand: As Kd 10h 9h 2c; jokers: Baron"


def read_position(text: str) -> PublicState:
    """The state of a typed position; BadPosition (a ValueError) with a sentence for a text that is none."""
    told = read_parts(text)
    if not told:
        raise BadPosition(f"The position is empty. {_EXAMPLE}.", 0, len(text))
    try:
        return _Table(told).state()
    except BadPosition:
        raise
    except (ValueError, OverflowError, TypeError) as error:
        raise BadPosition(f"No game can look like this: {str(error).rstrip('.')}.", 0, len(text)) from None


class _Table:
    """What is told, laid over a new run."""

    def __init__(self, told: Mapping[str, PositionPart]) -> None:
        self._told = told
        self._playing = "hand" in told
        self._shopping = not self._playing and any(name in told for name in _OF_SHOP)
        if self._playing and not told["hand"].value:
            raise told["hand"].word.refused("holds no card. Leave it out where no hand is held.")
        for name in _OF_SHOP if self._playing else ("gone", "scored", "needs"):
            if name in told:
                there = "a shop, where no hand is held" if self._playing else "a blind in play, and needs a hand"
                raise told[name].word.refused(f"is of {there}. Leave one of them out.")
        self._cards: list[tuple[Json, str]] = []
        """All playing cards in the order in which they are made, and where they lie."""

    def _get(self, name: str, usual: Any = None) -> Any:
        return self._told[name].value if name in self._told else usual

    def state(self) -> PublicState:
        run = self._run()
        state = run.public_state()
        if state.end != EndCode.none:
            raise ValueError("the simulator has no room for so many")
        data = state.to_data()
        self._lay_cards(data)
        self._lay_jokers(data)
        self._lay_numbers(data, state)
        if self._shopping:
            self._lay_shop(data, state)
        return PublicState.from_data(data)

    # --- What only the rules can make ---------------------------------------------------------------------------------

    def _run(self) -> Run:
        """With all that acts on something else: the blind on cards, jokers and vouchers on the hand and the slots."""
        run = self._blind_chosen()
        old = [*run.hand, *run.draw_pile]
        self._cards = self._all_cards(old)
        for card, place in self._cards:
            marks = card.get("enhancement"), card.get("edition", "e_base"), card.get("seal")
            run.debug_add_card(_front(card), *marks, to="hand" if place == "hand" else "deck")
        if run.public_state().end != EndCode.none:
            raise ValueError("the simulator has no room for so many cards")
        data, gone = run.to_data(), {card.id for card in old}
        for zone in ("hand", "deck"):
            data["zones"][zone] = [card for card in data["zones"][zone] if card["uid"] not in gone]
        data["zones"]["hand"].sort(key=lambda card: int(card["uid"]))
        if "jokers" in self._told:
            data["jokers"] = []  # of a challenge
        run = Run.from_json(json.dumps(data))
        for joker in self._get("jokers", ()):
            flags = (joker.get(name, False) for name in ("eternal", "perishable", "rental"))
            run.debug_add_joker(joker["key"], joker.get("edition", "e_base"), *flags)
        for consumable in self._get("consumables", ()):
            run.debug_add_consumable(consumable["key"], consumable.get("edition", "e_base"))
        return run

    def _blind_chosen(self) -> Run:
        """In front of the blind, or in it where a hand is held."""
        challenge = self._get("challenge")
        if challenge and "deck" in self._told:
            raise self._told["deck"].word.refused("is of no use with a challenge, which brings its own. Leave it out.")
        run = Run(self._get("deck"), self._get("stake", "white"), ANY_SEED, challenge)
        for voucher in self._get("vouchers", ()):
            run.debug_redeem(voucher)
        run.debug_set_ante(self._get("ante", 1))
        blind = self._get("blind", "big" if self._shopping else "small")
        slot = blind if blind in _SLOTS else "boss"
        data = run.to_data()
        data["round"] |= {"on_deck": slot, "boss": self._get("boss", data["round"]["boss"]) if blind == slot else blind}
        data["memory"]["boss_uses"] = {data["round"]["boss"]: 1}
        data["flags"]["won"] = run.ante > LAST_ANTE
        run = Run.from_json(json.dumps(data))
        if self._playing:
            run.step(Action("select_blind"))
        usual = BLINDS_PER_ANTE * (max(1, run.ante) - 1) + _SLOTS.index(slot) + self._playing
        run.debug_set_round(self._get("round", usual))
        return run

    def _all_cards(self, deck: Sequence[PublicCard]) -> list[tuple[Json, str]]:
        hand, gone, left = self._get("hand", []), self._get("gone", []), self._get("left")
        if left is None:
            made = [{name: value for name, value in _card_data(card).items() if name in _MADE} for card in deck]
            left = _without(made, [*hand, *gone])
        rest = [*((card, "left") for card in left), *((card, "gone") for card in gone)]
        return [*((card, "hand") for card in hand), *sorted(rest, key=lambda each: _order(each[0]))]

    # --- What is laid over --------------------------------------------------------------------------------------------

    def _lay_cards(self, data: Json) -> None:
        own = sorted([*data["hand"], *data["unseen"]], key=lambda card: int(card["id"]))
        gone = []
        for laid, (told, place) in zip(own, self._cards, strict=True):
            laid |= {name: value for name, value in told.items() if name not in _MADE}
            if told.get("played_this_ante") and data["blind"]["key"] == "bl_pillar":
                laid["debuffed"] = True
            if place == "gone":
                gone.append(laid)
        data["unseen"] = [card for card in data["unseen"] if card not in gone]
        data["discarded"] = gone

    def _lay_jokers(self, data: Json) -> None:
        for name in ("jokers", "consumables"):
            for laid, told in zip(data[name], self._get(name, data[name]), strict=True):
                laid |= {field: value for field, value in told.items() if field != "targets"}
                data["targets"] |= told.get("targets", {})

    def _lay_numbers(self, data: Json, state: PublicState) -> None:
        plain = {"scored": "chips", "hands": "hands_left", "discards": "discards_left", "money": "dollars"}
        plain |= {"joker slots": "joker_slots", "consumable slots": "consumable_slots"}
        plain |= {"tarots": "tarots_used", "skips": "skips"}
        data |= {field: self._get(name, data[field]) for name, field in plain.items()}
        data["blind"]["target"] = self._get("needs", data["blind"]["target"])
        if "hand size" in self._told:
            data["hand_size"] += self._get("hand size") - state.hand_limit
        for laid, hand in zip(data["hands"], HANDS, strict=True):
            laid |= self._get("levels", {}).get(hand, {})
        if "tags" in self._told:
            data["tags"] = [{"key": key} for key in self._get("tags")]

    def _lay_shop(self, data: Json, state: PublicState) -> None:
        data |= {"phase": "shop", "shop_seen": True, "shop": []}
        for offer in self._get("shop", []):
            place = {"id": data["next_id"]}
            card = {"card": {**offer["card"], **place}} if "card" in offer else {}
            data["shop"].append({**offer, **card, **place})
            data["next_id"] += 1
        data["shop_boosters"], data["shop_vouchers"] = self._get("packs", []), self._get("for sale", [])
        data["voucher"] = next((voucher["key"] for voucher in data["shop_vouchers"]), None)
        if "reroll" in self._told:
            data["reroll_increase"] += self._get("reroll") - state.reroll_price


def _front(card: Mapping[str, Any]) -> str:
    return f"{card['suit']}_{card['rank'].replace('10', 'T')}"


def _card_data(card: PublicCard) -> Json:
    told = {name: getattr(card, name) for name in (*_MADE, "bonus", "debuffed", "played_this_ante", "forced")}
    return {name: value for name, value in told.items() if value}


def _order(card: Mapping[str, Any]) -> tuple[int, int, str]:
    return _SUITS.index(card["suit"]), _RANKS.index(card["rank"]), json.dumps(card, sort_keys=True)


def _without(deck: list[Json], taken: Sequence[Json]) -> list[Json]:
    """What is left of a deck; a card that it does not have takes the place of the plain one, if that is there."""
    for card in taken:
        made = {name: value for name, value in card.items() if name in _MADE}
        plain = {name: card[name] for name in ("rank", "suit")}
        if found := next((want for want in (made, plain) if want in deck), None):
            deck.remove(found)
    return deck


# --- States in the notation -------------------------------------------------------------------------------------------

_PHASES = ("selecting_hand", "shop", "blind_select")


def position_text(state: PublicState) -> str:
    """The position of a state, in one form for each; ValueError with a sentence where the notation cannot tell it."""
    if state.phase not in _PHASES or any(card.face_down for card in state.hand) or state.hidden_jokers:
        raise ValueError("Only a hand, a shop or the choice of a blind can be typed, with all cards face up.")
    told = dict(_fixed(state))
    usual = read_position(_joined(told) or _ANYTHING)
    if state.boss != usual.boss:
        told["boss"] = BLINDS[state.boss].name
    for name, field in NUMBERS.items():
        if (value := field(state)) != field(usual):
            told[name] = number_part(value)
    if (left := sorted(map(_card_data, state.unseen), key=_order)) != sorted(map(_card_data, usual.unseen), key=_order):
        told["left"] = " ".join(map(_card_text, left))
    return _joined(told) or _ANYTHING


_ANYTHING = "ante: 1"
NUMBERS: Mapping[str, Callable[[PublicState], float]] = {
    "needs": lambda state: state.blind.target if state.phase == "selecting_hand" else 0,
    "scored": lambda state: state.chips if state.phase == "selecting_hand" else 0,
    "hands": lambda state: state.hands_left,
    "discards": lambda state: state.discards_left,
    "money": lambda state: state.dollars,
    "round": lambda state: state.round,
    "hand size": lambda state: state.hand_limit,
    "joker slots": lambda state: state.joker_slots,
    "consumable slots": lambda state: state.consumable_slots,
    "tarots": lambda state: state.tarots_used,
    "skips": lambda state: state.skips,
    "reroll": lambda state: state.reroll_price if state.phase == "shop" else 0,
}
"""Parts that are a number, as a state has it."""


def _joined(told: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {told[name]}".rstrip() for name in PARTS if name in told)


def number_part(value: float) -> str:
    """A number as a part holds it."""
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e15 else repr(float(value)).replace("+", "")


def _fixed(state: PublicState) -> Iterator[tuple[str, str]]:
    """The parts that are lists or names; those that are as in a new run are left out."""
    if state.phase == "selecting_hand":
        yield "hand", " ".join(_card_text(_card_data(card)) for card in state.hand)
    if state.jokers or state.challenge:
        yield "jokers", ", ".join(_joker_text(joker, state) for joker in state.jokers)
    if state.consumables:
        yield "consumables", ", ".join(marked(CONSUMABLES[c.key].name, _sold(c)) for c in state.consumables)
    boss = state.on_deck == "boss"
    if boss or state.on_deck != ("big" if state.phase == "shop" else "small"):
        yield "blind", BLINDS[state.boss].name if boss else str(state.on_deck)
    if state.ante != 1:
        yield "ante", str(state.ante)
    if state.challenge:
        yield "challenge", CHALLENGES[state.challenge].name
    elif state.deck != "b_red":
        yield "deck", DECKS[state.deck].name
    if state.stake != "stake_white":
        yield "stake", STAKES[state.stake].name
    lists = {"vouchers": [VOUCHERS[key].name for key in state.vouchers], "tags": [TAGS[t.key].name for t in state.tags]}
    yield from ((name, ", ".join(names)) for name, names in lists.items() if names)
    if levels := ", ".join(_levels(state)):
        yield "levels", levels
    if state.discarded:
        yield "gone", " ".join(map(_card_text, sorted(map(_card_data, state.discarded), key=_order)))
    if state.phase == "shop":
        yield "shop", ", ".join(_offer_text(offer) for offer in state.shop)
        yield "packs", ", ".join(marked(BOOSTERS[p.key].name, ["free"] * p.free) for p in state.shop_boosters)
        yield "for sale", ", ".join(marked(VOUCHERS[v.key].name, ["free"] * v.free) for v in state.shop_vouchers)


def marked(name: str, marks: Sequence[str], blank: str = " ") -> str:
    """An item with its marks in parentheses."""
    return f"{name}{blank}({', '.join(marks)})" if marks else name


def _levels(state: PublicState) -> Iterator[str]:
    for hand in state.hands:
        counts = {"played": hand.played, "round": hand.played_this_round}
        marks = [f"{name} {count}" for name, count in counts.items() if count]
        if hand.level != 1 or marks:
            yield marked(f"{hand.hand} {hand.level}", marks)


def _card_text(card: Mapping[str, Any]) -> str:
    marks = [ENHANCEMENTS[card["enhancement"]].word] if "enhancement" in card else []
    marks += [EDITIONS[card["edition"]].name] if "edition" in card else []
    marks += [SEALS[card["seal"]].name] if "seal" in card else []
    marks += [f"+{card['bonus']} chips"] if "bonus" in card else []
    flags = {"debuffed": "muted", "played_this_ante": "played", "forced": "locked"}
    marks += [word for name, word in flags.items() if name in card]
    return marked(f"{card['rank']}{card['suit'].lower()}", [mark.lower() for mark in marks], "")


def _stickers(item: PublicJoker | PublicOffer) -> list[str]:
    marks = [EDITIONS[item.edition].name.lower()] if item.edition else []
    return marks + [name for name in ("eternal", "rental") if getattr(item, name)]


def _sold(item: Any) -> list[str]:
    return ["negative"] * bool(item.edition) + [f"sells +{item.sell_bonus}"] * bool(item.sell_bonus)


def _joker_text(joker: PublicJoker, state: PublicState) -> str:
    assert joker.key
    marks = list(_own_marks(joker, joker.key, state)) + _stickers(joker)
    marks += [f"perishable {joker.perish_left}"] * joker.perishable + [f"sells +{joker.sell_bonus}"] * bool(
        joker.sell_bonus
    )
    marks += ["pinned"] * joker.pinned + ["muted"] * joker.debuffed
    return marked(JOKERS[joker.key].name, marks)


def _own_marks(joker: PublicJoker, key: str, state: PublicState) -> Iterator[str]:
    """Its number and what it looks for."""
    if key == TO_DO:
        yield list(HANDS)[joker.count]
        return
    for one in counters(key):
        kept = getattr(joker, one.field) + one.more
        shown = next((part.number for part in joker.shown if part.kind.value == one.kind), kept)
        yield f"{UNITS[one.kind]} {shown:.12g}"
    told = {name: getattr(state.targets, name) for name in TARGETS.get(key, ())}
    if all(told.values()) and told:
        suits = {"S": "Spades", "H": "Hearts", "C": "Clubs", "D": "Diamonds"}
        words = list(told.values())
        yield f"{words[0]}{words[1].lower()}" if len(words) == 2 else suits.get(words[0], words[0])


def _offer_text(offer: PublicOffer) -> str:
    free = ["free"] * offer.free
    if offer.card:
        own, _, marks = _card_text(_card_data(offer.card)).partition("(")
        return marked(own, [*filter(None, marks.removesuffix(")").split(", ")), *free], "")
    fact = JOKERS[offer.joker] if offer.joker else CONSUMABLES[offer.consumable or ""]
    return marked(fact.name, [*_stickers(offer), *["perishable"] * offer.perishable, *free])
