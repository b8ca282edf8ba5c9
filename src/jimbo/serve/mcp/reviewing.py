"""Runs reviewed for clients, each answer in bounded time: what is left when it is over, the next call goes on with."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jimbo.data.record import public_hash
from jimbo.engine import Action
from jimbo.serve.game import BadInput
from jimbo.serve.mcp.answers import Costly, ReviewedRun
from jimbo.serve.mcp.arguments import Progress
from jimbo.serve.review.judging import EFFORT, Judge, PositionJudgement
from jimbo.serve.review.played import PlayedRun
from jimbo.serve.review.reading import read_run
from jimbo.serve.review.review import Review, review_of
from jimbo.serve.review.telling import better_words, done_words, explain, result_text, summary, where
from jimbo.text import counted

SECONDS = 40.0
"""For an answer; many clients wait for a minute."""
WAIT = 10.0
"""For another review to end."""
MOST_KEPT = 50_000
"""Judgements that are kept for the next call."""
LISTED = 5
_RECORD = re.compile(r"\d{8}-\d{6}-r\d{1,9}")
"""Names that the server gives its records."""


class _Key(NamedTuple):
    """What a judgement depends on."""

    step: int
    state: str
    action: Action | None


class Reviewer:
    """Judges runs, one at a time; what was judged once is kept."""

    def __init__(self, judge: Judge | None = None, folder: Path | None = None, seconds: float = SECONDS) -> None:
        """``folder`` has the records of this server; the usual judge is the expert."""
        self._judge = judge or Judge("expert", {"effort": EFFORT}, EFFORT)
        self._folder, self._seconds = folder, seconds
        self._known: dict[_Key, PositionJudgement] = {}
        self._lock = threading.Lock()

    def recorded(self, name: str) -> PlayedRun | None:
        """The run of a record; None for a name that no record has. A name is never a path."""
        if self._folder is None or not _RECORD.fullmatch(name):
            return None
        path = self._folder / f"{name}.jsonl"
        return read_run(path) if path.is_file() and not path.is_symlink() else None

    def records(self) -> list[str]:
        """The names of the latest records, the last first."""
        names = (path.stem for path in self._folder.glob("*.jsonl")) if self._folder else ()
        return sorted(filter(_RECORD.fullmatch, names), reverse=True)[:LISTED]

    def review(self, name: str, run: PlayedRun, top: int, progress: Progress, *, in_play: bool = False) -> ReviewedRun:
        """Review a run as far as the time allows; BadInput where another review does not end.

        ``progress`` is called with how many decisions are judged, and of how many; ``in_play``: the run goes on.
        """
        if not run.decisions:
            raise BadInput("Nothing has been done in this run yet, so there is nothing to review.")
        if not self._lock.acquire(timeout=WAIT):
            raise BadInput("Another review is still at work. Ask again in a minute.")
        try:
            until = time.monotonic() + self._seconds
            made = review_of(run, self._judge, self._judged(run, until, progress))
            worst = list(self._worst(made, top, until))
        finally:
            self._lock.release()
        return _answer(name, made, worst, f"in play, ante {run.end.ante}" if in_play else result_text(made))

    def _judged(self, run: PlayedRun, until: float, progress: Progress) -> Iterator[PositionJudgement]:
        """Those that are known, and new ones until the time is over: two at least, which say something of one step."""
        new = 0
        for position in run.positions:
            key = _Key(position.step, public_hash(position.state), position.action)
            if key not in self._known:
                if new >= 2 and time.monotonic() > until:
                    return
                new += 1
                self._known[key] = self._judge.judge(position)
                if len(self._known) > MOST_KEPT:
                    del self._known[next(iter(self._known))]
                progress(min(position.step, run.decisions), run.decisions)
            yield self._known[key]

    def _worst(self, made: Review, top: int, until: float) -> Iterator[Costly]:
        """Reasons take time, so those that it does not suffice for are left out."""
        for one in made.worst(top):
            told = explain(self._judge, one) if time.monotonic() < until else None
            yield Costly(
                step=one.step,
                where=where(one),
                done=done_words(one),
                better=told.better if told else better_words(one),
                reason=told.reason if told else "",
                given_up=one.given_up,
                error=one.error,
                grade=one.grade,
            )


def _answer(name: str, made: Review, worst: Sequence[Costly], ending: str) -> ReviewedRun:
    run, notes = made.run, list(made.run.notes)
    if not made.whole:
        done = f"{len(made.decisions)} of {counted(run.decisions, 'decision')}"
        notes.append(f"The time sufficed for the first {done}; the same call again goes on from there.")
    if any(not one.reason for one in worst):
        notes.append("Some reasons are left out, for want of time or because the agent gives none.")
    return ReviewedRun(
        run=name,
        ending=ending,
        decisions=run.decisions,
        reviewed=len(made.decisions),
        start=made.start,
        end=made.end,
        accuracy=made.accuracy,
        given_up=made.given_up,
        gave=made.gave,
        took=made.took,
        summary=[f"{what}: {text.replace(result_text(made), ending)}" for what, text in summary(made)],
        worst=list(worst),
        notes=notes,
    )
