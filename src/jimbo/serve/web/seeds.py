"""Requests about one seed: what it holds with what is certain of it, lines of steps on it, routes, and runs of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo.data.record_files import record_text
from jimbo.engine import Action, Phase, PublicState, Run
from jimbo.engine.catalog import BLINDS, CONSUMABLES, JOKERS, TAGS, VOUCHERS
from jimbo.processes import await_end, children_without_ctrl_c
from jimbo.seeds.exploration import ASSUMED
from jimbo.seeds.labels import Label, Labels, Place, item_words, label_rest, places
from jimbo.seeds.line import LineStart, Spent, play_line, read_words, word_of
from jimbo.seeds.parse import parse_has
from jimbo.seeds.route import FoundRoute, find_route
from jimbo.seeds.words import condition_words
from jimbo.serve.game import BadInput
from jimbo.serve.seed_runs import PlayedLine, played_line, spent_text, told_steps
from jimbo.serve.web.asked import number_in
from jimbo.serve.web.state import web_of
from jimbo.serve.web.wire import Plain, read_object
from jimbo.text import (
    action_words,
    card_name,
    game_text,
    money_text,
    next_blind,
    number_text,
    place_name,
    refusal_words,
    tag_text,
)

Json = dict[str, Any]
_QUEUE = 20
_LAST_ANTE = 8
_LONGEST = 64
_LONGEST_LINE = 6000
_ROUTE_SECONDS = 12.0
_MOST_WISHES = 12
_BESIDES = ("sell_joker", "sell_consumable", "use")


# --- One seed ---------------------------------------------------------------------------------------------------------


async def _show(request: Request) -> Response:
    asked = {name: request.query_params.get(name) or None for name in (*_NAMES, "line", "dollars")}
    return Plain(await asyncio.to_thread(_answer, asked))


_NAMES = ("seed", "deck", "stake", "challenge")


def _start(asked: Mapping[str, Any]) -> LineStart:
    if any(isinstance(asked.get(name), str) and len(asked[name]) > _LONGEST for name in _NAMES):
        raise BadInput("Names of seeds, decks and stakes are shorter.")
    if not asked.get("seed"):
        raise BadInput("Name a seed.")
    dollars = str(asked.get("dollars") or 0)
    if not (dollars.isdecimal() and len(dollars) < 8):
        raise BadInput("Extra dollars are a whole number from 0 on.")
    try:
        deck = None if asked.get("challenge") else asked.get("deck")
        stake, challenge = asked.get("stake") or "white", asked.get("challenge") or None
        return LineStart(asked["seed"], deck, stake, challenge, int(dollars))
    except ValueError as error:
        raise BadInput(str(error)) from None


def _words(asked: Mapping[str, Any]) -> tuple[str, ...]:
    line = asked.get("line") or ""
    if not isinstance(line, str) or len(line) > _LONGEST_LINE:
        raise BadInput("The line is too long.")
    try:
        return read_words(line)
    except ValueError as error:
        raise BadInput(str(error)) from None


def _answer(asked: Mapping[str, Any]) -> Json:
    return _told(_start(asked), _words(asked))


@lru_cache(64)
def _told(start: LineStart, words: tuple[str, ...]) -> Json:
    try:
        steps, line = told_steps(start, words), play_line(start, words)
    except ValueError as error:
        raise BadInput(str(error)) from None
    run = line.run
    state = run.public_state()
    last = max(_LAST_ANTE, state.ante + 1)
    labels = label_rest(run, last, _QUEUE)
    before = dict(places(label_rest(start.run(), last, _QUEUE).antes)) if words else {}
    return {
        "seed": start.seed,
        "deck": start.deck,
        "stake": start.stake,
        "challenge": start.challenge,
        "dollars": start.dollars,
        "game": game_text(str(start.deck), start.stake, start.challenge),
        "assumed": ASSUMED if not words else _REST,
        "words": list(words),
        "steps": [
            {
                "text": one.text,
                "ante": one.ante,
                "paid": money_text(-one.paid) if one.paid else "",
                "money": money_text(one.money),
            }
            for one in steps
        ],
        "spent": spent_text(line.spent) if line.spent != Spent() else "",
        "now": _now(run, state),
        "antes": [_ante(one, labels, before, state) for one in labels.antes],
    }


_REST = (
    "The rest of the seed from here on, when nothing more is bought. Packs hold what they would hold if opened one "
    "after another, with the shop's cards gone; tags that are held are left out."
)


# --- Where a line stands ----------------------------------------------------------------------------------------------


def _now(run: Run, state: PublicState) -> Json:
    return {
        "place": place_name(state),
        "ante": state.ante,
        "money": money_text(state.dollars),
        "phase": str(state.phase),
        "over": bool(state.over),
        "jokers": [joker.name for joker in state.jokers],
        "consumables": [card.name for card in state.consumables],
        "vouchers": [VOUCHERS[key].name for key in state.vouchers],
        "tags": [{"name": tag.name, "text": tag_text(tag)} for tag in state.tags],
        "offers": _offers(run, state),
        "steps": _steps(run, state),
    }


def _step(run: Run, state: PublicState, action: Action, text: str = "") -> Json:
    """A step that may be done, with the reason where it may not."""
    refusal = run.refusal(action)
    words = text or action_words(action, state)
    why = refusal_words(action, refusal, state) if refusal else ""
    return {"word": word_of(action), "text": words[0].upper() + words[1:], "why": why}


def _offers(run: Run, state: PublicState) -> list[Json]:
    """What stands in the shop or lies in the pack, with what can be done with it."""
    if state.phase == Phase.pack_opening and state.pack:
        return [
            _offer(run, state, offer.name or item_words(_named(offer)), _fact_text(offer), "", [_pick(run, state, at)])
            for at, offer in enumerate(state.pack.cards)
        ]
    if state.phase != Phase.shop:
        return []
    shown = []
    for at, offer in enumerate(state.shop):
        steps = [_step(run, state, Action("buy", index=at))]
        use = Action("buy_and_use", index=at)
        steps += [_step(run, state, use)] if offer.consumable and run.refusal(use) is None else []
        name = item_words(_named(offer))
        shown.append(_offer(run, state, name, _fact_text(offer), money_text(offer.price), steps))
    for at, voucher in enumerate(state.shop_vouchers):
        steps = [_step(run, state, Action("redeem", index=at))]
        fact = VOUCHERS[voucher.key]
        shown.append(_offer(run, state, fact.name, fact.text, money_text(voucher.price), steps))
    for at, booster in enumerate(state.shop_boosters):
        steps = [_step(run, state, Action("open_booster", index=at))]
        shown.append(_offer(run, state, booster.name, _inside(run, at), money_text(booster.price), steps))
    return shown


def _offer(run: Run, state: PublicState, name: str, text: str, price: str, steps: list[Json]) -> Json:
    return {"name": name, "text": text, "price": price, "steps": steps}


def _pick(run: Run, state: PublicState, at: int) -> Json:
    """Taking a card: with the first choice of targets that is allowed."""
    targets = (one for one in run.legal_actions() if one.kind == "pick" and one.index == at)
    return _step(run, state, next(targets, Action("pick", index=at)))


def _inside(run: Run, at: int) -> str:
    """What a pack holds if it is opened now."""
    opened = run.clone()
    opened.dollars += 1000
    opened.step(Action("open_booster", index=at))
    pack = opened.public_state().pack
    return f"Opened now: {', '.join(item_words(_named(offer)) for offer in pack.cards)}" if pack else ""


def _named(offer: Any) -> Json:
    """A card on offer, as reports name it."""
    if offer.card is not None:
        return {"key": "", "name": card_name(offer.card)}
    stickers = [name for name in ("eternal", "perishable", "rental") if getattr(offer, name)]
    edition = offer.edition if offer.edition and offer.edition != "e_base" else None
    return {"key": offer.joker or offer.consumable, "name": offer.name, "edition": edition, "stickers": stickers}


def _fact_text(offer: Any) -> str:
    fact = JOKERS.get(offer.joker or "") or CONSUMABLES.get(offer.consumable or "")
    return fact.text if fact else ""


def _steps(run: Run, state: PublicState) -> list[Json]:
    """What can be done that is about nothing on the table, and with what is held."""
    if state.over:
        return []
    if state.phase == Phase.pack_opening:
        return [_step(run, state, Action("skip_pack"))]
    steps = [_step(run, state, Action("reroll"))] if state.phase == Phase.shop else []
    blind = next_blind(state)
    steps.append({"word": "beat", "text": f"Beat {blind.name} ({number_text(blind.target)})", "why": ""})
    if blind.tag is not None:
        steps.append({"word": "skip", "text": f"Skip {blind.name} for the {blind.tag.name}", "why": ""})
    if state.phase == Phase.blind_select and run.refusal(Action("reroll_boss")) is None:
        steps.append(_step(run, state, Action("reroll_boss")))
    for action in run.legal_actions():
        if action.kind in _BESIDES and not action.cards:
            steps.append(_step(run, state, action))
    return steps


# --- What the seed holds ----------------------------------------------------------------------------------------------


def _ante(ante: Mapping[str, Any], labels: Labels, before: Mapping[Place, Any], state: PublicState) -> Json:
    number = ante["ante"]

    def told(place: Place, item: Mapping[str, Any], text: str = "") -> Json:
        found = _item(item, labels.of[place], text)
        was = before.get(place)
        changed = was is not None and was != item and number > state.ante
        return {**found, "was": item_words(was) if changed and was else ""}

    return {
        "ante": number,
        "boss": told((number, "boss", 0, 0), ante["boss"], BLINDS[ante["boss"]["key"]].text),
        "voucher": told((number, "voucher", 0, 0), ante["voucher"], VOUCHERS[ante["voucher"]["key"]].text)
        if number > state.ante or state.voucher or state.phase == Phase.blind_select
        else None,
        "tags": [told((number, "tag", at, 0), tag, TAGS[tag["key"]].text) for at, tag in enumerate(ante["tags"])],
        "shop": [told((number, "shop", at, 0), card) for at, card in enumerate(ante["shop"])],
        "packs": [
            {
                **told((number, "pack", at, 0), {"key": pack["key"], "name": pack["name"]}),
                "cards": [told((number, "card", at, place), card) for place, card in enumerate(pack["cards"])],
            }
            for at, pack in enumerate(ante["packs"])
        ],
        "legendaries": [told((number, "soul", at, 0), card) for at, card in enumerate(ante["legendaries"])],
    }


def _item(item: Mapping[str, Any], label: Label, text: str = "") -> Json:
    """An item with everything on it, in words, and what it depends on."""
    key = str(item["key"])
    fact = JOKERS.get(key) or CONSUMABLES.get(key)
    kind = JOKERS[key].rarity if key in JOKERS else CONSUMABLES[key].kind if key in CONSUMABLES else ""
    return {
        "name": item_words(item),
        "text": text or (fact.text if fact else ""),
        "kind": kind,
        "label": label.kind,
        "why": [{"words": cause.words, "then": cause.then} for cause in label.causes],
    }


# --- Routes, and runs of lines ----------------------------------------------------------------------------------------


async def _route(request: Request) -> Response:
    """The cheapest line to what is wished for, searched for in a process of its own."""
    asked = await read_object(request)
    texts = asked.get("wishes")
    if not isinstance(texts, list) or not all(isinstance(one, str) and len(one) <= 200 for one in texts):
        raise BadInput("Wishes are a list of short texts, such as blueprint @ 1-3.")
    start, words = _start(asked), _words(asked)
    by_ante, hands = number_in(asked, "by_ante", _LAST_ANTE), number_in(asked, "hands_left")
    wishes = [text for text in texts if text.strip()]
    if len(wishes) > _MOST_WISHES or hands > 10:
        raise BadInput(f"A route takes up to {_MOST_WISHES} wishes and 10 hands that a blind leaves.")
    try:
        named = [condition_words(parse_has(text)) for text in wishes]
        found = await asyncio.to_thread(_routed, start, tuple(wishes), by_ante, hands, words)
        steps = told_steps(start, found.words)
    except ValueError as error:
        raise BadInput(str(error)) from None
    return Plain(
        {
            "line": ".".join(found.words),
            "steps": len(steps),
            "cost": spent_text(found.spent),
            "left": money_text(found.money),
            "got": [
                {"wish": named[one.wish], "name": one.name, "how": one.how, "ante": one.ante, "step": one.word}
                for one in found.got
            ],
            "missing": [{"wish": named[one], "unseen": one in found.unseen} for one in found.missing],
            "cheapest": found.is_cheapest,
            "tried": found.tried,
            "assumed": found.assumed,
        }
    )


def _routed(start: LineStart, wishes: Sequence[str], by_ante: int, hands: int, words: Sequence[str]) -> FoundRoute:
    """It ends with its process, by itself after some seconds."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    with children_without_ctrl_c():
        process = context.Process(target=_search, args=(theirs, start, wishes, by_ante, hands, words), daemon=True)
        process.start()
    theirs.close()
    try:
        answer = ours.recv() if ours.poll(_ROUTE_SECONDS * 3) else BadInput("The search took too long.")
    except EOFError:
        answer = BadInput("The search has ended without an answer.")
    finally:
        ours.close()
        process.terminate()
        await_end(process)
    if isinstance(answer, Exception):
        raise BadInput(str(answer))
    assert isinstance(answer, FoundRoute)
    return answer


def _search(
    pipe: Connection, start: LineStart, wishes: Sequence[str], by_ante: int, hands: int, words: Sequence[str]
) -> None:
    try:
        conditions = [parse_has(text) for text in wishes]
        pipe.send(find_route(start, conditions, by_ante=by_ante, hands_left=hands, seconds=_ROUTE_SECONDS, words=words))
    except ValueError as error:
        pipe.send(ValueError(str(error)))


async def _play(request: Request) -> Response:
    """A game on the page in which a line has been played with real hands."""
    asked = await read_object(request)
    start, words = _start(asked), _words(asked)
    games = web_of(request).games
    if not words and not start.dollars:
        begun = await games.begin(start.seed, None if start.challenge else start.deck, start.stake, start.challenge)
        return Plain({"id": begun.id, "note": ""}, 201)
    played = await asyncio.to_thread(_played, start, words)
    game = await games.again(played.record.header, played.record.decisions)
    return Plain({"id": game.id, "note": played.note, "done": played.done, "of": len(words)}, 201)


async def _run(request: Request) -> Response:
    """A line with real hands, as a file that jimbo play, assist and review read."""
    asked = {name: request.query_params.get(name) for name in (*_NAMES, "line", "dollars")}
    start = _start(asked)
    played = await asyncio.to_thread(_played, start, _words(asked))
    stem = "".join(one for one in start.seed if one.isalnum()) or "seed"
    headers = {"content-disposition": f'attachment; filename="{stem}-line.jsonl"', "cache-control": "no-store"}
    return Response(record_text(played.record), media_type="application/jsonl", headers=headers)


def _played(start: LineStart, words: Sequence[str]) -> PlayedLine:
    try:
        return played_line(start, words)
    except ValueError as error:
        raise BadInput(str(error)) from None


ROUTES = [
    Route("/api/seeds", _show),
    Route("/api/seeds/route", _route, methods=["POST"]),
    Route("/api/seeds/play", _play, methods=["POST"]),
    Route("/api/seeds/run", _run),
]
