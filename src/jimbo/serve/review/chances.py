"""The chance to win a run after something is done in it: worlds that look the same to the player, played on.

Hands are played by the fast player to the end of the blind; from there on, and between hands, the package's value says
what the run is worth. Two ways to go on are compared in the same worlds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, stdev

from jimbo.agents.told import ChancesHere, told_chances
from jimbo.engine import Action, IllegalAction, Phase, PublicState, Run
from jimbo.engine.value import Strategist, judge_options
from jimbo.serve.assistant.what_if import ONWARD, own_value

FREE = ("move_joker", "move_card", "move_consumable", "sort_hand_by_rank", "sort_hand_by_suit")
"""What costs nothing and can be taken back."""
_PLAYS_ON = "expert"
"""Whose chances they are: how often that agent wins from there."""
_ROLLOUTS = 160
"""What the value is told of how hands are played: as by the expert at a fifth of its effort, or more."""
_FINALISTS, _FORECASTS = 4, 4
_PICKS = 5
"""More cards than any pack lets one take."""
_GOES_ON = 8
"""Options that are taken one after another, at most, before the run is judged as it stands."""
HIDES = ("leave_shop", "select_blind", "open_booster", "reroll", "reroll_boss", "skip_blind")
"""What leads out of the shop, or to what nobody can know."""
_QUICK = (Phase.selecting_hand, Phase.round_eval)
"""Where much is hidden and a world is quickly played, so that many are looked at."""
_SURE_WORLDS = (1, 2, 3)
"""Nonces of worlds that must agree where nothing hidden comes of an action."""
_FEWEST = 4
_SURE_ERRORS = 2.0
"""Standard errors beyond which a difference is taken for one."""
_WORTH_A_LOOK = 1.0
"""Standard errors beyond which it is looked at again, in fresh worlds."""
_LEAST = 0.001
"""A smaller difference of two chances means nothing to anybody."""
_MORE = 4
"""Times as many worlds for the second look."""


@dataclass(frozen=True, slots=True)
class Worlds:
    """What became of a run in some worlds."""

    wins: tuple[float, ...]
    """The chance to win of each, as the value says it."""
    in_blind: bool
    """They began with a hand to play, so that 0 means a lost blind."""

    @property
    def win(self) -> float:
        return fmean(self.wins)

    @property
    def cleared(self) -> float:
        return fmean(win > 0 for win in self.wins)


@dataclass(frozen=True, slots=True)
class ComparedChoices:
    """Two ways to go on from one state."""

    win: float
    """The calibrated chance to win by the better way; by the player's own where they are equal."""
    given_up: float = 0.0
    """What the player's way has less, beyond doubt; 0 where it is equal within error, or better."""
    error: float = 0.0
    """The standard error of the difference."""


class Chances:
    """Estimates of the chance to win. All chance comes from their nonces, so they are the same every time."""

    def __init__(self, effort: float) -> None:
        """``effort`` scales the number of worlds."""
        self._worlds = {True: max(_FEWEST, round(500 * effort)), False: max(_FEWEST, round(40 * effort))}
        self._told = told_chances(_PLAYS_ON, None, None)

    def at(self, state: PublicState) -> float:
        """The calibrated chance to win from a state that has come, before anything is done."""
        if state.won or state.over:
            return float(state.won)
        return self._calibrated(self._sample(state, (), 0, 1), state)

    def of(self, state: PublicState, line: Sequence[Action]) -> float:
        """The calibrated chance to win once some actions are done."""
        return self._calibrated(self._sample(state, line, 0, 1), state)

    def compare(self, state: PublicState, own: Sequence[Action], best: Sequence[Action]) -> ComparedChoices:
        """Compare the player's way with another. A difference is confirmed in worlds of its own, because the largest
        of many differences are large by chance."""
        mine, others = (self._sample(state, line, 0, 1) for line in (own, best))
        difference, error = self._difference(mine, others)
        if difference > _WORTH_A_LOOK * error:
            mine, others = (self._sample(state, line, 1, _MORE) for line in (own, best))
            difference, error = self._difference(mine, others)
        win, better = self._calibrated(mine, state), self._calibrated(others, state)
        steep = (better - win) / difference if difference > 0 else 1.0
        if difference <= _SURE_ERRORS * error or better - win < _LEAST:
            return ComparedChoices(win, error=error * steep)
        return ComparedChoices(better, better - win, error * steep)

    def is_sure(self, state: PublicState, action: Action) -> bool:
        """Whether nothing hidden comes of an action: it leads to the same state in every world."""
        found = []
        for nonce in _SURE_WORLDS:
            run = state.imagine(nonce)
            if run.refusal(action) is not None:
                return False
            run.step(action)
            found.append(run.public_state())
        return all(one == found[0] for one in found[1:])

    # --- Worlds -------------------------------------------------------------------------------------------------------

    def _sample(self, state: PublicState, line: Sequence[Action], look: int, times: int) -> Worlds:
        in_blind = state.phase == Phase.selecting_hand
        count = self._worlds[state.phase in _QUICK] * times
        first = 1 + look * 1_000_000
        return Worlds(tuple(self._win(state, line, first + world) for world in range(count)), in_blind)

    def _win(self, state: PublicState, line: Sequence[Action], nonce: int) -> float:
        run = state.imagine(nonce)
        for action in line:
            if action.kind == "select_blind" and run.phase == Phase.blind_select:
                return self._onward(run, nonce)
            try:
                run.step(action)
            except IllegalAction:  # it was meant for what this world does not bring
                break
        self._quick.reset(nonce)
        return self._followed(run, nonce, longer=state.phase not in _QUICK)

    def _followed(self, run: Run, nonce: int, *, longer: bool) -> float:
        """Go on as the value says, until the next blind, or until what comes next is hidden."""
        finalists = _FINALISTS if longer else 0
        for _ in range(_GOES_ON if longer else _PICKS):
            self._play_blind(run)
            if run.phase == Phase.game_over:
                return 0.0
            if run.phase == Phase.round_eval:
                if run.public_state().won:
                    return 1.0
                run.step(Action("cash_out"))
            best = judge_options(own_value(), run, _ROLLOUTS, finalists, _FORECASTS, nonce)[0]
            if best.actions[0].kind in HIDES or (run.phase == Phase.shop and not longer):
                break
            for action in best.actions:
                run.step(action)
        return best.win

    def _play_blind(self, run: Run) -> None:
        while run.phase == Phase.selecting_hand:
            run.step(self._quick.decide(run).action)

    def _onward(self, run: Run, nonce: int) -> float:
        """The blind played as it comes, judged as all other options of the choice are."""
        options = judge_options(own_value(), run, _ROLLOUTS, _FINALISTS, _FORECASTS, nonce)
        return next(one.win for one in options if one.actions and one.actions[0].kind in ONWARD)

    @cached_property
    def _quick(self) -> Strategist:
        return Strategist(own_value(), 1, 0, 1, consumables=False, joker_order=False)

    # --- Numbers ------------------------------------------------------------------------------------------------------

    def _calibrated(self, worlds: Worlds, state: PublicState) -> float:
        here = self._told.at(state)
        if not worlds.in_blind:
            return here.win(worlds.win)
        cleared = worlds.cleared
        if not cleared:
            return 0.0
        after = worlds.win / cleared
        ante = state.ante + (state.on_deck == "boss")
        later = after if after == 1 else ChancesHere(here.maps, ante, Phase.shop, here.hand).win(after)
        return here.clear(cleared) * later

    @staticmethod
    def _difference(mine: Worlds, others: Worlds) -> tuple[float, float]:
        """The mean of what the other way has more, world by world, and its standard error."""
        differences = [other - own for own, other in zip(mine.wins, others.wins, strict=True)]
        return fmean(differences), stdev(differences) / math.sqrt(len(differences))
