"""The assistant on the whole screen: the game, the suggestions, and keys to accept or refuse them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.message import Message
from textual.widgets import Footer, Input, Static

from jimbo.colours import GREEN, ORANGE, QUIET, RED
from jimbo.console import THEME
from jimbo.data.record_files import RecordStopped
from jimbo.engine import PublicState
from jimbo.rollout.loop import AgentFailed
from jimbo.serve.assistant import Advice, Adviser, Session
from jimbo.serve.game import BadInput
from jimbo.serve.terminal import details
from jimbo.serve.terminal.assist import obey
from jimbo.serve.terminal.help import hints
from jimbo.serve.terminal.input import Leave, Request
from jimbo.serve.tui.panels import Board, Details, Log, Suggestions, Window, entry_lines, room, why
from jimbo.system import ENDS

KEYS = (
    ("Enter", "accept the suggestion that is pointed at"),
    ("n", "refuse it; the next best takes its place"),
    ("up down 1-9", "point at another suggestion"),
    ("b", "its reason, and all of its breakdown"),
    (":", "type what to do instead, such as p 1 2 3"),
    ("u", "undo a step"),
    ("a", "autoplay: accept the first suggestion again and again"),
    ("l", "the log of what was done"),
    ("q", "leave"),
)
SHORTEST = 0.01
"""Seconds between two steps of autoplay, at least: the screen must have time to show them."""
WIDE = 130
"""Columns from which on the suggestions stand to the right of the game."""


@dataclass(frozen=True, slots=True)
class Question:
    number: int
    """Answers to earlier questions are out of date."""
    state: PublicState
    follows: bool
    step: int


class Advised(Message):
    """The agent has answered, or failed."""

    def __init__(self, number: int, answer: Advice | AgentFailed) -> None:
        super().__init__()
        self.number = number
        self.answer = answer


class Thinker(threading.Thread):
    """The agent thinks in a thread of its own, so that the screen never waits for it.

    Of the questions that wait only the latest is answered. Nobody waits for the thread at the end.
    """

    def __init__(self, adviser: Adviser, tell: Callable[[Advised], object]) -> None:
        super().__init__(name="thinker", daemon=True)
        self._adviser = adviser
        self._tell = tell
        self.questions: SimpleQueue[Question] = SimpleQueue()

    def run(self) -> None:
        while True:
            asked = self.questions.get()
            if not self.questions.empty():
                continue
            try:
                answer: Advice | AgentFailed
                answer = self._adviser.advise(asked.state, follows=asked.follows, step=asked.step)
            except AgentFailed as error:
                answer = error
            self._tell(Advised(asked.number, answer))


class AssistantApp(App[None]):
    """All that changes the game happens here; the agent alone thinks elsewhere."""

    TITLE = "jimbo assist"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None  # keys are the assistant's until somebody wants to type
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "accept", key_display="Enter"),
        Binding("n", "refuse", "refuse"),
        Binding("u", "undo", "undo"),
        Binding("a", "auto", "auto"),
        Binding("colon,slash", "type", "type", key_display=":"),
        Binding("b", "breakdown", "why"),
        Binding("l", "log", "log"),
        Binding("question_mark", "help", "help", key_display="?"),
        Binding("q", "quit", "quit"),
        Binding("up,k", "point(-1)", show=False),
        Binding("down,j", "point(1)", show=False),
        *(Binding(f"{number}", f"point_at({number})", show=False) for number in range(1, 10)),
        Binding("escape", "stop", show=False),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(self, session: Session, pause: float) -> None:
        super().__init__()
        self._session = session
        self._pause = pause
        self._marked = 0
        self._auto = False
        self._asked = 0
        self._logged = 0
        self.ended_by: BaseException | None = None
        """What ended it, if not the player's own wish."""
        self._thinker = Thinker(session.adviser, self.post_message)

    def compose(self) -> ComposeResult:
        with Container(id="main"):
            with Vertical(id="game"):
                yield Board(id="board")
                yield Log(id="log", wrap=True, min_width=20)
            with Vertical(id="advice"):
                yield Suggestions(id="suggestions")
                yield Details(id="details")
        yield Static(id="status")
        yield Input(id="line")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.console.push_theme(THEME)
        self.query_one("#log").border_title = "Log"
        with suppress(NotImplementedError):  # elsewhere than on Unix, where the keys alone end it
            for number in ENDS:
                asyncio.get_running_loop().add_signal_handler(number, self.action_interrupt)
        self._thinker.start()
        self._say(Text("Enter accepts a suggestion, n refuses it, ? lists all keys.", style=QUIET))
        self._ask()

    # --- The agent ----------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Show the game as it is now, and ask what to do."""
        session = self._session
        self.query_one(Board).show(session.state, session.game.seed)
        self._log_news()
        self._asked += 1
        self._marked = 0
        self.query_one(Suggestions).think(session.adviser.name)
        self._thinker.questions.put(Question(self._asked, session.state, session.follows, session.game.steps + 1))

    def on_advised(self, message: Advised) -> None:
        if message.number != self._asked:
            return  # the game has gone on since
        if isinstance(message.answer, AgentFailed):
            self._auto = False
            self._say(Text())
            self.query_one(Suggestions).fail(f"{message.answer}.")
            self.query_one(Details).tell(None)
            return
        self._session.receive(message.answer)
        self._show_advice(message.answer)
        if self._auto:
            self.set_timer(max(self._pause, SHORTEST), lambda: self._go_on(message.number))

    def _go_on(self, number: int) -> None:
        """The next step of autoplay, unless something else has happened."""
        if self._auto and number == self._asked:
            self._do(self._session.accept)

    def _show_advice(self, advice: Advice) -> None:
        listed = self._session.suggestions()
        self._marked = min(self._marked, max(0, len(listed) - 1))
        one = listed[self._marked] if listed else None
        self.query_one(Suggestions).tell(advice, listed, self._marked)
        self.query_one(Details).tell(one)
        self.query_one(Board).point_at(one.action if one else None)

    # --- Steps --------------------------------------------------------------------------------------------------------

    def _do(self, act: Callable[[], object]) -> None:
        """Do something to the game. If that has changed, the agent is asked again."""
        before = self._session.state
        try:
            act()
        except BadInput as wrong:
            self._auto = False
            self._say(Text(str(wrong), style=RED))
            return
        except RecordStopped as stopped:
            self._end(stopped)
            return
        if self._session.state is not before:
            self._went_on(before, self._session.state)

    def _went_on(self, before: PublicState, now: PublicState) -> None:
        won = now.won and not before.won
        if now.over or won:
            self._auto = False
        if won:
            self._say(Text("The run is won. Play on for as long as you like, or leave with q.", style=f"bold {ORANGE}"))
        elif not self._auto:
            self._say(Text())
        self._ask()

    def _log_news(self) -> None:
        for entry in self._session.log[self._logged :]:
            self.query_one(Log).add(entry)
        self._logged = len(self._session.log)

    def _say(self, text: Text) -> None:
        self.query_one("#status", Static).update(Group(text))  # as Text alone it would lose its colour

    def _advised(self) -> Advice | None:
        """The advice, or a word that it is still to come."""
        if self._session.advice is None:
            self._say(Text("The agent is still thinking.", style=QUIET))
        return self._session.advice

    # --- Keys ---------------------------------------------------------------------------------------------------------

    def action_accept(self) -> None:
        if self._advised():
            self._do(lambda: self._session.accept(self._marked))

    def action_refuse(self) -> None:
        if advice := self._advised():
            try:
                self._session.refuse(self._marked)
            except BadInput as wrong:
                self._say(Text(str(wrong), style=RED))
            self._show_advice(advice)

    def action_undo(self) -> None:
        self._auto = False
        self._do(self._session.undo)

    def action_auto(self) -> None:
        self._auto = not self._auto and not self._session.state.over
        self._say(Text("Autoplay; a or Escape stops it.", style=GREEN) if self._auto else Text())
        if self._auto and self._session.advice:
            self._go_on(self._asked)

    def action_stop(self) -> None:
        """Stop autoplay, or typing."""
        self._close_line()
        if self._auto:
            self.action_auto()

    def action_point(self, by: int) -> None:
        self.action_point_at(self._marked + 1 + by)

    def action_point_at(self, number: int) -> None:
        if (advice := self._session.advice) and 1 <= number <= len(self._session.suggestions()):
            self._marked = number - 1
            self._show_advice(advice)

    def action_breakdown(self) -> None:
        if self._advised() and (listed := self._session.suggestions()):
            one = listed[self._marked]
            self._open(one.words, *why(one, room(self.size.width)))

    def action_log(self) -> None:
        width = room(self.size.width)
        lines = [line for entry in self._session.log for line in entry_lines(entry, width)]
        self.push_screen(Window("Log", lines or [Text("Nothing was done yet.")], at_end=True))

    def action_help(self) -> None:
        state = self._session.state
        typed = Text("\nAfter : you can type, as in jimbo play, what to do or to look at:\n", style=QUIET)
        self._open("Keys", details.command_table(KEYS), typed, details.help_text(state))

    def _open(self, title: str, *parts: RenderableType) -> None:
        self.push_screen(Window(title, parts))

    def action_interrupt(self) -> None:
        self._end(KeyboardInterrupt())

    def _end(self, why: BaseException) -> None:
        self.ended_by = why
        self.exit()

    # --- Typed lines --------------------------------------------------------------------------------------------------

    def action_type(self) -> None:
        line = self.query_one("#line", Input)
        line.placeholder = " · ".join(f"{command} {meaning}" for command, meaning in hints(self._session.state))
        line.add_class("open")
        line.focus()
        self._say(Text("Enter does what you type, Escape leaves it.", style=QUIET))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        self._close_line()
        if text:
            self._auto = False
            self._obey(text)

    def _obey(self, text: str) -> None:
        """What has a key of its own is done by it: the agent may still be thinking."""
        if text.lower() in _BY_KEY:
            _BY_KEY[text.lower()](self)
            return
        try:
            self._do(lambda: self._answer(obey(self._session, text)))
        except Leave:
            self.exit()

    def _answer(self, request: Request | None) -> None:
        if request is None:
            return
        if request.kind not in details.ANSWERED:
            raise BadInput(f'"{request.kind}" is for jimbo play. ? lists what can be done here.')
        self._open(request.kind.capitalize(), details.answer(request, self._session.state, room(self.size.width)))

    def _close_line(self) -> None:
        line = self.query_one("#line", Input)
        line.value = ""
        line.remove_class("open")
        self.set_focus(None)


_BY_KEY: dict[str, Callable[[AssistantApp], None]] = {
    "accept": AssistantApp.action_accept,
    "refuse": AssistantApp.action_refuse,
    "auto": AssistantApp.action_auto,
    "undo": AssistantApp.action_undo,
    "?": AssistantApp.action_help,
}


def run_app(session: Session, pause: float) -> None:
    """Run it until the player leaves; raise whatever else ended it. ``pause``: seconds between steps of autoplay."""
    app = AssistantApp(session, pause)
    app.run()
    if app.ended_by:
        raise app.ended_by
