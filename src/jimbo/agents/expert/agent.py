"""The expert's decisions, phase by phase."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from jimbo.agents.expert.chances import Chances
from jimbo.agents.expert.config import REFERENCE_MS, ExpertConfig, load_config
from jimbo.agents.expert.options import Option, pack_options, sell_options, shop_options, use_options
from jimbo.agents.expert.value import Forecaster, Position
from jimbo.agents.protocol import Candidate, Decision
from jimbo.backends import PublicView
from jimbo.engine import best_hand_order, best_joker_order, solve_blind
from jimbo.engine.run import Action

_SHOWN = 5  # candidates told with a decision
_SALES = 2  # jokers that may have to make room for another


class ExpertAgent:
    """Solves blinds over sampled worlds and buys what raises its chance to win.

    ``budget_ms`` sets the work of a decision (25 ms is what the constants were made for). ``solver``, ``consumables``
    and ``joker_order`` switch parts off, to see what they are worth. ``clairvoyant`` plays in the true run that a
    revealing backend shows: cheating, to measure how much the hidden things would be worth.
    """

    name = "expert"

    def __init__(
        self,
        *,
        budget_ms: float = REFERENCE_MS,
        config: str | None = None,
        solver: bool = True,
        consumables: bool = True,
        joker_order: bool = True,
        clairvoyant: bool = False,
    ) -> None:
        if not budget_ms > 0:
            raise ValueError("budget_ms must be above 0")
        self.clairvoyant = clairvoyant
        self._config: ExpertConfig = load_config(Path(config) if config else None)
        self._effort = self._config.effort.scaled(budget_ms / REFERENCE_MS)
        self._solver = solver
        self._consumables = consumables
        self._joker_order = joker_order
        self.reset(0)

    def __repr__(self) -> str:
        return "<ExpertAgent, clairvoyant>" if self.clairvoyant else "<ExpertAgent>"

    def reset(self, nonce: int) -> None:
        self._nonce = nonce
        self._decisions = 0
        self._planned: list[Action] = []

    def act(self, view: PublicView) -> Decision:
        started = time.perf_counter()
        self._decisions += 1
        decision = self._follow_plan(view) or self._decide(view)
        return Decision(
            decision.action, decision.candidates, decision.explanation, seconds=time.perf_counter() - started
        )

    def _fresh_nonce(self) -> int:
        return (self._nonce * 0x9E3779B97F4A7C15 + self._decisions * 0xD1B54A32D192ED03) % 2**64

    # --- Plans of several actions -------------------------------------------------------------------------------------

    def _follow_plan(self, view: PublicView) -> Decision | None:
        if not self._planned:
            return None
        action = self._planned.pop(0)
        if view.seen.refusal(action) is None:
            return Decision(action, explanation="as planned")
        self._planned.clear()
        return None

    def _take(self, actions: Sequence[Action], candidates: Iterable[Candidate], explanation: str) -> Decision:
        self._planned = list(actions[1:])
        return Decision(actions[0], tuple(candidates)[:_SHOWN], explanation)

    # --- Phases -------------------------------------------------------------------------------------------------------

    def _decide(self, view: PublicView) -> Decision:
        if view.phase == "round_eval":
            return Decision(Action("cash_out"), explanation="the only thing to do")
        if view.phase == "selecting_hand":
            return self._use_consumable(view) or self._play_hand(view)
        if view.phase == "pack_opening":
            return self._pick(view)
        if view.phase == "shop":
            return self._order_jokers(view) or self._use_consumable(view) or self._shop(view)
        return self._order_jokers(view) or self._reroll_boss(view) or self._choose_blind(view)

    def _order_jokers(self, view: PublicView) -> Decision | None:
        if not self._joker_order:
            return None
        order = best_joker_order(view.seen, self._fresh_nonce())
        for slot, joker in enumerate(order):
            if joker == slot:
                continue
            move = Action("move_joker", index=joker, to=slot)
            if view.seen.refusal(move) is None:
                return Decision(move, explanation=f"{view.state.jokers[joker].name} scores more at place {slot + 1}")
        return None

    def _reroll_boss(self, view: PublicView) -> Decision | None:
        gain = self._chances(view).another_boss()
        if gain is None or gain <= self._config.threshold:
            return None
        return Decision(Action("reroll_boss"), explanation=f"another boss is worth {gain:+.2f}")

    def _choose_blind(self, view: PublicView) -> Decision:
        tag = next(blind.tag for blind in view.state.blinds if blind.state == "now")
        gain = self._chances(view).skip(self._config.unseen.tags.get(tag.fact.key, 0.0)) if tag else None
        if tag is None or gain is None:
            return Decision(Action("select_blind"))
        told = (Candidate(Action("skip_blind"), gain, f"skip for {tag.fact.name}"),)
        if gain > self._config.threshold:
            return Decision(Action("skip_blind"), told, f"{tag.fact.name} is worth more than the blind and its shop")
        return Decision(Action("select_blind"), told, f"{tag.fact.name} is worth less than the blind and its shop")

    def _chances(self, view: PublicView) -> Chances:
        return Chances(view, self._forecaster(), self._effort, self._fresh_nonce(), clairvoyant=self.clairvoyant)

    # --- Hands --------------------------------------------------------------------------------------------------------

    def _play_hand(self, view: PublicView) -> Decision:
        solved = solve_blind(
            view.seen,
            rollouts=self._effort.rollouts if self._solver else 1,
            nonce=self._fresh_nonce(),
            dollar_worth=self._config.hand.dollar_worth,
            clairvoyant=self.clairvoyant,
        )
        if not self._solver:
            solved = sorted((s for s in solved if s.action.kind == "play"), key=lambda s: -s.score)
        best = solved[0]
        candidates = [
            Candidate(s.action, s.value, f"{s.score:,.0f} expected", s.clear if s.worlds else None, s.error)
            for s in solved
        ]
        explanation = f"clears in {best.clear:.0%} of {best.worlds} worlds"
        return self._take(self._in_best_order(view, best.action), candidates, explanation)

    def _in_best_order(self, view: PublicView, action: Action) -> list[Action]:
        """Moves that put the played cards in order, and the play."""
        if action.kind != "play" or not self._joker_order:
            return [action]
        order = best_hand_order(view.seen, action)
        if order == action.cards:
            return [action]
        hand = list(range(len(view.state.hand)))
        moves = []
        for to, card in enumerate(order):
            place = hand.index(card)
            if place != to:
                moves.append(Action("move_card", index=place, to=to))
                hand.insert(to, hand.pop(place))
        return [*moves, Action("play", cards=range(len(order)))]

    # --- Everything that is bought, used or taken ---------------------------------------------------------------------

    def _forecaster(self) -> Forecaster:
        return Forecaster(self._config, self._fresh_nonce(), clairvoyant=self.clairvoyant)

    def _use_consumable(self, view: PublicView) -> Decision | None:
        if not self._consumables or not view.state.consumables or view.state.chips > 0:
            return None
        ranked = self._rank(view, use_options(view), self._forecaster())
        if not ranked or ranked[0][0] <= self._config.use_threshold:
            return None
        return self._choose(ranked)

    def _pick(self, view: PublicView) -> Decision:
        skip = view.after(Action("skip_pack"))
        assert skip is not None
        options = [Option((Action("skip_pack"),), "take nothing", skip)]
        options += pack_options(view, consumables=self._consumables)
        return self._choose(self._rank(view, options, self._forecaster()))

    def _shop(self, view: PublicView) -> Decision:
        forecaster = self._forecaster()
        sales = self._rank(view, (option for _, option in sell_options(view)), forecaster, finalists=0)
        sellable = [option.actions[0].index for _, option in sales[:_SALES]]
        options = [option for gain, option in sales[:1] if gain > self._config.threshold]
        options += shop_options(view, self._config.unseen, sellable, consumables=self._consumables)
        ranked = self._rank(view, options, forecaster)
        if ranked and ranked[0][0] > self._config.threshold:
            return self._choose(ranked)
        told = _told(ranked)
        gain = self._chances(view).reroll(sellable)
        if gain is not None:
            told.insert(0, Candidate(Action("reroll"), gain, "reroll"))
            if gain >= 0:  # even if it shows nothing better: money without another use costs nothing
                return Decision(Action("reroll"), tuple(told[:_SHOWN]), f"a reroll is worth {gain:+.2f}")
        return Decision(Action("leave_shop"), tuple(told[:_SHOWN]), "nothing on offer is worth its price")

    def _rank(
        self, view: PublicView, options: Iterable[Option], forecaster: Forecaster, finalists: int | None = None
    ) -> list[tuple[float, Option]]:
        """Gains in the log chance to win, best first. All options are looked at briefly, the best of them longer."""
        effort = self._effort
        finalists = effort.finalists if finalists is None else finalists
        listed = list(options)
        if not listed:
            return []

        def gains(positions: Sequence[Position], base: Position) -> list[float]:
            now = forecaster.log_win(base)
            return [
                forecaster.log_win(position, at_once=option.unseen) - now
                for position, option in zip(positions, listed, strict=True)
            ]

        base = forecaster.position(view.seen, effort.first_worlds)
        positions = [forecaster.position(option.after, effort.first_worlds) for option in listed]
        first = gains(positions, base)
        best = sorted(range(len(listed)), key=lambda i: -first[i])[:finalists]
        if best:
            longer = base.with_more(forecaster.position(view.seen, effort.more_worlds, effort.first_worlds))
            for i in best:
                more = forecaster.position(listed[i].after, effort.more_worlds, effort.first_worlds)
                positions[i] = positions[i].with_more(more)
            second = gains(positions, longer)
            ranked = [(second[i], listed[i]) for i in best]
            rest = [(first[i], listed[i]) for i in range(len(listed)) if i not in best]
            return _sorted(ranked) + _sorted(rest)
        return _sorted(zip(first, listed, strict=True))

    def _choose(self, ranked: Sequence[tuple[float, Option]]) -> Decision:
        gain, option = ranked[0]
        explanation = f"{option.text}: {math.expm1(gain):+.1%} chance to win"
        return self._take(option.actions, _told(ranked), explanation)


def _sorted(ranked: Iterable[tuple[float, Option]]) -> list[tuple[float, Option]]:
    return sorted(ranked, key=lambda pair: -pair[0])


def _told(ranked: Iterable[tuple[float, Option]]) -> list[Candidate]:
    return [Candidate(option.actions[0], gain, option.text) for gain, option in ranked]
