"""Acting in a situation, and seeing what came of it."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from jimbo.engine import Action, PublicShown
from rules.rolls import check_used_up
from rules.situation import Scene
from rules.tokens import tokens

# fmt: off
SHOP_CARDS = (
    "cdt", "rarity*sho", "Joker1sho", "Joker2sho", "Joker3sho", "edisho", "etperpoll", "ssjr", "Tarotsho", "Planetsho",
    "Spectralsho", "Enhancedsho", "frontsho", "illusion",
)
PACK_CARDS = (
    "Tarotar1", "omen_globe", "Spectralar2", "Planetpl1", "Spectralspe", "soul_Tarot", "soul_Planet", "soul_Spectral",
    "stdset", "Enhancedsta", "frontsta", "standard_edition", "stdseal", "stdsealtype", "rarity*buf", "Joker1buf",
    "Joker2buf", "Joker3buf", "edibuf", "packetper", "packssjr",
)
# fmt: on
ANTE = ("Voucher", "Tag", "boss", "orbital")
ROUND_END = ("idol", "mail", "anc", "cas")
ROUTINE: dict[str, tuple[str, ...]] = {
    "play": ROUND_END,
    "sell_joker": ROUND_END,
    "use": ROUND_END,
    "select_blind": ("nr",),
    "cash_out": ("cashout", "shop_pack", *SHOP_CARDS, *ANTE),
    "reroll": SHOP_CARDS,
    "redeem": SHOP_CARDS,
    "open_booster": PACK_CARDS,
    "skip_blind": PACK_CARDS,
    "leave_shop": PACK_CARDS,
    "reroll_boss": ("boss",),
}
"""Streams that an action draws from by its nature; every other one must be declared."""

Cards = str | Iterable[int]
"""Cards of the hand by token ("KS KH", first match) or by position."""


class Live:
    """A scene that has begun."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.run = scene.build()
        self._streams_before = self.now["rng"]["streams"]
        self._kinds: set[str] = set()

    # Actions.
    def play(self, cards: Cards) -> "Live":
        return self._step("play", cards=cards)

    def discard(self, cards: Cards) -> "Live":
        return self._step("discard", cards=cards)

    def use(self, consumable: str | int, cards: Cards = ()) -> "Live":
        return self._step("use", self._place(consumable, self.consumables), cards=cards)

    def sell(self, card: str | int) -> "Live":
        """A joker or consumable by key, or a joker by position."""
        if isinstance(card, str) and card.startswith("c_"):
            return self._step("sell_consumable", self._place(card, self.consumables))
        return self._step("sell_joker", self._place(card, self.jokers))

    def buy(self, card: str | int, *, and_use: bool = False, cards: Cards = ()) -> "Live":
        return self._step("buy_and_use" if and_use else "buy", self._place(card, self.shop), cards=cards)

    def redeem(self, voucher: str | int = 0) -> "Live":
        return self._step("redeem", self._place(voucher, self.shop_vouchers))

    def open(self, booster: str | int = 0) -> "Live":
        return self._step("open_booster", self._place(booster, self.boosters))

    def pick(self, card: str | int, cards: Cards = ()) -> "Live":
        return self._step("pick", self._place(card, self.pack), cards=cards)

    def move_joker(self, joker: str | int, to: int) -> "Live":
        return self._step("move_joker", self._place(joker, self.jokers), to=to)

    def move_card(self, card: str, to: int) -> "Live":
        return self._step("move_card", self.positions(card)[0], to=to)

    def move_consumable(self, consumable: str, to: int) -> "Live":
        return self._step("move_consumable", self._place(consumable, self.consumables), to=to)

    def act(self, kind: str) -> "Live":
        """An action without a choice: select_blind, cash_out, reroll..."""
        return self._step(kind)

    def _step(self, kind: str, index: int = 0, to: int = 0, cards: Cards = ()) -> "Live":
        self._kinds.add(kind)
        self.run.step(Action(kind, index, to, self.positions(cards)))
        return self

    def _place(self, card: str | int, among: Sequence[str]) -> int:
        return card if isinstance(card, int) else list(among).index(card)

    def positions(self, cards: Cards) -> list[int]:
        if not isinstance(cards, str):
            return list(cards)
        held = self.hand.split()
        chosen: list[int] = []
        for token in cards.split():
            free = [i for i in range(len(held)) if i not in chosen]
            match = [i for i in free if held[i] == token] or [i for i in free if held[i].startswith(token)]
            if not match:
                raise ValueError(f"{token} is not in the hand {self.hand}")
            chosen.append(match[0])
        return chosen

    # What a row can expect.
    @property
    def now(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self.run.to_json())
        return state

    def at(self, path: str) -> Any:
        value: Any = self.now
        for name in path.split("."):
            value = value[int(name)] if isinstance(value, list) else value[name]
        return value

    @property
    def phase(self) -> str:
        return self.run.phase

    @property
    def chips(self) -> float:
        """Of the last hand, before multiplication."""
        return self.at("score.last_chips")

    @property
    def mult(self) -> float:
        return self.at("score.last_mult")

    @property
    def score(self) -> float:
        return self.at("score.last_score")

    @property
    def total(self) -> float:
        """Scored in this round."""
        return self.run.chips

    @property
    def hand_type(self) -> str:
        return self.at("score.last_hand")

    @property
    def blocked(self) -> bool:
        return self.at("score.last_blocked")

    @property
    def target(self) -> float:
        return self.run.target

    @property
    def money(self) -> int:
        return self.run.dollars

    @property
    def ante(self) -> int:
        return self.run.ante

    @property
    def hands(self) -> int:
        return self.run.hands_left

    @property
    def discards(self) -> int:
        return self.run.discards_left

    @property
    def hand_size(self) -> int:
        return self.at("round.hand_size")

    @property
    def hand(self) -> str:
        return tokens(self.at("zones.hand"))

    @property
    def origins(self) -> str:
        """Of the cards in hand: the suit that each was created with, and its id ("C6 D19")."""
        return " ".join(f"{card.get('created_suit', card['suit'])}{card['uid']}" for card in self.at("zones.hand"))

    @property
    def cards_in_hand(self) -> int:
        return len(self.at("zones.hand"))

    @property
    def deck(self) -> str:
        return tokens(self.at("zones.deck"))

    @property
    def debuffed_cards(self) -> int:
        """In hand, like the next two."""
        return self._in_state("debuffed")

    @property
    def face_down(self) -> int:
        return self._in_state("face_down")

    @property
    def forced(self) -> int:
        return self._in_state("forced")

    def _in_state(self, state: str) -> int:
        return sum(state in card["state"] for card in self.at("zones.hand"))

    @property
    def cards_in_deck(self) -> int:
        return len(self.at("zones.deck"))

    @property
    def full_deck(self) -> str:
        """The cards of every zone in creation order."""
        cards = [card for zone in self.at("zones").values() for card in zone]
        return tokens(sorted(cards, key=lambda card: card["uid"]))

    @property
    def discarded(self) -> str:
        return tokens(self.at("zones.discard"))

    @property
    def jokers(self) -> list[str]:
        return [joker["joker_id"] for joker in self.at("jokers")]

    @property
    def joker_words(self) -> list[str]:
        """Key, edition, stickers: "j_egg e_foil eternal"."""
        marks = ("eternal", "perishable", "rental", "pinned")
        return [
            " ".join(
                [
                    joker["joker_id"],
                    *([joker["edition"]] if joker["edition"] != "e_base" else []),
                    *(mark for mark in marks if joker[mark]),
                ]
            )
            for joker in self.at("jokers")
        ]

    @property
    def count(self) -> int:
        """The growing number of the leftmost joker."""
        return self.at("jokers.0.count")

    @property
    def x_mult(self) -> float:
        """The growing multiplier of the leftmost joker."""
        return self.at("jokers.0.x_mult")

    @property
    def shown(self) -> str:
        """What the leftmost joker is worth at the moment: "chips 30", "cards_found 2 of 16", "card K S"."""
        return self.shown_by(0)

    def shown_by(self, slot: int) -> str:
        return ", ".join(" ".join(_shown_words(part)) for part in self.run.public_state().jokers[slot].shown)

    @property
    def counts(self) -> list[int]:
        return [joker["count"] for joker in self.at("jokers")]

    @property
    def x_mults(self) -> list[float]:
        return [joker["x_mult"] for joker in self.at("jokers")]

    @property
    def editions(self) -> list[str]:
        return [joker["edition"] for joker in self.at("jokers")]

    @property
    def debuffed(self) -> list[bool]:
        return [joker["disabled"] for joker in self.at("jokers")]

    @property
    def sell_values(self) -> list[int]:
        return [joker.sell_value for joker in self.run.public_state().jokers]

    @property
    def consumables(self) -> list[str]:
        return [consumable["key"] for consumable in self.at("consumables")]

    @property
    def consumable_sell_values(self) -> list[int]:
        return [item.sell_value for item in self.run.public_state().consumables]

    @property
    def levels(self) -> dict[str, int]:
        return {hand: stats["level"] for hand, stats in self.at("hands").items()}

    @property
    def played(self) -> dict[str, int]:
        return {hand: stats["played"] for hand, stats in self.at("hands").items()}

    @property
    def tags(self) -> list[str]:
        return [tag["key"] for tag in self.at("tags")]

    @property
    def vouchers(self) -> list[str]:
        return self.at("vouchers")

    @property
    def payout(self) -> dict[str, int]:
        return self.at("economy.payout")

    @property
    def shop(self) -> list[str]:
        return [_offer_text(card["offer"]) for card in self.at("shop.cards")]

    @property
    def shop_vouchers(self) -> list[str]:
        return [voucher["key"] for voucher in self.at("shop.vouchers")]

    @property
    def boosters(self) -> list[str]:
        return [booster["key"] for booster in self.at("shop.boosters")]

    @property
    def pack(self) -> list[str]:
        return [_offer_text(offer) for offer in self.at("pack.cards")]

    @property
    def pack_size(self) -> int:
        return len(self.at("pack.cards"))

    @property
    def prices(self) -> list[int]:
        """Of the cards on sale."""
        return [offer.price for offer in self.run.public_state().shop]

    @property
    def booster_prices(self) -> list[int]:
        return [booster.price for booster in self.run.public_state().shop_boosters]

    @property
    def voucher_prices(self) -> list[int]:
        return [voucher.price for voucher in self.run.public_state().shop_vouchers]

    @property
    def reroll_price(self) -> int:
        return self.run.public_state().reroll_price

    def check_rolls(self) -> None:
        routine = tuple(name for kind in self._kinds for name in ROUTINE.get(kind, ()))
        check_used_up(self._streams_before, self.now["rng"]["streams"], self.scene.rolls, routine)


def _offer_text(offer: dict[str, Any]) -> str:
    if offer["kind"] == "playing_card":
        return tokens([offer["card"]])
    text: str = offer[offer["kind"]]
    return text


def _shown_words(part: PublicShown) -> list[str]:
    words = [part.kind, *(word for word in (part.hand, part.rank, part.suit) if word is not None)]
    if part.kind == "copies":
        return [*words, "nothing" if part.copied is None else str(part.copied)]
    if len(words) == 1:
        words.append(f"{part.number:g}")
    return [*words, "of", str(part.of)] if part.of else words
