"""The speed of Jimbo's PPO compared with MaskablePPO: ``python benchmarks/ppo_speed.py``.

Both learn in turns in one process, with entity networks of the same size and as many candidates; decisions are counted
for each second of processor time, so that whatever else the machine does changes the figures little, and their ratio
less.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from jimbo.train.core.machine import prepare
from jimbo.train.settings import RlSettings
from jimbo.training.config import TrainerConfig, get_default_config, tuned_config

WARM_UP, TURNS = 2, 5
"""Updates of each that do not count, and that do."""
HEADS: dict[str, Any] = {"features_dim": 64, "policy_net_arch": [32], "value_net_arch": [32]}
"""Of MaskablePPO, as wide as those of Jimbo's PPO with a network of the size tiny."""


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    rl: RlSettings
    sb3: TrainerConfig


def cases() -> list[Case]:
    """Jimbo's PPO with the commands' settings, the reference defaults, and its own."""
    own = RlSettings(steps=10**9)
    few = replace(own, horizon=8)
    return [
        Case("jimbo train sb3", own, _sb3(tuned_config("PPO"), own)),
        Case("jimbo train sb3, one epoch here", replace(own, epochs=1), _sb3(tuned_config("PPO"), own)),
        Case("as many games and epochs", few, _sb3(tuned_config("PPO"), few, equal=True)),
        Case("the reference defaults", own, _sb3(get_default_config("PPO"), own, n_steps=128)),
    ]


def _sb3(config: TrainerConfig, own: RlSettings, equal: bool = False, **specific: Any) -> TrainerConfig:
    if equal:
        specific = {"n_steps": own.horizon, "batch_size": own.minibatch, "n_epochs": own.epochs}
    told = {**config.hyper.algorithm_specific, **specific}
    return replace(
        config,
        hyperparams=replace(config.hyper, **HEADS, algorithm_specific=told),
        n_envs=own.rows if equal else config.n_envs,
        candidates=own.candidates,
        network=own.size,  # type: ignore[arg-type]
        device="cpu",
        tensorboard=False,
        eval_freq=0,
        checkpoint_freq=0,
    )


def compare(case: Case, turns: int = TURNS, warm_up: int = WARM_UP) -> tuple[float, float]:
    """Decisions for each second of processor time, of MaskablePPO and of Jimbo's PPO; medians over the turns."""
    from jimbo.env import create_balatro_env
    from jimbo.train.core.watching import Progress, Watcher
    from jimbo.train.ppo import Ppo
    from jimbo.train.ppo_model import workbench
    from jimbo.training.sb3_trainer import SB3Trainer

    with workbench(prepare("cpu"), 1) as bench, TemporaryDirectory() as folder:
        method = Ppo(case.rl, bench)
        trainer = SB3Trainer(create_balatro_env(), replace(case.sb3, save_dir=folder))
        trainer.create_model()
        rollout = trainer.model.n_steps * case.sb3.n_envs
        speeds: list[tuple[float, float]] = []
        for _ in range(warm_up + turns):
            theirs = _speed(rollout, lambda: trainer.model.learn(rollout, reset_num_timesteps=False))
            speeds.append((theirs, _speed(case.rl.batch, lambda: method.step(Progress(), Watcher()))))
        trainer.close()
    counted = speeds[warm_up:]
    return median(theirs for theirs, _ in counted), median(ours for _, ours in counted)


def _speed(decisions: int, work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return decisions / (time.process_time() - before)


if __name__ == "__main__":
    for case in cases():
        theirs, ours = compare(case)
        print(f"{case.name:32s} MaskablePPO {theirs:7,.0f}   jimbo train rl {ours:7,.0f}   {ours / theirs:5.2f} times")
