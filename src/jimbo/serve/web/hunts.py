"""Searches for seeds on the page: each a file of a folder, and a process of its own while it runs."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event as Flag
from pathlib import Path
from typing import Any

from jimbo.files import reason
from jimbo.processes import await_end, children_without_ctrl_c, is_orphan, usable_cores
from jimbo.seeds.hunt import MOST_HITS, Hunt, HuntPlan, load_hunt, run_hunt
from jimbo.seeds.jaml import MOST_BYTES
from jimbo.seeds.odds import Odds
from jimbo.seeds.starts import FIRST_MADE_SEED
from jimbo.serve.game import BadInput
from jimbo.serve.terminal.seed_words import chance_words, expected_words, time_words
from jimbo.serve.web.asked import text_in
from jimbo.serve.web.games import ID
from jimbo.serve.web.wire import ChangeCount

Json = dict[str, Any]
_SHOWN = 100
"""Hits on the page; the export has all."""
_MOST = 20
"""Searches that are kept; the oldest makes room."""
_LOOK_EVERY = 0.25
_PATIENCE = 4.0
_LONGEST = 200
_MOST_TEXTS = 40


def asked_of(data: Mapping[str, Any]) -> HuntPlan:
    """What is looked for, from a request; BadInput with a sentence for anything else."""
    lists: dict[str, tuple[str, ...]] = {}
    for name in ("has", "lacks", "deck_has"):
        texts = data.get(name) or []
        if not isinstance(texts, list) or len(texts) > _MOST_TEXTS:
            raise BadInput(f"{name} is a list of up to {_MOST_TEXTS} texts.")
        if not all(isinstance(one, str) and len(one) <= _LONGEST for one in texts):
            raise BadInput("Things to look for are short texts, such as blueprint @ 1-3.")
        lists[name] = tuple(one.strip() for one in texts if one.strip())
    jaml = data.get("jaml") or ""
    if not isinstance(jaml, str) or len(jaml) > MOST_BYTES:
        raise BadInput(f"A filter is a text of up to {MOST_BYTES >> 20} MB.")
    challenge = _text(data, "challenge")
    return HuntPlan(
        has=lists["has"],
        lacks=lists["lacks"],
        deck_has=lists["deck_has"],
        jaml=jaml,
        by_ante=_number(data, "by_ante", 1, 39),
        deck=None if challenge else _text(data, "deck"),
        stake=_text(data, "stake"),
        challenge=challenge,
        queue=_number(data, "queue", 20, 200),
        start=_text(data, "start") or FIRST_MADE_SEED,
        limit=_number(data, "limit", 100, MOST_HITS),
        threads=max(1, usable_cores() - 1),
    )


def _text(data: Mapping[str, Any], name: str) -> str | None:
    try:
        return text_in(dict(data), name, _LONGEST)
    except BadInput:
        raise BadInput(f"{name} is a short text.") from None


def _number(data: Mapping[str, Any], name: str, default: int, most: int) -> int:
    value = data.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadInput(f"{name} is a whole number from 1 to {most:,}.")
    return value


def made(asked: HuntPlan) -> Hunt:
    """The search; BadInput with a sentence for what cannot be searched for."""
    try:
        return Hunt(asked)
    except ValueError as error:
        raise BadInput(str(error)) from None


def odds_view(hunt: Hunt, odds: Odds) -> Json:
    """What is to be expected, in words."""
    words = hunt.words
    return {
        "words": words,
        "left_out": hunt.left_out,
        "checks": len(hunt.filter.checks) if hunt.filter else 0,
        "each": [{"words": name, "chance": chance_words(one)} for name, one in zip(words, odds.each, strict=True)],
        "all": chance_words(odds.all),
        "chance": odds.all.value,
        "rate": f"{odds.rate:,.0f}",
        "expected": expected_words(odds),
        "bottleneck": odds.bottleneck if len(words) > 1 else None,
        "independent": odds.independent,
    }


class PageHunt:
    """A search of the page."""

    def __init__(self, id: str, path: Path, hunt: Hunt) -> None:
        self.id, self.path, self.hunt = id, path, hunt
        self.changes = ChangeCount()
        self.trouble = ""
        self._process: BaseProcess | None = None
        self._stop: Flag | None = None
        self._watching: asyncio.Task[None] | None = None
        self._mark = 0

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def view(self) -> Json:
        hunt, progress = self.hunt, self.hunt.progress
        rate = progress.searched / progress.seconds if progress.seconds else 0.0
        next_hit = 1 / (progress.chance * rate) if progress.chance and rate else None
        state = "running" if self.is_running else "paused" if progress.state == "running" else progress.state
        return {
            "id": self.id,
            "words": hunt.words,
            "left_out": hunt.left_out,
            "filter": hunt.filter.name if hunt.filter else "",
            "scored": bool(hunt.filter and hunt.filter.bonuses),
            "state": state,
            "searched": f"{progress.searched:,}",
            "rate": f"{rate:,.0f}",
            "seconds": time_words(progress.seconds),
            "next_hit": time_words(next_hit) if next_hit is not None and state != "done" else "",
            "found": len(progress.hits),
            "limit": hunt.asked.limit,
            "trouble": self.trouble,
            "run": {"deck": hunt.plan.deck or "", "stake": hunt.plan.stake, "challenge": hunt.plan.challenge or ""},
            "hits": [asdict(hit) for hit in hunt.ranked[:_SHOWN]],
        }

    # --- Its process --------------------------------------------------------------------------------------------------

    def resume(self) -> None:
        """Search on in a process of its own."""
        if self.is_running or self.hunt.progress.state == "done":
            return
        context = get_context("spawn")
        self._stop = context.Event()
        with children_without_ctrl_c():
            self._process = context.Process(target=_work, args=(self.path, self._stop), daemon=True)
            self._process.start()
        self.trouble = ""
        self._watching = asyncio.create_task(self._watch(self._process))
        self.changes.note()

    async def pause(self) -> None:
        """Stop searching; what was found stays in the file."""
        if self._stop is not None:
            self._stop.set()
        if self._watching is not None:
            await asyncio.shield(self._watching)

    async def _watch(self, process: BaseProcess) -> None:
        stopped_at: float | None = None
        while process.is_alive():
            await asyncio.sleep(_LOOK_EVERY)
            self._look()
            if self._stop is not None and self._stop.is_set():
                stopped_at = stopped_at or time.monotonic()
                if time.monotonic() - stopped_at > _PATIENCE:
                    process.terminate()
        code = process.exitcode
        await_end(process)
        self._process = self._watching = None
        self._look(always=True)
        if code and not (self._stop and self._stop.is_set()):
            self.trouble = "The search has stopped by itself. Resume it to go on from where its file is."
        self.changes.note()

    def _look(self, *, always: bool = False) -> None:
        """Read the file if it has changed."""
        with suppress(OSError, ValueError):
            mark = self.path.stat().st_mtime_ns
            if always or mark != self._mark:
                self.hunt, self._mark = load_hunt(self.path), mark
                self.changes.note()


def _work(path: Path, stop: Flag) -> None:
    if hasattr(os, "nice"):
        os.nice(10)
    run_hunt(load_hunt(path), path, lambda: stop.is_set() or is_orphan())


class PageHunts:
    """All searches, and the folder in which they are kept. One runs at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hunts: dict[str, PageHunt] = {}

    def listed(self) -> list[Json]:
        """The newest first, as far as they can be read."""
        rows = []
        for path in self._paths():
            with suppress(BadInput, KeyError):
                view = self.get(path.stem).view()
                rows.append({name: view[name] for name in ("id", "words", "state", "found", "searched", "filter")})
        return rows

    async def begin(self, asked: HuntPlan, chance: float | None) -> PageHunt:
        hunt = made(asked)
        hunt.progress.chance = chance
        id = f"search-{secrets.token_hex(4)}"
        path = self._folder / f"{id}.json"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            hunt.save(path)
        except OSError as error:
            raise BadInput(f"The search cannot be kept: {reason(error)}.") from None
        for old in self._paths()[_MOST:]:
            await self.remove(old.stem)
        self._hunts[id] = PageHunt(id, path, hunt)
        await self.resume(id)
        return self._hunts[id]

    def get(self, id: str) -> PageHunt:
        """KeyError for one that there is not, BadInput for a file that cannot be read."""
        path = self._folder / f"{id}.json"
        if not ID.fullmatch(id) or not path.is_file():
            raise KeyError(id)
        if id not in self._hunts:
            try:
                self._hunts[id] = PageHunt(id, path, load_hunt(path))
            except ValueError as error:
                raise BadInput(str(error)) from None
        return self._hunts[id]

    async def resume(self, id: str) -> None:
        wanted = self.get(id)
        for other in self._hunts.values():
            if other is not wanted and other.is_running:
                await other.pause()
        wanted.resume()

    async def remove(self, id: str) -> None:
        hunt = self.get(id)
        await hunt.pause()
        hunt.path.unlink(missing_ok=True)
        self._hunts.pop(id, None)
        hunt.changes.note()

    def changes(self) -> list[ChangeCount]:
        return [hunt.changes for hunt in self._hunts.values()]

    async def close(self) -> None:
        for hunt in list(self._hunts.values()):
            await hunt.pause()

    def _paths(self) -> list[Path]:
        with suppress(OSError):
            found = [path for path in self._folder.glob("search-*.json") if ID.fullmatch(path.stem)]
            return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)
        return []
