"""A whole training of a value: generations of games, each played by the value so far and learnt from."""

from __future__ import annotations

import copy
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch

from jimbo.data import versions
from jimbo.engine.value import value_schema_hash
from jimbo.files import file_hash
from jimbo.models.value_file import Weights, read_value, write_value
from jimbo.run_folder import RunFolder
from jimbo.train.core.folder import BEST, LAST, METRICS, training_folder
from jimbo.train.value.curves import PICTURE, draw
from jimbo.train.value.games import judge, play_generation
from jimbo.train.value.learning import learn
from jimbo.train.value.model import ValueModel, widths_of
from jimbo.train.value.positions import Rows, load_positions, positions_hash, rows_of, save_positions
from jimbo.train.value.settings import ValueSettings
from jimbo.train.value.state import load_state, save_state
from jimbo.train.value.watching import ValueProgress, ValueWatcher


def run_value(
    settings: ValueSettings,
    out: Path,
    *,
    device: torch.device,
    threads: int,
    watcher: ValueWatcher,
    seconds: float | None = None,
) -> ValueProgress:
    """Trains in a folder of its own, where a training of the same settings that was stopped goes on.

    ``seconds``: no further generation begins after so many of this call.
    """
    training_folder(out).check()
    training = Training(settings, device, threads)
    with training_folder(out) as folder:
        folder.begin(training.config)
        return training.run(folder, watcher, seconds)


class _Growth(NamedTuple):
    """What a training begins with, and what is to stand beside it."""

    elder: ValueModel
    young: ValueModel


class Training:
    """The model that learns, and the one that plays: its mean over the generations.

    Where what it begins with is narrower, a new network of the missing width first learns beside it, taught by it and
    by its games: two that err differently judge better than either.
    """

    def __init__(self, settings: ValueSettings, device: torch.device, threads: int) -> None:
        self.settings, self._device, self._threads = settings, device, threads
        init = Path(settings.init) if settings.init else None
        torch.manual_seed(settings.seed)
        self.model = ValueModel(settings.widths, settings.dropout)
        self._growth = self._begin(read_value(init)[0]) if init else None
        self.model.to(device).eval()
        self.player = copy.deepcopy(self.model)
        # A training with more generations is the same training, resumed.
        told = {name: value for name, value in asdict(settings).items() if name != "generations"}
        self.config = {
            "settings": {"method": "value", **told},
            "init_hash": file_hash(init) if init else None,
            "schema_hash": value_schema_hash(),
            "versions": dict(versions()),
        }

    def _begin(self, weights: Weights) -> _Growth | None:
        widths, dropout = widths_of(weights), self.settings.dropout
        first, second = (wanted - given for wanted, given in zip(self.settings.widths, widths, strict=True))
        if min(first, second) <= 0:
            self.model.take(weights)
            return None
        elder, young = ValueModel(widths, dropout), ValueModel((first, second), dropout)
        elder.take(weights)
        return _Growth(elder.to(self._device).eval(), young.to(self._device))

    def run(self, folder: RunFolder, watcher: ValueWatcher, seconds: float | None) -> ValueProgress:
        progress = load_state(folder.folder, self._models()) or ValueProgress()
        watcher.began(progress, self.settings.generations)
        began = time.perf_counter()
        while progress.generation < self.settings.generations:
            if seconds is not None and time.perf_counter() - began >= seconds:
                break
            progress = self._generation(folder, progress, watcher)
            watcher.ended(progress)
        return progress

    def _generation(self, folder: RunFolder, before: ValueProgress, watcher: ValueWatcher) -> ValueProgress:
        began = time.perf_counter()
        number, settings = before.generation, self.settings
        games = settings.stage(number).games
        player = self._growth.elder if self._growth and number == 0 else self.player
        told, positions = play_generation(
            player.native(), settings, number, self._threads, lambda done: watcher.playing(done, games)
        )
        save_positions(_data(folder, number), positions)
        window = range(max(0, number + 1 - settings.window), number + 1)
        rows = rows_of([load_positions(_data(folder, past)) for past in window])
        tests = self._learn(rows, number, watcher)
        judged = judge(
            self.player.native(), settings, self._threads, lambda done: watcher.judging(done, settings.judge_games)
        )
        row = {
            "generation": number + 1,
            "games": before.games + games,
            **told,
            "positions": len(rows.game),
            "data_hash": positions_hash(positions),
            "tests": tests,
            "judged": judged,
            "seconds": round(time.perf_counter() - began, 1),
        }
        progress = _after(before, row)
        self._keep(folder, progress)
        _data(folder, number - settings.window).unlink(missing_ok=True)  # never needed again
        return progress

    def _learn(self, rows: Rows, number: int, watcher: ValueWatcher) -> dict[str, float]:
        """Returns what is lost on games that were not learnt from."""
        settings, growth = self.settings, self._growth if number == 0 else None
        if growth:
            tests = learn(growth.young, rows, settings, number, self._device, watcher.learning, teacher=growth.elder)
            self.model.join(*growth)
        else:
            tests = learn(self.model, rows, settings, number, self._device, watcher.learning)
        new = growth is not None or (number == 0 and settings.init is None)
        self.player.approach(self.model, 1.0 if new else settings.stage(number).renewed)
        return tests

    def _models(self) -> dict[str, ValueModel]:
        return {"learner": self.model, "player": self.player}

    def _keep(self, folder: RunFolder, progress: ValueProgress) -> None:
        row = progress.history[-1]
        about = {**self.config, "trained": dict(row)}
        write_value(folder.path(f"{LAST}.safetensors"), self.player.weights(), about)
        if progress.best_generation == progress.generation:
            write_value(folder.path(f"{BEST}.safetensors"), self.player.weights(), about)
        save_state(folder.folder, self._models(), progress)
        folder.write_json(METRICS, {"best_generation": progress.best_generation, "generations": list(progress.history)})
        draw(folder.path(PICTURE), progress.history, f"A value from {progress.games:,} games")


def _after(before: ValueProgress, row: dict[str, Any]) -> ValueProgress:
    value = (row["judged"]["win_rate"], row["judged"]["mean_round"])
    better = value > before.best
    return replace(
        before,
        generation=row["generation"],
        games=row["games"],
        seconds=before.seconds + row["seconds"],
        best=value if better else before.best,
        best_generation=row["generation"] if better else before.best_generation,
        history=(*before.history, row),
    )


def _data(folder: RunFolder, generation: int) -> Path:
    return folder.path(f"positions-{generation + 1:04d}.npz")
