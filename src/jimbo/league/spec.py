"""What a gate asks for, as people write it: YAML or TOML, hashed into the decision."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

from jimbo.data import hash_of
from jimbo.declared import Declared, declared, from_dict
from jimbo.engine.catalog import DECKS, STAKES
from jimbo.files import read_text, reason, sentence
from jimbo.league.sequential import SequentialTest
from jimbo.seeds.starts import deck_and_challenge, stake_key
from jimbo.yaml_files import read_yaml

_SHIPPED, CHAINS = (files("jimbo.league") / name for name in ("gates", "chains"))
_SUFFIXES = (".yaml", ".yml", ".toml")
_PROGRAM = "jimbo"


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePlace(Declared):
    """A deck and a stake that are played, and how often among others."""

    deck: str = declared("red", "the deck")
    stake: str = declared("white", "the stake")
    weight: float = declared(1.0, "how many of the games, relative to other places", min=0.001, max=1000)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        object.__setattr__(self, "deck", deck_and_challenge(self.deck, None)[0])
        object.__setattr__(self, "stake", stake_key(self.stake))

    @property
    def name(self) -> str:
        return f"{DECKS[self.deck].name}, {STAKES[self.stake].name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quick(Declared):
    """A first stage with less effort, where both agents have an option effort. It promotes nobody."""

    pairs: int = declared(200, "at most so many pairs; without an answer the full stage follows", min=1, max=100_000)
    effort: float = declared(0.25, "factor of the full stage's effort", min=0.001, max=1)
    beta: float = declared(0.01, "its part of beta", min=0.0001, max=0.49)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateGames(Declared):
    """The question, and the games that may be spent on it. Points are wins in 100 games."""

    kind: Literal["gain", "no_regression"] = declared("gain", "whether it must be better, or only not worse")
    h0: float = declared(0.0, "the difference in points that is not enough", min=-99, max=99)
    h1: float = declared(help="the difference in points that is", min=-99, max=99)
    alpha: float = declared(0.05, "how often one with the difference h0 is promoted", min=0.0001, max=0.49)
    beta: float = declared(0.05, "how often one with the difference h1 is not", min=0.0001, max=0.49)
    pairs: int = declared(help="at most so many pairs in the full stage", min=1, max=1_000_000)
    effort: float = declared(1.0, "factor of the option effort, where both agents have one", min=0.001, max=1000)
    quick: Quick | None = declared(None, "the first stage")
    places: tuple[GatePlace, ...] = declared((GatePlace(),), "decks and stakes")
    seconds: float = declared(900.0, "a game that takes longer is lost", min=1, max=1_000_000)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if self.h0 >= self.h1:
            raise ValueError(f"h0 must be less than h1, and {self.h0:g} is not less than {self.h1:g}")
        if self.kind == "gain" and self.h0 < 0:
            raise ValueError("h0 must not be negative in a gate of the kind gain")
        if self.kind == "no_regression" and self.h0 >= 0:
            raise ValueError("h0 must be negative in a gate of the kind no_regression")
        if self.quick and self.quick.beta >= self.beta:
            raise ValueError("quick.beta is a part of beta and must be less")
        if not self.places:
            raise ValueError("places must name at least one")

    def stages(self) -> list[GateStage]:
        """The stages in their order; the last one promotes."""
        spent = self.quick.beta if self.quick else 0.0
        full = GateStage(
            "full", SequentialTest(self.h0, self.h1, self.alpha, self.beta - spent), self.pairs, self.effort
        )
        if not self.quick:
            return [full]
        test = SequentialTest(self.h0, self.h1, self.alpha, self.quick.beta)
        return [GateStage("quick", test, self.quick.pairs, self.quick.effort * self.effort), full]


@dataclass(frozen=True, slots=True)
class GateStage:
    name: str
    test: SequentialTest
    pairs: int
    effort: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards(Declared):
    """What must not become worse, whatever is won. A margin of none leaves that guard out."""

    alpha: float = declared(0.05, "how often any of them refuses without a reason", min=0.0001, max=0.5)
    brier: float | None = declared(0.02, "how much the Brier score of its chances may be larger", min=0, max=1)
    ece: float | None = declared(0.05, "how much their expected calibration error may be larger", min=0, max=1)
    time_ratio: float | None = declared(2.0, "how many times the champion's p95 a decision may take", min=0.01)
    determinism: int = declared(2, "games that are played again and must go the same way", min=0, max=1000)
    slice: float | None = declared(0.0, "points that it may lose at one deck or stake", min=0, max=99)
    slice_pairs: int = declared(0, "a challenger is not promoted before each place has so many pairs", min=0)
    boss: float | None = declared(5.0, "points by which it may clear one boss less often", min=0, max=99)
    bucket: float | None = declared(5.0, "points by which one way to lose may become more frequent", min=0, max=99)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSpec(Declared):
    """A gate. What else a gate does beside its games is a field of its own."""

    name: str = declared(nonempty=True)
    about: str = declared("", "what it is for, in a sentence")
    games: GateGames
    guards: Guards = field(default_factory=Guards)

    @property
    def data(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def hash(self) -> str:
        return hash_of(self.data)


# --- Chains -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Declared):
    """Commands that do one thing; ``{out}`` in them is the folder of the chain."""

    name: str = declared(nonempty=True)
    run: tuple[str, ...] = declared(help="commands of jimbo, in their order")
    files: tuple[str, ...] = declared((), "what is there after them, in the folder")
    codes: tuple[int, ...] = declared((0,), "exit codes that are no failure", min=0, max=255)
    fresh: tuple[str, ...] = declared((), "what is deleted where the step begins again, in the folder", nonempty=True)
    seconds: float = declared(1200.0, "in which each command must end", min=0.1, max=1_000_000)
    milestone: int = declared(0, "games of a step that --skip-milestone-N leaves out", min=0)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if not self.name.isidentifier() or not self.run:
            raise ValueError("name must be a word, and run must hold a command")
        if strangers := [text for text in self.run if not _is_command(text)]:
            raise ValueError(f'run must hold commands of {_PROGRAM}, not "{strangers[0]}"')
        if outside := [name for name in (*self.files, *self.fresh) if not _is_within(name)]:
            raise ValueError(f"{outside[0]} is not a file in the folder")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFact(Declared):
    """What a gate tells: a value in a file of the folder, or whether steps have ended as they should."""

    steps: tuple[str, ...] = declared((), "steps, in place of a file; true if all have ended as they should")
    file: tuple[str, ...] = declared((), "files of JSON, of which the first that is there counts")
    at: str = declared("", "where the value is: names and numbers with dots between; in lists also names of entries")
    true_if: tuple[Any, ...] = declared((), "told is whether the value is one of these; the gate fails if not")
    passes: tuple[Any, ...] = declared((), "told is the value; the gate fails if it is none of these")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSpec(Declared):
    """A chain, as people write it."""

    name: str = declared(nonempty=True)
    about: str = declared("", "what it is for, in a sentence")
    extends: str | None = declared(None, "a chain that comes with Jimbo, whose steps come first")
    steps: tuple[Step, ...]
    copies: Mapping[str, str] = field(default_factory=dict)
    """Files of the folder under other names."""
    gates: Mapping[str, Mapping[str, GateFact]]
    """Files that say what passed; those of the same name take the place of those of ``extends``."""
    summary: str = declared(help="a name for the page about all of it", nonempty=True)

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        if outside := [name for name in (self.name, *self.gates, *self.copies, self.summary) if not _is_within(name)]:
            raise ValueError(f"{outside[0]} is not a file in the folder")

    def checked(self) -> ChainSpec:
        """With those steps that it extends; ValueError where two have one name, or a fact is about none."""
        names = [step.name for step in self.steps]
        facts = [name for gate in self.gates.values() for fact in gate.values() for name in fact.steps]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"there are two steps {twice[0]}")
        if unknown := [name for name in facts if name not in names]:
            raise ValueError(f"a gate is about a step {unknown[0]}, and there is none")
        return self


def _is_command(text: str) -> bool:
    try:
        return shlex.split(text)[:1] == [_PROGRAM]
    except ValueError:  # a quote without its end
        return False


def _is_within(name: str) -> bool:
    path = Path(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


# --- Read -------------------------------------------------------------------------------------------------------------


def read_spec(text: str) -> GateSpec:
    """The gate of a file, or a shipped one by its name; ValueError says what is wrong."""
    if text in shipped(CHAINS):
        raise ValueError(f"{text} is a chain of commands. Run it: jimbo gate run {text}.")
    data = read_data(text, _SHIPPED)
    try:
        return from_dict(GateSpec, data)
    except ValueError as error:
        raise ValueError(sentence(f"{text}: {error}")) from None


def read_chain(text: str) -> ChainSpec | None:
    """A chain that comes with Jimbo, or that of a file; None if it is none. ValueError says what is wrong with it."""
    if text not in shipped(CHAINS) and not is_file(text):
        return None
    data = read_data(text, CHAINS)
    if not isinstance(data, Mapping) or "steps" not in data:
        return None
    try:
        spec = from_dict(ChainSpec, data)
        if spec.extends is None:
            return spec.checked()
        before = read_chain(spec.extends) if spec.extends in shipped(CHAINS) else None
        if before is None:
            raise ValueError(f"extends must be one of {', '.join(shipped(CHAINS))}")
        return ChainSpec(
            name=spec.name,
            about=spec.about,
            steps=(*before.steps, *spec.steps),
            copies={**before.copies, **spec.copies},
            gates={**before.gates, **spec.gates},
            summary=spec.summary,
        ).checked()
    except ValueError as error:
        raise ValueError(sentence(f"{text}: {error}")) from None


def read_data(text: str, ours: Traversable) -> Any:
    """What a file holds, or one that comes with the package, by its name; ValueError says what is wrong."""
    if text in shipped(ours):
        with as_file(ours / f"{text}.yaml") as path:
            return read_yaml(path)
    if not is_file(text):
        names = ", ".join([*shipped(), *shipped(CHAINS)])
        raise ValueError(f'There is no gate "{text}". Choose {names}, or name a .yaml or .toml file.')
    path = Path(text)
    try:
        return tomllib.loads(read_text(path)) if path.suffix == ".toml" else read_yaml(path)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(sentence(f"{path} is not valid TOML: {error}")) from None


def is_file(text: str) -> bool:
    """Whether a text means a file, rather than a gate by its name."""
    return Path(text).suffix in _SUFFIXES


def shipped(ours: Traversable = _SHIPPED) -> list[str]:
    """The names of the gates that come with the package, or of the chains."""
    return sorted(Path(entry.name).stem for entry in ours.iterdir() if entry.name.endswith(".yaml"))


def schedule(places: Sequence[GatePlace], pairs: int) -> list[int]:
    """Which place each of the pairs is played at: after any number of them all have their share, but for one."""
    total = sum(place.weight for place in places)
    played, order = [0] * len(places), []
    for number in range(1, pairs + 1):
        behind = [place.weight / total * number - done for place, done in zip(places, played, strict=True)]
        order.append(behind.index(max(behind)))
        played[order[-1]] += 1
    return order
