"""Requests about trainings: the list, their rows as they come, tables, and ``stats.json`` for programs that poll it."""

from __future__ import annotations

import asyncio
import csv
import io
import re
import secrets
import threading
import time
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jimbo.files import read_bytes
from jimbo.serve.web.readings import Reading, about, read_run
from jimbo.serve.web.state import Web, web_of
from jimbo.serve.web.trainings import STATS, FoundRun, changed, find_runs
from jimbo.serve.web.wire import ChangeCount, Event, Plain, stream, tagged

_LOOK_EVERY = 1.0
_FIND_EVERY = 5.0
_MOST_WATCHED = 12
_LARGEST_STATS = 32 << 20
Place = tuple[int, int, int, int]
"""How far a watcher of a run is: the edition, the rows, the lines of its pace, and how often anything changed."""
NO_RUN = "There is no such run below the folder."


class Trainings:
    """What is known of the runs below a folder. Files are read in threads, and only when they have changed."""

    def __init__(self, web: Web) -> None:
        self._folder = web.settings.runs
        self._runs: dict[str, FoundRun] = {}
        self._readings: dict[str, tuple[float, Reading]] = {}
        self._found_at = 0.0
        self._reading = threading.Lock()
        self._web = web
        self.changes = web.watched(ChangeCount())
        """Of all feeds."""
        self._feeds: dict[str, Feed] = {}

    async def runs(self) -> list[FoundRun]:
        await asyncio.to_thread(self._find)
        return list(self._runs.values())

    async def listed(self) -> list[dict[str, Any]]:
        return await asyncio.to_thread(self._listed)

    async def run(self, id: str) -> FoundRun:
        """Return a run that was found below the folder, and nothing else; 404."""
        if id not in self._runs:
            await asyncio.to_thread(self._find)
        if id not in self._runs:
            raise HTTPException(404, NO_RUN)
        return self._runs[id]

    async def reading(self, run: FoundRun) -> Reading:
        return await asyncio.to_thread(self._read, run)

    async def feed(self, run: FoundRun) -> Feed:
        """Return the rows of a run as they come; all watchers share them."""
        feed = self._feeds.get(run.id)
        if feed is None:
            feed = self._feeds[run.id] = Feed(run, self.changes)
            await self._update(feed)
        if feed.task is None or feed.task.done():
            feed.task = asyncio.create_task(self._follow(feed))
        return feed

    async def _follow(self, feed: Feed) -> None:
        """Look at a file until nobody watches any more."""
        await asyncio.sleep(_LOOK_EVERY)
        while feed.watchers and not self._web.stopping:
            await self._update(feed)
            await asyncio.sleep(_LOOK_EVERY)

    async def _update(self, feed: Feed) -> None:
        def look() -> tuple[Reading, dict[str, Any]]:
            reading = self._read(feed.run)
            return reading, about(feed.run, reading)

        feed.take(*await asyncio.to_thread(look))

    def _find(self) -> None:
        with self._reading:
            if time.monotonic() - self._found_at > _FIND_EVERY or not self._runs:
                self._runs = {run.id: run for run in find_runs(self._folder)}
                self._found_at = time.monotonic()

    def evaluations(self) -> list[tuple[str, dict[str, Any]]]:
        """The evaluations below the folder by name, and what was played and won in each; files are read."""
        self._find()
        found = [(run.id, self._read(run).played) for run in self._runs.values() if run.kind == "evaluation"]
        return [(id, played) for id, played in found if played]

    def _listed(self) -> list[dict[str, Any]]:
        self._find()
        return [about(run, self._read(run)) for run in sorted(self._runs.values(), key=lambda run: -changed(run))]

    def _read(self, run: FoundRun) -> Reading:
        at = changed(run)
        known = self._readings.get(run.id)
        if known is None or known[0] != at:
            known = self._readings[run.id] = (at, read_run(run))
        return known[1]


class Feed:
    """The rows of a run that many watch. Each watcher knows how far it is; nothing is thrown away."""

    def __init__(self, run: FoundRun, changes: ChangeCount) -> None:
        self.run, self._changes = run, changes
        self.rows: list[dict[str, Any]] = []
        self.pace: list[dict[str, float]] = []
        self.about: dict[str, Any] = {}
        self.edition = secrets.randbelow(1 << 30)
        """Grows where earlier rows were changed, as where old steps are thinned out. Each server begins elsewhere."""
        self.watchers = self._changed = 0
        self.task: asyncio.Task[None] | None = None

    def take(self, reading: Reading, told: dict[str, Any]) -> None:
        pace = reading.pace.rows
        if reading.rows == self.rows and told == self.about and pace == self.pace:
            return
        if reading.rows[: len(self.rows)] != self.rows or pace[: len(self.pace)] != self.pace:
            self.edition += 1
        self.rows, self.pace, self.about = reading.rows, pace, told
        self._changed += 1
        self._changes.note()

    @property
    def place(self) -> Place:
        """What a watcher has that has everything."""
        return self.edition, len(self.rows), len(self.pace), self._changed

    def since(self, place: Place) -> dict[str, Any]:
        """Return what is new to a watcher: from which row on, of its numbers and of its pace, or all of it."""
        edition, row, line, _ = place
        whole = edition != self.edition or row > len(self.rows) or line > len(self.pace)
        row, line = (0, 0) if whole else (row, line)
        new = {"from": row, "rows": self.rows[row:], "pace_from": line, "pace": self.pace[line:]}
        return {"about": self.about, "whole": whole, **new}


def trainings_of(request: Request) -> Trainings:
    found: Trainings = request.app.state.trainings
    return found


async def _list(request: Request) -> Response:
    folder = web_of(request).settings.runs
    rows = await trainings_of(request).listed()
    return Plain({"folder": folder.resolve().name or "/", "runs": rows})


async def _events(request: Request) -> Response:
    """Rows of some runs as they come. The id of an event says how far a watcher is: it goes on there after a break."""
    trainings, web = trainings_of(request), web_of(request)
    feeds = [await trainings.feed(await trainings.run(id)) for id in _chosen(request)]
    reached = _places(request.headers.get("last-event-id", ""), len(feeds))

    def news() -> list[Event]:
        events = []
        for at, feed in enumerate(feeds):
            if reached[at] == feed.place:
                continue
            data = feed.since(reached[at])
            reached[at] = feed.place
            number = "|".join(f"{edition}.{row}.{line}" for edition, row, line, _ in reached)
            events.append((number, "rows", data))
        return events

    def watch(by: int) -> None:
        for feed in feeds:
            feed.watchers += by

    return stream(trainings.changes, news, lambda: web.stopping, watch)


def _chosen(request: Request) -> list[str]:
    ids = list(dict.fromkeys(request.query_params.getlist("run")))
    if not 0 < len(ids) <= _MOST_WATCHED:
        raise HTTPException(400, f"Name a run, and at most {_MOST_WATCHED} of them.")
    return ids


def _places(text: str, count: int) -> list[Place]:
    """Return how far a watcher was in each of some runs, by the id of its last event; nowhere for any other text."""
    found = re.findall(r"(\d{1,10})\.(\d{1,9})\.(\d{1,9})", text[:1000])
    places = [(int(edition), int(row), int(line), -1) for edition, row, line in found]
    return places if len(places) == count else [(-1, 0, 0, -1)] * count


async def _rows(request: Request) -> Response:
    trainings = trainings_of(request)
    run = await trainings.run(request.query_params.get("run", ""))
    reading = await trainings.reading(run)
    return Plain({"about": about(run, reading), "rows": reading.rows, "pace": reading.pace.rows})


async def _csv(request: Request) -> Response:
    """The numbers of some runs as one table: their curves, or their pace by the minute."""
    trainings = trainings_of(request)
    chosen = [await trainings.run(id) for id in _chosen(request)]
    readings = [(run, await trainings.reading(run)) for run in chosen]
    is_pace = request.query_params.get("table") == "pace"
    tables = [(run, reading.pace.rows if is_pace else reading.rows) for run, reading in readings]
    names = list(dict.fromkeys(name for _, rows in tables for row in rows for name in row if name != "x"))
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["run", "minutes" if is_pace else "x", *map(_cell, names)])
    for run, rows in tables:
        table.writerows([_cell(run.id), row["x"], *(row.get(name, "") for name in names)] for row in rows)
    file = "pace.csv" if is_pace else "training.csv"
    headers = {"content-disposition": f'attachment; filename="{file}"', "cache-control": "no-store"}
    return Response(text.getvalue(), media_type="text/csv", headers=headers)


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


async def _stats(request: Request) -> Response:
    """The file ``stats.json`` of a loop as it is, with a tag: of the one that is named, or that changed last."""
    trainings = trainings_of(request)
    wanted = request.query_params.get("run")
    if wanted is not None:
        run = await trainings.run(wanted)
    else:
        loops = [run for run in await trainings.runs() if run.kind == "self-play"]
        if not loops:
            raise HTTPException(404, f"There is no {STATS} below the folder.")
        run = max(loops, key=changed)
    if run.kind != "self-play":
        raise HTTPException(404, f"This run has no {STATS}.")
    try:
        data = await asyncio.to_thread(read_bytes, run.source, _LARGEST_STATS)
    except OSError:
        raise HTTPException(404, f"{STATS} cannot be read.") from None
    return tagged(request, data)


ROUTES = [
    Route("/api/trainings", _list),
    Route("/api/trainings/events", _events),
    Route("/api/trainings/rows", _rows),
    Route("/api/trainings/csv", _csv),
    Route("/stats.json", _stats),
]
