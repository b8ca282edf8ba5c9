"""What a player sees change by a step whose outcome is known, beside jokers and money."""

from __future__ import annotations

from collections.abc import Iterator

from jimbo.engine import Action, Phase, PublicState, Run
from jimbo.text import card_name, full_deck, joker_name, joker_now, number_text
from jimbo.text.build_reasons import Changes, Turns
from jimbo.text.reasons import Claim

_LIMITS = ("hands_per_round", "discards_per_round", "hand_size", "joker_slots", "consumable_slots", "shop_slots")


def changes(run: Run, after: Run) -> list[Claim]:
    """Return a claim for each; two jokers of a kind that change alike are told once."""
    old, new = run.public_state(), after.public_state()
    return list(dict.fromkeys([*_numbers(old, new), *_cards(old, new), *_jokers(run, new)]))


def _numbers(old: PublicState, new: PublicState) -> Iterator[Claim]:
    for a, b in zip(old.hands, new.hands, strict=True):
        if a.level != b.level:
            yield Changes(f"{a.hand} at level {b.level}", _base_of(a.chips, a.mult), _base_of(b.chips, b.mult))
    for name in _LIMITS:
        if getattr(old, name) != getattr(new, name):
            yield Changes(name.replace("_", " "), str(getattr(old, name)), str(getattr(new, name)))
    if old.phase == Phase.shop and new.phase == Phase.shop and old.reroll_price != new.reroll_price:
        yield Changes("the price of a reroll", f"${old.reroll_price}", f"${new.reroll_price}")


def _cards(old: PublicState, new: PublicState) -> Iterator[Claim]:
    cards, others = ({card.id: card_name(card) for card in full_deck(state)} for state in (old, new))
    turned = [(name, others[key]) for key, name in cards.items() if key and others.get(key, name) != name]
    if turned:
        yield Turns(tuple(name for name, _ in turned), tuple(name for _, name in turned))
    if len(others) not in (len(cards), len(cards) + 1):  # one more is what the step says
        yield Changes("cards in the deck", str(len(cards)), str(len(others)))


def _jokers(run: Run, new: PublicState) -> Iterator[Claim]:
    base = _unhanded(run, new)
    shown = {joker.id: joker_now(joker, base) for joker in base.jokers if not joker.face_down}
    for joker in new.jokers:
        now = joker_now(joker, new)
        if now != shown.get(joker.id, now):
            yield Changes(joker_name(joker), shown[joker.id], now)


def _unhanded(run: Run, new: PublicState) -> PublicState:
    """The state as it was; without the cards that a pack had dealt, where they have gone back to the deck."""
    if run.phase != Phase.pack_opening or new.phase == Phase.pack_opening:
        return run.public_state()
    skipped = run.clone()
    skipped.step(Action("skip_pack"))
    return skipped.public_state()


def _base_of(chips: float, mult: float) -> str:
    return f"{number_text(chips)} x {number_text(mult)}"
