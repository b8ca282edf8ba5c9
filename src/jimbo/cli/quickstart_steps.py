"""The steps of ``jimbo quickstart``: each is a heading and the plain commands that it stands for."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

NETWORK = "network"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Enough for a network that clearly beats greedy, in little time: an expert game costs most of a second."""

    games: int = 80
    judged: int = 15
    epochs: int = 4
    seeds: int = 50
    effort: float = 0.1


REAL_SIZES = Sizes(games=2, judged=1, epochs=1, seeds=1)
"""Games of the real game take minutes: these show only that all is set up as it should be."""


class Command(NamedTuple):
    """What would be typed after ``jimbo``."""

    args: tuple[str, ...]
    result: str = ""
    """The name of what it finds in the JSON object; empty for a command without ``--json``."""

    def __str__(self) -> str:
        return shlex.join(["jimbo", *self.args])


class Step(NamedTuple):
    title: str
    why: str
    commands: tuple[Command, ...]


class Places(NamedTuple):
    """Where everything is, in the folder of a quickstart."""

    out: Path
    games: Path
    judged: Path
    network: Path
    offline: Path
    online: Path
    state: Path

    def files(self) -> dict[Path, str]:
        """Return what to look at, with what it is."""
        return {
            self.games: "the games for training",
            self.judged: "the games for validation",
            self.network / "best.onnx": "the network; it plays without torch",
            self.network / "training.png": "the course of the training",
            self.offline / "report.html": "how well it knows the expert's games",
            self.online / "summary.md": "how well it plays",
            self.state: "what the player sees before the first hand",
        }


def places_in(out: Path, ending: str = "parquet") -> Places:
    names = (f"games.{ending}", f"judged.{ending}", NETWORK, "offline", "online", "state.json")
    return Places(out, *(out / name for name in names))


def steps(places: Places, sizes: Sizes) -> Sequence[Step]:
    return (
        Step(
            "Games of the expert",
            "Most games are for training, some on other seeds for validation. The expert plays at low effort here.",
            _rollouts(places, sizes),
        ),
        _data_step(places),
        Step(
            "Training",
            "A tiny network learns to choose as the expert did, and to foresee how the game ends.",
            (_train(places, *_learning(places, sizes)),),
        ),
        Step(
            "Offline evaluation",
            "Would it choose the same in games that it has not seen? Does it know how they end?",
            (_offline(places),),
        ),
        Step(
            "Online evaluation",
            "The network plays by itself, without search, on the same seeds as the others.",
            (_online(places, sizes),),
        ),
        _suggestion_step(places),
    )


def real_steps(places: Places, urls: Sequence[str], sizes: Sizes = REAL_SIZES) -> Sequence[Step]:
    where = ("--backend", "real", "--base-urls", ",".join(urls))
    online = ("--model", str(places.network), "--games", str(sizes.seeds), "--out", str(places.online))
    return (
        Step(
            "Games of the expert at the real game",
            "Each decision is sent to the game, and what the game showed is written down.",
            _rollouts(places, sizes, *where),
        ),
        _data_step(places),
        Step(
            "Training",
            "A few games are too few for a good network; this shows that training on them works.",
            (_train(places, *_learning(places, sizes), "--val", str(places.judged)),),
        ),
        Step(
            "Online evaluation at the real game",
            "The network plays by itself, without search.",
            (Command(("eval", *where, *online), "online"),),
        ),
        _suggestion_step(places),
    )


def next_steps(places: Places, sizes: Sizes) -> dict[Command, str]:
    """Return commands that continue from here, with what for."""
    more = places.out / "more.parquet"
    teacher = (*_teacher(sizes)[2:], "--games", "40")
    return {
        Command(("watch", "--agent", "network", "--set", f"model={places.network}")): "see it play",
        Command(("assist", "--model", str(places.network))): "play with it at your side",
        Command(("eval", "--model", str(places.network), "--games", "500")): "measure it more closely",
        Command(_rollout(more, 1000, sizes)): "more games to learn from",
        Command(("train", "pv", "--data", str(more), "--out", str(places.out / "small"))): (
            "a larger network learns from them"
        ),
        Command(("train", "dagger", *_learning(places, sizes), *teacher, "--out", str(places.out / "dagger"))): (
            "the network plays, and the expert corrects it"
        ),
    }


def next_real_steps(places: Places, urls: Sequence[str]) -> dict[Command, str]:
    return {
        Command(("data", "validate", str(places.games))): "would the simulator have shown the same, at every step?",
        Command(("assist", "--backend", "real", "--base-url", urls[0])): "suggestions while you play",
        Command(("quickstart",)): "the same with many games of the simulator, and a network worth the name",
    }


def _rollouts(places: Places, sizes: Sizes, *where: str) -> tuple[Command, Command]:
    judged = _rollout(places.judged, sizes.judged, sizes, *where, "--seed-prefix", "JUDGED")
    return Command(_rollout(places.games, sizes.games, sizes, *where)), Command(judged)


def _rollout(out: Path, games: int, sizes: Sizes, *more: str) -> tuple[str, ...]:
    return ("rollout", *_teacher(sizes), "--games", str(games), *more, "--out", str(out))


def _teacher(sizes: Sizes) -> tuple[str, ...]:
    # Candidates have no moves of jokers and cards, so a network cannot learn them.
    return ("--agent", "expert", "--effort", f"{sizes.effort:g}", "--set", "joker_order=false")


def _data_step(places: Places) -> Step:
    return Step(
        "What the games hold",
        "Every decision, with what else could have been done and what the expert thought of it.",
        (Command(("data", "summary", str(places.games)), "dataset"),),
    )


def _train(places: Places, *how: str) -> Command:
    return Command(("train", "pv", *how, "--out", str(places.network)), "training")


def _learning(places: Places, sizes: Sizes) -> tuple[str, ...]:
    # Few games give few steps, unless the batches are small.
    return ("--data", str(places.games), "--size", "tiny", "--epochs", str(sizes.epochs), "--batch-size", "64")


def _offline(places: Places) -> Command:
    files = ("--model", str(places.network), "--dataset", str(places.judged), "--out", str(places.offline))
    return Command(("eval", "--offline", *files), "offline")


def _online(places: Places, sizes: Sizes) -> Command:
    network = f"{NETWORK}=network model={shlex.quote(str(places.network))}"
    players = (network, "random", "greedy", f"expert effort={sizes.effort:g}")
    return Command(("ablation", *players, "--games", str(sizes.seeds), "--out", str(places.online)), "online")


def _suggestion_step(places: Places) -> Step:
    return Step(
        "A suggestion",
        "What would the network do with the first hand of a run?",
        (Command(("advise", str(places.state), "--model", str(places.network)), "suggestion"),),
    )
