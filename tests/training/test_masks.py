"""No algorithm ever chooses what is not allowed, whether it plays candidates, steps or flat observations."""

from typing import Any

import numpy as np
import pytest
import torch

from jimbo.env import create_balatro_env, make_vectorized_env, wrap_balatro_env
from jimbo.training.environments import training_env
from jimbo.training.sb3_trainer import SB3Trainer

ALGORITHMS = ("PPO", "A2C", "DQN")
MORE_OF_IT = ("A2C", *(pytest.param(name, marks=pytest.mark.slow) for name in ("PPO", "DQN")))
"""What differs from candidates is the same for all."""


def trainer_of(config: Any, **options: Any) -> SB3Trainer:
    trainer = SB3Trainer(create_balatro_env(seed=1, **options), config)
    trainer.create_model()
    return trainer


def seen_by(trainer: SB3Trainer, steps: int = 12) -> tuple[dict[str, Any], torch.Tensor]:
    """Observations after some steps, and what they allow."""
    observation: Any = trainer.vec_env.reset()
    for _ in range(steps):
        actions, _ = trainer.model.predict(observation)
        observation, *_ = trainer.vec_env.step(actions)
    tensors, _ = trainer.model.policy.obs_to_tensor(observation)
    return tensors, tensors["action_mask"] > 0.5


class TestShortTrainings:
    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_candidates_are_chosen_as_allowed(self, config_of: Any, algorithm: str) -> None:
        trainer = trainer_of(config_of(algorithm))
        result = trainer.train(320)
        assert result.total_timesteps == 320
        assert result.episodes > 5
        assert result.summary["illegal_actions"] == 0
        assert np.isfinite(trainer.evaluate(4)).all()
        assert trainer.judged.get_summary()["illegal_actions"] == 0

    @pytest.mark.parametrize("algorithm", MORE_OF_IT)
    def test_steps_are_chosen_as_allowed(self, config_of: Any, algorithm: str) -> None:
        trainer = trainer_of(config_of(algorithm), actions="steps")
        assert trainer.vec_env.action_space.n > 100
        assert trainer.train(128).summary["illegal_actions"] == 0
        infos = trainer.vec_env.get_attr("options", [0])
        assert (infos[0].actions, infos[0].observation) == ("steps", "packed")

    @pytest.mark.parametrize("algorithm", MORE_OF_IT)
    def test_flat_observations_are_masked_too(self, config_of: Any, algorithm: str) -> None:
        trainer = trainer_of(config_of(algorithm, use_feature_extractor=False, candidates=8))
        assert trainer.train(64).summary["illegal_actions"] == 0
        assert "observations" in trainer.vec_env.observation_space.spaces

    @pytest.mark.parametrize("algorithm", MORE_OF_IT)
    def test_a_wrapped_environment_is_played_as_it_shows_itself(self, config_of: Any, algorithm: str) -> None:
        env = wrap_balatro_env(create_balatro_env(seed=1, max_steps=100), use_curriculum=True)
        trainer = SB3Trainer(env, config_of(algorithm, n_envs=2))
        assert trainer.train(64).summary["illegal_actions"] == 0
        assert trainer.evaluate(1)[0] >= 0


class TestPolicies:
    def test_a2c_gives_forbidden_actions_no_probability(self, config_of: Any) -> None:
        trainer = trainer_of(config_of("A2C"))
        observation, allowed = seen_by(trainer)
        assert not allowed.all()
        distribution = trainer.model.policy.get_distribution(observation).distribution
        assert (distribution.probs[~allowed] == 0).all()
        assert torch.isfinite(distribution.entropy()).all()
        assert torch.allclose(distribution.probs.sum(dim=1), torch.ones(len(allowed)))

    @pytest.mark.parametrize("network", ["q_net", "q_net_target"])
    def test_forbidden_values_are_finite_and_never_win(self, config_of: Any, network: str) -> None:
        trainer = trainer_of(config_of("DQN"))
        observation, allowed = seen_by(trainer)
        with torch.no_grad():
            values = getattr(trainer.model, network)(observation)
        assert torch.isfinite(values).all()
        assert allowed.gather(1, values.argmax(dim=1, keepdim=True)).all()
        assert (values[~allowed] < values[allowed].min() - 1e6).all()

    def test_a_state_that_lists_nothing_is_worth_what_the_state_is_worth(self, config_of: Any) -> None:
        trainer = trainer_of(config_of("DQN"))
        observation, allowed = seen_by(trainer)
        last = {name: torch.zeros_like(values) for name, values in observation.items()}
        last["observation"] = observation["observation"]
        last["action_mask"][:, 0] = 1
        net = trainer.model.q_net
        with torch.no_grad():
            features = net.extract_features(observation, net.features_extractor)
            worth = net.value(net.layers.forward_critic(features))
            assert torch.allclose(net(last)[:, :1], worth, atol=1e-5)
            assert torch.allclose(
                net(observation).masked_fill(~allowed, 0).sum(1) / allowed.sum(1), worth[:, 0], atol=1e-4
            )

    def test_dqn_explores_among_the_allowed_only(self, config_of: Any) -> None:
        trainer = trainer_of(config_of("DQN"))
        model = trainer.model
        model.exploration_rate = 1.0
        observation: Any = trainer.vec_env.reset()
        chosen = set()
        for _ in range(60):
            actions, _ = model.predict(observation)
            assert np.take_along_axis(observation["action_mask"], actions[:, None], axis=1).all()
            chosen |= set(actions.tolist())
            observation, *_ = trainer.vec_env.step(actions)
        assert len(chosen) > 10
        model._last_obs = observation
        drawn, _ = model._sample_action(learning_starts=10**9, n_envs=4)
        assert np.take_along_axis(observation["action_mask"], drawn[:, None], axis=1).all()

    def test_the_order_of_candidates_does_not_matter(self, config_of: Any) -> None:
        """One head scores them all: in another order the same candidates get the same scores."""
        trainer = trainer_of(config_of("A2C", normalize_obs=False))
        observation, _ = seen_by(trainer)
        turned = {name: v if name == "observation" else v.flip(1) for name, v in observation.items()}
        with torch.no_grad():
            scores = trainer.model.policy.get_distribution(observation).distribution.probs
            others = trainer.model.policy.get_distribution(turned).distribution.probs
        assert torch.allclose(scores, others.flip(1), atol=1e-6)

    def test_sizes_are_honoured(self, config_of: Any) -> None:
        config = config_of("PPO")
        config.hyperparams.features_dim = 24
        config.hyperparams.policy_net_arch = [12, 10]
        config.hyperparams.value_net_arch = [14]
        policy = trainer_of(config).model.policy
        assert policy.features_extractor.parts.features == 24
        assert [layer.out_features for layer in policy.mlp_extractor.mlp.policy_net if hasattr(layer, "bias")] == [
            12,
            10,
        ]
        assert policy.value_net.in_features == 14


@pytest.mark.parametrize(
    ("algorithm", "specific", "sentence"),
    [
        ("PPO", {"batch_size": 1000}, "batch_size 1000 is larger than a rollout of n_steps x n_envs = 64"),
        ("PPO", {"n_steps": 0}, "n_steps must be a whole number of at least 1, not 0"),
        ("A2C", {"n_epochs": 3}, 'A2C has no argument "n_epochs" in algorithm_specific: choose from'),
        ("DQN", {"batch_size": 300}, "raise buffer_size"),
        ("DQN", {"buffer_size": 10**12}, "GB of memory are free: lower buffer_size"),
    ],
)
def test_impossible_sizes_are_refused(config_of: Any, algorithm: str, specific: dict[str, Any], sentence: str) -> None:
    trainer = SB3Trainer(create_balatro_env(), config_of(algorithm, specific))
    with pytest.raises(ValueError, match=sentence):
        trainer.create_model()


@pytest.mark.parametrize(("frequency", "n_envs"), [((4, "step"), 4), ([4, "step"], 4), ((2, "episode"), 1)])
def test_dqn_learns_as_often_as_it_is_told(config_of: Any, frequency: Any, n_envs: int) -> None:
    trainer = SB3Trainer(create_balatro_env(max_steps=20), config_of("DQN", {"train_freq": frequency}, n_envs=n_envs))
    trainer.train(128)
    number, unit = trainer.model.train_freq
    assert (number, unit.value) == tuple(frequency)
    assert trainer.model._n_updates > 0
    trainer.close()


def test_a_missing_device_or_package_is_refused(config_of: Any) -> None:
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="no device cuda"):
            SB3Trainer(create_balatro_env(), config_of(device="cuda"))
    with pytest.raises(ImportError, match=r'wandb is not installed: pip install "\.\[track\]"'):
        SB3Trainer(create_balatro_env(), config_of(use_wandb=True))


def test_rows_play_the_games_of_the_seed(config_of: Any) -> None:
    first, second, other = (training_env(create_balatro_env(), config_of(seed=seed)) for seed in (1, 1, 2))
    for env in (first, second, other):
        env.reset()
    seeds = [env.get_attr("unwrapped", [0])[0]._rows.game_seeds.tolist() for env in (first, second, other)]
    assert seeds[0] == seeds[1] != seeds[2]
    assert len(set(seeds[0])) == 4


def test_a_vector_environment_is_played_as_it_is(config_of: Any) -> None:
    env = make_vectorized_env(lambda: create_balatro_env(seed=1, actions="candidates", candidates=8), n_envs=3)
    trainer = SB3Trainer(env, config_of("A2C", eval_freq=16, eval_episodes=2))
    assert trainer.train(48).total_timesteps == 48
    assert len(trainer.keeper.history) >= 2
    assert trainer.vec_env.action_space.n == 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algorithm", "specific"),
    [
        ("PPO", {"n_steps": 32, "batch_size": 2048, "n_epochs": 1}),
        ("A2C", {"n_steps": 8}),
        ("DQN", {"buffer_size": 20_000, "learning_starts": 2_000, "batch_size": 64, "train_freq": 8}),
    ],
)
def test_a_hundred_thousand_steps_without_an_illegal_action(
    config_of: Any, algorithm: str, specific: dict[str, Any]
) -> None:
    trainer = trainer_of(config_of(algorithm, specific, n_envs=256))
    result = trainer.train(100_000)
    assert result.total_timesteps >= 100_000
    assert result.summary["illegal_actions"] == 0
    running = trainer.vec_env.get_attr("unwrapped", [0])[0]._rows.status()["illegal"]
    assert not running.any()
