"""The strongest agent: a learnt value, looked at as long as the effort allows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from jimbo.agents.value_player import Abilities, Effort, ValuePlayer, model_option
from jimbo.declared import Declared, declared


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertOptions(Declared):
    """All of them have a default; a value out of range is a ValueError."""

    effort: float = declared(
        1.0, "how much work goes into a decision; 1 takes 10 to 20 ms of an ordinary core", min=0.001, max=1_000
    )
    model: str | None = model_option()
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
