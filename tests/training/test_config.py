"""Configs: names and reference numbers, and what is refused."""

import sys
from pathlib import Path
from typing import Any

import pytest

from jimbo.cli.train_sb3 import named_values
from jimbo.training.config import HyperparameterConfig, TrainerConfig, get_default_config, tuned_config
from jimbo.training.experiment import ExperimentConfig, read_experiments
from jimbo.training.framework import RLTrainer, create_trainer, known_algorithms, read_trainer_config, register_trainer

TRAINER = {
    "algorithm": "PPO", "total_timesteps": 1_000_000, "seed": 42, "n_envs": 8, "use_feature_extractor": True,
    "feature_extractor_type": "balatro", "normalize_obs": True, "normalize_reward": True, "use_curriculum": False,
    "save_dir": "models", "checkpoint_freq": 10_000, "eval_freq": 5_000, "use_wandb": False,
    "wandb_project": "balatro-rl", "use_behavioral_cloning": False, "wandb_tags": [],
}  # fmt: skip
HYPER = {
    "learning_rate": 3e-4, "gamma": 0.99, "gae_lambda": 0.95, "entropy_coefficient": 0.01,
    "value_function_coefficient": 0.5, "max_grad_norm": 0.5, "policy_net_arch": [256, 256],
    "value_net_arch": [256, 256], "features_dim": 512, "algorithm_specific": {},
}  # fmt: skip
ALGORITHMS = {
    "PPO": (3e-4, 0.95, {"n_steps": 2048, "batch_size": 64, "n_epochs": 10, "clip_range": 0.2}),
    "A2C": (7e-4, 1.0, {"n_steps": 5}),
    "DQN": (1e-4, 0.95, {"buffer_size": 100_000, "learning_starts": 10_000, "batch_size": 32, "train_freq": 4}),
}


def test_fields_and_defaults_are_those_of_the_document() -> None:
    config = TrainerConfig()
    assert {name: getattr(config, name) for name in TRAINER} == TRAINER
    hyper = HyperparameterConfig()
    assert {name: getattr(hyper, name) for name in HYPER} == HYPER
    assert config.hyperparams == hyper


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_each_algorithm_has_the_documents_numbers(algorithm: str) -> None:
    rate, gae_lambda, specific = ALGORITHMS[algorithm]
    config = get_default_config(algorithm)
    assert config.hyper.learning_rate == rate
    assert config.hyper.gae_lambda == gae_lambda
    assert config.hyper.algorithm_specific == specific
    assert TrainerConfig(algorithm=algorithm).specific() == specific
    assert TrainerConfig(algorithm=algorithm).hyper.learning_rate == rate


def test_a_config_can_be_changed_and_is_checked_again() -> None:
    config = get_default_config("PPO")
    config.total_timesteps = 500_000
    assert config.checked() == config
    config.n_envs = 0
    with pytest.raises(ValueError, match="n_envs must be a whole number from 1"):
        config.checked()
    with pytest.raises(AttributeError):
        config.total_timestep = 5  # type: ignore[attr-defined]


def test_an_algorithm_is_switched_with_one_field() -> None:
    config = get_default_config("PPO")
    config.hyper.gamma = 0.5
    config.hyper.algorithm_specific = {**config.hyper.algorithm_specific, "n_steps": 32}
    config.algorithm = "A2C"
    assert config.specific() == {"n_steps": 32}, "what was chosen stays, what was a default goes"
    assert (config.hyper.learning_rate, config.hyper.gamma, config.hyper.gae_lambda) == (7e-4, 0.5, 1.0)
    config.algorithm = "DQN"
    config.algorithm = "PPO"
    assert config.specific() == {**ALGORITHMS["PPO"][2], "n_steps": 32}
    other = TrainerConfig()
    for algorithm in ("DQN", "A2C", "PPO"):
        other.algorithm = algorithm
        assert other == TrainerConfig(algorithm=algorithm)
    made = get_default_config("PPO")
    made.algorithm = "DQN"
    assert made == get_default_config("DQN")


def test_what_is_given_counts_more_than_the_algorithms_defaults() -> None:
    config = TrainerConfig(hyperparams=HyperparameterConfig(algorithm_specific={"n_steps": 4096}))
    assert config.specific() == {**ALGORITHMS["PPO"][2], "n_steps": 4096}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"n_env": 3}, "n_env unknown; there is n_envs"),
        ({"n_envs": "many"}, "n_envs must be a whole number"),
        ({"hyperparams": {"gama": 1}}, "hyperparams: gama unknown; there is gamma"),
        ({"hyperparams": {"gamma": 2}}, "gamma must be a number from 0.0 to 1.0"),
        ({"hyperparams": {"policy_net_arch": [0]}}, r"policy_net_arch\[0\] must be"),
        ({"feature_extractor_type": "cnn"}, "must be one of balatro, flat"),
        ({"use_behavioral_cloning": True}, "name them in bc_data"),
        ({"curriculum_config": {"max": 1}}, "curriculum_config cannot have"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(data: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        TrainerConfig.from_dict(data)


def test_a_config_survives_its_file(tmp_path: Path) -> None:
    for config in (get_default_config("DQN"), tuned_config("PPO")):
        config.save(tmp_path / "config.json")
        assert TrainerConfig.load(tmp_path / "config.json") == config
    with pytest.raises(ValueError, match=r"nowhere.json cannot be read: No such file"):
        TrainerConfig.load(tmp_path / "nowhere.json")


def test_an_unknown_algorithm_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match='Unknown algorithm "SAC": choose one of PPO, A2C, DQN'):
        create_trainer(None, TrainerConfig(algorithm="SAC"))


def test_a_missing_package_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """``create_trainer`` is the first that needs it."""
    for name in [name for name in sys.modules if name.startswith(("jimbo.training.sb3_trainer", "sb3_contrib"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("sys.meta_path", [_Nothing(), *sys.meta_path])
    with pytest.raises(ImportError, match=r'sb3_contrib is not installed: pip install "\.\[train\]"'):
        create_trainer(None, TrainerConfig())


class _Nothing:
    """Finds no sb3_contrib, as on a machine without it."""

    def find_spec(self, name: str, *_: Any) -> None:
        if name.split(".")[0] == "sb3_contrib":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_further_algorithms_can_be_registered() -> None:
    class Idle(RLTrainer):
        def create_model(self) -> None: ...

        def train(self, total_timesteps: int | None = None, callback: Any = None) -> int:
            return total_timesteps or self.config.total_timesteps

        def evaluate(self, n_episodes: int, deterministic: bool = True) -> tuple[float, float]:
            return 1.0, 0.0

    register_trainer("Idle", Idle)
    assert "Idle" in known_algorithms()
    trainer = create_trainer(None, TrainerConfig(algorithm="Idle", total_timesteps=7))
    assert trainer.train() == 7
    with pytest.raises(ValueError, match="no model to save"):
        trainer.save_model()


class TestExperiments:
    def test_an_experiment_changes_the_algorithms_defaults(self) -> None:
        experiment = ExperimentConfig(
            algorithm="A2C",
            n_envs=2,
            hyperparams_override={"gamma": 0.9, "n_steps": 7},
            trainer_override={"network": "small"},
        )
        config = experiment.to_trainer_config()
        assert (config.algorithm, config.n_envs, config.network) == ("A2C", 2, "small")
        assert (config.hyper.gamma, config.specific()["n_steps"], config.hyper.learning_rate) == (0.9, 7, 7e-4)

    def test_it_survives_its_file(self, tmp_path: Path) -> None:
        experiment = ExperimentConfig(name="x", wandb_tags=["a"], hyperparams_override={"n_steps": 7})
        experiment.save(tmp_path / "x.json")
        assert ExperimentConfig.load(tmp_path / "x.json") == experiment


class TestFiles:
    def test_files_and_options_lie_over_the_preset(self, tmp_path: Path) -> None:
        path = tmp_path / "c.yaml"
        path.write_text("algorithm: A2C\nhyperparams:\n  gamma: 0.5\n  algorithm_specific: {n_steps: 3}\n")
        config = read_trainer_config(
            path, None, {"seed": 5, **named_values(["learning_rate=1e-3", "use_rms_prop=false"])}
        )
        assert (config.algorithm, config.seed, config.hyper.gamma, config.hyper.learning_rate) == ("A2C", 5, 0.5, 1e-3)
        assert config.specific() == {"n_steps": 3, "use_rms_prop": False}
        assert config.hyper.features_dim == tuned_config("A2C").hyper.features_dim
        assert read_trainer_config(None, "reference", {}) == get_default_config("PPO")
        assert read_trainer_config(None, "document", {}) == get_default_config("PPO")

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("[1]", "must have named values"),
            ("preset: best", 'no preset "best"'),
            ("preset: [x]", "no preset"),
            ("algorithm: SAC", "Unknown algorithm"),
            ("algorithm: [PPO]", "Unknown algorithm"),
            ("algorithm: {a: 1}", "Unknown algorithm"),
            ("hyperparams: {algorithm_specific: 3}", "algorithm_specific must be named values"),
            ("hyperparams: 3", "hyperparams: expected named values"),
        ],
    )
    def test_bad_files_are_refused(self, tmp_path: Path, text: str, sentence: str) -> None:
        (tmp_path / "c.yaml").write_text(text)
        with pytest.raises(ValueError, match=sentence):
            read_trainer_config(tmp_path / "c.yaml", None, {"n_steps": 4})

    def test_experiments_are_read_with_their_defaults(self, tmp_path: Path) -> None:
        path = tmp_path / "e.yaml"
        path.write_text(
            "defaults: {total_timesteps: 100}\nexperiments:\n- algorithm: PPO\n- {algorithm: DQN, name: d}\n"
        )
        first, second = read_experiments(path)
        assert (first.name, first.total_timesteps, second.name, second.algorithm) == (
            "default_experiment",
            100,
            "d",
            "DQN",
        )

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("algorithm: PPO", "expected a list"),
            ("[]", "must be a list of experiments"),
            ("- algorithm: SAC", "experiment 1: Unknown algorithm"),
            ("- {hyperparams_override: {gamma: 7}}", "experiment 1: hyperparams: gamma must be"),
            ("- {name: a/b}", "experiment 1: name a/b cannot be the name of a folder"),
            ("- {name: a}\n- {name: a}", "two experiments are called a"),
        ],
    )
    def test_bad_experiments_are_refused(self, tmp_path: Path, text: str, sentence: str) -> None:
        (tmp_path / "e.yaml").write_text(text)
        with pytest.raises(ValueError, match=sentence):
            read_experiments(tmp_path / "e.yaml")
