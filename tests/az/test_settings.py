"""One dataclass is the source of flags, variables and files; what was typed counts most."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jimbo.az.settings import (
    ActorConfig,
    EvaluatorConfig,
    LoopConfig,
    TrainConfig,
    presets,
    read_settings,
)
from jimbo.cli.az import app

REFERENCE = {
    "steps": 1000,
    "batch_size": 64,
    "lr": 0.001,
    "weight_decay": 0.0001,
    "grad_clip": 1.0,
    "checkpoint_interval": 100,
    "lr_schedule": True,
    "lr_min_ratio": 0.1,
    "wait_interval": 2.0,
    "max_wait": 300.0,
    "stats_interval": 10,
    "log_interval": 10,
    "max_checkpoints": 10,
    "lr_warmup_steps": 100,
    "lr_warmup_start_ratio": 0.1,
    "lr_total_steps": 0,
    "max_empty_batches": 500,
    "clear_replay": False,
    "replay_window": 0,
    "replay_cleanup_interval": 0,
    "start_step": 0,
    "eval_interval": 100,
    "eval_games": 50,
    "device": "auto",
    "metrics_port": 9090,
}


def test_the_defaults_are_the_reference_defaults() -> None:
    config = TrainConfig()
    assert {name: getattr(config, name) for name in REFERENCE} == REFERENCE
    actor = ActorConfig()
    assert (actor.simulations, actor.c_puct, actor.dirichlet_alpha, actor.dirichlet_weight) == (800, 1.25, 0.3, 0.25)
    loop = read_settings(LoopConfig, {"preset": "reference"}, {})
    assert read_settings(LoopConfig, {"preset": "document"}, {}) == replace(loop, preset="document")
    assert (loop.iterations, loop.episodes, loop.steps, loop.clear_replay) == (100, 500, 1000, True)
    assert [loop.simulations_of(i) for i in (0, 1, 17, 18, 50)] == [50, 70, 390, 400, 400]


def test_typed_over_variable_over_file_over_default(tmp_path: Path) -> None:
    file = tmp_path / "az.yaml"
    file.write_text("batch_size: 3\nlr: 0.5\nsteps: 7\nsimulations: 9\n")
    environ = {"JIMBO_AZ_LR": "0.25", "JIMBO_AZ_STEPS": "8", "JIMBO_AZ_LR_SCHEDULE": "false"}
    found = read_settings(TrainConfig, {"steps": 9}, environ, file)
    assert (found.steps, found.lr, found.batch_size, found.lr_schedule, found.grad_clip) == (9, 0.25, 3, False, 1.0)
    assert read_settings(ActorConfig, {}, environ, file).simulations == 9


@pytest.mark.parametrize(
    ("text", "says"),
    [("batch_sise: 3", "batch_sise unknown"), ("batch_size: none", "batch_size must be"), ("- 3", "named values")],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "az.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match=says):
        read_settings(TrainConfig, {}, {}, file)


def test_a_preset_lies_below_everything_else(tmp_path: Path) -> None:
    assert {"connect4", "connect4_gpu", "tictactoe"} <= set(presets())
    own = read_settings(LoopConfig, {"env_id": "connect4"}, {})
    assert own.env_id == "connect4"
    assert own.search == "gumbel"
    file = tmp_path / "az.yaml"
    file.write_text("iterations: 3\nenv_id: connect4\n")
    changed = read_settings(LoopConfig, {"steps": 5}, {"JIMBO_AZ_EPISODES": "6"}, file)
    assert (changed.iterations, changed.steps, changed.episodes, changed.search) == (3, 5, 6, "gumbel")
    with pytest.raises(ValueError, match="no preset"):
        read_settings(LoopConfig, {"preset": "chess"}, {})


def test_a_loop_tells_its_parts_what_they_need() -> None:
    loop = read_settings(LoopConfig, {"out_dir": "here", "lr": 0.5, "c_puct": 2.0, "steps": 10}, {})
    assert (loop.of_trainer(3).start_step, loop.of_trainer(3).steps, loop.of_trainer(3).lr) == (30, 10, 0.5)
    assert loop.of_actor(0, 2).c_puct == 2.0
    assert loop.of_actor(0, 2).db == str(Path("here/replay.db"))
    assert loop.of_actor(0, 1).seed != loop.of_actor(0, 2).seed


def test_values_can_be_learnt_before_they_count() -> None:
    """Games of the network alone at first: one simulation, whose value changes nothing."""
    loop = read_settings(LoopConfig, {"values_first": 1, "gumbel_value_scale": 0.3, "search": "gumbel"}, {})
    first, then = loop.of_actor(0, 0), loop.of_actor(1, 0)
    assert (first.simulations, first.gumbel_value_scale) == (1, 0.0)
    assert (then.simulations, then.gumbel_value_scale) == (loop.simulations_of(1), 0.3)


@pytest.mark.parametrize(
    ("verb", "kind"),
    [("actor", ActorConfig), ("train", TrainConfig), ("evaluate", EvaluatorConfig), ("loop", LoopConfig)],
)
def test_every_field_is_a_flag(verb: str, kind: type) -> None:
    command = next(entry for entry in app.registered_commands if entry.name == verb)
    names = set(command.callback.__signature__.parameters)  # type: ignore[union-attr]
    watched = {"telemetry"} if verb in ("loop", "train") else set()
    assert names == {entry.name for entry in fields(kind)} | {"config", "as_json"} | watched


def test_bad_input_is_a_sentence() -> None:
    result = CliRunner().invoke(app, ["train", "--batch-size", "0"])
    assert result.exit_code == 2
    assert "batch_size must be a whole number from 1 to 1,000,000, not 0" in result.output
