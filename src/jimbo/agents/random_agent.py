"""Any allowed action, each as likely as any other."""

from __future__ import annotations

import random

from jimbo.agents.protocol import Decision
from jimbo.engine import PublicState
from jimbo.text import counted


class RandomAgent:
    """Chooses uniformly among all allowed actions but sales and rearranging."""

    def __init__(self) -> None:
        self.reset(0)

    def __repr__(self) -> str:
        return "<RandomAgent>"

    def reset(self, nonce: int) -> None:
        self._random = random.Random(nonce)

    def act(self, state: PublicState) -> Decision:
        actions = [a for a in state.legal_actions() if not a.kind.startswith("sell")]
        return Decision(self._random.choice(actions), explanation=f"one of {counted(len(actions), 'action')}")
