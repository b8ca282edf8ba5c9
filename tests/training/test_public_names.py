"""The public names of jimbo.training and the programs of its page, run as they stand, but for their lengths."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "sb3.md"
DOCUMENTS = sorted((ROOT.parent / "shared" / "mission" / "seeds").glob("002_*"))
NAMES = {
    "framework": "TrainerConfig HyperparameterConfig RLTrainer CheckpointManager create_trainer get_default_config",
    "sb3_trainer": "SB3Trainer",
    "experiment": "ExperimentConfig ExperimentResult MultiAlgorithmBenchmark create_standard_comparison",
    "metrics": "BalatroMetrics compute_moving_average plot_training_curves print_comparison_table",
    "utils": "create_balatro_env make_vectorized_env validate_environment setup_logging",
    "env_wrapper": "BalatroGymWrapper CurriculumWrapper RewardScalingWrapper ActionMaskWrapper EnvironmentWrapper "
    "wrap_balatro_env",
    "behavioral_cloning": "TrajectoryCollector BehavioralCloning",
    "performance_analysis": "PerformanceAnalyzer",
}


def programs(path: Path) -> list[str]:
    """Its Python, with trainings of 64 steps."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [
        re.sub(r"(total_timesteps\s*=\s*)[\d_]+", r"\g<1>64", re.sub(r"\bfrom training\b", "from jimbo.training", code))
        for code in found
    ]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Small rollouts and few games, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    small = {
        "PPO": {"n_steps": 8, "batch_size": 32, "n_epochs": 1},
        "A2C": {"n_steps": 4},
        "DQN": {"buffer_size": 200, "learning_starts": 16, "batch_size": 8},
    }
    monkeypatch.setattr("jimbo.training.config.SPECIFIC", small)
    monkeypatch.setattr("jimbo.training.experiment.JUDGED_BY", 3)
    return monkeypatch


def given() -> dict[str, Any]:
    """What the programs take for granted."""

    from jimbo.training.framework import HyperparameterConfig, TrainerConfig
    from jimbo.training.metrics import BalatroMetrics
    from jimbo.training.utils import create_balatro_env

    metrics = BalatroMetrics()
    metrics.add_episode(reward=1, ante=2, score=3, length=4)
    return {
        "TrainerConfig": TrainerConfig, "HyperparameterConfig": HyperparameterConfig,
        "Any": Any, "Dict": dict, "List": list, "create_balatro_env": create_balatro_env, "env": create_balatro_env(),
        "config": TrainerConfig(total_timesteps=64, n_envs=8, eval_freq=0), "metrics_dict": metrics.to_dict(),
    }  # fmt: skip


@pytest.mark.parametrize("module", NAMES)
def test_names_are_where_the_document_has_them(module: str) -> None:
    found = __import__(f"jimbo.training.{module}", fromlist=["x"])
    for name in NAMES[module].split():
        assert getattr(found, name).__doc__, name
    assert set(found.__all__) >= set(NAMES[module].split())


def test_the_light_modules_import_no_torch() -> None:
    light = ", ".join(f"jimbo.training.{name}" for name in NAMES if name not in ("sb3_trainer", "behavioral_cloning"))
    code = f"import sys, {light}; assert not {{'torch', 'stable_baselines3', 'matplotlib'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("number", range(len(programs(PAGE))))
def test_programs_of_the_page_run(short: Any, number: int) -> None:
    exec(compile(programs(PAGE)[number], f"program {number}", "exec"), given())


@pytest.mark.slow
@pytest.mark.skipif(not DOCUMENTS, reason="the seed documents are not here")
def test_programs_of_the_document_run(short: Any) -> None:
    codes = [code for path in DOCUMENTS for code in programs(path)]
    assert len(codes) > 20
    for code in codes:
        exec(compile(code, f"program {code!r}", "exec"), given())
