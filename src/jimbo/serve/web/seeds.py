"""Requests about seeds: what one holds, ante by ante, as ``jimbo seed show`` tells it."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo.engine.catalog import BLINDS, CONSUMABLES, EDITIONS, ENHANCEMENTS, JOKERS, SEALS, STICKERS, TAGS, VOUCHERS
from jimbo.seeds.exploration import ASSUMED, Ante, Card, Exploration
from jimbo.seeds.starts import typed_seed
from jimbo.serve.game import BadInput
from jimbo.serve.web.wire import Plain
from jimbo.text import game_text

Json = dict[str, Any]
_QUEUE = 20
_LONGEST = 64


async def _show(request: Request) -> Response:
    asked = {name: request.query_params.get(name) or None for name in ("seed", "deck", "stake", "challenge")}
    if any(value and len(value) > _LONGEST for value in asked.values()):
        raise BadInput("Names of seeds, decks and stakes are shorter.")
    return Plain(await asyncio.to_thread(_report, **asked))


def _report(seed: str | None, deck: str | None, stake: str | None, challenge: str | None) -> Json:
    try:
        if seed is None:
            raise ValueError("Name a seed.")
        exploration = Exploration(None if challenge else deck, stake or "white", queue=_QUEUE, challenge=challenge)
        report = exploration.report(typed_seed(seed))
    except ValueError as error:
        raise BadInput(str(error)) from None
    return {
        "seed": report.seed,
        "deck": report.deck,
        "stake": report.stake,
        "challenge": report.challenge,
        "game": game_text(report.deck, report.stake, report.challenge),
        "assumed": ASSUMED,
        "antes": [_ante(one) for one in report.antes],
    }


def _ante(ante: Ante) -> Json:
    return {
        "ante": ante.ante,
        "boss": {"name": ante.boss.name, "text": BLINDS[ante.boss.key].text},
        "voucher": {"name": ante.voucher.name, "text": VOUCHERS[ante.voucher.key].text},
        "tags": [{"name": tag.name, "text": TAGS[tag.key].text} for tag in ante.tags],
        "shop": [_card(card) for card in ante.shop],
        "packs": [{"name": pack.name, "cards": [_card(card) for card in pack.cards]} for pack in ante.packs],
        "legendaries": [_card(card) for card in ante.legendaries],
    }


def _card(card: Card) -> Json:
    """A card with everything on it, in words."""
    words = [card.name]
    if card.enhancement:
        words.insert(0, ENHANCEMENTS[card.enhancement].word)
    words += [EDITIONS[card.edition].name] if card.edition else []
    words += [SEALS[card.seal].name] if card.seal else []
    words += [STICKERS[one].name for one in card.stickers]
    fact = JOKERS.get(card.key) or CONSUMABLES.get(card.key)
    kind = JOKERS[card.key].rarity if card.key in JOKERS else CONSUMABLES[card.key].kind if fact else ""
    return {"name": " ".join(words), "text": fact.text if fact else "", "kind": kind}


ROUTES = [Route("/api/seeds", _show)]
