"""A policy that is optimised on top of a value: PPO over the options of whole runs.

The value promises what follows each option; options differ by less than it errs. Games draw options by the softmax of
what the value promises and the policy adds, and the policy learns from how much better than promised they turned out.
"""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from jimbo.engine.value import PlayedGames, ValueNet, ValuePlay, ValueStart, value_schema_hash
from jimbo.files import file_hash
from jimbo.models.value_file import OWN_FILE, net_of, read_value, write_value
from jimbo.text import percent_text
from jimbo.train.core.curves import Line, Panel, Picture
from jimbo.train.core.loop import TrainingFailed, TrainingMethod, run
from jimbo.train.core.state import config_data, training_folder
from jimbo.train.core.watching import Progress, Row, Watcher
from jimbo.train.policy_model import PolicyModel, update
from jimbo.train.settings import PolicySettings
from jimbo.train.value_games import drawn_starts, play_all, summary

_JUDGE_SEEDS = "policy-judge"
_START = "start"
"""The name of the text that says which evaluation games were won before any training."""
_PICTURE = Picture(
    "games",
    "games learnt from",
    (
        Panel("Won", "share of the games for evaluation", (Line("judged/win_rate"),)),
        Panel("Gained on the start", "share of the same games", (Line("judged/gained"),)),
        Panel("Entropy of a choice", "nats", (Line("learnt/entropy", style="-"),)),
    ),
)


def run_policy(
    settings: PolicySettings,
    out: Path,
    *,
    device: torch.device,
    threads: int,
    watcher: Watcher,
    seconds: float | None = None,
) -> Progress:
    """Train in a folder; a training of the same settings that was stopped there is resumed.

    ``seconds``: no further update begins after so many of this call.
    """
    training_folder(out).check()
    method = PolicyTraining(settings, device, threads, seconds)
    with training_folder(out) as folder:
        return run(method, folder, watcher)


class PolicyTraining(TrainingMethod):
    """The policy that learns and plays the games, and its moving average, which is evaluated and kept."""

    unit = "update"
    picture = _PICTURE
    may_change = ("settings.updates",)

    def __init__(
        self, settings: PolicySettings, device: torch.device, threads: int, seconds: float | None = None
    ) -> None:
        self._settings, self._threads = settings, threads
        self._until = math.inf if seconds is None else time.perf_counter() + seconds
        self.title = f"policy, widths {settings.widths[0]} and {settings.widths[1]}"
        self.total = settings.updates
        init = Path(settings.init) if settings.init else OWN_FILE
        self._start, _ = read_value(init)
        torch.manual_seed(settings.seed)
        self.model = PolicyModel(settings)
        self.model.take(self._start)
        self.model.to(device)
        self.player = copy.deepcopy(self.model)
        self.networks = {"learner": self.model, "player": self.player}
        self.optimizer = self._optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=settings.lr, weight_decay=settings.weight_decay
        )
        self._started = np.zeros(0, np.bool_)
        self.config = config_data(
            {"method": "policy", **asdict(settings)}, value_schema_hash(), init_hash=file_hash(init)
        )

    def is_enough(self, progress: Progress) -> bool:
        return time.perf_counter() >= self._until

    def begin(self, progress: Progress, watcher: Watcher) -> Row | None:
        """Evaluate the start, which all others are compared with."""
        if len(self._started):
            return None
        begun = time.perf_counter()
        found = self._judge(
            net_of(self._start), self._told(watcher, "Evaluating the start", self._settings.judge_games)
        )
        self._started = found.won
        return {self.unit: 0, "games": 0, **self._judged(found, begun)}

    def step(self, progress: Progress, watcher: Watcher) -> Row:
        begun, settings, number = time.perf_counter(), self._settings, progress.done + 1
        random = np.random.default_rng([settings.seed, number])
        starts = drawn_starts(f"policy-{settings.seed}-{number}", settings.games, settings, 0.0, random)
        play = ValuePlay(
            rollouts=settings.rollouts,
            finalists=0,
            second_chances=settings.second_chances,
            temperature=settings.temperature,
            considered=settings.considered,
        )
        found = play_all(
            net_of({**self._start, **self.model.weights()}),
            starts,
            play,
            self._threads,
            self._told(watcher, self._phase(number, "playing"), len(starts)),
        )
        if not len(found.choices.taken):
            raise TrainingFailed("No choice was in doubt. Raise games or temperature.")
        played = time.perf_counter()

        def stepped(done: int, steps: int) -> None:
            watcher.progress(self._phase(number, "learning"), done, steps, "steps")

        learnt = update(self.model, self._optimizer, found.choices, settings, number, stepped)
        if not math.isfinite(sum(learnt.values())):
            raise TrainingFailed("The loss is no longer a number. Try a lower lr.")
        self._average()
        self.seconds += time.perf_counter() - begun
        games = progress.history[-1]["games"] if progress.history else 0
        return {
            "games": games + settings.games,
            "played": summary(found, np.ones(len(starts), np.bool_)),
            "learnt": learnt,
            "seconds": round(time.perf_counter() - begun, 1),
            "learning_seconds": round(time.perf_counter() - played, 1),
        }

    def _average(self) -> None:
        with torch.no_grad():
            for own, new in zip(self.player.parameters(), self.model.parameters(), strict=True):
                own.lerp_(new, self._settings.average)

    def _phase(self, number: int, phase: str) -> str:
        return f"Update {number} of {self.total}: {phase}"

    def _told(self, watcher: Watcher, phase: str, games: int) -> Callable[[int], None]:
        return lambda done: watcher.progress(phase, done, games, "games")

    def evaluate(self, number: int, watcher: Watcher) -> Row:
        if number % self._settings.judge_every and number != self.total:
            return {}
        begun = time.perf_counter()
        told = self._told(watcher, self._phase(number, "evaluating"), self._settings.judge_games)
        return self._judged(self._judge(net_of({**self._start, **self.player.weights()}), told), begun)

    def _judge(self, net: ValueNet, told: Callable[[int], None]) -> PlayedGames:
        """Play games that are always the same: decks and stakes as in training, seeds that nothing else uses."""
        settings = self._settings
        starts: list[ValueStart] = drawn_starts(
            _JUDGE_SEEDS, settings.judge_games, settings, 0.0, np.random.default_rng(0)
        )
        return play_all(net, starts, ValuePlay(rollouts=settings.rollouts, finalists=0), self._threads, told)

    def _judged(self, found: PlayedGames, begun: float) -> Row:
        gains = found.won.astype(float) - self._started
        judged = {
            **summary(found, np.ones(len(found.won), np.bool_)),
            "gained": float(gains.mean()),
            "gained_error": float(gains.std() / math.sqrt(len(gains))),
            "seconds": round(time.perf_counter() - begun, 1),
        }
        self.seconds += judged["seconds"]
        return {"judged": judged}

    def score(self, row: Row) -> tuple[float, ...] | None:
        return (row["judged"]["win_rate"], row["judged"]["mean_round"]) if "judged" in row else None

    def keep(self, stem: Path, row: Row) -> None:
        path = stem.with_suffix(".safetensors")
        write_value(path, {**self._start, **self.player.weights()}, {**self.config, "trained": dict(row)})

    def texts(self) -> Mapping[str, str]:
        return {_START: json.dumps(self._started.astype(int).tolist())}

    def restore(self, texts: Mapping[str, str]) -> None:
        self._started = np.array(json.loads(texts[_START]), np.bool_)

    def line(self, row: Row, progress: Progress) -> str:
        if "judged" not in row:
            return ""
        judged = row["judged"]
        return (
            f"Update {row['update']}, {row['games']:,} games so far: evaluated on {judged['games']:,} games, "
            f"won {percent_text(judged['win_rate'])} ({100 * judged['gained']:+.1f} points on the start, "
            f"standard error {100 * judged['gained_error']:.1f})"
        )
