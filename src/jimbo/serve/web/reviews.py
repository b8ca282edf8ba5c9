"""Reviews of the page: runs that it has and files that were sent, judged in a process of their own while watched."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import re
import threading
import zlib
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, cast

from jimbo.engine import Action, PublicState
from jimbo.files import read_open, write_bytes
from jimbo.rollout.loop import AgentFailed
from jimbo.rollout.pool import WorkFailed
from jimbo.serve.game import BadInput, check
from jimbo.serve.review.chances import FREE
from jimbo.serve.review.document import MARKED, cost_words, headlines
from jimbo.serve.review.judging import Judge, PositionJudgement
from jimbo.serve.review.played import PlayedRun
from jimbo.serve.review.reading import NotARun, read_run
from jimbo.serve.review.review import Review, Reviewed, ReviewFailed, judgements, review_of
from jimbo.serve.review.telling import (
    Explained,
    better_words,
    done_words,
    explained,
    is_move,
    line_words,
    share_text,
    where,
)
from jimbo.serve.web.board import Json
from jimbo.serve.web.games import ID, PageGames
from jimbo.serve.web.wire import ChangeCount
from jimbo.text import action_words, game_text, percent_text, points_text

MOST_BYTES = 8 << 20
"""Of a file that is sent, and of what is packed in it."""
MOST_DECISIONS = 20_000
_MOST_FILES = 20
"""Sent files that are kept; the oldest makes room."""
_MOST_IN_MEMORY = 6
_WORST = 10
_STEPS, _SHARE = 4, 0.05
"""A review in the making is shown again after so many decisions, or such a share of those that are judged."""
_ALONE = 10.0
"""Seconds after which a review that nobody watches rests; it goes on when somebody looks."""
_PACKED = b"\x1f\x8b"
_NOTHING = 0.0005
_OF_HAND = ("play", "discard")


class Reviewing:
    """One run, and how far it is judged."""

    def __init__(self, id: str, run: PlayedRun, judge: Judge, changes: ChangeCount, turn: asyncio.Lock) -> None:
        self.id, self.run, self.changes = id, run, changes
        self.review = Review(run, judge, (), 0.0)
        self.rows: tuple[Json, ...] = ()
        self.worst: list[Explained] | None = None
        """None until all is judged."""
        self.trouble = ""
        self._judge, self._turn = judge, turn
        self._found: list[PositionJudgement] = []
        self._words: dict[int, tuple[str, str]] = {}
        self._halt = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self._asking = threading.Lock()

    # --- How it is made -----------------------------------------------------------------------------------------------

    def watched(self, by: int) -> None:
        """Go on while somebody looks; rest when nobody has for a while."""
        if by > 0:
            self._halt.clear()
            if self._task is None and self.worst is None and not self.trouble:
                self._task = asyncio.create_task(self._go_on())
        else:
            asyncio.get_running_loop().call_later(_ALONE, self._rest)

    def _rest(self) -> None:
        if not self.changes.watchers:
            self._halt.set()

    async def close(self) -> None:
        self._halt.set()
        if self._task is not None:
            await self._task

    async def _go_on(self) -> None:
        try:
            async with self._turn:
                while self.worst is None and not self._halt.is_set():
                    await asyncio.to_thread(self._work, asyncio.get_running_loop())
        except (ReviewFailed, AgentFailed, WorkFailed) as error:
            self.trouble = f"The review stopped: {str(error).rstrip('.')}."
        finally:
            self._task = None
            self.changes.note()

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """Judge what is left, in another thread: it waits for a process."""
        left = replace(self.run, positions=self.run.positions[len(self._found) :])
        shown = len(self._found)
        if left.positions:
            with closing(judgements(left, self._judge, apart=True)) as coming:
                for one in coming:
                    self._found.append(one)
                    if len(self._found) - shown >= max(_STEPS, _SHARE * shown):
                        shown = len(self._found)
                        self._show(loop)
                    if self._halt.is_set():
                        break
        self._show(loop)
        if len(self._found) == len(self.run.positions):
            with self._asking:
                worst = explained(self.review, _WORST)
            self.worst = worst

    def _show(self, loop: asyncio.AbstractEventLoop) -> None:
        review = review_of(self.run, self._judge, self._found)
        self.review, self.rows = review, tuple(map(self._row, review.decisions))
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(self.changes.note)

    # --- What is seen -------------------------------------------------------------------------------------------------

    def view(self, known: Sequence[Json]) -> Json:
        """Return all but the rows that are known, which are those of an earlier view."""
        review, rows = self.review, self.rows
        most = min(len(known), len(rows))
        first = next((at for at in range(most) if known[at] is not rows[at] and known[at] != rows[at]), most)
        end = self.run.end
        return {
            "id": self.id,
            "about": " · ".join(
                filter(None, (self.run.source, self.run.player, game_text(end.deck, end.stake, end.challenge)))
            ),
            "seed": self.run.seed,
            "notes": list(self.run.notes),
            "judge": self._judge.agent,
            "effort": self._judge.effort,
            "judged": len(review.decisions),
            "of": self.run.decisions,
            "done": self.worst is not None,
            "trouble": self.trouble,
            "end": review.end,
            "end_text": percent_text(review.end),
            "headlines": [{"label": one.label, "value": one.value, "text": list(one.text)} for one in headlines(review)]
            if rows
            else [],
            "first": first,
            "rows": list(rows[first:]),
            "worst": [_worst(one) for one in self.worst] if self.worst is not None else None,
        }

    def _row(self, one: Reviewed) -> Json:
        if one.step not in self._words:
            self._words[one.step] = done_words(one), where(one)
        done, place = self._words[one.step]
        return {
            "step": one.step,
            "ante": one.state.ante,
            "where": place,
            "done": done,
            "cards": list(one.action.cards) if one.action and one.action.kind in _OF_HAND else [],
            "move": is_move(one),
            "win": one.win,
            "win_text": percent_text(one.win),
            "gave_up": share_text(one.given_up) if one.given_up else "",
            "luck": points_text(100 * one.luck) if abs(one.luck) >= _NOTHING else "",
            "better": better_words(one) if one.better else "",
            "grade": one.grade,
            "lost": one.given_up >= MARKED,
        }

    def state(self, step: int, moves: Sequence[Action] = ()) -> PublicState:
        """The state before a decision, after some moves that put things in order; BadInput where there is none."""
        if not 1 <= step <= len(self.run.positions):
            raise BadInput(f"There is no decision {step}: the run has {self.run.decisions}.")
        state = self.run.positions[step - 1].state
        for move in moves:
            if move.kind not in FREE:
                raise BadInput("Only moves can stand before a choice.")
            check(move, state)
            run = state.imagine(0)
            run.step(move)
            state = run.public_state()
        return state

    def choose_again(self, step: int, moves: Sequence[Action], action: Action) -> Json:
        """Judge another choice than the one that was made; AgentFailed if the agent has none."""
        here, state = self.state(step), self.state(step, moves)
        if step > self.run.decisions:
            raise BadInput("The run ends here: there is nothing to choose.")
        check(action, state)
        with self._asking:
            better = self._judge.line(here, step)
            found = self._judge.compared(here, (*moves, action), better)
        win = percent_text(found.win)
        own = Reviewed(step, here, action, found.win, found.given_up, found.error, 0.0)
        return {
            "good": not found.given_up,
            "words": action_words(action, state),
            "verdict": f"It gives up {cost_words(own)}."
            if found.given_up
            else f"Nothing better was found: {win} to win.",
            "better": line_words(better, here) if found.given_up else "",
        }


def _worst(told: Explained) -> Json:
    return {
        "step": told.one.step,
        "where": where(told.one),
        "done": told.done,
        "own": told.own,
        "better": told.better,
        "reason": told.reason,
        "cost": cost_words(told.one),
        "grade": told.one.grade,
    }


class Reviews:
    """Reviews by id: of a run that is kept, or of a file that was sent. One is judged at a time."""

    def __init__(self, games: PageGames, folder: Path, judge: Judge) -> None:
        """``folder`` is where files are kept that were sent."""
        self._games, self._folder, self._judge = games, folder, judge
        self._made: dict[str, tuple[tuple[int, int], Reviewing]] = {}
        self._turn = asyncio.Lock()

    def files(self) -> list[Json]:
        """The files that were sent, the newest first."""
        return [
            {"id": path.stem, "name": path.stem.rpartition("-")[0], "at": path.stat().st_mtime} for path in self._sent()
        ]

    async def add(self, name: str, data: bytes) -> Reviewing:
        """Keep a file that was sent and return its review; BadInput with a sentence if it is no run."""
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(name).name.partition(".")[0])[:40].strip("-") or "run"
        data = _unpacked(data)
        id = f"{stem}-{hashlib.sha256(data).hexdigest()[:12]}"
        path = self._folder / f"{id}.txt"
        self._folder.mkdir(parents=True, exist_ok=True)
        write_bytes(path, data)
        try:
            found = await self.get(id)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        for old in self._sent()[_MOST_FILES:]:
            old.unlink(missing_ok=True)
        return found

    async def get(self, id: str) -> Reviewing:
        """Return a review; KeyError for one that there is not, BadInput for a file that is no run."""
        path = self._folder / f"{id}.txt"
        if not ID.fullmatch(id) or not path.is_file():
            path = self._games.path_of(id) or path
        if not ID.fullmatch(id) or not path.is_file():
            raise KeyError(id)
        found = path.stat()
        mark = found.st_mtime_ns, found.st_size
        if id not in self._made or self._made[id][0] != mark:
            run = await asyncio.to_thread(_read, path, id)
            made = Reviewing(id, run, replace(self._judge), ChangeCount(), self._turn)
            if id in self._made:
                await self._made.pop(id)[1].close()
            self._made[id] = mark, made
            idle = [one for one, (_, each) in self._made.items() if not each.changes.watchers and one != id]
            for one in idle[: max(0, len(self._made) - _MOST_IN_MEMORY)]:
                await self._made.pop(one)[1].close()
        return self._made[id][1]

    def changes(self) -> list[ChangeCount]:
        """What streams of reviews wait for."""
        return [made.changes for _, made in self._made.values()]

    async def close(self) -> None:
        for _, made in self._made.values():
            await made.close()

    def _sent(self) -> list[Path]:
        with suppress(OSError):
            return sorted(self._folder.glob("*.txt"), key=lambda path: path.stat().st_mtime, reverse=True)
        return []


def _unpacked(data: bytes) -> bytes:
    if data.startswith(_PACKED):
        try:
            data = read_open(cast(IO[bytes], gzip.GzipFile(fileobj=io.BytesIO(data))), "It", MOST_BYTES)
        except (EOFError, zlib.error, OSError):
            raise BadInput(f"The file cannot be unpacked, or is larger than {MOST_BYTES >> 20} MB.") from None
    return data


def _read(path: Path, name: str) -> PlayedRun:
    """The run of a file; BadInput with a sentence that names the file without its folder."""
    try:
        if path.stat().st_size > MOST_BYTES or path.read_bytes().count(b'"action"') > MOST_DECISIONS:
            raise NotARun(
                f"{path} is too long: a run of {MOST_DECISIONS:,} decisions and {MOST_BYTES >> 20} MB is read."
            )
        run = read_run(path)
        if run.decisions > MOST_DECISIONS:
            raise NotARun(f"{path} is too long: {MOST_DECISIONS:,} decisions are read.")
        return run
    except (NotARun, OSError, RecursionError) as error:
        said = str(error) if isinstance(error, NotARun) else f"{path} cannot be read."
        shown = said.replace(str(path), name).replace(str(path.parent), "")[:1000]
        raise BadInput(re.sub(r"[\x00-\x1f\x7f-\x9f]", "?", shown)) from None
