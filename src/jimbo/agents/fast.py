"""The expert with a smaller time budget: some tenths of a millisecond for most decisions."""

from __future__ import annotations

from dataclasses import dataclass

from jimbo.agents.value_player import Effort, ValuePlayer, model_option
from jimbo.declared import Declared, declared


@dataclass(frozen=True, slots=True, kw_only=True)
class FastOptions(Declared):
    rollouts: int = declared(100, "worlds that the solver plays out for each hand", min=2, max=1_000_000)
    finalists: int = declared(0, "options whose next blinds are forecast; 0: none", min=0, max=1_000)
    worlds: int = declared(2, "worlds of such a forecast, if there is one", min=1, max=10_000)
    model: str | None = model_option()


class FastAgent(ValuePlayer):
    """Solves blinds over few worlds and decides everything else by a learnt value, in less than a millisecond."""

    Options = FastOptions

    def __init__(self, options: FastOptions | None = None) -> None:
        given = options or FastOptions()
        effort = Effort(rollouts=given.rollouts, finalists=given.finalists, worlds=given.worlds)
        super().__init__(given.model, effort)
