"""A search for seeds that is kept in a file: paused, resumed after any end of its process, ranked and exported."""

from __future__ import annotations

import csv
import io
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from jimbo.declared import from_dict
from jimbo.engine import Run
from jimbo.engine.catalog import fact
from jimbo.engine.seed_tools import MADE_SEED_COUNT
from jimbo.files import read_text, write_text
from jimbo.seeds.conditions import RANKS, SUITS, Condition, DeckHas, Has
from jimbo.seeds.jaml import ClauseGroup, Filter, read_filter
from jimbo.seeds.odds import SECONDS, Odds, estimate_odds
from jimbo.seeds.parse import parse_deck, parse_has, parse_lacks
from jimbo.seeds.search import Block, Hit, Place, Search, SearchPlan
from jimbo.seeds.starts import FIRST_MADE_SEED, after, made_seed_number, stake_key
from jimbo.seeds.words import condition_words

SCHEMA = "jimbo_seed_hunt_v1"
MOST_HITS = 1000
"""That a file keeps: the search ends with them."""
MOST_CONDITIONS = 40
_KEEP_EVERY = 2.0
"""Seconds between two writes of the file."""


@dataclass(frozen=True, slots=True)
class HuntPlan:
    """What is looked for, as texts."""

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    deck_has: tuple[str, ...] = ()
    jaml: str = ""
    """A filter; its deck and stake count where none is named."""
    by_ante: int = 1
    deck: str | None = None
    stake: str | None = None
    challenge: str | None = None
    queue: int = 20
    start: str = FIRST_MADE_SEED
    limit: int = 100
    threads: int | None = None


@dataclass(frozen=True, slots=True)
class FoundSeed:
    """A hit, and what it takes to reach it."""

    seed: str
    score: float
    """What the filter's ``should`` gives; 0 without one."""
    rerolls: int
    """That are needed to see all of it in the shops."""
    last_ante: int
    """In which the last of it comes."""
    where: tuple[str, ...]
    """The things that were to turn up, in words."""

    @property
    def rank(self) -> tuple[float, int, int, str]:
        """Best first: the highest score, then the fewest rerolls, then the earliest."""
        return -self.score, self.rerolls, self.last_ante, self.seed


@dataclass(slots=True)
class HuntProgress:
    """How far a search has come."""

    next: str | None = FIRST_MADE_SEED
    """None after the last seed."""
    searched: int = 0
    seconds: float = 0.0
    state: str = "paused"
    """``running``, ``paused`` or ``done``."""
    hits: list[FoundSeed] = field(default_factory=list)
    chance: float | None = None
    """That a seed is a hit, where it was estimated."""


class Hunt:
    """A search; ValueError with a sentence for what cannot be searched for."""

    def __init__(self, asked: HuntPlan, progress: HuntProgress | None = None) -> None:
        self.asked = asked
        self.filter: Filter | None = read_filter(asked.jaml) if asked.jaml.strip() else None
        conditions: list[Condition] = [*map(parse_has, asked.has), *map(parse_lacks, asked.lacks)]
        conditions += map(parse_deck, asked.deck_has)
        conditions += self.filter.conditions if self.filter else []
        self.conditions = tuple(dict.fromkeys(conditions))
        if len(self.conditions) > MOST_CONDITIONS:
            raise ValueError(f"A search has up to {MOST_CONDITIONS} conditions.")
        deck = asked.deck or (self.filter.deck if self.filter and not asked.challenge else None)
        stake = asked.stake or (self.filter.stake if self.filter else None) or "white"
        self.plan = SearchPlan(asked.by_ante, deck, stake_key(stake), asked.challenge, asked.queue, asked.threads)
        self.progress = progress or HuntProgress(asked.start)
        self._search = self.plan.search(self.conditions, self.progress.next or asked.start)
        self._shop_slots = Run(self.plan.deck, self.plan.stake, challenge=asked.challenge).public_state().shop_slots
        self._singles: dict[Condition, Search] = {}

    def odds(self, seconds: float = SECONDS) -> Odds:
        return estimate_odds(self.plan, self.conditions, seconds)

    @property
    def words(self) -> list[str]:
        return [condition_words(condition) for condition in self.conditions]

    @property
    def left_out(self) -> list[str]:
        """Sentences on what a filter says that is not searched for, and on how it is read."""
        return [*self.filter.left_out, *self.filter.notes] if self.filter else []

    # --- Searching ----------------------------------------------------------------------------------------------------

    def blocks(self, tries: int | None = None) -> Iterator[list[tuple[Hit, FoundSeed]]]:
        """Search on, and give what was found in one stretch after another, some tenths of a second long."""
        progress = self.progress
        if progress.next is None or len(progress.hits) >= self.asked.limit:
            progress.state = "done"
            return
        progress.state = "running"
        began = time.perf_counter()
        for block in self._search.blocks(tries):
            found = self._kept(block)
            now = time.perf_counter()
            progress.seconds, began = progress.seconds + now - began, now
            full = len(progress.hits) >= self.asked.limit
            progress.next = after(progress.hits[-1].seed) if full else block.next_seed
            progress.searched = self._tried
            if full or progress.next is None:
                progress.state = "done"
            yield found
            began = time.perf_counter()
            if full:
                break
        if progress.state == "running":
            progress.state = "paused"

    @property
    def _tried(self) -> int:
        reached = MADE_SEED_COUNT if self.progress.next is None else made_seed_number(self.progress.next)
        return reached - made_seed_number(self.asked.start)

    def _kept(self, block: Block) -> list[tuple[Hit, FoundSeed]]:
        """The hits of a block that meet everything, as long as there is room."""
        found: list[tuple[Hit, FoundSeed]] = []
        for hit in block.hits:
            if self.filter and not all(self._is_met(check, hit.seed) for check in self.filter.checks):
                continue
            found.append((hit, self._found(hit)))
            self.progress.hits.append(found[-1][1])
            if len(self.progress.hits) >= self.asked.limit:
                break
        return found

    def _is_met(self, tree: ClauseGroup | Condition, seed: str) -> bool:
        if isinstance(tree, ClauseGroup):
            met = (self._is_met(part, seed) for part in tree.parts)
            return all(met) if tree.kind == "all" else any(met) == (tree.kind == "any")
        if tree not in self._singles:
            self._singles[tree] = self.plan.search([tree])
        return self._singles[tree].meets(seed)

    def _found(self, hit: Hit) -> FoundSeed:
        bonuses = self.filter.bonuses if self.filter else ()
        score = sum(bonus.score for bonus in bonuses if self._is_met(bonus.of, hit.seed))
        deepest: dict[int, int] = {}
        for place in hit.places:
            if place.where == "shop":
                deepest[place.ante] = max(deepest.get(place.ante, 0), place.position)
        rerolls = sum(self._rerolls(ante, position) for ante, position in deepest.items())
        last = max((place.ante for place in hit.places), default=1)
        where = [place_words(place) for place in hit.places]
        where += [f"{one.count} {'cards' if one.count != 1 else 'card'} in the deck" for one in hit.deck]
        return FoundSeed(hit.seed, score, rerolls, last, tuple(where))

    def _rerolls(self, ante: int, position: int) -> int:
        """How many rerolls an ante's shops need to show a card of the queue."""
        shown = self._shop_slots * (2 if ante == 1 else 3)
        return max(0, math.ceil((position - shown) / self._shop_slots))

    # --- What was found -----------------------------------------------------------------------------------------------

    @property
    def ranked(self) -> list[FoundSeed]:
        return sorted(self.progress.hits, key=lambda hit: hit.rank)

    def csv(self) -> str:
        """The hits as a table, best first."""
        wanted = [condition_words(one) for one in self._search.conditions if isinstance(one, Has)]
        wanted += [condition_words(one) for one in self._search.conditions if isinstance(one, DeckHas)]
        out = io.StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["rank", "seed", "score", "rerolls", "last_ante", *wanted])
        for number, hit in enumerate(self.ranked, 1):
            table.writerow([number, hit.seed, f"{hit.score:g}", hit.rerolls, hit.last_ante, *hit.where])
        return out.getvalue()

    def data(self) -> dict[str, Any]:
        """Everything, for a file or an export."""
        progress = asdict(self.progress)
        progress["hits"] = [asdict(hit) for hit in self.ranked]
        return {"schema": SCHEMA, "asked": asdict(self.asked), "progress": progress}

    def save(self, path: Path) -> None:
        write_text(path, json.dumps(self.data()) + "\n")


def load_hunt(path: Path, most: int = 8 << 20) -> Hunt:
    """The search of a file; ValueError with a sentence for whatever is none."""
    try:
        data = json.loads(read_text(path, most))
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise ValueError("it is not a kept search for seeds")
        asked = from_dict(HuntPlan, data["asked"], "asked")
        progress = from_dict(HuntProgress, data["progress"], "progress")
    except OSError as error:
        raise ValueError(f"{path.name} cannot be read: {error.strerror}.") from None
    except (KeyError, RecursionError, UnicodeError, ValueError) as error:
        raise ValueError(f"{path.name} is not a search that can be resumed: {str(error).rstrip('.')}.") from None
    return Hunt(asked, progress)


def run_hunt(
    hunt: Hunt, path: Path | None, stopped: Callable[[], bool], told: Callable[[Hunt], None] | None = None
) -> None:
    """Search until it is done or stopped; its file is written every few seconds, and at the end."""
    kept = time.monotonic()
    try:
        for found in hunt.blocks():
            if told is not None:
                told(hunt)
            if path is not None and (found or time.monotonic() - kept > _KEEP_EVERY):
                hunt.save(path)
                kept = time.monotonic()
            if stopped():
                break
    finally:
        if hunt.progress.state == "running":
            hunt.progress.state = "paused"
        if path is not None:
            hunt.save(path)


def place_words(place: Place) -> str:
    """Where something turns up: ``Blueprint: ante 2, shop 7``."""
    name = fact(place.key).name if place.key[1] != "_" or place.key[2:] not in RANKS else _front(place.key)
    where = {
        "boss": "boss",
        "voucher": "voucher",
        "tag": f"{('small', 'big')[min(place.position, 2) - 1]} blind's tag",
        "shop": f"shop {place.position}",
        "pack": f"pack {place.position}",
        "soul": f"The Soul in pack {place.position}",
    }[place.where]
    return f"{name}: ante {place.ante}, {where}"


def _front(key: str) -> str:
    return f"{RANKS[key[2]]} of {SUITS[key[0]]}" if key[0] in SUITS else fact(key).name
