"""What a seed holds, as typed facts read from the core's JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Item:
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Card:
    """A joker, a consumable or a playing card; a playing card's key is its front, such as ``S_T``."""

    key: str
    name: str
    edition: str | None = None
    enhancement: str | None = None
    seal: str | None = None
    stickers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pack:
    key: str
    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Ante:
    ante: int
    boss: Item
    voucher: Item
    tags: tuple[Item, Item]
    """For skipping the small and the big blind."""
    shop: tuple[Card, ...]
    """The queue of shop cards, which rerolls continue."""
    packs: tuple[Pack, ...]
    """Two for each shop."""
    legendaries: tuple[Card, ...]
    """What the Souls of these packs give, in order."""


@dataclass(frozen=True, slots=True)
class SeedReport:
    seed: str
    deck: str
    stake: str
    antes: tuple[Ante, ...]
    challenge: str | None = None
    starting_deck: tuple[str, ...] = ()
    """The fronts of the Erratic Deck; empty for decks that are the same in every seed."""


def read_report(data: Any) -> SeedReport:
    return SeedReport(
        data["seed"],
        data["deck"],
        data["stake"],
        tuple(_ante(ante) for ante in data["antes"]),
        data.get("challenge"),
        tuple(data.get("starting_deck", ())),
    )


def _ante(data: Any) -> Ante:
    small, big = data["tags"]
    return Ante(
        ante=data["ante"],
        boss=Item(**data["boss"]),
        voucher=Item(**data["voucher"]),
        tags=(Item(**small), Item(**big)),
        shop=_cards(data["shop"]),
        packs=tuple(Pack(pack["key"], pack["name"], _cards(pack["cards"])) for pack in data["packs"]),
        legendaries=_cards(data["legendaries"]),
    )


def _cards(data: Any) -> tuple[Card, ...]:
    return tuple(Card(**{**card, "stickers": tuple(card.get("stickers", ()))}) for card in data)
