"""One game of the page: a session with an adviser that thinks beside it, its autoplay, and its file."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from jimbo.agents import Agent
from jimbo.backends.real import RealBackend
from jimbo.backends.sim import SimBackend
from jimbo.data.record import Decision, Header
from jimbo.data.record_files import decision_line, ending_line, header_line
from jimbo.engine import Action
from jimbo.files import add_text, reason, write_text
from jimbo.rollout.loop import AgentFailed, Moment, Observer
from jimbo.serve.assistant.advice import Advice
from jimbo.serve.assistant.lesson import LessonLog
from jimbo.serve.assistant.session import LogLine, Session
from jimbo.serve.game import BadInput, RunInPlay, check
from jimbo.serve.web.advice import advice_view, comparison_view
from jimbo.serve.web.board import Json, board, options, told_data, weigh
from jimbo.serve.web.wire import ChangeCount
from jimbo.wire.errors import WireError

T = TypeVar("T")
Mode = Literal["request", "always", "teach"]
MODES: tuple[Mode, ...] = get_args(Mode)
SUGGESTIONS = 5
LOG = 40
"""Steps of the log that the page shows."""
LONGEST_PAUSE = 60.0
_SHORTEST_PAUSE = 0.02
_LOOK_EVERY = 0.5
"""Seconds between two looks at a game that somebody plays."""
_ALONE = 10.0
"""Seconds after which a game that nobody watches stops playing by itself."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where a game comes from."""

    header: Header | None
    """None where its start is no seed: cards that were dealt anew, or a game that was under way."""
    parent: str = ""
    """The game that it branched off, as its id."""
    at: int = 0
    """Decisions that it shares with that game."""


class PageGame:
    """A game and those who watch it. All of it happens in the server's loop; only thinking and the real game do not."""

    def __init__(
        self,
        id: str,
        backend: SimBackend | RealBackend,
        agent: Agent,
        start: Start,
        pool: Executor,
        *,
        path: Path | None = None,
        armed: bool = False,
    ) -> None:
        self.id, self.start, self.path = id, start, path
        self.boot = secrets.token_hex(4)
        """Tells apart what this server counts from what an earlier one did."""
        self.changes = ChangeCount()
        self.mode: Mode = "request"
        self.trouble = ""
        """Why the file cannot be written, or the real game does not answer."""
        self.used = time.monotonic()
        self._backend, self._pool = backend, pool
        self._lines: list[str] = []
        self._on_disk: int | None = None
        """Lines of the file that are as they should be; None where it must be written anew."""
        self._saving: asyncio.Task[None] | None = None
        self.taken: list[Decision] = []
        """Decisions since the start."""
        game = RunInPlay(backend, [_Kept(self.taken, self._lines)], armed=armed)
        self.session = Session(game, agent, topk=SUGGESTIONS)
        self.can_act = not isinstance(backend, RealBackend) or armed
        self._asked = 0
        self._wanted = -1
        """The question whose answer somebody asked for."""
        self._failed: AgentFailed | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._auto: asyncio.Task[None] | None = None
        self._halt = asyncio.Event()
        self._pause = 1.0
        self._follower: asyncio.Task[None] | None = None

    # --- What is seen -------------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        return self.changes.count

    @property
    def is_real(self) -> bool:
        return isinstance(self._backend, RealBackend)

    def view(self) -> Json:
        """Return all that the page draws."""
        session = self.session
        return {
            "id": self.id,
            "boot": self.boot,
            "version": self.version,
            "real": self.is_real,
            "can_act": self.can_act,
            "mode": self.mode,
            "auto": self._auto is not None,
            "pause": self._pause,
            "steps": len(self._lines),
            "parent": self.start.parent,
            "branched_at": self.start.at,
            "kept": self.path is not None,
            "trouble": self.trouble,
            "board": board(session.state, session.game.seed),
            "options": options(session.state),
            "advice": self._advice(),
            "log": _log_view(session.log),
        }

    def _advice(self) -> Json:
        session = self.session
        about: Json = {"agent": session.adviser.name, "status": "off"}
        if session.state.over:
            return {**about, "status": "over"}
        if session.lesson is not None and self._failed is None:
            last = session.log[-1].compared if session.log else None
            compared = comparison_view(last) if last else None
            return {**about, "status": "lesson", "compared": compared, "summary": session.lesson.summary}
        if self._failed:
            return {**about, "status": "failed", "why": f"{self._failed}."}
        if session.advice is not None and self._is_wanted:
            return {**about, "status": "ready", **advice_view(session.advice, session.suggestions())}
        return {**about, "status": "thinking" if self._is_wanted else "off"}

    def weigh(self, cards: Sequence[int]) -> Json:
        return {"version": self.version, "boot": self.boot, **weigh(self.session.state, cards)}

    # --- What is done -------------------------------------------------------------------------------------------------

    async def act(self, action: Action) -> None:
        """Do something; BadInput if the rules forbid it."""
        self._stop_auto()
        if self.session.lesson is None or self.session.state.over:
            await self._do(lambda: self.session.play(action))
            return
        check(action, self.session.state)
        await self._ready()  # the choice is compared with the adviser's
        await self._do(lambda: self.session.play(action), slow=True)

    async def accept(self, place: int) -> None:
        """Carry out a suggestion."""
        self._stop_auto()
        await self._ready()
        await self._do(lambda: self.session.accept(place))

    async def refuse(self, place: int) -> None:
        await self._ready()
        await self._do(lambda: self.session.refuse(place), moved=False)

    async def undo(self, steps: int) -> None:
        self._stop_auto()

        def undo() -> None:
            self.session.undo(steps)
            left = self.session.game.undoable
            if left < len(self._lines):
                del self._lines[left:], self.taken[left:]
                self._on_disk = None

        await self._do(undo)

    def hint(self) -> None:
        """Ask the adviser about the present state."""
        self._wanted, self._failed = self._asked, None
        self._think()
        self.changes.note()

    def set_mode(self, mode: str) -> None:
        if mode not in MODES:
            raise BadInput(f"There is no such way of giving advice; choose from {', '.join(MODES)}.")
        self.mode = mode
        if mode == "teach":
            self._stop_auto()
        self.session.lesson = (self.session.lesson or LessonLog()) if mode == "teach" else None
        self._think()
        self.changes.note()

    def play_on(self, pause: float) -> None:
        """Let the adviser play, with a pause after each step."""
        self._stop_auto()
        if self.session.lesson is not None:
            raise BadInput("In a lesson the choice is yours: there is no autoplay.")
        if not self.can_act:
            raise BadInput("This game takes no steps from here: start jimbo web with --arm to allow it.")
        if self.session.ended and not self.session.state.won:
            raise BadInput("The run is over.")
        self._pause = min(max(pause, _SHORTEST_PAUSE), LONGEST_PAUSE)
        self._halt = asyncio.Event()
        self._auto = asyncio.create_task(self._play_on())
        self.changes.note()

    def stop(self) -> None:
        self._stop_auto()
        self.changes.note()

    def _stop_auto(self) -> None:
        """The step that is under way is finished, and no other begins."""
        self._auto = None
        self._halt.set()

    async def _play_on(self) -> None:
        me, halt = asyncio.current_task(), self._halt
        over_already = self.session.state.won  # then it goes on into endless antes
        alone_since: float | None = None
        try:
            while not self.session.state.over and (over_already or not self.session.ended):
                alone_since = None if self.changes.watchers else alone_since or time.monotonic()
                if alone_since and time.monotonic() - alone_since > _ALONE:
                    break
                await self._ready()
                with suppress(TimeoutError):
                    await asyncio.wait_for(halt.wait(), self._pause)
                if halt.is_set():
                    break
                await self._do(self.session.accept)
        except (BadInput, WireError) as error:
            self.trouble = str(error)
        finally:
            if self._auto is me:
                self._auto = None
            self.changes.note()

    async def _do(self, work: Callable[[], object], *, moved: bool = True, slow: bool = False) -> None:
        """Change the game. One at a time; a step of the real game is awaited in another thread."""
        async with self._turn:
            self.used = time.monotonic()
            await self._away(work, slow=slow)
            self.trouble = ""
            if moved:
                self._moved()
            self.changes.note()

    async def _away(self, work: Callable[[], T], *, slow: bool = False) -> T:
        if not (slow or self.is_real):
            return work()
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def _moved(self) -> None:
        self._asked += 1
        self._failed = None
        self._think()
        self._save()

    # --- Thinking -----------------------------------------------------------------------------------------------------

    @property
    def _is_wanted(self) -> bool:
        return self.mode != "request" or self._auto is not None or self._wanted == self._asked

    @property
    def _is_open(self) -> bool:
        """Whether a question waits for its answer."""
        answered = self.session.advice is not None or self._failed is not None
        return self._is_wanted and not answered and not self.session.state.over

    def _think(self) -> None:
        if self._thinking is None and self._is_open:
            self._thinking = asyncio.create_task(self._think_on())

    async def _think_on(self) -> None:
        """Ask until the newest question is answered; answers to earlier ones are thrown away."""
        session = self.session
        try:
            while self._is_open:
                number, state, follows = self._asked, session.state, session.follows
                answer = await asyncio.get_running_loop().run_in_executor(
                    self._pool, _advised, session, state, follows, session.game.steps + 1
                )
                if number != self._asked:
                    continue
                if isinstance(answer, AgentFailed):
                    self._failed = answer
                else:
                    session.receive(answer)
                self.changes.note()
        finally:
            self._thinking = None

    async def _ready(self) -> None:
        """Wait for the advice; BadInput or AgentFailed where there is none."""
        if self.session.state.over:
            raise BadInput("The run is over; nothing can be done.")
        self._wanted = self._asked
        self._think()
        while self._thinking is not None:
            await asyncio.shield(self._thinking)
            self._think()
        if self._failed:
            raise BadInput(f"{self._failed}.")

    # --- The real game ------------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Look at the real game again and again."""
        self._follower = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            async with self._turn:
                try:
                    state = await self._away(self.session.game.look)
                except (ValueError, WireError) as error:
                    told = str(error)
                    if self.trouble != told:
                        self.trouble = told
                        self.changes.note()
                    continue
                if state != self.session.state or self.trouble:
                    if state != self.session.state:
                        self.session.take_up(state)
                        self._asked += 1
                        self._failed = None
                        self._think()
                    self.trouble = ""
                    self.changes.note()

    # --- Its file -----------------------------------------------------------------------------------------------------

    @property
    def decisions(self) -> int:
        return len(self._lines)

    def record(self) -> str:
        """Return the run as a record; BadInput where it began elsewhere than with a seed."""
        if self.start.header is None:
            raise BadInput("Cards that were dealt anew belong to no seed, so this run cannot be recorded.")
        lines = [header_line(self.start.header), *self._lines]
        return "\n".join([*lines, ending_line(self.session.game.ending())]) + "\n"

    def take_again(self, decisions: Sequence[Decision], *, on_disk: bool = False) -> None:
        """Take the decisions of a record, from the start on. ``on_disk``: its file holds just these."""
        try:
            for decision in decisions:
                self.session.play(decision.action)
                self.taken[-1], self._lines[-1] = decision, decision_line(len(self._lines), decision)
        except BadInput as wrong:
            number = len(self._lines) + 1
            raise BadInput(
                f"Decision {number} of the record cannot be taken: {wrong} Another version wrote it."
            ) from None
        self._on_disk = None

    def keep(self) -> None:
        """Write the file of a new game, or one that was read, as a whole."""
        self._save()

    def _save(self) -> None:
        if self.path and self.start.header and self._saving is None:
            self._saving = asyncio.create_task(self._write())

    async def _write(self) -> None:
        assert self.path
        assert self.start.header
        first = header_line(self.start.header)
        try:
            while self._on_disk != 1 + len(self._lines):
                whole, known = self._on_disk is None, self._on_disk or 0
                lines = [first, *self._lines] if whole else self._lines[known - 1 :]
                reached = 1 + len(self._lines)
                self._on_disk = reached  # an undo meanwhile sets it to None
                text = "".join(f"{line}\n" for line in lines)
                await asyncio.get_running_loop().run_in_executor(None, _put, self.path, text, whole)
        except OSError as error:
            self._on_disk = None
            self.trouble = f"This run cannot be saved: {reason(error)}."
            self.changes.note()
        finally:
            self._saving = None

    async def close(self) -> None:
        """End what goes on, and wait for the file."""
        self._stop_auto()
        for task in (self._follower, self._thinking):
            if task is not None:
                task.cancel()
        while self._saving is not None:
            with suppress(Exception):
                await asyncio.shield(self._saving)


class _Kept(Observer):
    """Keeps every decision, and its line of a record."""

    def __init__(self, taken: list[Decision], lines: list[str]) -> None:
        self._taken, self._lines = taken, lines

    def happened(self, moment: Moment) -> None:
        self._taken.append(moment.decision)
        self._lines.append(decision_line(len(self._lines) + 1, moment.decision))


def _advised(session: Session, state: Any, follows: bool, step: int) -> Advice | AgentFailed:
    try:
        return session.adviser.advise(state, follows=follows, step=step)
    except AgentFailed as error:
        return error


def _put(path: Path, text: str, whole: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if whole:
        write_text(path, text)
        return
    with path.open("ab", buffering=0) as file:
        add_text(file, text)


def _log_view(log: Sequence[LogLine]) -> list[Json]:
    """Return the last steps of a log, numbered from 1."""
    first = max(0, len(log) - LOG)
    return [
        {"number": number, "by": line.by, "words": line.words, "told": [told_data(told) for told in line.told]}
        for number, line in enumerate(log[first:], first + 1)
    ]
