"""Actors: what they write, which model they play with, and how they end."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from az.made_models import made_model
from jimbo.az.actor import Actor, run_actor
from jimbo.az.models import ModelWatch, OnnxModel
from jimbo.az.replay import Replay, open_replay
from jimbo.az.schema import StoredMove
from jimbo.az.settings import ActorConfig
from jimbo.engine.az import Position, game_spec
from jimbo.models.checkpoint import BadModel


def config_in(folder: Path, **more: object) -> ActorConfig:
    told = {"simulations": 8, "parallel_games": 8, "reload_interval": 0.01, **more}
    return ActorConfig(db=str(folder / "replay.db"), model_dir=str(folder / "models"), **told)  # type: ignore[arg-type]


def episodes_of(replay: Replay, env_id: str) -> dict[str, list[StoredMove]]:
    rows = [StoredMove(*row) for row in replay._rows(f"SELECT {', '.join(StoredMove._fields)} FROM transitions")]
    found: dict[str, list[StoredMove]] = {}
    for row in sorted(rows, key=lambda row: (row.episode_id, row.step_number)):
        assert row.env_id == env_id
        found.setdefault(row.episode_id, []).append(row)
    return found


@pytest.mark.parametrize("env_id", ["tictactoe", "connect4"])
def test_the_store_holds_whole_games_that_can_be_played_again(tmp_path: Path, env_id: str) -> None:
    assert run_actor(config_in(tmp_path, env_id=env_id, episodes=20)) == 0
    game = game_spec(env_id)
    with open_replay(str(tmp_path / "replay.db")) as replay:
        assert replay.get_metadata(env_id) == game
        episodes = episodes_of(replay, env_id)
    assert len(episodes) >= 20
    for rows in episodes.values():
        position = Position(env_id)
        assert [row.done for row in rows] == [0] * (len(rows) - 1) + [1]
        for row in rows:
            assert row.state == position.state()
            assert np.frombuffer(row.observation, "<f4").tolist() == position.observation().tolist()
            assert np.frombuffer(row.policy_probs or b"", "<f4").sum() == pytest.approx(1.0, abs=1e-4)
            mover = position.player
            position.step(int.from_bytes(row.action, "little"))
            assert row.next_state == position.state()
            assert row.game_outcome == (1 if mover == _mover(rows, 0) else -1) * _outcome(rows)
        assert position.done
        assert position.outcome == _outcome(rows)


def _mover(rows: list[StoredMove], step: int) -> int:
    return rows[step].step_number % 2


def _outcome(rows: list[StoredMove]) -> float:
    """For who began."""
    position = Position(rows[0].env_id)
    for row in rows:
        position.step(int.from_bytes(row.action, "little"))
    return position.outcome


def test_a_model_is_used_as_soon_as_it_is_there(tmp_path: Path) -> None:
    made_model(tmp_path / "models" / "model.onnx")
    config = config_in(tmp_path)
    with open_replay(config.db, create=True) as replay:
        actor = Actor(config, game_spec("tictactoe"), replay)
        actor._pass()
        assert actor._model is not None
        assert actor._model.path.name == "model.onnx"
        made_model(tmp_path / "models" / "latest.onnx", seed=8)
        _wait(lambda: actor._pass() or actor._model.path.name == "latest.onnx")
        actor.close()


def _wait(happened: object) -> None:
    end = time.monotonic() + 20
    while not happened():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_broken_model_is_refused_and_the_old_one_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = made_model(tmp_path / "models" / "latest.onnx")
    whole = path.read_bytes()
    config = config_in(tmp_path)
    with open_replay(config.db, create=True) as replay, caplog.at_level(logging.WARNING):
        actor = Actor(config, game_spec("tictactoe"), replay)
        actor._pass()
        first = actor._model
        for wrong in (whole[: len(whole) // 2], b"", b"no model", _for_another_game(tmp_path)):
            caplog.clear()
            path.write_bytes(wrong)
            _wait(lambda: actor._pass() or caplog.records)
            assert "The model in use stays" in caplog.text
            assert actor._model is first
        path.write_bytes(whole)
        _wait(lambda: actor._pass() or actor._model is not first)
        actor.close()


def _for_another_game(folder: Path) -> bytes:
    return made_model(folder / "other.onnx", "connect4").read_bytes()


def test_a_model_that_says_what_is_no_number_is_refused(tmp_path: Path) -> None:
    import onnx

    path = made_model(tmp_path / "latest.onnx")
    model = onnx.load(str(path))
    weights = model.graph.initializer[0]
    weights.CopyFrom(
        onnx.numpy_helper.from_array(np.full_like(onnx.numpy_helper.to_array(weights), np.nan), weights.name)
    )
    onnx.save(model, str(path))
    with pytest.raises(BadModel, match="holds weights that are not finite numbers"):
        OnnxModel(path, game_spec("tictactoe"))


@pytest.mark.parametrize("events", [True, False])
def test_changes_are_noticed_with_and_without_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, events: bool
) -> None:
    if events:
        pytest.importorskip("watchdog")
    else:
        monkeypatch.setattr("jimbo.az.models._observer", lambda *_: None)
    watch = ModelWatch(tmp_path, interval=3600.0 if events else 0.05)
    assert watch.changed() is None
    (tmp_path / "new.tmp").write_bytes(b"one")
    os.replace(tmp_path / "new.tmp", tmp_path / "latest.onnx")
    _wait(lambda: watch.changed() == tmp_path / "latest.onnx")
    time.sleep(0.1)
    assert watch.changed() is None
    (tmp_path / "latest.onnx").write_bytes(b"two")
    _wait(lambda: watch.changed() == tmp_path / "latest.onnx")
    watch.close()


def test_several_actors_write_different_games(tmp_path: Path) -> None:
    for _ in range(2):
        assert run_actor(config_in(tmp_path, episodes=30, commit_episodes=5)) == 0
    with open_replay(str(tmp_path / "replay.db")) as replay:
        episodes = episodes_of(replay, "tictactoe")
    assert len(episodes) >= 60
    assert len({b"".join(row.action for row in rows) for rows in episodes.values()}) > 50


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_an_actor_that_is_told_to_end_writes_what_is_finished(tmp_path: Path, end: signal.Signals) -> None:
    places = ["--db", str(tmp_path / "replay.db"), "--model-dir", str(tmp_path / "models")]
    command = [
        sys.executable,
        "-m",
        "jimbo",
        "az",
        "actor",
        *places,
        "--simulations",
        "4",
        "--commit-episodes",
        "100000",
    ]
    process = subprocess.Popen([*command, "--commit-interval", "3600"], stderr=subprocess.PIPE, text=True)
    _wait(lambda: (tmp_path / "models").is_dir())
    time.sleep(1.0)
    process.send_signal(end)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 0, told
    with open_replay(str(tmp_path / "replay.db")) as replay:
        episodes = episodes_of(replay, "tictactoe")
    assert episodes
    assert all(rows[-1].done == 1 for rows in episodes.values())


def test_bad_input_is_a_sentence(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert run_actor(config_in(tmp_path, env_id="chess")) == 1
    assert 'no game "chess"' in caplog.text
    shutil.copy(__file__, tmp_path / "replay.db")
    assert run_actor(config_in(tmp_path)) == 1
    assert "file is not a database" in caplog.text
