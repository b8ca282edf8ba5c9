"""Agents that fail in some of their games, by their nonces."""

import os
import time

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
        os._exit(7)


class Hanging(_Fails):
    """Never answers."""

    def _fail(self) -> None:
        time.sleep(600)
