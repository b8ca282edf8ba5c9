"""Runs as they come up while an agent plays, and what it decides in one."""

from collections.abc import Iterator
from typing import Any

from jimbo.agents import make_agent
from jimbo.agents.protocol import Decision
from jimbo.backends import RevealedState
from jimbo.engine import Action, Run

HIDING_BOSSES = ("bl_house", "bl_mark", "bl_fish", "bl_wheel", "bl_final_acorn")


def before_the_boss(boss: str) -> Run:
    run = Run(seed="FACEDOWN")
    for joker in ("j_joker", "j_blueprint", "j_cavendish"):
        run.debug_add_joker(joker)
    run.debug_add_consumable("c_strength")
    run.debug_set_boss(boss)
    skip_to_the_boss(run)
    return run


def skip_to_the_boss(run: Run) -> None:
    while run.on_deck != "boss":
        run.step(Action("skip_blind"))
        if run.phase == "pack_opening":
            run.step(Action("skip_pack"))


class Player:
    """An agent with options that make it quick."""

    def __init__(self, name: str, **quick: Any) -> None:
        self._name, self._quick = name, quick

    def positions(self, seed: str, *, max_steps: int = 80) -> Iterator[Run]:
        run, agent = Run(seed=seed), make_agent(self._name, **self._quick)
        agent.reset(1)
        for _ in range(max_steps):
            if run.phase == "game_over" or run.won:
                return
            yield run.clone()
            run.step(agent.act(run.public_state()).action)

    def decided(self, run: Run, nonce: int = 5, **options: Any) -> Decision:
        agent = make_agent(self._name, **{**self._quick, **options})
        agent.reset(nonce)
        return agent.act(RevealedState(run) if agent.clairvoyant else run.public_state())
