"""What a game leaves for the fit: lines of JSON, one for each blind, skip and pack, and one that ends the game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from jimbo.agents.expert_v1.config import Unseen
from jimbo.agents.expert_v1.value import Position, unseen_worth
from jimbo.declared import declared, from_dict, short_repr
from jimbo.engine.catalog import BLINDS, JOKERS, STAKES, TAGS, VOUCHERS
from jimbo.files import LARGEST_MODEL, loads, read_bytes, reason
from jimbo.train.expert_constants.variation import RANGES

PACKS = ("arcana", "celestial", "standard", "buffoon", "buffoon_when_full", "spectral")
"""Kinds of packs, each with a worth of its own."""
RESULTS = ("win", "loss", "stuck")
BLINDS_PER_ANTE = 3
_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run stood: the forecast of its next blinds, and what it owned."""

    position: Position
    """Without what a forecast cannot see: that is to be fitted."""
    jokers: tuple[str, ...]
    vouchers: tuple[str, ...]

    @property
    def number(self) -> int:
        """Of the next blind, the first small one being 0."""
        return BLINDS_PER_ANTE * (self.position.ante - 1) + self.position.slot

    def valued(self, worths: Unseen) -> Position:
        return replace(self.position, unseen=unseen_worth(worths, self.jokers, self.vouchers))


@dataclass(frozen=True, slots=True)
class BlindLine:
    """A blind that was entered."""

    place: Place
    blind: str
    margin: float
    """Log of the score that was made, less that of the target; a blind ends as soon as its target is reached."""
    cleared: bool


@dataclass(frozen=True, slots=True)
class SkipLine:
    """A blind that was skipped."""

    place: Place
    """After the skip, before a pack that it brings is looked into."""
    tag: str
    entered: int = declared(min=0)
    """How many blinds had been entered before."""


@dataclass(frozen=True, slots=True)
class PackLine:
    """A pack that was bought."""

    kind: str
    larger: bool
    paid: Place
    """Without its price, before it is opened."""
    after: Place


@dataclass(frozen=True, slots=True)
class EndLine:
    """The end of a game."""

    game: int = declared(min=0)
    seed: str = declared(nonempty=True)
    nonce: int = declared(min=0)
    result: str = declared()
    """``stuck`` where it did not come to an end."""
    draws: Mapping[str, float] = declared(min=-1, max=1)
    """How the constants were varied: -1 is the lowest of a range, 1 the highest."""


Line = BlindLine | SkipLine | PackLine | EndLine
_KINDS: dict[str, type[Line]] = {"blind": BlindLine, "skip": SkipLine, "pack": PackLine, "end": EndLine}
_NAMES = {kind: name for name, kind in _KINDS.items()}


@dataclass(frozen=True, slots=True)
class Game:
    """The lines of one game."""

    blinds: tuple[BlindLine, ...]
    skips: tuple[SkipLine, ...]
    packs: tuple[PackLine, ...]
    end: EndLine

    def __repr__(self) -> str:
        return f"<Game {self.end.game}: {self.end.result} after {len(self.blinds)} blinds>"

    def followers(self, place: Place, entered: int) -> Iterator[tuple[int, BlindLine]]:
        """The blinds that were entered after ``entered`` others, and how far ahead of a place each was.

        A voucher that takes the run back an ante ends them: the formula foresees none.
        """
        last = -1
        for line in self.blinds[entered:]:
            ahead = line.place.number - place.number
            if ahead <= last:
                return
            yield ahead, line
            last = ahead

    def to_text(self) -> str:
        """All lines, the end last."""
        lines: tuple[Line, ...] = (*self.blinds, *self.skips, *self.packs, self.end)
        return "\n".join(map(_line_text, lines))

    def as_kept(self) -> Game:
        """With the digits that its lines have, as it will be read."""
        return _game([_line(text) for text in self.to_text().split("\n")])


def _line_text(line: Line) -> str:
    return json.dumps({"line": _NAMES[type(line)], **_rounded(asdict(line))}, separators=(",", ":"))


def _rounded(value: Any) -> Any:
    """With as many digits as the fit can use: most of what is kept are numbers."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list | tuple) else value


def read_games(path: Path) -> list[Game]:
    """The games of a file, without a last one that was cut; ValueError names the line that is wrong."""
    try:
        lines = read_bytes(path, LARGEST_MODEL).split(b"\n")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    games: list[Game] = []
    of_game: list[Line] = []
    for number, data in enumerate(lines[:-1], 1):
        try:
            of_game.append(_line(data.decode("utf-8")))
        except UnicodeError as error:
            raise ValueError(f"{path}, line {number}, cannot be read: {reason(error)}.") from None
        except ValueError as error:
            raise ValueError(f"{path}, line {number}, does not belong to a game: {error}.") from None
        if isinstance(of_game[-1], EndLine):
            games.append(_game(of_game))
            of_game = []
    return games


def _game(lines: Sequence[Line]) -> Game:
    end = lines[-1]
    assert isinstance(end, EndLine)
    return Game(
        tuple(line for line in lines if isinstance(line, BlindLine)),
        tuple(line for line in lines if isinstance(line, SkipLine)),
        tuple(line for line in lines if isinstance(line, PackLine)),
        end,
    )


def _line(text: str) -> Line:
    data = loads(text)
    kind = data.pop("line", None) if isinstance(data, dict) else None
    if kind not in _KINDS:
        raise ValueError(f"line must be one of {', '.join(_KINDS)}, not {short_repr(kind)}")
    line = from_dict(_KINDS[kind], data)
    for wrong in _unknown(line):
        raise ValueError(wrong)
    return line


def _unknown(line: Line) -> Iterator[str]:
    """What no game can have."""
    places: tuple[Place, ...] = ()
    if isinstance(line, BlindLine):
        places = (line.place,)
        yield from _not_among(BLINDS, "blind", line.blind)
    elif isinstance(line, SkipLine):
        places = (line.place,)
        yield from _not_among(TAGS, "tag", line.tag)
    elif isinstance(line, PackLine):
        places = (line.paid, line.after)
        yield from _not_among(PACKS, "kind", line.kind)
    else:
        yield from _not_among(RESULTS, "result", line.result)
        if line.draws.keys() != RANGES.keys():
            yield f"draws must be of {', '.join(RANGES)}"
    for place in places:
        yield from _not_among(STAKES, "stake", place.position.stake)
        yield from _not_among((0, 1, 2), "slot", place.position.slot)
        yield from _not_among(JOKERS, "jokers", *place.jokers)
        yield from _not_among(VOUCHERS, "vouchers", *place.vouchers)


def _not_among(allowed: Any, name: str, *values: object) -> Iterator[str]:
    return (f"{name} cannot be {short_repr(value)}" for value in values if value not in allowed)
