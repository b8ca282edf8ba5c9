"""``jimbo quickstart --base-urls``: a few games of the real game, which show that all is set up as it should be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from jimbo.cli.quickstart_steps import Command, Places, Step
from jimbo.colours import CYAN, QUIET

SCHEMA = "jimbo_quickstart_real_v1"
GAMES, JUDGED = 2, 1
_EFFORT = "0.1"


def real_steps(places: Places, urls: Sequence[str], games: int = GAMES, judged: int = JUDGED) -> Sequence[Step]:
    where = ("--backend", "real", "--base-urls", ",".join(urls))
    agent = ("--agent", "expert", "--effort", _EFFORT, "--set", "joker_order=false")
    lines, others = (str(places.out / name) for name in ("games.jsonl", "judged.jsonl"))
    learning = ("--data", lines, "--val", others, "--size", "tiny", "--epochs", "1", "--batch-size", "64")
    network = str(places.network)
    return (
        Step(
            "Games of the expert at the real game",
            "Each decision is sent to the game, and what the game showed is written down.",
            (
                Command(("rollout", *where, *agent, "--games", str(games), "--out", lines)),
                Command(("rollout", *where, *agent, "--games", "1", "--seed-prefix", "JUDGED", "--out", others)),
            ),
        ),
        Step(
            "What the games hold",
            "Every decision, with what else could have been done and what the expert thought of it.",
            (Command(("data", "summary", lines), "dataset"),),
        ),
        Step(
            "Training",
            "A few games are too few for a good network; this shows that training on them works.",
            (Command(("train", "pv", *learning, "--out", network), "training"),),
        ),
        Step(
            "Online evaluation at the real game",
            "The network plays by itself, without search.",
            (
                Command(
                    ("eval", *where, "--model", network, "--games", str(judged), "--out", str(places.online)),
                    "online",
                ),
            ),
        ),
        Step(
            "A suggestion",
            "What would the network do with the first hand of a run?",
            (Command(("advise", str(places.state), "--model", network), "suggestion"),),
        ),
    )


def next_commands(places: Places, urls: Sequence[str]) -> dict[Command, str]:
    url = urls[0]
    return {
        Command(("data", "validate", str(places.out / "games.jsonl"))): (
            "would the simulator have shown the same, at every step?"
        ),
        Command(("assist", "--backend", "real", "--base-url", url)): "suggestions while you play",
        Command(("quickstart",)): "the same with many games of the simulator, and a network worth the name",
    }


def real_data(places: Places, planned: Sequence[Step], found: dict[str, Any], seconds: float) -> dict[str, Any]:
    commands = [str(command) for step in planned for command in step.commands]
    return {"schema": SCHEMA, "out": str(places.out), "seconds": round(seconds, 1), "commands": commands, **found}


def show_real(console: Console, places: Places, urls: Sequence[str], seconds: float) -> None:
    done = f"Done in {seconds:.0f} seconds: the real game can be played, recorded and used for training."
    console.print(Text(f"\n{done}", style=f"bold {CYAN}"))
    for command, what in next_commands(places, urls).items():
        console.print(Text(what, style=QUIET))
        console.print(Text(f"  {command}"), soft_wrap=True)
