"""The agents expert, fast and risk_aware: one player, with different amounts of work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jimbo.agents.risk import Routing, read_routing
from jimbo.agents.told import RAW, told_chances
from jimbo.agents.value_player import Abilities, Effort, ValuePlayer, scaled
from jimbo.declared import Declared, declared


def _model_option() -> Any:
    return declared(
        None,
        "a .safetensors file of `jimbo train value`, in place of the value that comes with the package",
        nonempty=True,
    )


def _calibration_option() -> Any:
    return declared(
        None,
        f"a file of `jimbo eval --calibrate` that replaces the package's calibration; {RAW}: no calibration",
        nonempty=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertOptions(Declared):
    """All of them have a default; a value out of range is a ValueError."""

    effort: float = declared(
        1.0, "how much work goes into a decision; 1 takes 10 to 20 ms of an ordinary core", min=0.001, max=1_000
    )
    model: str | None = _model_option()
    calibration: str | None = _calibration_option()
    budget_ms: float | None = declared(
        None,
        "milliseconds that decisions may take in the mean of a run, spent where a mistake would cost most; in place of "
        "effort, and not the same again",
        min=0.01,
        max=1_000_000,
    )
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
        chances = told_chances("expert", given.model, given.calibration, as_ever=abilities == Abilities())
        effort = scaled(given.effort) if given.budget_ms is None else Routing()
        super().__init__(given.model, effort, abilities, chances, given.budget_ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class FastOptions(Declared):
    """The effort itself, without a scale."""

    rollouts: int = declared(100, "worlds that the solver plays out for each hand", min=2, max=1_000_000)
    finalists: int = declared(0, "options whose next blinds are forecast; 0: none", min=0, max=1_000)
    worlds: int = declared(2, "worlds of such a forecast, if there is one", min=1, max=10_000)
    model: str | None = _model_option()
    calibration: str | None = _calibration_option()


class FastAgent(ValuePlayer):
    """Solves blinds over few worlds and decides everything else by a learnt value, in less than a millisecond."""

    Options = FastOptions

    def __init__(self, options: FastOptions | None = None) -> None:
        given = options or FastOptions()
        effort = Effort(rollouts=given.rollouts, finalists=given.finalists, worlds=given.worlds)
        super().__init__(given.model, effort, chances=told_chances("fast", given.model, given.calibration))


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskAwareOptions(Declared):
    """Who decides at which risk is in a file of its own: the fields of ``jimbo.agents.risk.Routing``."""

    config: str | None = declared(
        None, "a YAML file with efforts and the risks from which they are asked; see docs/expert.md", nonempty=True
    )
    model: str | None = _model_option()
    calibration: str | None = _calibration_option()


class RiskAwareAgent(ValuePlayer):
    """Plays as the expert does, with little effort at first and more where a mistake would cost most."""

    Options = RiskAwareOptions

    def __init__(self, options: RiskAwareOptions | None = None) -> None:
        given = options or RiskAwareOptions()
        chances = told_chances("expert", given.model, given.calibration)
        super().__init__(given.model, read_routing(given.config), chances=chances)
