"""What could be done in the shop, with an open pack, or with consumables: the options that the expert compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jimbo.agents.expert.config import Unseen
from jimbo.agents.expert.targets import target_choices
from jimbo.backends import PublicView
from jimbo.engine import Run
from jimbo.engine.run import Action, BoosterView, ConsumableView, JokerView, RunView


@dataclass(frozen=True, slots=True)
class Option:
    """Actions to take one after another."""

    actions: tuple[Action, ...]
    after: Run
    """The run when they are done."""
    then: str = ""
    """What follows the first action, in words."""
    unseen: float = 0.0
    """Log score that it brings at once, in addition to what a forecast can see."""


def shop_options(view: PublicView, unseen: Unseen, sellable: Sequence[int], *, consumables: bool) -> Iterator[Option]:
    """Everything on offer; ``sellable`` are the jokers that may make room for another."""
    state = view.state
    for index, item in enumerate(state.shop):
        if isinstance(item.card, JokerView):
            buy = Action("buy", index=index)
            yield from _take_joker(view, buy, f"then buy {item.card.name}", sellable)
        elif isinstance(item.card, ConsumableView):
            if consumables:
                yield from _buy_consumable(view, index, item.card, unseen)
        else:
            yield from _option(view, Action("buy", index=index))
    for index in range(len(state.shop_vouchers)):
        yield from _option(view, Action("redeem", index=index))
    for index, booster in enumerate(state.boosters):
        yield from _open(view, index, booster, unseen)


def _buy_consumable(view: PublicView, index: int, card: ConsumableView, unseen: Unseen) -> Iterator[Option]:
    yield from _option(view, Action("buy_and_use", index=index))
    if card.fact.max_targets > 0:
        yield from _option(view, Action("buy", index=index), unseen=unseen.held_tarot)


def _open(view: PublicView, index: int, booster: BoosterView, unseen: Unseen) -> Iterator[Option]:
    """A pack is worth what packs of its kind usually bring; the forecast sees what it costs."""
    action = Action("open_booster", index=index)
    if view.seen.refusal(action) is not None:
        return
    yield Option((action,), paid_for(view, booster), unseen=_pack_worth(view.state, booster, unseen))


def paid_for(view: PublicView, booster: BoosterView) -> Run:
    """What is seen, without the price of a pack that is not opened yet."""
    paid = view.seen.clone()
    paid.dollars -= booster.price
    return paid


def _pack_worth(state: RunView, booster: BoosterView, unseen: Unseen) -> float:
    worth: float = getattr(unseen, pack_kind(state, booster))
    return worth * unseen.larger_pack if is_larger(booster) else worth


def pack_kind(state: RunView, booster: BoosterView) -> str:
    """The name of its worth among what a forecast cannot see."""
    kind = booster.fact.kind.lower()
    return "buffoon_when_full" if kind == "buffoon" and len(state.jokers) >= state.joker_slots else kind


def is_larger(booster: BoosterView) -> bool:
    return booster.fact.cards > 3


def pack_options(view: PublicView, *, consumables: bool) -> Iterator[Option]:
    state = view.state
    assert state.pack is not None
    for index, card in enumerate(state.pack.cards):
        if isinstance(card, JokerView):
            pick = Action("pick", index=index)
            yield from _take_joker(view, pick, f"then take {card.name}", range(len(state.jokers)))
        elif isinstance(card, ConsumableView):
            if not consumables:
                continue
            for cards in target_choices(state.hand, card):
                yield from _option(view, Action("pick", index=index, cards=cards))
        else:
            yield from _option(view, Action("pick", index=index))


def use_options(view: PublicView) -> Iterator[Option]:
    """Consumables that are held."""
    state = view.state
    for index, card in enumerate(state.consumables):
        for cards in target_choices(state.hand, card):
            yield from _option(view, Action("use", index=index, cards=cards))


def sell_options(view: PublicView) -> Iterator[tuple[int, Option]]:
    for slot in range(len(view.state.jokers)):
        for option in _option(view, Action("sell_joker", index=slot)):
            yield slot, option


def _take_joker(view: PublicView, take: Action, then: str, sellable: Sequence[int]) -> Iterator[Option]:
    """As it is, or if that is impossible in place of another."""
    taken = tuple(_option(view, take))
    yield from taken
    if taken:
        return
    for slot in sellable:
        yield from _option(view, Action("sell_joker", index=slot), take, then=then)


def _option(view: PublicView, *actions: Action, then: str = "", unseen: float = 0.0) -> Iterator[Option]:
    after = view.after(*actions)
    if after is not None:
        yield Option(actions, after, then, unseen)
