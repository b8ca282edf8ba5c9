"""Two actors and a trainer that know each other only through a store and a folder."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from jimbo.az.replay import Replay, open_replay
from jimbo.az.settings import TrainConfig
from jimbo.az.trainer import DONE, run_trainer


def test_two_actors_and_a_trainer(place: str, tmp_path: Path) -> None:
    """The actors begin without a model; the trainer without data."""
    models = tmp_path / "models"
    told = ["--db", place, "--model-dir", str(models), "--simulations", "8", "--parallel-games", "16"]
    command = [sys.executable, "-m", "jimbo", "az", "actor", *told, "--reload-interval", "0.1"]
    actors = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    config = TrainConfig(
        db=place,
        model_dir=str(models),
        stats=str(tmp_path / "stats.json"),
        steps=20,
        checkpoint_interval=10,
        eval_interval=0,
        metrics_port=0,
        device="cpu",
        wait_interval=0.1,
        max_wait=120,
    )
    assert run_trainer(config) == DONE
    with open_replay(place) as replay:
        last = time.monotonic() + 120
        while len(_writers(replay)) < 2 and time.monotonic() < last:  # one of them may have had no time yet
            time.sleep(0.05)
        before = replay.newest()
        logs = [_after(actor, replay_is_longer_than=before, place=place) for actor in actors]
        written = replay._rows("SELECT episode_id, SUM(done), COUNT(*), MAX(step_number) FROM transitions GROUP BY 1")
        assert len(_writers(replay)) == 2, "both have written"
    assert all("Plays with" in log for log in logs)
    assert all(done == 1 and count == last + 1 for _, done, count, last in written), "games are whole"


def _writers(replay: Replay) -> set[str]:
    """Which actors have written games."""
    return {episode.rpartition("-")[0] for (episode,) in replay._rows("SELECT DISTINCT episode_id FROM transitions")}


def _after(actor: subprocess.Popen[str], replay_is_longer_than: int, place: str) -> str:
    """Ends an actor once it has played on with the model; what it told."""
    assert actor.stderr is not None
    told = ""
    while "latest.onnx" not in told:  # it may begin with model.onnx, which is written just before
        told += actor.stderr.readline()
    with open_replay(place) as replay:
        while replay.newest() <= replay_is_longer_than:
            time.sleep(0.05)
    actor.terminate()
    told += actor.communicate(timeout=60)[1]
    assert actor.returncode == 0, told
    return told
