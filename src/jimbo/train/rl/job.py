"""A whole training by play, from settings to a network that plays."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.optim import Adam

from jimbo.data import versions
from jimbo.files import file_hash
from jimbo.models import config_of, input_schema
from jimbo.models.checkpoint import load_network, save_network
from jimbo.models.export import example_decisions, export_saved
from jimbo.models.network import EntityNetwork
from jimbo.run_folder import RunFolder
from jimbo.train.core.folder import BEST, LAST, METRICS, training_folder
from jimbo.train.ppo import ActorCritic, Rule, Workbench, collect, improve
from jimbo.train.rl.curves import RlCurves
from jimbo.train.rl.games import Games
from jimbo.train.rl.judging import judge
from jimbo.train.rl.schedule import newest_share, share_left
from jimbo.train.rl.settings import RlSettings
from jimbo.train.rl.state import load_state, save_state
from jimbo.train.rl.watching import RlProgress, RlWatcher, RlWatchers

SUMMARY = "rl_train_summary.json"
_CRITIC_LR = 2.5e-3
"""At least, for a critic that learns alone: it begins with nothing, and can spoil nothing."""


def run_rl(settings: RlSettings, out: Path, *, device: torch.device, threads: int, watcher: RlWatcher) -> RlProgress:
    """Trains in a folder of its own, where a training of the same settings that was stopped goes on."""
    training_folder(out).check()
    with workbench(device, threads) as bench:
        training = Training(settings, bench)
        with training_folder(out) as folder:
            folder.begin(training.config)
            title = f"rl, {settings.size if settings.init is None else settings.init}, {settings.decisions:,} decisions"
            watchers = RlWatchers(watcher, _Metrics(folder, training), RlCurves(folder.folder, title))
            return training.run(folder.folder, watchers)


@contextmanager
def workbench(device: torch.device, threads: int) -> Iterator[Workbench]:
    """Pieces are shared out among threads of our own: torch's would wait for one another in every small step."""
    if device.type != "cpu":
        yield Workbench(device, map, threads)
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with ThreadPoolExecutor(threads) as pool:
            yield Workbench(device, pool.map if threads > 1 else map, threads)
    finally:
        torch.set_num_threads(before)


class Training:
    """Network, games and optimizer, from update to update."""

    def __init__(self, settings: RlSettings, bench: Workbench) -> None:
        self.settings, self._bench = settings, bench
        self.config = {
            "settings": {"method": "rl", **asdict(settings)},
            "init_hash": _start_hash(settings),
            "schema_hash": input_schema(),
            "versions": dict(versions()),
        }
        torch.manual_seed(settings.seed)
        network = _start_network(settings)
        self._start = network.eval().to(bench.device) if settings.init and settings.start_kl > 0 else None
        self.model = ActorCritic(_copy(network)).to(bench.device)
        self.average = deepcopy(self.model).eval().requires_grad_(False)
        """Of the weights over the last updates: what is judged and kept. The learner goes on with its own."""
        self._optimizer = Adam(self.model.parameters(), lr=settings.lr, eps=1e-5, fused=bench.device.type == "cpu")
        self._games = Games(settings, bench.threads)
        self.progress = RlProgress()
        self.seconds = 0.0
        """Spent so far, also before the training was stopped."""

    def run(self, folder: Path, watcher: RlWatcher) -> RlProgress:
        found = load_state(folder, self.model, self.average, self._optimizer, self._games)
        if found:
            self.progress, self.seconds = found
        watcher.began(self.progress, self.settings)
        if not found:
            self._note(folder, {}, watcher)
        while self.progress.update < self.settings.updates:
            began = time.perf_counter()
            row = self.update()
            self.seconds += time.perf_counter() - began
            self._note(folder, row, watcher)
        watcher.exporting()
        _export(folder / LAST, self.settings)
        return self.progress

    def update(self) -> dict[str, Any]:
        """Plays and learns; random numbers depend on the seed and the number of the update alone."""
        settings, number = self.settings, self.progress.update
        random = np.random.default_rng([settings.seed, number])
        done = number / settings.updates
        alone = settings.init is not None and number < settings.critic_warm_up
        rate = max(_CRITIC_LR, settings.lr) if alone else settings.lr * share_left(settings.schedule, done)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self.model.eval()
        batch = collect(self.model, self._games, settings, random, self._bench)
        rule = Rule(
            settings,
            entropy=settings.entropy + (settings.entropy_end - settings.entropy) * done,
            spread=max(float(batch.returns.var()), 1e-8),
            critic_alone=alone,
            start=self._start,
        )
        told = improve(self.model, self._optimizer, batch, rule, random, self._bench)
        for mean, weight in zip(self.average.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(weight.detach(), newest_share(settings.average, number + 1))
        foreseen = 1 - float((batch.returns - batch.values).var()) / rule.spread
        return {"lr": rate, **told, "explained": foreseen, **self._games.report()}

    def _note(self, folder: Path, row: dict[str, Any], watcher: RlWatcher) -> None:
        """Judges where it is time to, and keeps everything."""
        settings, before = self.settings, self.progress
        update = before.update + bool(row)
        row = {"update": update, "steps": update * settings.batch, **row}
        if update % settings.eval_every == 0 or update == settings.updates:
            watcher.judging()
            row["judged"] = judge(self.average, settings, self._bench)
        value = (row["judged"]["antes_cleared"], row["judged"]["mean_blinds"]) if "judged" in row else ()
        self.progress = RlProgress(
            update=update,
            games=before.games + int(row.get("games", 0)),
            illegal=before.illegal + int(row.get("illegal", 0)),
            best=max(value, before.best),
            best_update=update if value > before.best else before.best_update,
            history=(*before.history, row),
        )
        if "judged" in row:
            about = {"method": "rl", "candidates": settings.candidates, **self.config}
            card = {**about, "update": update, "steps": row["steps"], "metrics": row["judged"]}
            save_network(self.average.network, folder / LAST, card)
            if value > before.best:
                save_network(self.average.network, folder / BEST, card)
                _export(folder / BEST, settings)
        save_state(folder, self.model, self.average, self._optimizer, self._games, self.progress, self.seconds)
        watcher.updated(self.progress)


class _Metrics(RlWatcher):
    """Writes what is known after every judgement."""

    def __init__(self, folder: RunFolder, training: Training) -> None:
        self._folder, self._training = folder, training

    def updated(self, progress: RlProgress) -> None:
        if "judged" in progress.history[-1]:
            self._folder.write_json(METRICS, {"best_update": progress.best_update, "updates": list(progress.history)})
            self._folder.write_json(SUMMARY, summary(self._training))


def summary(training: Training) -> dict[str, Any]:
    """What came of a training, in short."""
    progress, seconds = training.progress, training.seconds
    judged = {row["update"]: row["judged"] for row in progress.history if "judged" in row}
    steps = progress.update * training.settings.batch
    return {
        "updates": progress.update,
        "steps": steps,
        "games": progress.games,
        "illegal_actions": progress.illegal,
        "seconds": round(seconds, 3),
        "steps_per_s": round(steps / seconds, 1) if seconds else 0.0,
        "start": judged[0],
        "best": {"update": progress.best_update, **judged[progress.best_update]},
        "last": {"update": progress.update, **judged[max(judged)]},
        **training.config,
    }


def _start_network(settings: RlSettings) -> EntityNetwork:
    if settings.init is None:
        return EntityNetwork(config_of(settings.size))
    network = load_network(_weights(settings.init))[0]
    # Whoever learnt from records plays far worse by drawing than by its first choice, and drawn games are learnt from.
    with torch.no_grad():
        for weight in network.candidates.score.parameters():
            weight.mul_(settings.sharpness)
    return network


def _copy(network: EntityNetwork) -> EntityNetwork:
    """Without dropout: the probabilities of an update must be those with which the actions were chosen."""
    copy = EntityNetwork(replace(network.config, dropout=0.0))
    copy.load_state_dict(network.state_dict())
    return copy


def _weights(init: str) -> Path:
    """The weights in the folder of a training, or in a file."""
    path = Path(init)
    return path / f"{BEST}.safetensors" if path.is_dir() else path.with_suffix(".safetensors")


def _start_hash(settings: RlSettings) -> str | None:
    if settings.init is None:
        return None
    path = _weights(settings.init)
    if not path.is_file():
        raise ValueError(f"init: there is no {path}. Name the folder of a training by bc, pv, dagger, distill or rl.")
    return file_hash(path)


def _export(stem: Path, settings: RlSettings) -> None:
    export_saved(stem, example_decisions(settings.candidates, settings.deck, settings.stake))
