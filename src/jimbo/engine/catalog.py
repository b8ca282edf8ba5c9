"""Everything there is in the game, as typed facts: jokers, consumables, vouchers, packs, tags, blinds and so on.

Each set is a dict from the game's key to a fact, in the game's own order, which is also the order of its pools::

    >>> from jimbo.engine.catalog import JOKERS, fact
    >>> JOKERS["j_greedy_joker"].cost
    5
    >>> fact("bl_hook").name
    'The Hook'

The facts are read from the compiled core once, at import; this module holds none of its own. Facts name each other by
key, such as the prerequisite of a voucher. ``order`` counts from 0 within its set and equals the core's enum value.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from jimbo.engine._core import catalog_rows


class Fact(Protocol):
    """What every fact has."""

    @property
    def key(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def order(self) -> int: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JokerFact:
    key: str
    name: str
    order: int
    text: str
    rarity: str
    """Common, Uncommon, Rare or Legendary."""
    cost: int
    copyable: bool
    """Blueprint and Brainstorm can copy it."""
    eternal: bool
    """It may carry the Eternal sticker."""
    perishable: bool
    """It may carry the Perishable sticker."""
    gate: str | None
    """An enhancement: the joker appears only while the full deck holds such a card."""
    pool_gate: str | None
    """``needs_gros_michel_alive`` or ``needs_gros_michel_extinct``."""
    locked_on_fresh_profile: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsumableFact:
    key: str
    name: str
    order: int
    """Tarots first, then Planets, then Spectrals."""
    text: str
    kind: str
    """Tarot, Planet or Spectral."""
    cost: int
    min_targets: int
    """How many cards of the hand must be selected; 0 when it takes none."""
    max_targets: int
    hand: str | None
    """The hand that a Planet raises."""
    softlocked: bool
    """It appears only after its hand has been played in this run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoucherFact:
    key: str
    name: str
    order: int
    text: str
    cost: int
    prerequisite: str | None
    """The voucher that must have been redeemed first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoosterFact:
    key: str
    name: str
    order: int
    text: str
    kind: str
    """Arcana, Celestial, Standard, Buffoon or Spectral."""
    size: str
    """Normal, Jumbo or Mega."""
    cost: int
    weight: float
    cards: int
    """How many cards it shows."""
    picks: int
    """How many of them may be taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagFact:
    key: str
    name: str
    order: int
    text: str
    min_ante: int
    locked_on_fresh_profile: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindFact:
    key: str
    name: str
    order: int
    text: str
    dollars: int
    """Reward."""
    score: float
    """Times the base chips of the ante."""
    boss: bool
    showdown: bool
    """The boss of every 8th ante."""
    min_ante: int
    debuffed_suit: str | None
    debuffs_faces: bool
    min_cards: int
    """A play of fewer cards does not score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckFact:
    key: str
    name: str
    order: int
    text: str
    hands: int
    """This and the next five are added to what every run starts with."""
    discards: int
    dollars: int
    hand_size: int
    joker_slots: int
    consumable_slots: int
    dollars_per_hand: int
    """Payout for each hand left at the end of a round."""
    dollars_per_discard: int
    no_interest: bool
    vouchers: tuple[str, ...]
    consumables: tuple[str, ...]
    spectral_rate: int
    """Weight of Spectral cards in the shop."""
    remove_faces: bool
    checkered: bool
    erratic: bool
    ante_scaling: int
    """Times the required score."""
    double_tag_after_boss: bool
    balances_score: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeFact:
    """The fields hold everything up to this stake; the text says what it adds to the one below."""

    key: str
    name: str
    order: int
    text: str
    small_blind_pays: bool
    base_table: int
    discards: int
    eternal: bool
    perishable: bool
    rental: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStart:
    """What a run starts from before its deck and stake change it."""

    dollars: int
    hands: int
    discards: int
    hand_size: int
    joker_slots: int
    consumable_slots: int
    reroll_cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeJoker:
    key: str
    edition: str
    eternal: bool
    pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeCard:
    front: str
    """Such as ``H_T``, the Ten of Hearts."""
    enhancement: str | None
    seal: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeFact:
    key: str
    name: str
    order: int
    text: str
    no_reward: bool
    no_reward_small: bool
    no_reward_big: bool
    no_extra_hand_money: bool
    no_interest: bool
    chips_dollar_cap: bool
    """Chips count at most the money."""
    flipped_cards: int
    """1 in this many cards is drawn face down; 0 for none."""
    minus_hand_size_per_x_dollar: int
    """-1 hand size for each of this many dollars held; 0 for none."""
    debuff_played_cards: bool
    discard_cost: int
    set_eternal_ante: int
    """From the boss of this ante on all jokers are eternal; 0 for never."""
    set_joker_slots_ante: int
    """From the boss of this ante on there are no joker slots; 0 for never."""
    all_eternal: bool
    inflation: bool
    no_shop_jokers: bool
    start: RunStart
    jokers: tuple[ChallengeJoker, ...]
    consumables: tuple[str, ...]
    vouchers: tuple[str, ...]
    deck: tuple[ChallengeCard, ...]
    banned_jokers: tuple[str, ...]
    banned_consumables: tuple[str, ...]
    banned_vouchers: tuple[str, ...]
    banned_boosters: tuple[str, ...]
    banned_tags: tuple[str, ...]
    banned_blinds: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnhancementFact:
    key: str
    name: str
    order: int
    """1 for Bonus: 0 is a card without enhancement."""
    text: str
    word: str
    """The name without "Card"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionFact:
    key: str
    name: str
    order: int
    text: str
    price: int
    """Added to the cost of the card that carries it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealFact:
    key: str
    name: str
    order: int
    """1 for the Gold Seal: 0 is a card without seal."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StickerFact:
    key: str
    name: str
    order: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandFact:
    """A poker hand; its key is its name. The order ascends: of several hands in one play the highest counts."""

    key: str
    name: str
    order: int
    text: str
    chips: int
    mult: int
    chips_per_level: int
    mult_per_level: int
    secret: bool
    """Hidden until it has been played once."""


_F = TypeVar("_F", bound=Fact)

_rows = catalog_rows()


def _facts(kind: type[_F], rows: list[dict[str, Any]]) -> dict[str, _F]:
    return {row["key"]: kind(**row) for row in rows}


def _challenge(row: dict[str, Any]) -> dict[str, Any]:
    return row | {
        "start": RunStart(**row["start"]),
        "jokers": tuple(ChallengeJoker(**joker) for joker in row["jokers"]),
        "deck": tuple(ChallengeCard(**card) for card in row["deck"]),
    }


JOKERS = _facts(JokerFact, _rows["jokers"])
CONSUMABLES = _facts(ConsumableFact, _rows["consumables"])
VOUCHERS = _facts(VoucherFact, _rows["vouchers"])
BOOSTERS = _facts(BoosterFact, _rows["boosters"])
TAGS = _facts(TagFact, _rows["tags"])
BLINDS = _facts(BlindFact, _rows["blinds"])
DECKS = _facts(DeckFact, _rows["decks"])
STAKES = _facts(StakeFact, _rows["stakes"])
CHALLENGES = _facts(ChallengeFact, [_challenge(row) for row in _rows["challenges"]])
ENHANCEMENTS = _facts(EnhancementFact, _rows["enhancements"])
EDITIONS = _facts(EditionFact, _rows["editions"])
SEALS = _facts(SealFact, _rows["seals"])
STICKERS = _facts(StickerFact, _rows["stickers"])
HANDS = _facts(HandFact, _rows["hands"])

del _rows

_by_key: dict[str, Fact] = {
    **JOKERS,
    **CONSUMABLES,
    **VOUCHERS,
    **BOOSTERS,
    **TAGS,
    **BLINDS,
    **DECKS,
    **STAKES,
    **CHALLENGES,
    **ENHANCEMENTS,
    **EDITIONS,
    **SEALS,
    **STICKERS,
    **HANDS,
}


def fact(key: str) -> Fact:
    """The fact of any item by its key. Raises KeyError, naming similar keys, when there is none."""
    found = _by_key.get(key)
    if found is not None:
        return found
    # A display name is the likeliest mistake, so names are offered with their keys.
    by_name = {item.name.lower(): item.key for item in reversed(_by_key.values())}
    folded = {known.lower(): known for known in _by_key} | by_name
    close = dict.fromkeys(folded[match] for match in difflib.get_close_matches(key.lower(), folded, n=3, cutoff=0.7))
    hint = f"Did you mean {' or '.join(close)}?" if close else "Keys look like j_joker, c_fool, v_blank, bl_hook."
    raise KeyError(f"No item of the game has the key {key!r}. {hint}")
