"""The actor: plays against itself by the newest model or by a learnt value, and writes the games to the store."""

from __future__ import annotations

import logging
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from jimbo.az.models import Model, ModelWatch, first_file, open_model, open_network
from jimbo.az.replay import Replay, open_replay
from jimbo.az.schema import StoredMove
from jimbo.az.settings import VALUE, ActorConfig, part_of
from jimbo.engine.az import Finished, GameSpec, SearchSettings, SelfPlay, game_spec
from jimbo.files import in_words
from jimbo.models.checkpoint import BadModel
from jimbo.processes import is_orphan
from jimbo.signals import one_interrupt, uninterrupted

log = logging.getLogger(__name__)
_LOG_SECONDS = 10.0


def run_actor(config: ActorConfig) -> int:
    """Play until a signal, the last episode, or the end of the process that started this one; return the exit code."""
    try:
        game = game_spec(config.env_id)
        Path(config.model_dir).mkdir(parents=True, exist_ok=True)
        with one_interrupt(), open_replay(config.db, create=True) as replay:
            replay.describe(game)
            with closing(Actor(config, game, replay)) as actor:
                actor.run()
    except KeyboardInterrupt:
        log.info("Stopped: all finished games are written.")
    except (ValueError, ImportError, OSError) as error:
        log.error("%s", in_words(error), exc_info=log.isEnabledFor(logging.DEBUG))
        return 1
    return 0


class Actor:
    def __init__(self, config: ActorConfig, game: GameSpec, replay: Replay) -> None:
        self._config, self._game = config, game
        # Actors at the same time, and one after another, must not play the same games.
        seed = int(np.random.SeedSequence((config.seed, os.getpid(), time.time_ns())).generate_state(1, np.uint64)[0])
        self._play = SelfPlay(config.env_id, config.parallel_games, part_of(SearchSettings, config), seed >> 1)
        self._watch = ModelWatch(Path(config.model_dir), config.reload_interval)
        self._model = self._first_model()
        self._writer = _Writer(config, replay)
        self._logged = time.monotonic()

    def _first_model(self) -> Model | None:
        if self._config.evaluator == VALUE:
            return open_model(VALUE, self._game)
        path = first_file(self._game.env_id)
        return open_network(path, self._game, threads=self._config.threads) if path else None

    def close(self) -> None:
        self._watch.close()

    def run(self) -> None:
        try:
            while not self._is_over():
                with uninterrupted():
                    self._pass()
        finally:
            with uninterrupted():
                self._writer.write()

    def _is_over(self) -> bool:
        return 0 < self._config.episodes <= self._writer.episodes or is_orphan()

    def _pass(self) -> None:
        self._reload()
        if self._model is None:
            self._play.uniform(self._config.simulations)
        else:
            self._model.evaluate_waiting(self._play)
        self._writer.add(self._play.finished())
        self._log_progress()

    def _reload(self) -> None:
        """Take a newer network. One that cannot be used is refused, and the old one kept."""
        path = self._watch.changed() if self._config.evaluator != VALUE else None
        if path is None:
            return
        try:
            self._model = open_network(path, self._game, threads=self._config.threads)
            log.info("Plays with %s.", path)
        except BadModel as error:
            log.warning("%s The model in use stays.", error)

    def _log_progress(self) -> None:
        now = time.monotonic()
        if now - self._logged > _LOG_SECONDS:
            self._logged = now
            log.info("%d games written, %d simulations.", self._writer.episodes, self._play.simulations)


class _Writer:
    """Finished games on their way to the store, several in one transaction."""

    def __init__(self, config: ActorConfig, replay: Replay) -> None:
        self._config, self._replay = config, replay
        self._name = uuid.uuid4().hex[:16]
        self._waiting: list[StoredMove] = []
        self._games = 0
        self._wrote = time.monotonic()
        self.episodes = 0
        """Games written so far."""

    def add(self, finished: Finished) -> None:
        if len(finished.step):
            rows = list(rows_of(finished, self._config.env_id, self._name))
            self._waiting += rows
            self._games += sum(row.done for row in rows)
        late = time.monotonic() - self._wrote > self._config.commit_interval
        if self._games >= self._config.commit_episodes or (self._games and late):
            self.write()

    def write(self) -> None:
        if self._waiting:
            self._replay.add(self._waiting)
        self.episodes += self._games
        self._waiting, self._games, self._wrote = [], 0, time.monotonic()


def rows_of(finished: Finished, env_id: str, actor: str) -> Iterator[StoredMove]:
    now = int(time.time())
    policies = np.ascontiguousarray(finished.policy, "<f4")
    seen, seen_next = (np.ascontiguousarray(part, "<f4") for part in (finished.observation, finished.next_observation))
    for i, step in enumerate(finished.step.tolist()):
        episode = f"{actor}-{int(finished.episode[i])}"
        yield StoredMove(
            id=f"{episode}-{step}",
            env_id=env_id,
            episode_id=episode,
            step_number=step,
            state=_bytes(finished.state[i]),
            action=int(finished.action[i]).to_bytes(4, "little"),
            next_state=_bytes(finished.next_state[i]),
            observation=seen[i].tobytes(),
            next_observation=seen_next[i].tobytes(),
            reward=float(finished.reward[i]),
            done=int(finished.done[i]),
            timestamp=now,
            policy_probs=policies[i].tobytes(),
            mcts_value=float(finished.value[i]),
            game_outcome=float(finished.outcome[i]),
        )


def _bytes(state: Any) -> bytes:
    return state if isinstance(state, bytes) else bytes(np.asarray(state, np.uint8).tobytes())
