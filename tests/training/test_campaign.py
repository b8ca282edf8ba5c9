"""Stable-Baselines3 on `jimbo/Campaign-v0`: the network over options, evaluation, resume."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.utils import get_action_masks

from jimbo.env import create_campaign_env, make_vectorized_env
from jimbo.env.sb3 import CampaignVecEnv
from jimbo.training.framework import campaign_config, create_trainer, read_trainer_config
from jimbo.training.option_policy import OptionExtractor

SMALL: dict[str, Any] = {
    "total_timesteps": 256, "n_envs": 8, "eval_freq": 128, "eval_episodes": 4, "checkpoint_freq": 128, "verbose": 0,
    "tensorboard": False,
}  # fmt: skip


def config(folder: Path, **more: Any) -> Any:
    made = campaign_config()
    for name, value in {**SMALL, "save_dir": str(folder), "run_name": "run", **more}.items():
        setattr(made, name, value)
    made.hyperparams.algorithm_specific = {"n_steps": 16, "batch_size": 64, "n_epochs": 1}
    return made


def test_a_plain_one_becomes_a_vector_with_masks() -> None:
    env = make_vectorized_env(lambda: create_campaign_env(seed=1, max_options=20), 4)
    assert isinstance(env, CampaignVecEnv)
    observation = env.reset()
    assert np.array_equal(get_action_masks(env), observation["action_mask"] > 0)
    for step in range(30):
        actions = np.asarray(env.env_method("sample_actions", step))
        observation, _, done, infos = env.step(actions)
        assert not any(info["illegal"] for info in infos)
    assert done.shape == (4,)


@pytest.mark.parametrize("layout", ["sparse", "dense", "summary"])
def test_the_network_reads_every_layout(layout: str) -> None:
    torch.manual_seed(1)
    env = CampaignVecEnv(3, layout=layout, max_options=20)
    env.seed(1)
    seen = {name: torch.from_numpy(array).float() for name, array in env.reset().items()}
    extractor = OptionExtractor(env.observation_space, 8)
    out = extractor(seen)
    features, tokens, mask = extractor.parts.split(out, 8)
    assert torch.equal(mask, seen["action_mask"] > 0)
    assert not tokens[~mask].any()
    assert tokens[mask].any()
    alone = extractor({name: array[1:2] for name, array in seen.items()})
    assert torch.allclose(alone, out[1:2], atol=1e-5)
    assert features.std() > 0


def test_sparse_and_dense_are_read_alike() -> None:
    outs = []
    for layout in ("sparse", "dense"):
        torch.manual_seed(1)
        env = CampaignVecEnv(3, layout=layout, max_options=20)
        env.seed(1)
        seen = {name: torch.from_numpy(array).float() for name, array in env.reset().items()}
        outs.append(OptionExtractor(env.observation_space, 8)(seen))
    assert torch.allclose(outs[0], outs[1], atol=1e-5)


def test_it_learns_evaluates_and_resumes(tmp_path: Path) -> None:
    whole = create_trainer(create_campaign_env(seed=1), config(tmp_path / "whole"))
    result = whole.train()
    assert result.summary["illegal_actions"] == 0
    assert [row["illegal_actions"] for row in result.history] == [0] * len(result.history)
    half = create_trainer(create_campaign_env(seed=1), config(tmp_path / "half"))
    half.train(128)
    again = create_trainer(create_campaign_env(seed=1), config(tmp_path / "half"))
    again.restore()
    again.train()
    expected, resumed = (trainer.model.policy.state_dict() for trainer in (whole, again))
    assert all(torch.equal(expected[name], resumed[name]) for name in expected)


def test_a_campaign_has_a_preset_of_its_own() -> None:
    assert read_trainer_config(None, None, {"env": "campaign"}).hyper.gamma == 1.0
    assert read_trainer_config(None, None, {}).env == "run"
    with pytest.raises(ValueError, match="env must be"):
        read_trainer_config(None, None, {"env": "shop"})
