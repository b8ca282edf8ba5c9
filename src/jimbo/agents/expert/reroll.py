"""What other cards in the shop, or another boss, would be worth: tried out in sampled worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jimbo.agents.expert.config import Effort
from jimbo.agents.expert.value import Forecaster
from jimbo.backends import PublicView, taken
from jimbo.engine import Run
from jimbo.engine.run import Action

_LEAST_LEFT = 3  # dollars: with less nothing could be bought


def reroll_gain(
    view: PublicView,
    forecaster: Forecaster,
    effort: Effort,
    sellable: Sequence[int],
    nonce: int,
    *,
    clairvoyant: bool,
) -> float | None:
    """Mean gain of a reroll and the best purchase after it; None if it is not allowed or pointless."""
    reroll = Action("reroll")
    if view.seen.refusal(reroll) is not None or view.state.dollars - view.state.reroll_price < _LEAST_LEFT:
        return None

    def log_win(run: Run) -> float:
        return forecaster.log_win(forecaster.position(run, effort.reroll_forecast_worlds))

    total = 0.0
    for n in range(effort.reroll_worlds):
        world = view.seen.clone() if clairvoyant else view.seen.determinize((nonce + n) % 2**64)
        world.step(reroll)
        total += max([log_win(world), *(log_win(bought) for bought in _purchases(world, sellable))])
    return total / effort.reroll_worlds - log_win(view.seen)


def _purchases(run: Run, sellable: Sequence[int]) -> Iterator[Run]:
    """Each new card bought, with a joker sold for it where there is no room; planets are used at once."""
    for index in range(len(run.shop_prices)):
        use = taken(run, Action("buy_and_use", index=index))
        buy = taken(run, Action("buy", index=index))
        swap = taken(run, Action("sell_joker", index=sellable[0]), Action("buy", index=index)) if sellable else None
        bought = use or buy or swap
        if bought is not None:
            yield bought


def boss_reroll_gain(view: PublicView, forecaster: Forecaster, effort: Effort, nonce: int) -> float:
    """Mean gain of another boss."""
    worlds = effort.first_worlds
    now = forecaster.log_win(forecaster.position(view.seen, worlds))
    total = 0.0
    for n in range(effort.reroll_worlds):
        world = view.seen.determinize((nonce + n) % 2**64)
        world.step(Action("reroll_boss"))
        total += forecaster.log_win(forecaster.position(world, worlds))
    return total / effort.reroll_worlds - now
