"""Why something is bought, taken, used, sold or left: what it does to the next blinds and to the money.

All of it is compared with the run that goes on without it: forecasts of the same deals, and the package's value of
either run, with and without the price.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from statistics import fmean

from jimbo.data.record import Considered, Decision
from jimbo.engine import (
    Action,
    ActionKind,
    PublicBlind,
    PublicState,
    Run,
)
from jimbo.engine.catalog import JOKERS, STAKES
from jimbo.engine.value import judge_options
from jimbo.knowledge.neighbours import neighbours
from jimbo.serve.assistant.changes import changes
from jimbo.serve.assistant.prospects import Prospects
from jimbo.serve.assistant.steps import having, is_chancy, price_of, what_of
from jimbo.serve.assistant.what_if import (
    BLINDS_AHEAD,
    ONWARD,
    VALUE_ROLLOUTS,
    Trials,
    beaten,
    chance_to_win,
    error_of,
    own_value,
    trials,
)
from jimbo.serve.assistant.worths import StepWorth, interest_of
from jimbo.text import action_words, counted, joker_name
from jimbo.text.build_reasons import (
    USING,
    Against,
    AsItStands,
    Behind,
    Earns,
    Forgoes,
    Grows,
    Missing,
    Must,
    Price,
    Promises,
    Rejected,
    Room,
    Sooner,
    Split,
    Together,
    WorksWith,
)
from jimbo.text.reasons import MEANT, Adds, Claim, Though

_SCORES = math.log(1.05)
"""A score that changes by less is not told."""
_GROWTH = math.log(1.3)
_PARTNER = math.log(1.25)
_WORKS = 0.25
"""Strength of a pair, from which it is told."""
_TOLD = 0.02
"""A share that changes by less is not told."""
_DOLLARS = 1.5
_ERRORS = 3
"""Standard errors beyond which money is told."""
_POINTS = 0.05
_SOONER_WORLDS = 8
_TRIES = (0, 1, 2, 3)
"""Nonces of the runs that must agree where a step's outcome is known."""
_LATE = 5
"""The ante from which a build without a multiplier lacks one."""
_POOR = 4.0
"""Dollars a round; who earns less has no economy."""
_NEARLY_WON = 0.95
_HIDDEN = (ActionKind.open_booster, ActionKind.reroll, ActionKind.reroll_boss)
_MULTIPLIES = re.compile(r"X\d[\d.]* Mult|X Mult")


def multiplies(key: str, edition: str | None) -> bool:
    """Whether a joker multiplies mult, by what is written on it."""
    return bool(_MULTIPLIES.search(JOKERS[key].text)) or edition == "e_polychrome"


class BuildReasons:
    """Claims about what can be done in one state between hands."""

    def __init__(self, prospects: Prospects, decision: Decision, chosen: Considered | None) -> None:
        self._state, self._run = prospects.state, prospects.run
        self._decision, self._chosen = decision, chosen
        blinds = [blind for blind in self._state.blinds if blind.progress != "done"]
        self._blinds: list[PublicBlind] = blinds
        self._boss = len(blinds) - 1
        self._base_beaten: dict[int, list[float]] = {}

    def groups(
        self, actions: Sequence[Action], one: Considered | None, *, is_choice: bool
    ) -> Iterator[Sequence[Claim]]:
        """The claims of each sentence, about actions that follow one another."""
        first = actions[0]
        total = self._total(one, actions)
        behind = [] if is_choice else list(self._behind(one))
        sooner = self._sooner(one) if is_choice else None
        if first.kind in ONWARD:
            own = list(self._onward(first))
        elif first.kind == ActionKind.skip_blind:
            own = [self._forgoes(total or 0.0), *self._as_it_stands(0)]
        elif self._after(actions) is None or first.kind in _HIDDEN:
            own = list(self._hidden(first, total, is_choice=is_choice))
        else:
            own = list(self._open(actions, total, one))
        sign = 0.0 if abs(total or 0.0) < _POINTS else total or 0.0
        against = [claim for claim in own if _speaks(claim) * sign < 0]
        own = [claim for claim in own if claim not in against]
        if against:
            own.sort(key=lambda claim: not isinstance(claim, Split | Price | Earns | Promises))
        if sooner:
            yield [*own, *against][:2] or [Adds(total or 0.0)]
            yield [sooner]
            return
        yield [*behind, *own[:1]] or [Adds(total or 0.0)]
        yield Though(against[:1]) if against else own[1:3]

    # --- The sum ------------------------------------------------------------------------------------------------------

    def _total(self, one: Considered | None, actions: Sequence[Action]) -> float | None:
        """Points that it adds to the chance to win: by the agent, or else by the package's value."""
        if one is not None and self._decision.measure == "win":
            return one.value
        after = self._after(actions)
        return None if after is None else 100 * (chance_to_win(after) - self._base_win)

    def _behind(self, one: Considered | None) -> Iterator[Claim]:
        if one and self._chosen and self._decision.measure == "win" and one.value > self._chosen.value - _POINTS:
            yield Behind(one.value - self._chosen.value)

    def _sooner(self, one: Considered | None) -> Claim | None:
        """What shows more than the choice."""
        if one is None or self._decision.measure != "win":
            return None
        best = max(self._decision.considered, key=lambda other: other.value)
        if best.value - one.value < _POINTS:
            return None
        options = judge_options(own_value(), self._run, VALUE_ROLLOUTS, len(self._decision.considered), _SOONER_WORLDS)
        worths = {option.actions[0]: option.worth for option in reversed(options) if option.actions}
        less_sure = worths.get(one.action, -math.inf) > worths.get(best.action, math.inf)
        return Sooner(action_words(best.action, self._state), best.value - one.value, less_sure)

    # --- Afterstates --------------------------------------------------------------------------------------------------

    @cached_property
    def _base(self) -> Trials:
        return trials(self._run)

    @cached_property
    def _base_win(self) -> float:
        return chance_to_win(self._run)

    def _after(self, actions: Sequence[Action]) -> Run | None:
        """The run once they are done; None where luck decides what they bring."""
        if is_chancy(actions[0], self._state):
            return None
        runs = []
        for nonce in _TRIES:
            run = self._state.imagine(nonce)
            for action in actions:
                if run.refusal(action) is not None:
                    return None
                run.step(action)
            runs.append(run)
        return runs[0] if len({_seen(run) for run in runs}) == 1 else None

    def _hidden(self, action: Action, total: float | None, *, is_choice: bool) -> Iterator[Claim]:
        price = price_of(action, self._state)
        paid = self._run.clone()
        paid.dollars -= price
        money = 100 * (chance_to_win(paid) - self._base_win)
        if total is not None:
            must = Must(what_of(action, self._state), price, money, total - money)
            yield must
            if must.slight:
                yield from self._as_it_stands(self._boss)
        if is_choice:
            yield from self._missing()

    def _open(self, actions: Sequence[Action], total: float | None, one: Considered | None) -> Iterator[Claim]:
        """About steps whose outcome is known."""
        after = self._after(actions)
        if after is None:
            return
        made = trials(after)
        worth = StepWorth(self._run, after, one.value if one and self._decision.measure == "win" else None)
        free = trials(worth.refunded) if worth.price else made
        blinds = min(len(one.dollars) for one in (self._base, made, free))
        interest = interest_of(free, made, blinds, worth.price)
        parts = worth.split(self._base, made, self._boss, interest, blinds)
        earns = [] if parts and parts.tells_rent else self._earns(free, blinds)
        found = [
            *self._scores(made),
            *changes(self._run, after),
            *earns,
            *self._partner(actions, made),
            *self._known(made),
        ]
        first = 1 if found and isinstance(found[0], Against | Earns) else 0
        yield from found[:first]
        if parts:
            yield parts
        yield from found[first:]
        if not found and not parts and worth.price >= 0:
            yield Promises(blinds, total or 0.0)
        if worth.price and not parts:
            told = worth.priced(having(actions), interest, blinds)
            if told.what == USING or max(abs(told.itself), abs(told.money)) >= MEANT:
                yield told
        yield from worth.rooms(told=parts)

    def _scores(self, made: Trials) -> Iterator[Claim]:
        boss = self._boss
        against = self._against(boss, made)
        if against.told_apart or made.gain(boss, self._base, _SCORES):
            yield against
        elif made.gain(0, self._base, _SCORES):
            yield self._against(0, made)
        now, later = made.gain(0, self._base), made.gain(BLINDS_AHEAD - 1, self._base)
        if later - now > _GROWTH and later > 0:
            yield Grows(math.exp(now), math.exp(later), BLINDS_AHEAD - 1)

    def _against(self, place: int, made: Trials) -> Against:
        blind, base = self._blinds[place], self._base
        before, after = self._beaten(place), beaten(made.run, blind.slot)
        changes = [b - a for a, b in zip(before, after, strict=True)]
        told_apart = abs(fmean(changes)) > max(_TOLD, 2 * error_of(changes))
        score = made.score(place) if made.gain(place, base) else base.score(place)
        target = next((one.target for one in made.run.public_state().blinds if one.slot == blind.slot), blind.target)
        shares = fmean(before), fmean(after)
        return Against(
            blind.name, target, base.score(place), score, *shares, told_apart, blind.target, _saved(made.run)
        )

    def _beaten(self, place: int) -> list[float]:
        if place not in self._base_beaten:
            self._base_beaten[place] = beaten(self._run, self._blinds[place].slot)
        return self._base_beaten[place]

    def _earns(self, free: Trials, blinds: int) -> Iterator[Claim]:
        pairs = zip(free.dollars[blinds - 1], self._base.dollars[blinds - 1], strict=True)
        changes = [after - before for after, before in pairs]
        if abs(fmean(changes)) > max(_DOLLARS, _ERRORS * error_of(changes)):
            rented = [sum(joker.rental for joker in one.jokers) for one in (self._state, free.run.public_state())]
            yield Earns(fmean(changes), blinds, rented[0] != rented[1])

    def _partner(self, actions: Sequence[Action], made: Trials) -> Iterator[Claim]:
        """The owned joker with which it multiplies scores most beyond what it does alone."""
        gain = made.gain(self._boss, self._base, _PARTNER)
        if gain <= 0 or len(actions) > 1 or len(made.run.public_state().jokers) <= len(self._state.jokers):
            return
        alone = []
        for place, joker in enumerate(self._state.jokers):
            if joker.face_down or joker.debuffed:
                continue
            data = self._state.to_data()
            del data["jokers"][place]
            run = PublicState.from_data(data).imagine(0)
            base = trials(run, self._boss + 1)
            if run.refusal(actions[0]) is None:
                run.step(actions[0])
                alone.append((trials(run, self._boss + 1).gain(self._boss, base), place))
        if alone and gain - min(alone)[0] > _PARTNER:
            least, place = min(alone)
            yield Together(joker_name(self._state.jokers[place]), math.exp(gain), math.exp(least))

    def _known(self, made: Trials) -> Iterator[Claim]:
        """The owned joker with which a new one works best, as the knowledge graph has it."""
        owned = {joker.key: joker_name(joker) for joker in self._state.jokers if not joker.face_down}
        for key in dict.fromkeys(key for key in made.run.joker_keys if key not in owned):
            known = neighbours(key, self._state.stake, limit=len(JOKERS))
            best = next((one for one in known if one.key in owned and one.strength >= _WORKS), None)
            if best:
                yield WorksWith(owned[best.key], best.strength, STAKES[best.source.stake].name, best.deck)

    # --- Going on -----------------------------------------------------------------------------------------------------

    def _onward(self, action: Action) -> Iterator[Claim]:
        others = [one for one in self._decision.considered if one is not self._chosen and one.action != action]
        best = max(others, key=lambda one: one.value, default=None)
        if action.kind == ActionKind.select_blind:
            yield from self._as_it_stands(0)
            if best is not None and best.action.kind == ActionKind.skip_blind and self._decision.measure == "win":
                yield self._forgoes(best.value)
            return
        after = self._run.clone()
        after.step(action)
        yield from changes(self._run, after)
        chosen = action == self._decision.action
        if chosen and best is not None and self._decision.measure == "win" and best.value <= _POINTS:
            price = price_of(best.action, self._state)
            paid = self._run.clone()
            paid.dollars -= price
            money = 100 * (chance_to_win(paid) - self._base_win)
            yield Rejected(action_words(best.action, self._state), best.value, price, money)
        yield from self._as_it_stands(self._boss)
        yield from self._missing()

    def _as_it_stands(self, place: int) -> Iterator[Claim]:
        blind = self._blinds[place]
        often, saved = fmean(self._beaten(place)), _saved(self._run)
        yield AsItStands(blind.name, blind.target, self._base.score(place), often, place == 0, saved)

    def _forgoes(self, points: float) -> Forgoes:
        blind, skipped = self._blinds[0], self._run.clone()
        skipped.step(Action("skip_blind"))
        earned = skipped.dollars - self._run.dollars
        return Forgoes(blind.name, blind.tag.name if blind.tag else "tag", earned, blind.reward, points)

    def _missing(self) -> Iterator[Claim]:
        """Nothing in a run that is nearly won."""
        state = self._state
        if (self._decision.win or 0.0) > _NEARLY_WON:
            return
        held = [(one.key, one.edition) for one in state.jokers if one.key and not one.debuffed]
        if state.ante >= _LATE and not any(multiplies(key, edition) for key, edition in held):
            yield Missing("a joker that multiplies mult")
        blinds = len(self._base.dollars)
        a_round = (fmean(self._base.dollars[-1]) - state.dollars) / blinds
        if a_round < _POOR:
            next_blinds = counted(blinds, "blind")
            yield Missing(f"an economy, with about ${max(0.0, a_round):.0f} a round over the next {next_blinds}")


def _saved(run: Run) -> bool:
    return any(joker.key == "j_mr_bones" and not joker.debuffed for joker in run.public_state().jokers)


def _speaks(claim: Claim) -> float:
    """For an action above 0, against it below; 0 where it is not said which."""
    match claim:
        case Against():
            return claim.beaten - claim.beaten_before if claim.told_apart else claim.after - claim.before
        case Grows():
            return claim.later - 1
        case Together():
            return claim.together - claim.alone
        case Earns():
            return claim.dollars
        case Room():
            return 1.0 if claim.free else -1.0
    return 0.0


def _seen(run: Run) -> str:
    """What a player would see of it, beside what is to be drawn."""
    data = run.public_state().to_data()
    for key in ("unseen", "shop", "next_id"):
        data.pop(key, None)
    return repr(data)
