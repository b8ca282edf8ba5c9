"""Many games over all cores, kept in a folder as they end, so that the same command goes on where it was stopped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from jimbo.agents.expert_v1 import load_config
from jimbo.data import versions
from jimbo.eval import train_seeds
from jimbo.files import LARGEST_MODEL, add_line, loads, read_bytes, read_text, reason, write_text
from jimbo.rollout.pool import Died, WorkFailed, run_tasks
from jimbo.run_folder import RunFolder
from jimbo.seeds.seed_sets import VERSION
from jimbo.text import counted
from jimbo.train.expert_constants.lines import Game, read_games
from jimbo.train.expert_constants.names import constants
from jimbo.train.expert_constants.variation import ranges_data
from jimbo.train.expert_constants.watching import WORLDS, PlayGame, expert_options

PLAN = "plan.json"
GAMES = "games.jsonl"
SEED_SET = "expert-constants"
"""Name of the set for training; none of its seeds is in a set for measuring."""
SCHEMA = "jimbo_expert_games_v1"
_END = b'{"line":"end",'


class NotKept(RuntimeError):
    """A game could not be added, with a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which games are played."""

    games: int
    effort: float = 1.0
    """Of the expert, as a factor."""
    deck: str = "b_red"
    stake: str = "stake_white"

    def __post_init__(self) -> None:
        expert_options(self.effort)

    @property
    def seeds(self) -> tuple[str, ...]:
        return tuple(islice(train_seeds(SEED_SET), self.games))

    def to_data(self) -> dict[str, Any]:
        """All that decides how a game goes; how many there are does not."""
        return {
            "schema": SCHEMA,
            "deck": self.deck,
            "stake": self.stake,
            "effort": self.effort,
            "worlds": WORLDS,
            "seed_set": f"train-{SEED_SET}",
            "seed_set_version": VERSION,
            "constants": constants(load_config()),
            "ranges": ranges_data(),
            "versions": dict(versions()),
        }


class GameFolder(RunFolder):
    """The folder that games are kept in."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, mark=PLAN, writer="process")

    @property
    def games_path(self) -> Path:
        return self.folder / GAMES

    def open(self, plan: Plan) -> list[Game]:
        """The games of the plan that are there, in their order; ValueError if they are of another plan.

        The folder is made ready for more.
        """
        try:
            self._compare(plan.to_data())
            self._drop_cut_game()
        except OSError as error:
            raise ValueError(f"{self.folder} cannot be used: {reason(error)}.") from None
        games = read_games(self.games_path) if self.games_path.exists() else []
        by_number = {game.end.game: game for game in games}
        if len(by_number) < len(games):
            raise ValueError(f"{self.games_path} holds a game twice. Choose another folder.")
        pairs = [(by_number[number], seed) for number, seed in enumerate(plan.seeds) if number in by_number]
        for game, seed in pairs:
            if game.end.seed != seed:
                raise ValueError(
                    f"{self.games_path} holds game {game.end.game} on the seed {game.end.seed} instead of {seed}. "
                    "Choose another folder."
                )
        return [game for game, _ in pairs]

    def _compare(self, plan: Mapping[str, Any]) -> None:
        path = self.folder / PLAN
        if not path.exists():
            write_text(path, json.dumps(plan, indent=2) + "\n")
            return
        try:
            known = loads(read_text(path))
        except (UnicodeError, ValueError) as error:
            why = reason(error) if isinstance(error, UnicodeError) else error
            raise ValueError(f"{path} cannot be used: {why}.") from None
        if known != plan:
            names = [name for name in plan if not isinstance(known, dict) or known.get(name) != plan[name]]
            raise ValueError(
                f"{self.folder} holds games of another plan ({', '.join(names) or 'more settings'}). "
                f"Choose another folder, or repeat the settings in its {PLAN}."
            )

    def _drop_cut_game(self) -> None:
        """Cuts off the lines of a game that was being written when the process was killed."""
        if not self.games_path.exists():
            return
        data = read_bytes(self.games_path, LARGEST_MODEL)
        whole = _end_of_last_game(data)
        if whole < len(data):
            os.truncate(self.games_path, whole)

    def add(self, game: Game) -> None:
        """NotKept if the disk does not take it; the games before it stay."""
        try:
            with self.games_path.open("ab", buffering=0) as file:
                add_line(file, game.to_text())
        except OSError as error:
            raise NotKept(f"{self.games_path} cannot be written: {reason(error)}.") from None


def _end_of_last_game(data: bytes) -> int:
    """Where the last whole game of a file ends; 0 if there is none."""
    place = len(data)
    while (start := data.rfind(_END, 0, place)) >= 0:
        newline = data.find(b"\n", start)
        if newline >= 0 and (start == 0 or data[start - 1 : start] == b"\n"):
            return newline + 1
        place = start
    return 0


def data_hash(games: list[Game]) -> str:
    """SHA-256 of the lines of these games: the same for the same games, in whatever order they were played."""
    digest = hashlib.sha256()
    for game in games:
        digest.update(f"{game.to_text()}\n".encode())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Played:
    """What came of playing."""

    games: list[Game]
    """In their order, and with those that were kept."""
    stopped: bool = False
    """By Ctrl-C."""
    trouble: str = ""
    """Why not all of them were played, as a sentence."""


def play_games(
    plan: Plan,
    folder: GameFolder,
    kept: Sequence[Game] = (),
    *,
    workers: int | None = None,
    progress: Callable[[Game], None] | None = None,
) -> Played:
    """Plays every game of the plan that is not among ``kept``; Ctrl-C ends it early and keeps what is there."""
    done = {game.end.game: game for game in kept}
    missing = [number for number in range(plan.games) if number not in done]
    stopped, complaint = False, ""
    try:
        with closing(_play(plan, missing, workers or os.cpu_count() or 1)) as games:
            for game in games:
                folder.add(game)
                done[game.end.game] = game
                if progress:
                    progress(game)
    except KeyboardInterrupt:
        stopped = True
    except (NotKept, WorkFailed) as error:
        complaint = str(error)
    played = [done[number] for number in sorted(done)]
    if len(played) < plan.games and not stopped:
        complaint = complaint or f"{counted(plan.games - len(played), 'game')} could not be played: a process died."
    return Played(played, stopped, complaint)


def _play(plan: Plan, numbers: list[int], workers: int) -> Generator[Game]:
    player = PlayGame(load_config(), plan.seeds, plan.effort, plan.deck, plan.stake)
    if workers == 1 or len(numbers) <= 1:
        yield from map(player, numbers)
        return
    with closing(run_tasks(player, numbers, min(workers, len(numbers)))) as results:
        for _, result in results:
            if not isinstance(result, Died):
                yield result
