"""What could be done in the shop, with an open pack, or with consumables: the options that the expert compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jimbo.agents.expert_v1.config import Unseen
from jimbo.agents.expert_v1.targets import target_choices
from jimbo.agents.seen import Seen
from jimbo.engine import Action, PublicBooster, PublicState, Run
from jimbo.engine.catalog import BOOSTERS, CONSUMABLES, ConsumableFact


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


def shop_options(seen: Seen, unseen: Unseen, sellable: Sequence[int], *, consumables: bool) -> Iterator[Option]:
    """Everything on offer; ``sellable`` are the jokers that may make room for another."""
    state = seen.state
    for index, offer in enumerate(state.shop):
        if offer.joker:
            buy = Action("buy", index=index)
            yield from _take_joker(seen, buy, f"then buy {offer.name}", sellable)
        elif offer.consumable:
            if consumables:
                yield from _buy_consumable(seen, index, CONSUMABLES[offer.consumable], unseen)
        else:
            yield from _option(seen, Action("buy", index=index))
    for index in range(len(state.shop_vouchers)):
        yield from _option(seen, Action("redeem", index=index))
    for index, booster in enumerate(state.shop_boosters):
        yield from _open(seen, index, booster, unseen)


def _buy_consumable(seen: Seen, index: int, card: ConsumableFact, unseen: Unseen) -> Iterator[Option]:
    yield from _option(seen, Action("buy_and_use", index=index))
    if card.max_targets > 0:
        yield from _option(seen, Action("buy", index=index), unseen=unseen.held_tarot)


def _open(seen: Seen, index: int, booster: PublicBooster, unseen: Unseen) -> Iterator[Option]:
    """A pack is worth what packs of its kind usually bring; the forecast sees what it costs."""
    action = Action("open_booster", index=index)
    if seen.run.refusal(action) is not None:
        return
    yield Option((action,), paid_for(seen, booster), unseen=_pack_worth(seen.state, booster, unseen))


def paid_for(seen: Seen, booster: PublicBooster) -> Run:
    """What is seen, without the price of a pack that is not opened yet."""
    paid = seen.run.clone()
    paid.dollars -= booster.price
    return paid


def _pack_worth(state: PublicState, booster: PublicBooster, unseen: Unseen) -> float:
    worth: float = getattr(unseen, pack_kind(state, booster))
    return worth * unseen.larger_pack if is_larger(booster) else worth


def pack_kind(state: PublicState, booster: PublicBooster) -> str:
    """The name of its worth among what a forecast cannot see."""
    kind = BOOSTERS[booster.key].kind.lower()
    return "buffoon_when_full" if kind == "buffoon" and state.joker_room <= 0 else kind


def is_larger(booster: PublicBooster) -> bool:
    return BOOSTERS[booster.key].cards > 3


def pack_options(seen: Seen, *, consumables: bool) -> Iterator[Option]:
    state = seen.state
    assert state.pack is not None
    for index, offer in enumerate(state.pack.cards):
        if offer.joker:
            pick = Action("pick", index=index)
            yield from _take_joker(seen, pick, f"then take {offer.name}", range(len(state.jokers)))
        elif offer.consumable:
            if not consumables:
                continue
            for cards in target_choices(seen.run.hand, CONSUMABLES[offer.consumable]):
                yield from _option(seen, Action("pick", index=index, cards=cards))
        else:
            yield from _option(seen, Action("pick", index=index))


def use_options(seen: Seen) -> Iterator[Option]:
    """Consumables that are held."""
    for index, card in enumerate(seen.state.consumables):
        for cards in target_choices(seen.run.hand, CONSUMABLES[card.key]):
            yield from _option(seen, Action("use", index=index, cards=cards))


def sell_options(seen: Seen) -> Iterator[tuple[int, Option]]:
    for slot in range(len(seen.state.jokers)):
        for option in _option(seen, Action("sell_joker", index=slot)):
            yield slot, option


def _take_joker(seen: Seen, take: Action, then: str, sellable: Sequence[int]) -> Iterator[Option]:
    """As it is, or if that is impossible in place of another."""
    taken = tuple(_option(seen, take))
    yield from taken
    if taken:
        return
    for slot in sellable:
        yield from _option(seen, Action("sell_joker", index=slot), take, then=then)


def _option(seen: Seen, *actions: Action, then: str = "", unseen: float = 0.0) -> Iterator[Option]:
    after = seen.after(*actions)
    if after is not None:
        yield Option(actions, after, then, unseen)
