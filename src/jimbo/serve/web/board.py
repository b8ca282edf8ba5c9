"""A state as the page draws it: every word and number is here, so that the page only draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jimbo.engine import (
    Action,
    PublicBlind,
    PublicCard,
    PublicConsumable,
    PublicJoker,
    PublicOffer,
    PublicState,
    Refusal,
)
from jimbo.engine.catalog import BLINDS, CONSUMABLES, ENHANCEMENTS, JOKERS, VOUCHERS
from jimbo.serve.assistant.prospects import Prospects, Score
from jimbo.serve.game import BadInput, check
from jimbo.text import (
    RANKS,
    SUIT_SYMBOLS,
    Told,
    action_words,
    blind_text,
    card_name,
    card_short,
    counted,
    full_deck,
    game_text,
    is_stone,
    joker_now,
    money_text,
    next_blind,
    number_text,
    percent_text,
    place_name,
    refusal_words,
    rounds,
    stickers,
    tag_text,
)
from jimbo.text.items import Item, item_lines

Json = dict[str, Any]
_BY_PHASE = {
    "blind_select": ("select_blind", "skip_blind", "reroll_boss"),
    "selecting_hand": ("play", "discard", "sort_hand_by_rank", "sort_hand_by_suit"),
    "round_eval": ("cash_out",),
    "shop": ("reroll", "leave_shop"),
    "pack_opening": ("skip_pack",),
}
"""What can be done that is about nothing in particular on the table."""
_WITH_CARDS = ("play", "discard", "buy_and_use", "pick", "use")
_NEVER_HERE = (Refusal.wrong_phase, Refusal.no_such_place, Refusal.no_boss_reroll, Refusal.boss_cannot_be_skipped)
"""Reasons for which something is not offered at all; for others it is shown with the reason."""


def board(state: PublicState, seed: str) -> Json:
    """Return all that is drawn of a state."""
    deck, special = rounds.left_to_draw(state)
    return {
        "phase": str(state.phase),
        "place": place_name(state),
        "ante": state.ante,
        "round": state.round,
        "seed": seed,
        "game": game_text(state.deck, state.stake, state.challenge),
        "money": money_text(state.dollars),
        "facts": _facts(state),
        "score": _progress(state),
        "by_suit": bool(state.sorts_by_suit),
        "boss": _boss(state),
        "blinds": [_blind(one) for one in state.blinds],
        "hand": [_card(card, place, state) for place, card in enumerate(state.hand)],
        "jokers": [_joker(joker, place, state) for place, joker in enumerate(state.jokers)],
        "joker_room": f"{len(state.jokers)} of {len(state.jokers) + state.joker_room}",
        "consumables": [_consumable(card, place, state) for place, card in enumerate(state.consumables)],
        "consumable_room": f"{len(state.consumables)} of {len(state.consumables) + state.consumable_room}",
        "tags": [_item(tag, place, state, "tag") for place, tag in enumerate(state.tags)],
        "vouchers": [{"name": VOUCHERS[key].name, "lines": [VOUCHERS[key].text]} for key in state.vouchers],
        "shop": _shop(state),
        "pack": _pack(state),
        "payout": _payout(state),
        "end": _end(state),
        "deck": {
            "ranks": list(RANKS),
            "rows": [
                {"suit": suit, "symbol": SUIT_SYMBOLS[suit], "counts": [deck[suit, rank] for rank in RANKS]}
                for suit in ("S", "H", "C", "D")
            ],
            "special": [card_name(card) for card in special],
            "left": f"{len(state.unseen)} of {counted(len(full_deck(state)), 'card')} left to draw",
        },
        "levels": [
            {
                "hand": hand.hand,
                "level": hand.level,
                "chips": number_text(hand.chips),
                "mult": number_text(hand.mult),
                "played": hand.played,
            }
            for hand in reversed(state.hands)
            if hand.visible
        ],
    }


def _facts(state: PublicState) -> list[Json]:
    playing = state.phase in ("selecting_hand", "game_over")
    return [
        {"name": "hands", "value": state.hands_left if playing else state.hands_per_round},
        {"name": "discards", "value": state.discards_left if playing else state.discards_per_round},
        {"name": "hand_size", "value": state.hand_size},
        {"name": "deck", "value": f"{state.draw_pile} of {len(full_deck(state))}"},
    ]


def _progress(state: PublicState) -> Json | None:
    if state.phase not in ("selecting_hand", "round_eval", "game_over"):
        return None
    chips, target = state.chips, state.blind.target
    return {
        "chips": number_text(chips),
        "target": number_text(target),
        "share": min(1.0, chips / target) if target else 1.0,
        "to_go": number_text(max(0.0, target - chips)),
    }


def _boss(state: PublicState) -> Json | None:
    if state.phase != "selecting_hand" or not BLINDS[state.blind.key].boss:
        return None
    return {"name": BLINDS[state.blind.key].name, "text": rounds.boss_words(state), "disabled": state.blind.disabled}


def _blind(blind: PublicBlind) -> Json:
    tag = {"name": blind.tag.name, "text": tag_text(blind.tag)} if blind.tag else None
    return {
        "name": blind.name,
        "target": number_text(blind.target),
        "reward": money_text(blind.reward),
        "text": blind_text(blind),
        "tag": tag,
        "progress": blind.progress,
        "boss": blind.tag is None,
    }


# --- Items ------------------------------------------------------------------------------------------------------------


def _item(item: Item, place: int, state: PublicState, kind: str, **more: Any) -> Json:
    name = getattr(item, "name", "")
    return {"kind": kind, "place": place, "name": name, "lines": item_lines(item, state), **more}


def _face(card: PublicCard) -> Json:
    """What is printed on a playing card."""
    if card.face_down:
        return {"face_down": True}
    return {
        "rank": None if is_stone(card) else card.rank,
        "suit": None if is_stone(card) else card.suit,
        "enhancement": card.enhancement,
        "word": ENHANCEMENTS[card.enhancement].word if card.enhancement else "",
        "edition": card.edition,
        "seal": card.seal,
        "bonus": f"+{card.bonus}" if card.bonus else "",
        "debuffed": card.debuffed,
        "forced": card.forced,
    }


def _card(card: PublicCard, place: int, state: PublicState) -> Json:
    name = card_short(card) if card.face_down else card_name(card)
    return _item(card, place, state, "card", id=card.id, face=_face(card)) | {"name": name}


def _joker(joker: PublicJoker, place: int, state: PublicState) -> Json:
    if joker.face_down or not joker.key:
        return _item(joker, place, state, "joker", face_down=True) | {"name": "A joker, face down"}
    return _item(
        joker,
        place,
        state,
        "joker",
        key=joker.key,
        now=joker_now(joker, state),
        rarity=JOKERS[joker.key].rarity,
        edition=joker.edition,
        stickers=[*stickers(joker)],
        debuffed=joker.debuffed,
        worth=money_text(joker.sell_value),
    )


def _consumable(card: PublicConsumable, place: int, state: PublicState) -> Json:
    family = CONSUMABLES[card.key].kind
    return _item(card, place, state, "consumable", key=card.key, family=family, edition=card.edition)


def _offer(offer: PublicOffer, place: int, state: PublicState) -> Json:
    more: Json = {"price": money_text(offer.price), "dear": offer.price > max(state.spendable, 0)}
    if offer.card:
        made = _card(offer.card, place, state)
        return {**made, **more, "lines": made["lines"] or [_offer_line(offer)]}
    if offer.consumable:
        more |= {"key": offer.consumable, "family": CONSUMABLES[offer.consumable].kind}
    else:
        more |= {"key": offer.joker, "rarity": JOKERS[offer.joker or ""].rarity}
    kind = "consumable" if offer.consumable else "joker"
    return _item(offer, place, state, kind, edition=offer.edition, stickers=[*stickers(offer)], **more)


def _offer_line(offer: PublicOffer) -> str:
    return card_name(offer.card) if offer.card else offer.name


def _shop(state: PublicState) -> Json | None:
    if state.phase != "shop":
        return None
    coming, boss = next_blind(state), state.blinds[-1]
    spendable = max(state.spendable, 0)

    def priced(item: Any, place: int, kind: str) -> Json:
        more = {"price": money_text(item.price), "dear": item.price > spendable, "key": item.key}
        return _item(item, place, state, kind, **more)

    return {
        "cards": [_offer(offer, place, state) for place, offer in enumerate(state.shop)],
        "vouchers": [priced(one, place, "voucher") for place, one in enumerate(state.shop_vouchers)],
        "boosters": [priced(one, place, "booster") for place, one in enumerate(state.shop_boosters)],
        "reroll": money_text(state.reroll_price) if state.reroll_price else "free",
        "next": _blind(coming),
        "boss": _blind(boss) if boss.slot != coming.slot else None,
    }


def _pack(state: PublicState) -> Json | None:
    pack = state.pack
    if state.phase != "pack_opening" or pack is None:
        return None
    cards = [_offer(card, place, state) for place, card in enumerate(pack.cards)]
    for card in cards:
        del card["price"], card["dear"]  # paid already
    return {"name": pack.name, "picks": min(pack.picks_left, len(pack.cards)), "cards": cards}


def _payout(state: PublicState) -> Json | None:
    if state.phase != "round_eval":
        return None
    rows = [{"money": money_text(dollars), "what": what} for dollars, what in rounds.payout_rows(state)]
    won = f"{rounds.WON}." if rounds.just_won(state) else ""
    return {"rows": rows, "total": money_text(state.payout.total), "won": won}


def _end(state: PublicState) -> Json | None:
    if not state.over:
        return None
    return {"why": rounds.lost_words(state), "won": state.won, "facts": rounds.hands_words(state)}


# --- What can be done -------------------------------------------------------------------------------------------------


def options(state: PublicState, cards: Sequence[int] = ()) -> dict[str, Json]:
    """Return what can be done with these cards of the hand chosen, by ``kind`` or ``kind:place``.

    What is refused has the reason; what makes no sense here is left out.
    """
    found = {}
    for action in _actions(state, cards):
        refusal = state.refusal(action)
        if refusal in _NEVER_HERE:
            continue
        name = option_name(action, state)
        why = refusal_words(action, refusal, state) if refusal else None
        found[name] = {"action": action_data(action), "words": action_words(action, state), "why_not": why}
    return found


def option_name(action: Action, state: PublicState) -> str:
    """``kind`` for what is about nothing in particular on the table, ``kind:place`` for anything else."""
    return str(action.kind) if action.kind in _BY_PHASE.get(state.phase, ()) else f"{action.kind}:{action.index}"


def action_data(action: Action) -> Json:
    return {"kind": str(action.kind), "index": action.index, "to": action.to, "cards": list(action.cards)}


def _actions(state: PublicState, cards: Sequence[int]) -> Iterator[Action]:
    for kind in _BY_PHASE.get(state.phase, ()):
        yield Action(kind, cards=cards if kind in _WITH_CARDS else ())
    if state.over:
        return
    for place in range(len(state.jokers)):
        yield Action("sell_joker", index=place)
    for place, card in enumerate(state.consumables):
        yield Action("use", index=place, cards=_targets(card.key, cards))
        yield Action("sell_consumable", index=place)
    for place, offer in enumerate(state.shop if state.phase == "shop" else ()):
        yield Action("buy", index=place)
        if offer.consumable:
            yield Action("buy_and_use", index=place, cards=_targets(offer.consumable, cards))
    for place in range(len(state.shop_vouchers) if state.phase == "shop" else 0):
        yield Action("redeem", index=place)
    for place in range(len(state.shop_boosters) if state.phase == "shop" else 0):
        yield Action("open_booster", index=place)
    for place, offer in enumerate(state.pack.cards if state.pack and state.phase == "pack_opening" else ()):
        yield Action("pick", index=place, cards=_targets(offer.consumable, cards))


def _targets(key: str | None, cards: Sequence[int]) -> Sequence[int]:
    """The chosen cards, for a consumable that is used on cards."""
    return cards if key and CONSUMABLES[key].max_targets else ()


# --- What a play would score ------------------------------------------------------------------------------------------


def weigh(state: PublicState, cards: Sequence[int]) -> Json:
    """Return what the chosen cards would score if played, and what can be done with them."""
    chosen = sorted(set(cards))
    if any(not 0 <= place < len(state.hand) for place in chosen):
        raise BadInput(f"There is no such card in the hand; it has {len(state.hand)}.")
    score, why = None, ""
    if chosen and state.phase == "selecting_hand":
        action = Action("play", cards=chosen)
        try:
            check(action, state)
            made = Prospects(state).score(action)
            score = score_data(made) if made else None
            why = "" if made else "A face-down card is among them: nobody knows what it would score."
        except BadInput as wrong:
            why = str(wrong)
    return {"cards": chosen, "score": score, "why": why, "options": options(state, chosen)}


def score_data(score: Score) -> Json:
    """Return a score, its share of what is needed, and the parts that it is made of."""
    return {
        "hand": score.hand,
        "text": str(score),
        "expected": number_text(score.expected),
        "verdict": score.verdict,
        "range": f"{number_text(score.least)} to {number_text(score.most)}" if score.least != score.most else "",
        "share": percent_text(score.share),
        "beats": score.least >= score.needed,
        "guessed": score.guessed,
        "parts": [told_data(line) for line in score.told],
    }


def told_data(line: Told) -> Json:
    totals = [number_text(part) for part in line.totals] if line.totals else None
    score = number_text(line.score) if line.score is not None else None
    return {"kind": line.kind, "text": str(line), "who": line.who, "what": line.what, "totals": totals, "score": score}
