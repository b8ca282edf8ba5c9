"""An agent that cannot go on."""

from typing import NoReturn

from jimbo.engine import PublicState


class Failing:
    def act(self, state: PublicState) -> NoReturn:
        raise ValueError("no idea")
