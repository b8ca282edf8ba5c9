"""``jimbo assist`` without a full screen: suggestions as text or as JSON, in the simulator or for a game that is played
elsewhere.

Programs write a line and get a line of JSON. A line is ``accept``, ``refuse`` or ``auto``, with a number or without, or
whatever can be typed in ``jimbo play`` to act, undo, save or leave. The answer is the advice for the state that was
reached (advice_v1), with what was done; or why nothing was.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, Group
from rich.text import Text

from jimbo.backends.real import RealBackend
from jimbo.colours import GREEN, RED
from jimbo.engine import Action
from jimbo.rollout.loop import MAX_STEPS
from jimbo.serve.assistant import ADVICE_SCHEMA, LogLine, Session, advice_data
from jimbo.serve.game import BadInput
from jimbo.serve.terminal import details
from jimbo.serve.terminal.advice import advice_text, comparison_reasons, comparison_text
from jimbo.serve.terminal.input import Leave, NotACommand, Request, read_line
from jimbo.serve.terminal.screen import screen
from jimbo.serve.terminal.story import story, words
from jimbo.wire.errors import Surprise
from jimbo.wire.gamestate import ValueDifference

_COMMANDS = "Write accept, refuse or auto, an action as in jimbo play, undo, save, or q to leave."


class Assistance:
    """Suggestions for a game, printed as it goes on. ``real``: the game that somebody may be playing elsewhere.
    ``warnings``: sentences on the present state, each told once while it holds."""

    def __init__(
        self,
        session: Session,
        console: Console,
        *,
        as_json: bool,
        real: RealBackend | None = None,
        warnings: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._session, self._console, self._as_json = session, console, as_json
        self._real, self._warnings = real, warnings
        self._warned: Sequence[str] = ()

    def follow(self, interval: float, *, endless: bool = False) -> None:
        """Suggest something for every new state of the real game, until the run is over, or ``endless``."""
        session = self._session
        self.suggest()
        while endless or not session.ended:
            time.sleep(interval)
            state = session.game.look()
            self._warn()
            if state != session.state:
                session.take_up(state)
                self.suggest()

    def carry_out(self, steps: int, interval: float) -> None:
        """Carry out the first suggestion, again and again, until the run is won or lost.

        At the real game Surprise is raised when somebody else has moved, and when a step did something else.
        """
        session = self._session
        self.suggest()
        for number in range(1, steps + 1):
            if session.ended:
                return
            if interval and number > 1:
                time.sleep(interval)
            if session.game.look() != session.state:
                raise self._surprise("somebody else has moved")
            session.accept()
            self._show_step()
            if not self._as_json and not session.ended and (self._real or number < steps):
                self.suggest()
            if self._real and (found := self._real.surprises):
                raise self._surprise(f"the game went another way than foreseen: {surprise_words(found)}")

    def suggest(self) -> None:
        session = self._session
        self._warn()
        if self._as_json:
            typer.echo(advice_line(session))
        else:
            self._console.print(advice_text(session.ask(), session.suggestions(), self._console.width))

    def _warn(self) -> None:
        """Say once for each state what may be wrong in it."""
        told = self._warnings()
        for sentence in told:
            if sentence not in self._warned:
                typer.echo(f"jimbo: {sentence}", err=True)
        self._warned = told

    def _show_step(self) -> None:
        entry = self._session.log[-1]
        if self._as_json:
            typer.echo(advice_line(self._session, [entry]))
        else:
            done = Text.assemble(("▶ ", f"bold {GREEN}"), words(entry.words, "bold"))
            self._console.print(Group(done, *story(entry.told, self._console.width), Text()))

    def _surprise(self, what: str) -> Surprise:
        assert self._real
        return Surprise(what, method="gamestate", url=self._real.client.url, state=str(self._real.state().phase))


def surprise_words(found: tuple[ValueDifference, ...]) -> str:
    first, *others = found
    more = f", and {len(others)} more" if others else ""
    return f"{first.path} is {first.there}, not {first.here}{more}"


class LessonLines:
    """A lesson without a full screen: the state, a line, what was chosen beside the agent's choice, and so on."""

    def __init__(self, session: Session, console: Console) -> None:
        self._session, self._console = session, console

    def play(self, lines: Iterable[str]) -> None:
        """Go on until the player leaves, or there are no more lines."""
        lines = iter(lines)
        self._show()
        while not self._session.ended:
            self._console.print(Text("Your choice? ", style="bold"), end="")
            if (line := next(lines, None)) is None:
                self._console.print()
                return
            if not self._console.is_terminal:
                self._console.print(line.rstrip())  # so that a transcript can be read
            try:
                self._obey(line)
            except Leave:
                return
            except BadInput as wrong:
                self._console.print(Text(str(wrong), style=RED))

    def _obey(self, line: str) -> None:
        known = len(self._session.log)
        request = obey(self._session, line)
        if request and request.kind == "save":
            self._session.game.save(request.text)
            self._console.print(Text(self._session.game.where, style=GREEN), soft_wrap=True)
            return
        if request and request.kind not in details.ANSWERED:
            raise BadInput(f'"{request.kind}" has no place in a lesson. ? lists what can be typed.')
        if request:
            self._console.print(details.answer(request, self._session.state, self._console.width))
            return
        for entry in self._session.log[known:]:
            self._console.print(Group(*story(entry.told, self._console.width)))
            if entry.compared:
                self._console.print(comparison_text(entry.compared), *comparison_reasons(entry.compared), sep="\n")
        self._show()

    def _show(self) -> None:
        game, console = self._session.game, self._console
        console.print(screen(game.state, game.seed, console.width, console.height - 1))


# --- Lines for programs -----------------------------------------------------------------------------------------------


def answers(session: Session, lines: Iterable[str]) -> Iterator[str]:
    """Give the advice for the present state, then an answer to each line until one says to leave; a lesson ends with
    its summary."""
    yield from _answers(session, lines)
    if session.lesson:
        yield json.dumps(session.lesson.to_data())


def _answers(session: Session, lines: Iterable[str]) -> Iterator[str]:
    yield advice_line(session)
    for line in lines:
        known, saved = len(session.log), None
        try:
            request = obey(session, line)
            if request and request.kind == "save":
                saved = session.game.save(request.text)
            elif request:
                raise BadInput(f'"{request.kind}" is for people; the field state tells everything. {_COMMANDS}')
        except Leave:
            return
        except NotACommand as wrong:  # there is no help to ask for: it is for people
            yield _refusal(NotACommand(wrong.word, _COMMANDS))
        except BadInput as wrong:
            yield _refusal(wrong)
        else:
            yield advice_line(session, session.log[known:], saved)


def _refusal(wrong: BadInput) -> str:
    return json.dumps({"schema": ADVICE_SCHEMA, "error": str(wrong)})


def advice_line(session: Session, done: Iterable[LogLine] = (), saved: Path | None = None) -> str:
    """In a lesson without what the agent thinks: the player chooses first. ``saved``: where the run has been saved."""
    listed = () if session.lesson else session.suggestions()
    data = advice_data(session.ask(), listed, with_state=True)
    hidden = {"win": None, "route": None} if session.lesson else {}
    told = {"saved": str(saved)} if saved else {}
    return json.dumps({**data, **hidden, "done": [_entry(entry) for entry in done], **told})


def _entry(entry: LogLine) -> dict[str, Any]:
    told = {"by": entry.by, "words": entry.words, "events": [str(line) for line in entry.told]}
    return told | ({"compared": entry.compared.to_data()} if entry.compared else {})


def obey(session: Session, line: str) -> Request | None:
    """Do what a line says, or return the question that it asks. BadInput says why it cannot be done."""
    word, _, rest = line.strip().lower().partition(" ")
    if word in _WORDS:
        _WORDS[word](session, _number(word, rest))
        return None
    meant = read_line(line, session.state)
    if isinstance(meant, Action):
        session.play(meant)
        return None
    match meant.kind:
        case "undo":
            session.undo(meant.number)
        case "sort":
            session.play(Action(f"sort_hand_by_{meant.text}"))
        case "quit":
            raise Leave
        case "look":
            pass
        case _:
            return meant
    return None


def _number(word: str, text: str) -> int | None:
    if not text:
        return None
    if not re.fullmatch(r"\d{1,9}", text.strip()) or int(text) < 1:
        raise BadInput(f'"{text}" is not a number from 1 on. Write {word}, or {word} 2.')
    return int(text)


def _auto(session: Session, number: int | None) -> None:
    for _ in islice(session.autoplay(), number or MAX_STEPS):
        pass


_WORDS: dict[str, Callable[[Session, int | None], object]] = {
    "accept": lambda session, number: session.accept((number or 1) - 1),
    "refuse": lambda session, number: session.refuse((number or 1) - 1),
    "auto": _auto,
}
