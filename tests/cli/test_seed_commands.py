"""The commands of the projects that Jimbo takes over from still work: their flags, under Jimbo's verbs.

The programs have become verbs (``trainer/rollout.py`` is ``jimbo rollout``); the flags are those that their documents
show. Each row is parsed by the verb itself, without running it, and every value must reach a parameter.
"""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from jimbo.cli.main import app

LAUNCH = "--love-path Balatro.exe --lovely-path version.dll"
RECORDS, MODEL, ONNX = "dataset_real.jsonl", "best.pt", "latest.onnx"
CONFIG, CHECKPOINT = "experimental_ppo.yaml", "checkpoint"
FILES = (RECORDS, "val.jsonl", MODEL, ONNX, "model_step_000100.onnx", CONFIG, CHECKPOINT, "state.json", "other.jsonl")
PIPELINE = {
    # trainer/rollout.py
    "rollout": [
        f"--backend real --base-urls http://127.0.0.1:12346 --episodes 20 --out {RECORDS}",
        "--backend real --launch-instances --launcher uvx --uvx-path uvx "
        f"--base-urls http://127.0.0.1:12346,http://127.0.0.1:12347 {LAUNCH} "
        f"--episodes 50 --restart-on-fail --out {RECORDS}",
        f"--backend sim --episodes 50 --workers 4 --out {RECORDS}",
        f"--backend sim --episodes 50 --out {RECORDS} --include-obs-raw --seed-prefix AAAAA "
        "--max-steps-per-episode 300",
        "--backend real --launch-instances --launcher direct --balatrobot-cmd balatrobot --base-host 127.0.0.1 "
        f"--base-port 12346 --stagger-start 0.2 --timeout-sec 8 --out {RECORDS}",
        f"--seed ABCDEFGH --episodes 1 --out {RECORDS}",
    ],
    # trainer/dataset.py
    "data summary": [RECORDS],
    "data validate": [RECORDS],
    # trainer/train_bc.py, train_pv.py, train_rl.py, train_distill.py, dagger_collect.py
    "train bc": [
        f"--train-jsonl {RECORDS} --epochs 8 --batch-size 64 --out-dir bc_v1",
        f"--train-jsonl {RECORDS} --val-jsonl val.jsonl --lr 1e-3 --weight-decay 1e-4 --seed 7 "
        "--device cpu --out-dir bc",
    ],
    "train pv": [f"--train-jsonl {RECORDS} --val-jsonl val.jsonl --value-weight 0.2 --out-dir pv"],
    "train rl": [f"--config {CONFIG} --curriculum --out-dir rl --seed 7"],
    "train distill": [f"--train-jsonl {RECORDS} --epochs 3 --batch-size 64 --lr 1e-3 --out-dir student"],
    "train dagger": [f"--train-jsonl {RECORDS} --out-dir dagger"],
    # trainer/eval.py
    "eval": [
        f"--offline --model {MODEL} --dataset {RECORDS}",
        f"--online --backend real --model {MODEL} --base-url http://127.0.0.1:12346 --episodes 10",
        f"--online --backend sim --model {MODEL} --episodes 10",
        "--backend sim --stake gold --episodes 30 --out eval.json",
    ],
    # trainer/run_ablation.py
    "ablation": ["fast random --episodes 100 --out-dir ablation"],
    # trainer/infer_assistant.py, ui/tui
    "assist": [
        f"--backend real --base-url http://127.0.0.1:12346 --model {MODEL}",
        f"--backend sim --model {MODEL} --execute",
        f"--backend sim --model {MODEL} --execute --once --topk 3 --interval 0.25",
    ],
    # trainer/search_expert.py
    "advise": ["state.json --topk 3"],
    # benchmark_balatrobot.py
    "bench real": [
        "--steps 100 --mode action_only --instances 1 --base-url http://127.0.0.1:12346",
        "--steps-per-instance 100 --mode rl_step --launch-instances --launcher direct --instances 4 "
        "--stagger-start 0.2",
        f"--steps 100 --launch-instances --launcher uvx --uvx-path uvx --instances 2 --base-port 12346 {LAUNCH}",
    ],
    # sweep_throughput.py
    "sweep": [
        "--instances 1,2,4,8 --repeats 3 --mode both --steps-per-instance 200 --port-stride 50 --timeout 600 "
        "--csv-out sweep_results.csv --raw-dir raw",
        f"--instances 1 --launch-instances --launcher uvx --uvx-path uvx {LAUNCH}",
    ],
    # balatrobot serve; trainer/scripts/smoke_e2e.ps1
    "serve balatrobot": [f"--headless --fast --port 12346 {LAUNCH}"],
    "quickstart": ["--base-urls http://127.0.0.1:12346"],
    # sim/oracle: run_oracle_trace.py, run_sim_trace.py, test_oracle_diff.py
    "trace record": ["--base-url http://127.0.0.1:12346 --seed ABCDEFGH --out oracle.jsonl"],
    "trace replay": [f"{RECORDS} --base-url http://127.0.0.1:12346 --out sim.jsonl"],
    "trace diff": [f"{RECORDS} other.jsonl --scope {scope} --fail-fast" for scope in ("hand_core", "full")],
    # python -m trainer
    "az train": [
        "--steps 1000",
        "--steps 5000 --batch-size 128 --lr 0.001",
        "--db replay.db --model-dir models --stats stats.json --weight-decay 0.0001 --grad-clip 1.0 "
        "--checkpoint-interval 100 --device cpu",
        "--no-lr-schedule",
        "--lr-min-ratio 0.01",
        "--wait-interval 5.0 --max-wait 600",
        "--env-id connect4 --stats-interval 10 --log-interval 10 --max-checkpoints 10 --lr-warmup-steps 100 "
        "--lr-warmup-start-ratio 0.1 --lr-total-steps 0 --max-empty-batches 500 --clear-replay --replay-window 0 "
        "--replay-cleanup-interval 0 --start-step 0 --eval-interval 100 --eval-games 50 --metrics-port 9090 "
        "--log-level INFO",
    ],
    # python -m trainer.evaluator
    "az evaluate": [
        f"--model {ONNX} --games 100",
        f"--model {ONNX} --games 500",
        f"--model {ONNX} --games 10 --verbose",
        "--model model_step_000100.onnx --games 100",
        f"--model {ONNX} --db replay.db --env-id tictactoe --games 100 --temperature 0.0 --log-level INFO",
    ],
    # actor
    "az actor": ["--env-id tictactoe --replay-db-path replay.db"],
    "az loop": [
        "--iterations 100 --episodes 500 --steps 1000 --sims-start 50 --sims-step 20 --sims-max 400 "
        "--gate-threshold 0.55 --gate-games 50"
    ],
    # python -m jimbot.training.run, .analyze, .export
    "train rllib": [
        "",
        f"--config {CONFIG}",
        f"--checkpoint {CHECKPOINT}",
        "--experiment my_experiment --track",
        "--iterations 1000 --checkpoint-freq 10 --target-reward 500 --memory 8 --log-file log.jsonl",
        "--evaluate --eval-episodes 100",
        "--tune",
    ],
    "train rllib-analyze": [f"--checkpoint {CHECKPOINT}"],
    "train rllib-export": [f"--checkpoint {CHECKPOINT} --output production_model.pt"],
}
MODULES = {
    "jimbo.az.trainer": "az train",
    "jimbo.az.evaluator": "az evaluate",
    "jimbo.training.run": "train rllib",
    "jimbo.training.analyze": "train rllib-analyze",
    "jimbo.training.export": "train rllib-export",
}
ROWS = [(verb, line) for verb, lines in PIPELINE.items() for line in lines]


def parsed(words: list[str]) -> dict[str, Any]:
    """The parameters of the verb that these words call."""
    command: Any = get_command(app)
    context = None
    while hasattr(command, "commands"):
        context = command.context_class(command, info_name="jimbo", parent=context)
        _, command, words = command.resolve_command(context, words)
    return dict(command.make_context("verb", words, parent=context).params)


def given_values(line: str) -> list[str]:
    return [word for word in shlex.split(line) if not word.startswith("-")]


def as_typed(value: object) -> set[str]:
    """The ways in which a parsed value may have been written."""
    if isinstance(value, list | tuple):
        return {",".join(map(str, value)), *map(str, value)}
    return {str(value), str(getattr(value, "value", value)).lower()}


def number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def same(typed: str, arrived: set[str]) -> bool:
    """Whether it is one of them, or the same number: 1e-3 arrives as 0.001."""
    return typed in arrived or (number(typed) is not None and number(typed) in map(number, arrived))


@pytest.fixture
def some_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        (tmp_path / name).touch()


@pytest.mark.usefixtures("some_files")
@pytest.mark.parametrize(("verb", "line"), ROWS, ids=[f"{verb} {line}" for verb, line in ROWS])
def test_the_verb_takes_the_command(verb: str, line: str) -> None:
    arrived = {word for value in parsed([*verb.split(), *shlex.split(line)]).values() for word in as_typed(value)}
    assert [typed for typed in given_values(line) if not same(typed, arrived)] == []


def test_a_flag_that_nobody_knows_is_refused() -> None:
    with pytest.raises(Exception, match="No such option: --no-such-flag"):
        parsed(["rollout", "--no-such-flag"])


@pytest.mark.parametrize("module", MODULES)
def test_the_modules_are_the_verbs(module: str) -> None:
    told = [
        subprocess.run([sys.executable, "-m", *name.split(), "--help"], capture_output=True, text=True, check=True)
        for name in (module, f"jimbo {MODULES[module]}")
    ]
    assert told[0].stdout == told[1].stdout
    assert "--" in told[0].stdout
