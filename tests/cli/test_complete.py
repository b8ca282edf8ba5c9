"""Completion by the shell, through the environment variables that its scripts set."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jimbo.agents.registry import agent_names
from jimbo.cli import flags
from jimbo.cli.main import app
from jimbo.engine.catalog import CHALLENGES, DECKS, STAKES
from jimbo.seeds import challenge_key, deck_key, stake_key, why_never
from jimbo.seeds.seed_sets import seed_set_names

COMMAND = Path(sys.executable).with_name("jimbo")


def bash(line: str) -> dict[str, str]:
    """What bash asks for with the cursor at the end of a line."""
    words = str(len(line.split(" ")) - 1)
    return {"_JIMBO_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": words}


def zsh(line: str) -> dict[str, str]:
    return {"_JIMBO_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": line}


def completed(line: str) -> list[str]:
    return CliRunner().invoke(app, env=bash(line)).stdout.split()


@pytest.mark.parametrize(
    ("line", "values"),
    [
        (
            "jimbo ",
            [
                *("ablation", "advise", "agents", "assist", "audit", "az", "bench", "bench-llm", "data"),
                *(
                    "doctor",
                    "eval",
                    "eval-matrix",
                    "events",
                    "gate",
                    "graph",
                    "items",
                    "league",
                    "mcp",
                    "mine",
                ),
                *(
                    "package",
                    "parity",
                    "play",
                    "quickstart",
                    "registry",
                    "replay",
                    "review",
                    "rollout",
                    "safe-run",
                    "score",
                ),
                *("seed", "serve", "telemetry", "trace", "train", "watch", "web", "what-wins"),
            ],
        ),
        ("jimbo e", ["eval", "eval-matrix", "events"]),
        ("jimbo events ", ["serve", "watch", "test", "mock"]),
        ("jimbo seed ", ["show", "line", "route", "find"]),
        ("jimbo seed f", ["find"]),
        ("jimbo bench ", ["engine", "model", "env", "real", "sweep", "train"]),
        ("jimbo data ", ["summary", "validate", "convert"]),
        ("jimbo rollout --agent ra", ["random"]),
        ("jimbo train d", ["dagger", "distill"]),
        ("jimbo train rl", ["rl", "rllib", "rllib-analyze", "rllib-export"]),
        ("jimbo train dagger --ga", ["--games"]),
        ("jimbo eval --seed", ["--seed-set"]),
        ("jimbo eval --agent ", list(agent_names())),
        ("jimbo eval --agent greedy --vs ex", ["expert"]),
        ("jimbo eval --seed-set ", list(seed_set_names())),
        ("jimbo eval --deck pl", ["plasma"]),
        ("jimbo eval --deck b_pl", ["b_plasma"]),
        ("jimbo eval --stake g", ["green", "gold"]),
        ("jimbo watch --agent ra", ["random"]),
        ("jimbo agents gr", ["greedy"]),
        ("jimbo watch --deck red --stake stake_w", ["stake_white"]),
        ("jimbo watch --deck gh", ["ghost"]),
        ("jimbo play --challenge om", ["omelette"]),
        ("jimbo play --challenge c_om", ["c_omelette_1"]),
        ("jimbo play --deck ne", ["nebula"]),
        ("jimbo play --stake or", ["orange"]),
        ("jimbo seed find --has j_bluep", ["j_blueprint"]),
        ("jimbo seed find --has j_blueprint --has v_tele", ["v_telescope"]),
        ("jimbo seed find --has bl_h", ["bl_hook", "bl_house", "bl_head"]),
        ("jimbo seed find --has bl_s", ["bl_serpent"]),
        ("jimbo seed find --deck er", ["erratic"]),
        ("jimbo seed show TESTSEED --stake pu", ["purple"]),
    ],
)
def test_values_are_completed(line: str, values: list[str]) -> None:
    assert sorted(completed(line)) == sorted(values)


@pytest.mark.parametrize(("shell", "said"), [(bash, "j_blueprint\n"), (zsh, '"j_blueprint":"Blueprint"')])
def test_the_installed_command_completes(shell: Callable[[str], dict[str, str]], said: str) -> None:
    """As a shell would call it."""
    environment = os.environ | shell("jimbo seed find --has j_bluep")
    done = subprocess.run([COMMAND], env=environment, capture_output=True, text=True, check=False)
    assert said in done.stdout
    assert done.stderr == ""


def test_names_are_completed_without_the_engine() -> None:
    """That is what makes them quick: the engine, numpy and the tables of text take most of a start."""
    code = "import sys; from jimbo.cli.main import app\ntry: app()\nfinally: print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code]
    environment = os.environ | bash("jimbo s")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    loaded = set(done.stderr.split())
    assert "jimbo.cli.commands" in loaded
    assert not loaded & {"numpy", "jimbo.engine", "jimbo.eval", "jimbo.agents", "rich.progress"}


def test_every_value_is_accepted() -> None:
    assert [deck_key(value) for value, _ in flags.complete_decks("")] == [key for key in DECKS if key != "b_challenge"]
    assert [stake_key(value) for value, _ in flags.complete_stakes("")] == list(STAKES)
    assert [challenge_key(value) for value, _ in flags.complete_challenges("")] == list(CHALLENGES)
    items = flags.complete_items("")
    assert len(items) == 150 + 52 + 32 + 32 + 24 + 28
    refusals = [why_never(key, "b_red", 8) or "" for key, _ in items]
    assert not [refusal for refusal in refusals if "can be searched for" in refusal or "every ante" in refusal]
