"""The decisions of expert-v1, phase by phase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from jimbo.agents.expert_v1.chances import Chances, Gain
from jimbo.agents.expert_v1.config import ExpertConfig, load_config
from jimbo.agents.expert_v1.options import Option, pack_options, sell_options, shop_options, use_options
from jimbo.agents.expert_v1.reasons import WinReasons
from jimbo.agents.expert_v1.settings import ExpertV1Options
from jimbo.agents.expert_v1.value import Forecaster, Position
from jimbo.agents.plans import Planner, in_best_order, joker_move
from jimbo.agents.protocol import Decision
from jimbo.agents.reasons import hand_decision
from jimbo.agents.seen import Seen
from jimbo.engine import Action, solve_blind

_SALES = 2  # jokers that might be sold to make room for another


class Ranking(NamedTuple):
    """What could be done."""

    log_now: float
    """The log chance to win as things stand, if there are options."""
    options: list[tuple[float, Option]]
    """Each with what it adds to that chance. Best first; those looked at longer come before all others."""
    longer: int = 0
    """How many were looked at longer."""


class ExpertV1Agent(Planner):
    """Solves blinds over sampled worlds and buys what raises its chance to win."""

    name = "expert-v1"
    Options = ExpertV1Options

    def __init__(self, options: ExpertV1Options | None = None, constants: ExpertConfig | None = None) -> None:
        """``constants`` take the place of the file that the options name."""
        options = options or ExpertV1Options()
        self.clairvoyant = options.clairvoyant
        self._config = constants or load_config(Path(options.config) if options.config else None)
        self._effort = self._config.effort.scaled(options.effort)
        self._solver = options.solver
        self._consumables = options.consumables
        self._joker_order = options.joker_order
        super().__init__()

    def __repr__(self) -> str:
        return "<ExpertV1Agent, clairvoyant>" if self.clairvoyant else "<ExpertV1Agent>"

    # --- Phases -------------------------------------------------------------------------------------------------------

    def _decide(self, seen: Seen) -> Decision:
        if seen.state.phase == "round_eval":
            return Decision(Action("cash_out"), explanation="the only thing to do")
        if seen.state.phase == "selecting_hand":
            return self._use_consumable(seen) or self._play_hand(seen)
        if seen.state.phase == "pack_opening":
            return self._pick(seen)
        if seen.state.phase == "shop":
            return self._order_jokers(seen) or self._use_consumable(seen) or self._shop(seen)
        return self._order_jokers(seen) or self._reroll_boss(seen) or self._choose_blind(seen)

    def _order_jokers(self, seen: Seen) -> Decision | None:
        return joker_move(seen, self._fresh_nonce()) if self._joker_order else None

    def _reroll_boss(self, seen: Seen) -> Decision | None:
        gain = self._chances(seen).another_boss()
        if gain is None or gain.log <= self._config.threshold:
            return None
        reasons = WinReasons(gain.log_now)
        reroll, stay = Action("reroll_boss"), Action("select_blind")
        considered = (reasons.considered(reroll, gain.log, chosen=True), reasons.considered(stay, 0.0))
        return reasons.decision(reroll, considered, f"another boss: {reasons.text(gain.log)}")

    def _choose_blind(self, seen: Seen) -> Decision:
        tag = next(blind.tag for blind in seen.state.blinds if blind.progress == "now")
        gain = self._chances(seen).skip(self._config.unseen.tags.get(tag.key, 0.0)) if tag else None
        if tag is None or gain is None:
            return Decision(Action("select_blind"))
        reasons = WinReasons(gain.log_now)
        play, skip = Action("select_blind"), Action("skip_blind")
        skips = gain.log > self._config.threshold
        considered = (reasons.considered(play, 0.0, chosen=not skips), reasons.considered(skip, gain.log, chosen=skips))
        explanation = f"{tag.name} is worth {'more' if skips else 'less'} than the blind and its shop"
        return reasons.decision(skip if skips else play, considered, explanation)

    def _chances(self, seen: Seen) -> Chances:
        return Chances(seen, self._forecaster(), self._effort, self._fresh_nonce(), clairvoyant=self.clairvoyant)

    # --- Hands --------------------------------------------------------------------------------------------------------

    def _play_hand(self, seen: Seen) -> Decision:
        solved = solve_blind(
            seen.run,
            rollouts=self._effort.rollouts if self._solver else 1,
            nonce=self._fresh_nonce(),
            dollar_worth=self._config.hand.dollar_worth,
            clairvoyant=self.clairvoyant,
        )
        if not self._solver:
            solved = sorted((s for s in solved if s.action.kind == "play"), key=lambda s: -s.score)
        best = solved[0].action
        first = self._plan.begin(in_best_order(seen, best) if self._joker_order else [best])
        return hand_decision(first, solved, by_score=not self._solver)

    # --- Everything that is bought, used or taken ---------------------------------------------------------------------

    def _forecaster(self) -> Forecaster:
        return Forecaster(self._config, self._fresh_nonce(), clairvoyant=self.clairvoyant)

    def _use_consumable(self, seen: Seen) -> Decision | None:
        if not self._consumables or not seen.state.consumables or seen.state.chips > 0:
            return None
        ranking = self._rank(seen, use_options(seen), self._forecaster())
        if not ranking.options or ranking.options[0][0] <= self._config.use_threshold:
            return None
        return self._choose(ranking)

    def _pick(self, seen: Seen) -> Decision:
        skip = seen.after(Action("skip_pack"))
        assert skip is not None
        options = [Option((Action("skip_pack"),), skip)]
        options += pack_options(seen, consumables=self._consumables)
        return self._choose(self._rank(seen, options, self._forecaster()))

    def _shop(self, seen: Seen) -> Decision:
        forecaster = self._forecaster()
        sales = self._rank(seen, (option for _, option in sell_options(seen)), forecaster, finalists=0).options
        sellable = [option.actions[0].index for _, option in sales[:_SALES]]
        options = [option for gain, option in sales[:1] if gain > self._config.threshold]
        options += shop_options(seen, self._config.unseen, sellable, consumables=self._consumables)
        ranking = self._rank(seen, options, forecaster)
        if ranking.options and ranking.options[0][0] > self._config.threshold:
            return self._choose(ranking, otherwise=Action("leave_shop"))
        return self._reroll_or_leave(ranking, self._chances(seen).reroll(sellable))

    def _reroll_or_leave(self, ranking: Ranking, gain: Gain | None) -> Decision:
        reroll, leave = Action("reroll"), Action("leave_shop")
        if not ranking.options and gain is None:
            return Decision(leave, explanation="nothing else to do")  # so no chance was computed
        reasons = WinReasons(gain.log_now if gain and not ranking.options else ranking.log_now)
        considered = reasons.options(ranking.options[: ranking.longer], chosen=False)
        # Even if it shows nothing better: money without any other use costs nothing.
        if gain is not None and gain.log >= 0:
            considered[:0] = reasons.considered(reroll, gain.log, chosen=True), reasons.considered(leave, 0.0)
            return reasons.decision(reroll, considered, f"a reroll: {reasons.text(gain.log)}")
        considered.insert(0, reasons.considered(leave, 0.0, chosen=True))
        if gain is not None:
            considered.insert(1, reasons.considered(reroll, gain.log))
        return reasons.decision(leave, considered, "nothing on offer is worth its price")

    def _rank(
        self, seen: Seen, options: Iterable[Option], forecaster: Forecaster, finalists: int | None = None
    ) -> Ranking:
        """All options are looked at briefly, the best of them longer."""
        effort = self._effort
        finalists = effort.finalists if finalists is None else finalists
        listed = list(options)
        if not listed:
            return Ranking(0.0, [])

        def gains(positions: Sequence[Position], now: float) -> list[float]:
            return [
                forecaster.log_win(position, at_once=option.unseen) - now
                for position, option in zip(positions, listed, strict=True)
            ]

        base = forecaster.position(seen.run, effort.first_worlds)
        positions = [forecaster.position(option.after, effort.first_worlds) for option in listed]
        now = forecaster.log_win(base)
        first = gains(positions, now)
        best = sorted(range(len(listed)), key=lambda i: -first[i])[:finalists]
        if not best:
            return Ranking(now, _sorted(zip(first, listed, strict=True)))
        longer = base.with_more(forecaster.position(seen.run, effort.more_worlds, effort.first_worlds))
        for i in best:
            more = forecaster.position(listed[i].after, effort.more_worlds, effort.first_worlds)
            positions[i] = positions[i].with_more(more)
        now = forecaster.log_win(longer)
        second = gains(positions, now)
        ranked = [(second[i], listed[i]) for i in best]
        rest = [(first[i], listed[i]) for i in range(len(listed)) if i not in best]
        return Ranking(now, _sorted(ranked) + _sorted(rest), len(best))

    def _choose(self, ranking: Ranking, otherwise: Action | None = None) -> Decision:
        """``otherwise``: what would be done if nothing were chosen."""
        gain, option = ranking.options[0]
        reasons = WinReasons(ranking.log_now)
        considered = reasons.options(ranking.options[: ranking.longer], chosen=True)
        if otherwise:
            considered.insert(1, reasons.considered(otherwise, 0.0))
        first = self._plan.begin(option.actions)
        return reasons.decision(first, considered, f"{f'{option.then}: ' if option.then else ''}{reasons.text(gain)}")


def _sorted(ranked: Iterable[tuple[float, Option]]) -> list[tuple[float, Option]]:
    return sorted(ranked, key=lambda pair: -pair[0])
