"""Fixed rolls: stream states whose next draws come out as a row demands, and the proof that they were used up exactly.

``rolls={"lucky_mult": [True, False], "misprint": [17], "Tarot8ba1": ["c_fool"], "hook": [Pick(0, of=5)]}``

| demand | the stream's next draw |
|---|---|
| ``True``, ``False`` | succeeds or fails at the stream's listed odds (see ODDS) |
| a whole number | comes out as that number (Misprint) |
| a key | picks that entry of the stream's pool: tarots, planets, spectrals, jokers of a rarity, the 52 fronts |
| ``Pick(i, of=n)`` | picks number i (from 0) of n |
| ``(low, high)`` | lies in that part of 0 to 1 |
| ``ANY`` | whatever comes |

A plain number instead of a list, ``"nr1": 1``, asks for that many draws, whatever comes.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from jimbo.engine.catalog import CONSUMABLES, JOKERS
from jimbo.engine.seed_tools import advance_state, has_stream, pseudohash, random_from
from rules.tokens import FRONTS

ODDS = {
    "lucky_mult": 1 / 5,
    "lucky_money": 1 / 15,
    "glass": 1 / 4,
    "bloodstone": 1 / 2,
    "8ball": 1 / 4,
    "business": 1 / 2,
    "parking": 1 / 2,
    "space": 1 / 4,
    "gros_michel": 1 / 6,
    "cavendish": 1 / 1000,
    "halu": 1 / 2,
    "wheel": 1 / 7,
    "wheel_of_fortune": 1 / 4,
    "flipped_card": 1 / 4,
}
RANGES = {"misprint": (0, 23)}
ANY = (0.0, 1.0)
MAX_TRIES = 2_000_000
MAX_DRAWS = 200
"""A stream that has moved further than this has gone astray."""


@dataclass(frozen=True)
class Pick:
    index: int
    of: int


Demand = bool | int | float | str | tuple[float, float] | Pick
Rolls = Mapping[str, Sequence[Demand] | int]


def fixed_states(seed: str, rolls: Rolls) -> dict[str, float]:
    """The state of every declared stream, before its first draw."""
    states = {}
    for stream, demands in rolls.items():
        if not has_stream(stream):
            raise ValueError(f"the game has no random stream {stream!r}")
        wanted = (ANY,) * demands if isinstance(demands, int) else tuple(_interval(stream, d) for d in demands)
        states[stream] = _find_state(pseudohash(seed), wanted)
    return states


def check_used_up(
    before: Mapping[str, float], after: Mapping[str, float], rolls: Rolls, routine: tuple[str, ...]
) -> None:
    """Every declared stream was drawn from as often as declared, and no other moved but the routine ones."""
    for stream, demands in rolls.items():
        wanted = demands if isinstance(demands, int) else len(demands)
        drawn = _draws_between(before[stream], after[stream])
        assert drawn == wanted, f"{stream} was drawn from {drawn} times, not {wanted}"
    moved = [key for key, state in after.items() if key not in rolls and before.get(key) != state]
    astray = [key for key in moved if not is_one_of(key, routine)]
    assert not astray, f"streams that no roll was declared for have moved: {', '.join(astray)}"


def is_one_of(stream: str, names: tuple[str, ...]) -> bool:
    """Whether a stream is one of these, at any ante and resample; ``*`` marks an ante that is not at the end."""
    base = stream.split("_resample")[0]
    for name in names:
        before, _, after = name.partition("*")
        middle = base[len(before) : len(base) - len(after)]
        if base == name or (base.startswith(before) and base.endswith(after) and middle.lstrip("-").isdigit()):
            return True
    return False


def _draws_between(state: float, last: float) -> int:
    for draws in range(MAX_DRAWS):
        if state == last:
            return draws
        state = advance_state(state)
    raise AssertionError("the stream is at no state that follows from the declared one")


@cache
def _find_state(hashed_seed: float, wanted: tuple[tuple[float, float], ...]) -> float:
    generator = random.Random(repr(wanted))
    for _ in range(MAX_TRIES):
        start = state = round(generator.random(), 13)
        for low, high in wanted:
            state = advance_state(state)
            if not low <= random_from((state + hashed_seed) / 2) < high:
                break
        else:
            return start
    raise ValueError(f"no state found that draws {wanted}: ask for less")


def _interval(stream: str, demand: Demand) -> tuple[float, float]:
    base = stream.split("_resample")[0].rstrip("0123456789-")
    if isinstance(demand, bool):
        return (0.0, ODDS[base]) if demand else (ODDS[base], 1.0)
    if isinstance(demand, tuple):
        return demand
    if isinstance(demand, str):
        pool = _pool(stream)
        demand = Pick(pool.index(demand), len(pool))
    elif isinstance(demand, int):
        low, high = RANGES[base]
        demand = Pick(demand - low, high - low + 1)
    if isinstance(demand, float):
        return (demand, demand + 0.01)
    return (demand.index / demand.of, (demand.index + 1) / demand.of)


def _pool(stream: str) -> list[str]:
    for kind in ("Tarot", "Planet", "Spectral"):
        if stream.startswith(kind):
            return [key for key, fact in CONSUMABLES.items() if fact.kind == kind]
    for number, rarity in enumerate(("Common", "Uncommon", "Rare", "Legendary"), 1):
        if stream.startswith(f"Joker{number}"):
            return [key for key, fact in JOKERS.items() if fact.rarity == rarity]
    if stream in ("cert_fr", "marb_fr") or stream.startswith("front"):
        return FRONTS
    raise ValueError(f"{stream} draws from no pool of keys: use Pick")
