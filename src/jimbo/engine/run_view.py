"""A run as small frozen dataclasses: everything a person sees, with the catalogue's names and texts and with prices.

The view is a picture of one moment and shows all of a run, hidden things such as the draw order included.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jimbo.engine._core import Run, hand_base
from jimbo.engine.catalog import (
    BLINDS,
    BOOSTERS,
    CONSUMABLES,
    EDITIONS,
    ENHANCEMENTS,
    JOKERS,
    SEALS,
    TAGS,
    VOUCHERS,
    BoosterFact,
    ConsumableFact,
    JokerFact,
    TagFact,
    VoucherFact,
)

SUIT_SYMBOLS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
SUIT_NAMES = {"S": "Spades", "H": "Hearts", "C": "Clubs", "D": "Diamonds"}
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
RANK_NAMES = {"A": "Ace", "K": "King", "Q": "Queen", "J": "Jack"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A playing card."""

    key: str
    """Its front, such as ``H_T``."""
    uid: int
    """Creation order."""
    rank: str
    suit: str
    enhancement: str | None
    edition: str | None
    seal: str | None
    bonus: int
    """Chips gained for good."""
    debuffed: bool
    face_down: bool
    forced: bool
    """Cerulean Bell keeps it selected."""

    @property
    def stickers(self) -> tuple[str, ...]:
        return ()

    @property
    def is_stone(self) -> bool:
        return self.enhancement == "m_stone"

    @property
    def short(self) -> str:
        """``A♥``."""
        return "Stone" if self.is_stone else f"{self.rank}{SUIT_SYMBOLS[self.suit]}"

    @property
    def name(self) -> str:
        """With everything on it: ``Steel K♠ Foil Red Seal``."""
        words = [self.short]
        if self.enhancement and not self.is_stone:
            words.insert(0, ENHANCEMENTS[self.enhancement].word)
        if self.edition:
            words.append(EDITIONS[self.edition].name)
        if self.seal:
            words.append(SEALS[self.seal].name)
        return " ".join(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class JokerView:
    """A joker that is owned, or on offer with the numbers it will start from unknown."""

    fact: JokerFact
    uid: int
    edition: str | None
    stickers: tuple[str, ...]
    sell_value: int = 0
    count: int = 0
    """Its whole number; what it means differs from joker to joker."""
    x_mult: float = 1.0
    perish_left: int = 5
    debuffed: bool = False
    face_down: bool = False
    pinned: bool = False

    @property
    def key(self) -> str:
        return self.fact.key

    @property
    def name(self) -> str:
        return self.fact.name


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsumableView:
    fact: ConsumableFact
    uid: int
    edition: str | None
    sell_value: int = 0

    @property
    def key(self) -> str:
        return self.fact.key

    @property
    def name(self) -> str:
        return self.fact.name

    @property
    def stickers(self) -> tuple[str, ...]:
        return ()


OfferView = JokerView | ConsumableView | CardView


@dataclass(frozen=True, slots=True)
class ShopItemView:
    card: OfferView
    price: int


@dataclass(frozen=True, slots=True)
class VoucherView:
    fact: VoucherFact
    price: int


@dataclass(frozen=True, slots=True)
class BoosterView:
    fact: BoosterFact
    price: int


@dataclass(frozen=True, slots=True)
class PackView:
    """An open pack."""

    fact: BoosterFact
    picks_left: int
    cards: tuple[OfferView, ...]


@dataclass(frozen=True, slots=True)
class TagView:
    fact: TagFact
    hand: str | None
    """What an Orbital Tag raises."""

    @property
    def text(self) -> str:
        return self.fact.text.replace("the named hand type", self.hand) if self.hand else self.fact.text


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindView:
    """One of the three blinds of an ante."""

    key: str
    name: str
    text: str
    target: float
    reward: int
    tag: TagView | None
    """For skipping it."""
    state: str
    """``done``, ``now`` (chosen next or being played) or ``later``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """A poker hand at its present level."""

    name: str
    level: int
    chips: int
    mult: int
    played: int
    visible: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutView:
    """The cash-out sheet."""

    blind: int
    hands: int
    discards: int
    jokers: int
    interest: int
    tags: int

    @property
    def total(self) -> int:
        return self.blind + self.hands + self.discards + self.jokers + self.interest + self.tags


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetsView:
    """What some jokers look for in this round."""

    idol_rank: str
    idol_suit: str
    mail_rank: str
    ancient_suit: str
    castle_suit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    seed: str
    deck: str
    stake: str
    challenge: str | None
    phase: str
    end: str
    """``none``, ``lost``, or ``no_room`` when a capacity of the engine was exceeded."""
    won: bool
    ante: int
    round: int
    dollars: int
    chips: float
    """Scored in this round."""
    target: float
    hands_left: int
    discards_left: int
    hands_per_round: int
    discards_per_round: int
    hand_size: int
    joker_slots: int
    """With those that Negative jokers bring."""
    consumable_slots: int
    blind: str
    """The blind last selected."""
    blind_disabled: bool
    only_hand: str | None
    """What The Mouth allows."""
    most_played: str
    """What The Ox punishes."""
    blinds: tuple[BlindView, ...]
    hand: tuple[CardView, ...]
    played: tuple[CardView, ...]
    draw_pile: tuple[CardView, ...]
    """The last is drawn next."""
    discard_pile: tuple[CardView, ...]
    jokers: tuple[JokerView, ...]
    consumables: tuple[ConsumableView, ...]
    tags: tuple[TagView, ...]
    vouchers: tuple[VoucherFact, ...]
    hands: tuple[HandView, ...]
    shop: tuple[ShopItemView, ...]
    shop_vouchers: tuple[VoucherView, ...]
    boosters: tuple[BoosterView, ...]
    reroll_price: int
    pack: PackView | None
    payout: PayoutView
    targets: TargetsView
    hands_played: int
    """In the whole run."""
    skips: int
    tarots_used: int
    planets_used: int
    """Different ones."""

    def __repr__(self) -> str:
        where = f"ante {self.ante}, round {self.round}, {self.phase}, ${self.dollars}"
        return f"<RunView {self.seed} {self.deck} {self.stake}: {where}>"

    @property
    def cards(self) -> tuple[CardView, ...]:
        """The full deck in creation order, by which events name cards."""
        piles = self.draw_pile + self.hand + self.played + self.discard_pile
        return tuple(sorted(piles, key=lambda card: card.uid))


def view(run: Run) -> RunView:
    """What a run looks like now."""
    data, seen = json.loads(run.to_json()), run.public_state()
    round_, memory = data["round"], data["memory"]
    sells = {joker.id: joker.sell_value for joker in (*seen.jokers, *seen.hidden_jokers)}
    jokers = tuple(_joker(joker, sells[joker["uid"]]) for joker in data["jokers"])
    consumables = tuple(map(_consumable, data["consumables"], [item.sell_value for item in seen.consumables]))
    return RunView(
        seed=run.seed,
        deck=data["deck"],
        stake=data["stake"],
        challenge=data["challenge"],
        phase=data["phase"],
        end=data["flags"]["end"],
        won=data["flags"]["won"],
        ante=round_["ante"],
        round=round_["round_num"],
        dollars=data["economy"]["money"],
        chips=float(data["score"]["chips"]),
        target=float(round_["blind"]["target"]),
        hands_left=round_["hands_left"],
        discards_left=round_["discards_left"],
        hands_per_round=round_["hands_per_round"],
        discards_per_round=round_["discards_per_round"],
        hand_size=round_["hand_size"],
        joker_slots=round_["joker_slots"] + _negatives(jokers),
        consumable_slots=round_["consumable_slots"] + _negatives(consumables),
        blind=round_["blind"]["key"],
        blind_disabled=round_["blind"]["disabled"],
        only_hand=round_["blind"]["only_hand"],
        most_played=round_["most_played"],
        blinds=tuple(_blinds(run, data)),
        hand=_cards(data["zones"]["hand"]),
        played=_cards(data["zones"]["played"]),
        draw_pile=_cards(data["zones"]["deck"]),
        discard_pile=_cards(data["zones"]["discard"]),
        jokers=jokers,
        consumables=consumables,
        tags=tuple(map(_tag, data["tags"])),
        vouchers=tuple(VOUCHERS[key] for key in data["vouchers"]),
        hands=tuple(_hand(name, stats, run.visible_hands) for name, stats in data["hands"].items()),
        shop=tuple(
            ShopItemView(_offer(item["offer"]), offer.price)
            for item, offer in zip(data["shop"]["cards"], seen.shop, strict=True)
        ),
        shop_vouchers=tuple(VoucherView(VOUCHERS[item.key], item.price) for item in seen.shop_vouchers),
        boosters=tuple(BoosterView(BOOSTERS[item.key], item.price) for item in seen.shop_boosters),
        reroll_price=seen.reroll_price,
        pack=_pack(data["pack"]) if data["phase"] == "pack_opening" else None,
        payout=PayoutView(**data["economy"]["payout"]),
        targets=TargetsView(**{name: data["targets"][name] for name in TargetsView.__slots__}),
        hands_played=memory["hands_played"],
        skips=memory["skips"],
        tarots_used=memory["tarots_used"],
        planets_used=len(memory["used_planets"]),
    )


def _negatives(items: Sequence[JokerView | ConsumableView]) -> int:
    return sum(item.edition == "e_negative" for item in items)


# --- Cards ------------------------------------------------------------------------------------------------------------


def _cards(zone: Sequence[Any]) -> tuple[CardView, ...]:
    return tuple(_card(card) for card in zone)


def _card(data: Mapping[str, Any]) -> CardView:
    modifiers, states = data["modifier"], data["state"]
    return CardView(
        key=data["key"],
        uid=data["uid"],
        rank=data["rank"],
        suit=data["suit"],
        enhancement=next((key for key in modifiers if key in ENHANCEMENTS), None),
        edition=next((key for key in modifiers if key in EDITIONS), None),
        seal=next((key for key in modifiers if key in SEALS), None),
        bonus=data.get("bonus", 0),
        debuffed="debuffed" in states,
        face_down="face_down" in states,
        forced="forced" in states,
    )


def _edition(data: Mapping[str, Any]) -> str | None:
    key: str = data["edition"]
    return None if key == "e_base" else key


def _stickers(data: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(name for name in ("eternal", "perishable", "rental") if data[name])


def _joker(data: Mapping[str, Any], sell_value: int) -> JokerView:
    return JokerView(
        fact=JOKERS[data["joker_id"]],
        uid=data["uid"],
        edition=_edition(data),
        stickers=_stickers(data),
        sell_value=sell_value,
        count=data["count"],
        x_mult=float(data["x_mult"]),
        perish_left=data["perish_left"],
        debuffed=data["disabled"],
        face_down=data["face_down"],
        pinned=data["pinned"],
    )


def _consumable(data: Mapping[str, Any], sell_value: int) -> ConsumableView:
    return ConsumableView(fact=CONSUMABLES[data["key"]], uid=data["uid"], edition=_edition(data), sell_value=sell_value)


def _offer(data: Mapping[str, Any]) -> OfferView:
    if data["kind"] == "joker":
        return JokerView(fact=JOKERS[data["joker"]], uid=data["uid"], edition=_edition(data), stickers=_stickers(data))
    if data["kind"] == "consumable":
        return ConsumableView(fact=CONSUMABLES[data["consumable"]], uid=data["uid"], edition=_edition(data))
    return _card(data["card"])


def _pack(data: Mapping[str, Any]) -> PackView:
    return PackView(BOOSTERS[data["key"]], data["picks_left"], tuple(map(_offer, data["cards"])))


def _tag(data: Mapping[str, Any]) -> TagView:
    fact = TAGS[data["key"]]
    return TagView(fact, data["orbital_hand"] if fact.names_hand else None)


def _hand(name: str, stats: Mapping[str, int], visible: Collection[str]) -> HandView:
    chips, mult = hand_base(name, stats["level"])
    return HandView(
        name=name,
        level=stats["level"],
        chips=chips,
        mult=mult,
        played=stats["played"],
        visible=name in visible,
    )


# --- Blinds -----------------------------------------------------------------------------------------------------------

_SLOTS = ("small", "big", "boss")


def _blinds(run: Run, data: Mapping[str, Any]) -> Iterator[BlindView]:
    round_ = data["round"]
    keys = ("bl_small", "bl_big", round_["boss"])
    now = _SLOTS.index(round_["on_deck"])
    for i, (slot, key) in enumerate(zip(_SLOTS, keys, strict=True)):
        fact = BLINDS[key]
        yield BlindView(
            key=key,
            name=fact.name,
            text=fact.text,
            target=run.blind_target(slot),
            reward=run.blind_reward(slot),
            tag=_tag(round_["skip_tags"][slot]) if slot in round_["skip_tags"] else None,
            state="done" if i < now else "now" if i == now else "later",
        )
