"""Moves of no game at all, for stores."""

import numpy as np

from jimbo.az.schema import StoredMove
from jimbo.engine.az import GameSpec

GAME = GameSpec("made", "Made up", 2, 1, 3, 5, 2, 2)


def row(number: int, **other: object) -> StoredMove:
    made = StoredMove(
        id=f"game-{number // 4}-{number % 4}",
        env_id=GAME.env_id,
        episode_id=f"game-{number // 4}",
        step_number=number % 4,
        state=b"s",
        action=(number % 3).to_bytes(4, "little"),
        next_state=b"t",
        observation=np.full(GAME.obs_size, number, "<f4").tobytes(),
        next_observation=np.zeros(GAME.obs_size, "<f4").tobytes(),
        reward=0.0,
        done=int(number % 4 == 3),
        timestamp=1_700_000_000 + number,
        policy_probs=np.array([0.5, 0.25, 0.25], "<f4").tobytes(),
        mcts_value=0.25,
        game_outcome=1.0,
    )
    return made._replace(**other)


def rows(count: int, first: int = 0, **other: object) -> list[StoredMove]:
    return [row(number, **other) for number in range(first, first + count)]
