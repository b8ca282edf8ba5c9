"""Trainings: how they wait, go on and end, and what they leave behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jimbo.az.actor import run_actor
from jimbo.az.models import OnnxModel, checkpoints
from jimbo.az.replay import open_replay
from jimbo.az.settings import ActorConfig, TrainConfig
from jimbo.az.trainer import DONE, FAILED, INTERRUPTED, NO_DATA, run_trainer
from jimbo.engine.az import game_spec


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "replay.db"
    config = ActorConfig(db=str(path), model_dir=str(path.parent / "none"), episodes=200, simulations=16)
    assert run_actor(config) == 0
    return path


def config_in(folder: Path, db: Path, **more: Any) -> TrainConfig:
    told = {"steps": 30, "checkpoint_interval": 10, "eval_interval": 0, "metrics_port": 0, "device": "cpu", **more}
    places = {"db": str(db), "model_dir": str(folder / "models"), "stats": str(folder / "stats.json")}
    return TrainConfig(**{**places, **told})


def stats_in(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "stats.json").read_text())
    return found


def test_a_training_leaves_models_and_stats(store: Path, tmp_path: Path) -> None:
    config = config_in(tmp_path, store, eval_interval=20, eval_games=10, max_checkpoints=2, tensorboard=True)
    assert run_trainer(config) == DONE
    folder = tmp_path / "models"
    assert [step for step, _ in checkpoints(folder)] == [20, 30]
    newest = (folder / "model_step_000030.onnx").read_bytes()
    assert newest == (folder / "latest.onnx").read_bytes() == (folder / "model.onnx").read_bytes()
    OnnxModel(folder / "latest.onnx", game_spec("tictactoe"))
    stats = stats_in(tmp_path)
    assert (stats["step"], stats["total_steps"], stats["samples_seen"]) == (30, 30, 30 * 64)
    assert stats["env_id"] == "tictactoe"
    assert stats["replay_buffer_size"] > 1000
    assert stats["last_checkpoint"].endswith("model_step_000030.onnx")
    assert [row["step"] for row in stats["history"]] == [10, 20, 30]
    assert [row["step"] for row in stats["eval_history"]] == [20, 30]
    assert stats["last_eval"]["opponent"] == "random"
    assert stats["last_eval"]["games_played"] == 10
    assert list((tmp_path / "tensorboard").iterdir())


def test_the_same_command_goes_on_and_the_history_survives(store: Path, tmp_path: Path) -> None:
    assert run_trainer(config_in(tmp_path, store, steps=20)) == DONE
    first = stats_in(tmp_path)["history"]
    assert run_trainer(config_in(tmp_path, store, steps=40)) == DONE
    assert [row["step"] for row in stats_in(tmp_path)["history"]] == [10, 20, 30, 40]
    assert stats_in(tmp_path)["history"][:2] == first
    assert stats_in(tmp_path)["samples_seen"] == 40 * 64
    before = (tmp_path / "models" / "latest.onnx").stat().st_mtime_ns
    assert run_trainer(config_in(tmp_path, store, steps=40)) == DONE
    assert (tmp_path / "models" / "latest.onnx").stat().st_mtime_ns == before


def test_a_training_that_is_killed_goes_on_from_its_last_checkpoint(store: Path, tmp_path: Path) -> None:
    flags = ["--db", store, "--model-dir", tmp_path / "models", "--stats", tmp_path / "stats.json"]
    command = [sys.executable, "-m", "jimbo.az.trainer", *map(str, flags), "--steps", "1000000"]
    process = subprocess.Popen([*command, "--checkpoint-interval", "10", "--metrics-port", "0", "--device", "cpu"])
    _wait(lambda: len(checkpoints(tmp_path / "models")) > 2)
    process.kill()
    process.wait()
    step, _ = checkpoints(tmp_path / "models")[-1]
    assert stats_in(tmp_path)["step"] >= step - 10
    assert run_trainer(config_in(tmp_path, store, steps=step + 20)) == DONE
    assert stats_in(tmp_path)["step"] == step + 20
    assert not list((tmp_path / "models").glob("*.part"))


def test_ctrl_c_keeps_the_model_and_is_exit_code_130(store: Path, tmp_path: Path) -> None:
    def interrupt() -> None:
        _wait((tmp_path / "stats.json").exists)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    assert run_trainer(config_in(tmp_path, store, steps=10**6, checkpoint_interval=10**6)) == INTERRUPTED
    thread.join()
    assert len(checkpoints(tmp_path / "models")) == 1
    assert (tmp_path / "models" / "latest.pt").exists()


def test_no_data_in_time_is_exit_code_2(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = config_in(tmp_path, tmp_path / "none.db", max_wait=0.2, wait_interval=0.05)
    assert run_trainer(config) == NO_DATA
    assert "No moves of tictactoe" in caplog.text
    open_replay(config.db, create=True).close()
    assert run_trainer(config) == NO_DATA


def test_it_waits_until_an_actor_has_written(tmp_path: Path) -> None:
    db = tmp_path / "late.db"
    plays = ActorConfig(db=str(db), model_dir=str(tmp_path / "models"), episodes=50, simulations=4)
    thread = threading.Thread(target=lambda: (time.sleep(0.5), run_in_thread(plays)))
    thread.start()
    assert run_trainer(config_in(tmp_path, db, steps=5, max_wait=60, wait_interval=0.05)) == DONE
    thread.join()


def run_in_thread(config: ActorConfig) -> None:
    """In a process: signals are for the main thread alone."""
    flags = ["--db", config.db, "--model-dir", config.model_dir, "--episodes", "50", "--simulations", "4"]
    subprocess.run([sys.executable, "-m", "jimbo", "az", "actor", *flags], check=True, capture_output=True)


def test_too_few_moves_and_other_failures_are_exit_code_1(
    store: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert run_trainer(config_in(tmp_path, store, batch_size=10**6, max_empty_batches=2)) == FAILED
    assert "fewer than 1000000 moves" in caplog.text
    (tmp_path / "stats.json").write_text("{")
    assert run_trainer(config_in(tmp_path, store)) == FAILED
    assert f"{tmp_path / 'stats.json'} cannot be resumed: it is not JSON" in caplog.text
    inside_a_file = str(tmp_path / "stats.json" / "stats.json")
    assert run_trainer(config_in(tmp_path, store, stats=inside_a_file)) == FAILED
    assert "Errno" not in caplog.text
    assert f"{inside_a_file} cannot be read: Not a directory" in caplog.text


def test_files_of_others_are_left_alone(store: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = config_in(tmp_path, store, steps=10)
    assert run_trainer(config) == DONE
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "config.json").write_text("{}")
    assert run_trainer(replace(config, model_dir=str(theirs), stats=str(tmp_path / "new.json"))) == FAILED
    assert f"{theirs} holds other files (config.json). Choose another folder." in caplog.text
    assert [path.name for path in theirs.iterdir()] == ["config.json"]
    before = (tmp_path / "stats.json").read_bytes()
    assert run_trainer(replace(config, model_dir=str(tmp_path / "new"))) == FAILED
    assert f"stats.json is about a training with models in {tmp_path / 'models'}, not in" in caplog.text
    assert (tmp_path / "stats.json").read_bytes() == before


def test_a_damaged_file_to_go_on_from_is_named(store: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Torch would take changed weights for good ones."""
    config = config_in(tmp_path, store, steps=10)
    assert run_trainer(config) == DONE
    latest = tmp_path / "models" / "latest.pt"
    data = bytearray(latest.read_bytes())
    middle = len(data) // 2
    for place in range(middle, middle + 128):  # more than the padding between two parts of an archive
        data[place] ^= 1
    latest.write_bytes(data)
    assert run_trainer(replace(config, steps=20)) == FAILED
    assert f"{latest} is damaged" in caplog.text


def test_the_store_can_be_emptied_first_and_kept_small(store: Path, tmp_path: Path) -> None:
    db = tmp_path / "own.db"
    db.write_bytes(store.read_bytes())
    config = config_in(tmp_path, db, replay_window=100, replay_cleanup_interval=10)
    assert run_trainer(config) == DONE
    with open_replay(str(db)) as replay:
        assert replay.count() == 100
    cleared = config_in(tmp_path, db, clear_replay=True, steps=60, max_wait=0.2, wait_interval=0.05)
    assert run_trainer(cleared) == NO_DATA
    with open_replay(str(db)) as replay:
        assert replay.count() == 0


def _wait(happened: Any) -> None:
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)
