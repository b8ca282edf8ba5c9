"""The assistant on the whole screen: the game, the suggestions, and keys to accept or refuse them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.events import Resize
from textual.widgets import Footer, Input, Static

from jimbo.colours import GREEN, ORANGE, QUIET, RED
from jimbo.console import THEME
from jimbo.engine import Action, ActionKind, PublicState
from jimbo.rollout.loop import AgentFailed
from jimbo.serve.assistant import Advice, Session
from jimbo.serve.assistant.prospects import Prospects
from jimbo.serve.game import BadInput
from jimbo.serve.terminal import details
from jimbo.serve.terminal.advice import verdict_text
from jimbo.serve.terminal.assist import obey
from jimbo.serve.terminal.help import commands, hints
from jimbo.serve.terminal.input import Leave, Request, read_line
from jimbo.serve.tui.keys import IN_WINDOWS, KEYS
from jimbo.serve.tui.panels import Board, Details, Log, SaveFirst, Suggestions, Window, entry_lines, room, why
from jimbo.serve.tui.threads import AdviceQuestion, Advised, GameWatcher, PlayedElsewhere, Thinker
from jimbo.system import ENDS
from jimbo.wire.errors import NotPossible, Refused

SHORTEST = 0.01
"""Seconds between two steps of autoplay, at least: the screen must have time to show them."""
WIDE = 130
"""Columns from which on the suggestions stand to the right of the game."""
SMALLEST = (50, 14)
"""Columns and rows without which nothing can be read."""


class AssistantApp(App[None]):
    """All that changes the game happens here; the agent alone thinks elsewhere."""

    TITLE = "jimbo assist"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None  # keys are the assistant's until somebody wants to type
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [binding for key in KEYS for binding in key.bindings()]

    def __init__(self, session: Session, pause: float, elsewhere: PlayedElsewhere | None = None) -> None:
        super().__init__()
        self._session = session
        self._pause = pause
        self._elsewhere = elsewhere
        self._busy = False
        """A step elsewhere is under way."""
        self._warned: Sequence[str] = ()
        self._waiting = ""
        """What was typed in a lesson before the agent had an answer."""
        self._marked = 0
        self._auto = False
        self._asked = 0
        self._logged = 0
        self.ended_by: BaseException | None = None
        """What ended it, if not the player's own wish."""
        self.dropped = False
        """The player does not want the run to be saved."""
        self._thinker = Thinker(session.adviser, self.post_message)
        if elsewhere:
            self._watcher = GameWatcher(elsewhere.every, self._look, partial(self.call_from_thread, self._done, None))

    def compose(self) -> ComposeResult:
        with Container(id="main"):
            with Vertical(id="game"):
                yield Board(id="board")
                yield Log(id="log", wrap=True, min_width=20)
            with Vertical(id="advice"):
                yield Suggestions(id="suggestions")
                yield Details(id="details")
        yield Static(id="small")
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
        if self._elsewhere:
            self._watcher.start()
        self._greet()
        self._ask()

    def on_unmount(self) -> None:
        if self._elsewhere:
            self._watcher.stopped = True

    def _greet(self) -> None:
        if self._session.lesson:
            words = "Choose first: type : and what to do, such as p 1 2 3. ? lists all keys."
        elif self._elsewhere and not self._elsewhere.acts:
            words = "Play in the game: the suggestions follow. Nothing is done from here. ? lists all keys."
        else:
            words = "Enter accepts a suggestion, n refuses it, ? lists all keys."
        self._say(Text(words, style=QUIET))

    def on_resize(self, event: Resize) -> None:
        """Say what is needed where nothing can be read."""
        columns, rows = event.size
        small = columns < SMALLEST[0] or rows < SMALLEST[1]
        game = self.screen_stack[0]  # below a window that may be open
        game.set_class(small, "-small")
        needed = f"{columns} x {rows} is too small: make it {SMALLEST[0]} x {SMALLEST[1]} or larger, or press q and "
        game.query_one("#small", Static).update(f"{needed}use --once." if small else "")

    # --- The agent ----------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Show the game as it is now, and ask what to do."""
        session = self._session
        self.query_one(Board).show(session.state, session.game.seed)
        self._log_news()
        self._asked += 1
        self._marked = 0
        self.query_one(Suggestions).think(session.adviser.name)
        self._thinker.questions.put(AdviceQuestion(self._asked, session.state, session.follows, session.game.steps + 1))

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
        if self._waiting:
            self._obey(self._waiting)
        elif self._auto:
            self.set_timer(max(self._pause, SHORTEST), lambda: self._go_on(message.number))

    def _go_on(self, number: int) -> None:
        """The next step of autoplay, unless something else has happened."""
        if self._auto and number == self._asked:
            self._do(self._session.accept)

    def _show_advice(self, advice: Advice) -> None:
        if self._session.lesson:
            compared = self._session.log[-1].compared if self._session.log else None
            self.query_one(Suggestions).teach(compared)
            self.query_one(Details).compare(compared)
            return
        listed = self._session.suggestions()
        self._marked = min(self._marked, max(0, len(listed) - 1))
        one = listed[self._marked] if listed else None
        self.query_one(Suggestions).tell(advice, listed, self._marked)
        self.query_one(Details).tell(one)
        self.query_one(Board).point_at(one.action if one else None)

    # --- Steps --------------------------------------------------------------------------------------------------------

    def _do(self, act: Callable[[], object]) -> None:
        """Do something to the game, at once or by the thread that watches it; ask the agent again if it has changed."""
        if self._busy:
            self._say(Text("The game is still carrying out the last step.", style=QUIET))
        elif self._elsewhere:
            self._busy = True
            before = self._session.state
            self._watcher.put(lambda: self.call_from_thread(self._done, before, self._act_elsewhere(act)))
        else:
            before = self._session.state
            self._done(before, _attempt(act))

    def _done(self, before: PublicState | None, error: Exception | None) -> None:
        self._busy = self._busy and before is None
        match error:
            case None:
                pass
            case Leave():
                self.exit()
            case BadInput() | NotPossible() | Refused():
                self._auto = False
                self._say(Text(str(error), style=RED))
            case _:
                self._end(error)
                return
        if before is not None and self._session.state is not before:
            self._went_on(before, self._session.state)

    # --- A game that is played elsewhere: in the thread that watches it -----------------------------------------------

    def _act_elsewhere(self, act: Callable[[], object]) -> Exception | None:
        """Act only on what the player has seen."""
        session = self._session
        if (error := _attempt(session.game.look)) is not None:
            return error
        if session.game.look() != session.state:
            return BadInput("Somebody else has moved; nothing was done. Look again.")
        return _attempt(act)

    def _look(self) -> None:
        state = self._session.game.look()
        assert self._elsewhere
        self.call_from_thread(self._looked, state, self._elsewhere.warnings())

    def _looked(self, state: PublicState, warnings: Sequence[str]) -> None:
        if warnings != self._warned:
            self._warned = warnings
            self._say(Text(" ".join(warnings), style=ORANGE))
        if state != self._session.state:
            self._auto = False
            before = self._session.state
            self._session.take_up(state)
            self._went_on(before, state)

    def _went_on(self, before: PublicState, now: PublicState) -> None:
        won = now.won and not before.won
        if now.over or won:
            self._auto = False
        if self._waiting:
            self._waiting = ""
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

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that mean nothing here are neither shown nor listed."""
        if self._session.lesson:
            return action not in ("accept", "refuse", "auto", "breakdown", "point", "point_at")
        return not (self._elsewhere and (action == "undo" or (action == "auto" and not self._elsewhere.acts)))

    def action_accept(self) -> None:
        if self._advised():
            marked = self._marked
            self._do(lambda: self._session.accept(marked))

    def action_refuse(self) -> None:
        if advice := self._advised():
            try:
                self._session.refuse(self._marked)
            except BadInput as wrong:
                self._say(Text(str(wrong), style=RED))
            self._show_advice(advice)

    def action_undo(self) -> None:
        self._auto = False
        before = self._session.state
        self._do(self._session.undo)
        if self._session.state is before and self._session.advice:
            self._show_advice(self._session.advice)

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
        if self._session.lesson:
            self._say(Text("In a lesson you choose first; then it is told what the agent would do.", style=QUIET))
        elif self._advised() and (listed := self._session.suggestions()):
            one = listed[self._marked]
            self._open(one.words, *why(one, room(self.size.width)))

    def action_log(self) -> None:
        width = room(self.size.width)
        lines = [line for entry in self._session.log for line in entry_lines(entry, width)]
        self.push_screen(Window("Log", lines or [Text("Nothing was done yet.")], at_end=True))

    def action_help(self) -> None:
        typed = Text("\nAfter : you can type, as in jimbo play, what to do or to look at:\n", style=QUIET)
        windows = Text("\nIn a window such as this one:\n", style=QUIET)
        lines = commands(self._session.state)
        here = [key for key in KEYS if self.check_action(key.action.partition("(")[0], ())]
        keys, more = (details.command_table([(key.shown, key.meaning) for key in some]) for some in (here, IN_WINDOWS))
        self._open("Keys", keys, typed, details.command_table(lines), windows, more)

    def _open(self, title: str, *parts: RenderableType) -> None:
        self.push_screen(Window(title, parts))

    # --- Leaving ------------------------------------------------------------------------------------------------------

    def action_leave(self) -> None:
        game = self._session.game
        if game.unsaved:
            self.push_screen(SaveFirst(game.default_path()), self._leave)
        else:
            self.exit()

    def _leave(self, answer: str | None) -> None:
        if answer == "save" and not self._save(""):
            return
        if answer:
            self.dropped = answer == "drop"
            self.exit()

    def _save(self, name: str) -> Path | None:
        """Save the run, and say where."""
        try:
            path = self._session.game.save(name)
        except BadInput as wrong:
            self._say(Text(str(wrong), style=RED))
            return None
        self._say(Text(f"Saved in {path}.", style=GREEN))
        return path

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

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what the cards would score while they are being typed."""
        with suppress(BadInput):
            action = read_line(event.value, self._session.state) if event.value.strip() else None
            if isinstance(action, Action) and action.kind in (ActionKind.play, ActionKind.discard):
                self.query_one(Board).point_at(action)
                if score := Prospects(self._session.state).score(action):
                    self._say(verdict_text(score))

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
        if self._session.lesson and self._session.advice is None:
            self._waiting = text
            self._say(Text("The agent is still thinking; your choice is compared with its own then.", style=QUIET))
            return
        self._waiting = ""
        requests: list[Request] = []
        self._do(lambda: requests.append(found) if (found := obey(self._session, text)) else None)
        for request in requests:
            self._do(partial(self._answer, request))

    def _answer(self, request: Request) -> None:
        if request.kind == "save":
            self._save(request.text)
            return
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
    "hint": AssistantApp.action_breakdown,
    "?": AssistantApp.action_help,
    **dict.fromkeys(("h", "help"), AssistantApp.action_help),
    **dict.fromkeys(("q", "quit", "exit"), AssistantApp.action_leave),
}


def _attempt(act: Callable[[], object]) -> Exception | None:
    try:
        act()
    except Exception as error:
        return error
    return None


def run_app(session: Session, pause: float, elsewhere: PlayedElsewhere | None = None) -> None:
    """Run it until the player leaves; raise whatever else ended it. A run that can be saved is saved unless the player
    has said no; BadInput where that fails. ``pause``: seconds between steps of autoplay."""
    app = AssistantApp(session, pause, elsewhere)
    app.run()
    if session.game.unsaved and not app.dropped:
        session.game.save()
    if app.ended_by:
        raise app.ended_by
