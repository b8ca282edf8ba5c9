"""The agents expert and fast: the solver plays the hands, and a learnt value decides everything else."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from jimbo.agents.protocol import Considered, Decision
from jimbo.declared import Declared, declared
from jimbo.engine import Action, PublicState, SolvedAction
from jimbo.engine.value import JudgedOption, Strategist, StrategyDecision
from jimbo.models.value_file import load_value
from jimbo.text import action_words

_ONWARD = ("select_blind", "leave_shop", "skip_pack")
"""What can always be done; with consumables at hand it is to do nothing."""
_SHOWN = 5
"""Considered actions that are listed with a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long a player looks."""

    rollouts: int
    """Worlds that the solver plays out for each hand."""
    finalists: int
    """Options whose next blinds are forecast."""
    worlds: int
    """Worlds of such a forecast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a player can do; without one of them it shows what that is worth."""

    solver: bool = True
    consumables: bool = True
    joker_order: bool = True
    clairvoyant: bool = False


class ValuePlayer:
    """The engine's strategist with the package's own value, or that of a file, and what it considered."""

    def __init__(self, model: str | None, effort: Effort, abilities: Abilities | None = None) -> None:
        net, _ = load_value(Path(model) if model else None)
        self._model, self._can = model, abilities or Abilities()
        self.clairvoyant = self._can.clairvoyant
        self._strategist = Strategist(net, **asdict(effort), **asdict(self._can))

    def __repr__(self) -> str:
        parts = [type(self).__name__, *([self._model] if self._model else [])]
        return f"<{' '.join(parts)}{', clairvoyant' if self.clairvoyant else ''}>"

    def reset(self, nonce: int) -> None:
        self._strategist.reset(nonce)

    def act(self, state: PublicState) -> Decision:
        started = time.perf_counter()
        decision = self._explained(self._strategist.decide(state.imagine(0)), state)
        return replace(decision, seconds=time.perf_counter() - started)

    def _explained(self, made: StrategyDecision, state: PublicState) -> Decision:
        if made.kind == "hand":
            return _hand_decision(made.action, made.solved, by_score=not self._can.solver)
        if made.kind == "option":
            return _option_decision(made, state)
        return Decision(made.action)


# --- The two agents ---------------------------------------------------------------------------------------------------


def _model_option() -> Any:
    return declared(
        None,
        "a .safetensors file of `jimbo train value`, in place of the value that comes with the package",
        nonempty=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertOptions(Declared):
    """All of them have a default; a value out of range is a ValueError."""

    effort: float = declared(
        1.0, "how much work goes into a decision; 1 takes 10 to 20 ms of an ordinary core", min=0.001, max=1_000
    )
    model: str | None = _model_option()
    solver: bool = declared(True, "false plays whatever scores most, and never discards")
    consumables: bool = declared(True, "false neither buys nor uses any")
    joker_order: bool = declared(True, "false leaves jokers and cards in the order they come in")
    clairvoyant: bool = declared(False, "true shows it what is hidden, to measure what cheating is worth")


class ExpertAgent(ValuePlayer):
    """Solves blinds over sampled worlds and decides everything else by a learnt value of what it leads to."""

    Options = ExpertOptions

    def __init__(self, options: ExpertOptions | None = None) -> None:
        given = options or ExpertOptions()
        abilities = Abilities(
            solver=given.solver,
            consumables=given.consumables,
            joker_order=given.joker_order,
            clairvoyant=given.clairvoyant,
        )
        super().__init__(given.model, scaled(given.effort), abilities)


def scaled(effort: float) -> Effort:
    """More or less work: more worlds for hands, and more options that are looked at longer."""
    longer = math.sqrt(effort)
    return Effort(
        rollouts=max(2, round(800 * effort)),
        finalists=max(2, round(8 * longer)),
        worlds=max(1, round(8 * longer)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FastOptions(Declared):
    """The effort itself, without a scale."""

    rollouts: int = declared(100, "worlds that the solver plays out for each hand", min=2, max=1_000_000)
    finalists: int = declared(0, "options whose next blinds are forecast; 0: none", min=0, max=1_000)
    worlds: int = declared(2, "worlds of such a forecast, if there is one", min=1, max=10_000)
    model: str | None = _model_option()


class FastAgent(ValuePlayer):
    """Solves blinds over few worlds and decides everything else by a learnt value, in less than a millisecond."""

    Options = FastOptions

    def __init__(self, options: FastOptions | None = None) -> None:
        given = options or FastOptions()
        effort = Effort(rollouts=given.rollouts, finalists=given.finalists, worlds=given.worlds)
        super().__init__(given.model, effort)


# --- Decisions with their reasons, in numbers that people know --------------------------------------------------------


def _option_decision(made: StrategyDecision, state: PublicState) -> Decision:
    """The first option, compared with those that were looked at as long by what each adds to the chance to win."""
    best = made.options[0]
    onward = next(option for option in made.options if _is_onward(option)).win
    alike = [option for option in made.options if option.forecast == best.forecast and option.actions]
    considered = (
        Considered(option.actions[0], 100 * (option.win - onward), _then(option, state), chosen=option is best)
        for option in alike
    )
    return Decision(made.action, _best_first(considered), measure="win", win=best.win)


def _is_onward(option: JudgedOption) -> bool:
    return not option.actions or option.actions[0].kind in _ONWARD


def _then(option: JudgedOption, state: PublicState) -> str:
    """What follows the first action, in words."""
    return f"then {action_words(option.actions[1], state)}" if len(option.actions) > 1 else ""


def _hand_decision(action: Action, solved: Sequence[SolvedAction], *, by_score: bool) -> Decision:
    """A play or discard, the first of those solved; ``by_score``: for nothing but its score."""
    best = solved[0]
    if by_score:
        scored = (Considered(one.action, one.score, "", chosen=one is best) for one in solved)
        return Decision(action, _best_first(scored), "scores most", measure="score")
    listed = _best_first(_solved(one, chosen=one is best) for one in solved)
    return Decision(action, listed, measure="clear")


def _solved(one: SolvedAction, *, chosen: bool) -> Considered:
    clear, error = (one.clear, one.error) if one.worlds else (None, None)
    return Considered(one.action, one.value, "", clear, error, chosen=chosen)


def _best_first(considered: Iterable[Considered]) -> tuple[Considered, ...]:
    """Those that were ranked highest, by their values; among equals the chosen one leads."""
    listed = islice(considered, _SHOWN)
    return tuple(sorted(listed, key=lambda one: (-round(one.value, 3), not one.chosen)))
