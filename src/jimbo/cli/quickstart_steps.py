"""The steps of ``jimbo quickstart``: each is a heading and the plain commands that it stands for."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jimbo.engine import Action, Run
from jimbo.files import write_text

NETWORK = "network"
_SEED = "TESTSEED"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Enough for a network that clearly beats greedy, in little time: an expert game costs most of a second."""

    games: int = 80
    judged: int = 15
    epochs: int = 4
    seeds: int = 50
    effort: float = 0.1


@dataclass(frozen=True, slots=True)
class Command:
    """What would be typed after ``jimbo``."""

    args: tuple[str, ...]
    result: str = ""
    """The name of what it finds in the JSON object; empty for a command without ``--json``."""

    def __str__(self) -> str:
        return shlex.join(["jimbo", *self.args])


@dataclass(frozen=True, slots=True)
class Step:
    title: str
    why: str
    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """Where everything is, in the folder of a quickstart."""

    out: Path

    @property
    def games(self) -> Path:
        return self.out / "games.parquet"

    @property
    def judged(self) -> Path:
        return self.out / "judged.parquet"

    @property
    def network(self) -> Path:
        return self.out / NETWORK

    @property
    def offline(self) -> Path:
        return self.out / "offline"

    @property
    def online(self) -> Path:
        return self.out / "online"

    @property
    def state(self) -> Path:
        return self.out / "state.json"

    def files(self) -> dict[Path, str]:
        """What to look at, with what it is."""
        return {
            self.games: "the games for training",
            self.judged: "the games for validation",
            self.network / "best.onnx": "the network; it plays without torch",
            self.network / "training.png": "the course of the training",
            self.offline / "report.html": "how well it knows the expert's games",
            self.online / "summary.md": "how well it plays",
            self.state: "what the player sees before the first hand",
        }


def write_state(path: Path) -> None:
    """The state that is asked about: the first hand of a run."""
    if not path.exists():
        run = Run(deck="b_red", stake="white", seed=_SEED)
        run.step(Action("select_blind"))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, run.public_state().to_json() + "\n")


def steps(places: Places, sizes: Sizes) -> Sequence[Step]:
    return (
        Step(
            "Games of the expert",
            "Most games are for training, some on other seeds for validation. The expert plays at low effort here.",
            (
                _rollout(places.games, sizes.games, sizes.effort),
                _rollout(places.judged, sizes.judged, sizes.effort, "--seed-prefix", "JUDGED"),
            ),
        ),
        Step(
            "What the games hold",
            "Every decision, with what else could have been done and what the expert thought of it.",
            (Command(("data", "summary", str(places.games)), "dataset"),),
        ),
        Step(
            "Training",
            "A tiny network learns to choose as the expert did, and to foresee how the game ends.",
            (_train(places, sizes.epochs),),
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
        Step(
            "A suggestion",
            "What would the network do with the first hand of a run?",
            (Command(("advise", str(places.state), "--model", str(places.network)), "suggestion"),),
        ),
    )


def next_steps(places: Places, sizes: Sizes) -> dict[Command, str]:
    """Commands that go on from here, with what for."""
    more = places.out / "more.parquet"
    pupil = ("--data", str(places.games), *_learning(sizes.epochs))
    teacher = ("--effort", f"{sizes.effort:g}", "--set", "joker_order=false")
    return {
        Command(("watch", "--agent", "network", "--set", f"model={places.network}")): "see it play",
        Command(("assist", "--model", str(places.network))): "play with it at your side",
        Command(("eval", "--model", str(places.network), "--games", "500")): "measure it more closely",
        _rollout(more, 1000, sizes.effort): "more games to learn from",
        Command(("train", "pv", "--data", str(more), "--out", str(places.out / "small"))): (
            "a larger network learns from them"
        ),
        Command(("train", "dagger", *pupil, *teacher, "--games", "40", "--out", str(places.out / "dagger"))): (
            "the network plays, and the expert corrects it"
        ),
    }


def _rollout(out: Path, games: int, effort: float, *more: str) -> Command:
    # Candidates have no moves of jokers and cards, so a network cannot learn them.
    agent = ("--agent", "expert", "--effort", f"{effort:g}", "--set", "joker_order=false")
    return Command(("rollout", *agent, "--games", str(games), *more, "--out", str(out)))


def _train(places: Places, epochs: int) -> Command:
    how = ("--data", str(places.games), *_learning(epochs))
    return Command(("train", "pv", *how, "--out", str(places.network)), "training")


def _learning(epochs: int) -> tuple[str, ...]:
    # Few games give few steps, unless the batches are small.
    return ("--size", "tiny", "--epochs", str(epochs), "--batch-size", "64")


def _offline(places: Places) -> Command:
    files = ("--model", str(places.network), "--dataset", str(places.judged), "--out", str(places.offline))
    return Command(("eval", "--offline", *files), "offline")


def _online(places: Places, sizes: Sizes) -> Command:
    players = (
        f"{NETWORK}=network model={shlex.quote(str(places.network))}",
        "random",
        "greedy",
        f"expert effort={sizes.effort:g}",
    )
    return Command(("ablation", *players, "--games", str(sizes.seeds), "--out", str(places.online)), "online")
