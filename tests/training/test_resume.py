"""A training that was killed goes on to the very weights and games of one that was not."""

import io
import pickle
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from jimbo.env import create_balatro_env
from jimbo.training.resume import RESUME, read_state, write_plain
from jimbo.training.sb3_trainer import SB3Trainer

STEPS = 256


class Killed(Exception):
    pass


def trained(config: Any, die_at: int = 0, resume: bool = False) -> SB3Trainer:
    def dies(variables: dict[str, Any], _: dict[str, Any]) -> bool:
        if die_at and variables["self"].num_timesteps >= die_at:
            raise Killed
        return True

    trainer = SB3Trainer(create_balatro_env(seed=3), config)
    if resume:
        assert trainer.can_resume()
        trainer.restore()
    trainer.train(STEPS, callback=dies)
    return trainer


@pytest.mark.parametrize(
    ("algorithm", "more"),
    [
        ("PPO", {}),
        ("A2C", {}),
        pytest.param("DQN", {}, marks=pytest.mark.slow),
        pytest.param("PPO", {"use_curriculum": True}, marks=pytest.mark.slow),
    ],
)
def test_it_goes_on_to_the_same_curve(tmp_path: Path, config_of: Any, algorithm: str, more: dict[str, Any]) -> None:
    if more:
        more = {**more, "curriculum_config": {"initial_max_ante": 1, "eval_interval": 5, "success_threshold": 0.01}}
    frequent = {"checkpoint_freq": 64, "eval_freq": 128, "eval_episodes": 3, **more}
    whole = trained(config_of(algorithm, run_name="whole", **frequent))
    config = config_of(algorithm, run_name="cut", **frequent)
    with pytest.raises(Killed):
        trained(config, die_at=150)
    assert (tmp_path / "cut" / RESUME).is_file()
    again = trained(config, resume=True)
    assert again.total_timesteps == whole.total_timesteps == STEPS
    assert again.get_metrics() == whole.get_metrics()
    ours, theirs = again.model.policy.state_dict(), whole.model.policy.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)
    rows = [[{**row, "seconds": 0} for row in one.keeper.history] for one in (again, whole)]
    assert rows[0] == rows[1]
    assert len(rows[0]) >= 3
    assert again.evaluate(4) == whole.evaluate(4)


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", pytest.param("DQN", marks=pytest.mark.slow)])
def test_a_callback_that_stops_it_loses_nothing(config_of: Any, algorithm: str) -> None:
    seen = []

    def stops(variables: dict[str, Any], _: dict[str, Any]) -> bool:
        seen.append(variables["self"].num_timesteps)
        return seen[-1] < 150

    evaluated = {"eval_freq": 128, "eval_episodes": 3}
    whole = trained(config_of(algorithm, run_name="whole", **evaluated))
    config = config_of(algorithm, run_name="cut", **evaluated)
    first = SB3Trainer(create_balatro_env(seed=3), config)
    result = first.train(STEPS, callback=stops)
    assert seen[-1] == 152, "it is not asked again"
    assert 152 <= result.total_timesteps < STEPS
    assert result.updates > 0
    again = trained(config, resume=True)
    assert again.total_timesteps == whole.total_timesteps == STEPS
    assert again.get_metrics() == whole.get_metrics()
    ours, theirs = again.model.policy.state_dict(), whole.model.policy.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)
    rows = [[{**row, "seconds": 0} for row in one.keeper.history] for one in (again, whole)]
    assert rows[0] == rows[1]


def test_a_new_training_in_a_used_folder_forgets_the_old_one(config_of: Any) -> None:
    first = trained(config_of())
    assert first.can_resume()
    second = SB3Trainer(create_balatro_env(seed=3), config_of(seed=9))
    with pytest.raises(Killed):
        second.train(STEPS, callback=_dies)
    assert not second.can_resume()


def _dies(*_: Any) -> bool:
    raise Killed


def test_only_the_same_training_is_gone_on_with(config_of: Any) -> None:
    trained(config_of())
    for env, config, told in (
        (create_balatro_env(seed=3), config_of(seed=9), "other settings (seed)"),
        (create_balatro_env(seed=3, deck="Blue Deck"), config_of(), "other settings (deck)"),
        (create_balatro_env(seed=3, stake="gold", max_steps=99), config_of(), "other settings (stake, max_steps)"),
        (create_balatro_env(seed=3, actions="steps"), config_of(), "other settings (candidates, actions"),
    ):
        with pytest.raises(ValueError, match=re.escape(told)):
            SB3Trainer(env, config).restore()
    SB3Trainer(create_balatro_env(seed=3, stake="white"), config_of(threads=2)).restore()


def test_a_model_is_whole_or_absent(tmp_path: Path, config_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = SB3Trainer(create_balatro_env(seed=3), config_of())
    trainer.create_model()
    path = trainer.save_model(tmp_path / "model.zip")
    before = path.read_bytes()

    def fails(*_: Any) -> None:
        raise Killed

    monkeypatch.setattr("jimbo.training.resume.write_plain", fails)
    with pytest.raises(Killed):
        trainer.save_model(path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["model.zip"]


def test_a_broken_state_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No such file"):
        read_state(tmp_path)
    for data in (b"\x80\x05not a pickle", b"N.", b"PK\x03\x04cut", b""):
        (tmp_path / RESUME).write_bytes(data)
        with pytest.raises(ValueError, match="cannot be resumed"):
            read_state(tmp_path)
    with (tmp_path / RESUME).open("wb") as file:
        write_plain(file, [1])
    with pytest.raises(ValueError, match="does not hold the state of a training"):
        read_state(tmp_path)


class Ran(Exception):
    pass


class Runs:
    def __reduce__(self) -> Any:
        return throw, ()


def throw() -> None:
    raise Ran


def test_what_is_read_never_runs(tmp_path: Path, config_of: Any) -> None:
    data = pickle.dumps(Runs())
    (tmp_path / RESUME).write_bytes(data)
    with pytest.raises(ValueError, match="cannot be resumed"):
        read_state(tmp_path)
    np.savez(tmp_path / RESUME, tree=np.array([Runs()], object))
    with pytest.raises(ValueError, match="cannot be resumed"):
        read_state(tmp_path)
    trainer = SB3Trainer(create_balatro_env(seed=3), config_of())
    trainer.create_model()
    for name in ("jimbo_normalization.pkl", "jimbo_normalization.npz"):
        path = trainer.save_model(tmp_path / "model.zip")
        path.write_bytes(replaced(path, name, data))
        with pytest.raises(ValueError, match="is not a model of this algorithm and size"):
            trainer.load_model(path)


def replaced(path: Path, name: str, data: bytes) -> bytes:
    """An archive with another file in it."""
    made = io.BytesIO()
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(made, "w") as after:
        for one in before.namelist():
            if not one.startswith("jimbo_"):
                after.writestr(one, before.read(one))
        after.writestr(name, data)
    return made.getvalue()


def test_models_keep_their_statistics(tmp_path: Path, config_of: Any) -> None:
    first = SB3Trainer(create_balatro_env(seed=3), config_of())
    first.train(128)
    path = first.save_model(tmp_path / "deep" / "model.zip")
    second = SB3Trainer(create_balatro_env(seed=3), config_of(seed=5))
    second.create_model()
    assert second.evaluate(6) != first.evaluate(6)
    second.load_model(path)
    assert second.evaluate(6) == first.evaluate(6)
    rms = [one.vec_env.obs_rms["candidate_rows"] for one in (first, second)]  # type: ignore[attr-defined]
    assert (rms[0].mean == rms[1].mean).all()
    assert abs(rms[0].mean).sum() > 0


def test_files_that_are_no_models_are_refused(tmp_path: Path, config_of: Any) -> None:
    trainer = SB3Trainer(create_balatro_env(), config_of())
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        trainer.load_model(tmp_path / "nowhere.zip")
    (tmp_path / "bad.zip").write_text("no zip")
    with pytest.raises(ValueError, match="is not a model of this algorithm and size"):
        trainer.load_model(tmp_path / "bad.zip")
