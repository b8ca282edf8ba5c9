"""Any allowed action, each as likely as any other."""

from __future__ import annotations

import random

from jimbo.agents.protocol import Decision
from jimbo.engine import PublicState


class RandomAgent:
    """Chooses uniformly among all allowed actions but sales and rearranging."""

    def __init__(self) -> None:
        self.reset(0)

    def __repr__(self) -> str:
        return "<RandomAgent>"

    def reset(self, nonce: int) -> None:
        self._random = random.Random(nonce)

    def act(self, state: PublicState) -> Decision:
        return Decision(state.draw_action(self._random.getrandbits(64)), explanation="drawn at random")
