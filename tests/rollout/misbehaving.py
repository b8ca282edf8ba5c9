"""Agents that fail in some of their games, by their nonces."""

import os
import signal
import time

from jimbo.agents import Considered, Decision
from jimbo.engine import Action, PublicState


class _Fails:
    def reset(self, nonce: int) -> None:
        self._steps, self._bad = 0, nonce % 3 == 0

    def act(self, state: PublicState) -> Action:
        self._steps += 1
        if self._bad and self._steps == 3:
            self._fail()
        return state.draw_action(self._steps)

    def _fail(self) -> None:
        raise ValueError("no idea")


class Confused(_Fails):
    """Raises."""


class Dying(_Fails):
    """Ends its process."""

    def _fail(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Hanging(_Fails):
    """Never answers."""

    def _fail(self) -> None:
        time.sleep(600)


class Deaf(Hanging):
    """Never answers, and hears no signal that asks it to end."""

    def _fail(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        super()._fail()


class Babbling:
    """Says what no file can hold, and finds things worth more than numbers can tell."""

    def act(self, state: PublicState) -> Decision:
        action = state.draw_action(1)
        worths = (float("inf"), float("nan"), -float("inf"))
        return Decision(action, tuple(Considered(action, worth, "\udcff") for worth in worths), "well \udcff")
