"""Games that nobody plays: rows made by chance, which reach the gate by the same way as those of real games."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest

from eval.episode_rows import episode
from jimbo.agents.baselines import GreedyAgent
from jimbo.declared import Declared
from jimbo.eval import runner
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Settings
from jimbo.rollout.farm import Enough, Stop
from jimbo.rollout.games import GameId, GamePlayer
from jimbo.rollout.output import Sink


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeOptions(Declared):
    strength: float = 0.5
    ms: float = 2.0
    pace: float = 1.0
    fault: int | None = None
    model: str | None = None


class MadeAgent(GreedyAgent):
    """Options that the rules below read; what it would play nobody asks."""

    Options = MadeOptions

    def __init__(self, options: MadeOptions) -> None:
        self.options = options


MADE = "league.made_games:MadeAgent"
Rules = Callable[[Settings, Episode], Episode]


def chance(*parts: object) -> float:
    """A number from 0 to 1 that depends on these alone."""
    return crc32(repr(parts).encode()) / 2**32


def by_strength(settings: Settings, row: Episode) -> Episode:
    """Wins so often as the option ``strength`` of the agent says, by luck that half comes from the seed.

    Like agents with the same nonce win the same games.
    """
    luck = chance("own", row.nonce, row.seed) if chance("whose", row.seed) < 0.4 else chance("seed", row.seed)
    won = luck < float(settings.options.get("strength", 0.5))
    return replace(as_won(row, won), decision_p95_ms=float(settings.options.get("ms", 2.0)))


def as_won(row: Episode, won: bool) -> Episode:
    made = episode(row.episode_id, won=won, round=5)
    return replace(
        made, agent=row.agent, deck=row.deck, stake=row.stake, seed=row.seed, nonce=row.nonce, challenge=row.challenge
    )


class MadeFarm:
    """Stands for ``play_games``; ``played`` are the games of each call."""

    def __init__(self, rules: Rules = by_strength) -> None:
        self.rules, self.played = rules, list[list[GameId]]()

    def __call__(
        self,
        player: GamePlayer,
        games: Sequence[GameId],
        sink: Sink,
        progress: Callable[[GameId, Any], None],
        **_: object,
    ) -> Stop:
        self.played.append([])
        for place, number in games:
            spec, seed = player._specs[place], player._seeds[place][number]
            assert isinstance(spec, Settings)
            blank = replace(
                episode(number), agent=spec.agent, deck=spec.deck, stake=spec.stake, seed=seed, nonce=spec.nonce(number)
            )
            row = self.rules(spec, blank)
            sink.add([((place, number), row)])
            self.played[-1].append((place, number))
            try:
                progress((place, number), row)
            except Enough:
                return Stop()
            except KeyboardInterrupt:
                return Stop(stopped=True)
        return Stop()


def made_farm(monkeypatch: pytest.MonkeyPatch, rules: Rules = by_strength) -> MadeFarm:
    """Nothing is played from here on, and all seeds are the same every time."""
    farm, names = MadeFarm(rules), count()
    monkeypatch.setattr("jimbo.league.gate.secrets", SimpleNamespace(token_hex=lambda _: f"panel-{next(names)}"))
    monkeypatch.setattr(runner, "play_games", farm)
    return farm
