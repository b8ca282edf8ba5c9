"""The parts of the screen, and what opens above it. Each draws what it is given, made for terminals of all kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import RichLog, Static

from jimbo.colours import GREEN, QUIET, RED
from jimbo.engine import Action, PublicState
from jimbo.serve.assistant import Advice, LogLine, Suggestion
from jimbo.serve.terminal.advice import score_text, suggestion_table
from jimbo.serve.terminal.screen import screen
from jimbo.serve.terminal.story import story, words
from jimbo.text import percent_text

WINDOW_WIDTH = 90
EDGE = 5


class Board(Widget):
    """The game, as ``jimbo play`` shows it, shortened to the room there is."""

    _state: PublicState | None = None
    _seed = ""
    _picked: frozenset[int] = frozenset()

    def show(self, state: PublicState, seed: str) -> None:
        self._state, self._seed, self._picked = state, seed, frozenset()
        self.refresh(layout=True)

    def point_at(self, action: Action | None) -> None:
        """Mark the cards of the hand that an action takes."""
        self._picked = frozenset(action.cards if action else ())
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the least height; the log has what is left."""
        console = self.app.console
        drawn = self._drawn(width, container.height)
        return min(len(console.render_lines(drawn, console.options.update_width(width), pad=False)), container.height)

    def render(self) -> RenderableType:
        return self._drawn(*self.size)

    def _drawn(self, width: int, height: int) -> RenderableType:
        if self._state is None:
            return Text()
        return screen(self._state, self._seed, max(width, 20), height, with_commands=False, picked=self._picked)


class Suggestions(Static):
    """What the agent suggests, one of them pointed at."""

    def tell(self, advice: Advice, listed: Sequence[Suggestion], marked: int) -> None:
        win = f" · chance to win {percent_text(advice.win)}" if advice.win is not None else ""
        self.border_title = f"{advice.agent} suggests{win}"
        if listed:
            self.update(suggestion_table(advice, listed, marked))
        else:
            self.update(Group(Text("The run is over. u undoes a step, q leaves.")))

    def think(self, agent: str) -> None:
        """What was suggested last stays until the answer comes, so that nothing flickers."""
        self.border_title = f"{agent} is thinking"

    def fail(self, sentence: str) -> None:
        self.border_title = "The agent failed"
        self.update(Group(Text(f"{sentence} Type : to act yourself, or u to undo.", style=RED)))


class Details(VerticalScroll):
    """What speaks for the suggestion that is pointed at."""

    can_focus = False

    def compose(self) -> Sequence[Widget]:
        return [Static(id="why")]

    def tell(self, one: Suggestion | None) -> None:
        self.query_one("#why", Static).update(Group(*why(one, self.size.width)) if one else Text())
        self.scroll_home(animate=False)


def why(one: Suggestion, width: int) -> list[RenderableType]:
    """The reason, what is to be expected, and how a play would score."""
    lines: list[RenderableType] = [words(one.reason, "italic")]
    if one.score:
        lines.append(score_text(one.score, max(width, 20)))
    elif one.expected:
        lines.append(Text(f"Expected: {one.expected}.", style=QUIET))
    return lines


class Log(RichLog):
    """What was done, with the result."""

    can_focus = False

    def add(self, entry: LogLine) -> None:
        for line in entry_lines(entry, max(self.size.width, 20)):
            self.write(line)

    def on_resize(self, _event: Resize) -> None:
        """The game may need more room, or less; what happened last stays in sight. (The base does its own part.)"""
        self.call_after_refresh(self.scroll_end, animate=False)


def entry_lines(entry: LogLine, width: int) -> list[RenderableType]:
    who = "▶ " if entry.by == "agent" else "· "
    return [Text.assemble((who, f"bold {GREEN}"), words(entry.words, "bold")), *story(entry.told, width)]


# --- Windows ----------------------------------------------------------------------------------------------------------


def room(columns: int) -> int:
    """Return the width inside a window on a screen with this many columns: app.tcss has its size, border and bar."""
    return max(20, min(WINDOW_WIDTH, columns * 9 // 10) - EDGE)


class Window(ModalScreen[None]):
    """A text that can be scrolled, until a key closes it: help, an answer, a breakdown, the log."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,question_mark,b,l", "dismiss(None)", "close"),
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "move(-10)", show=False),
        Binding("pagedown,space", "move(10)", show=False),
        Binding("ctrl+c", "app.interrupt", show=False, priority=True),
    ]

    def __init__(self, title: str, parts: Sequence[RenderableType], *, at_end: bool = False) -> None:
        super().__init__()
        self._title = title
        self._parts = parts
        self._at_end = at_end

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="window") as window:
            window.border_title = self._title
            window.border_subtitle = "Escape closes"
            yield Static(Group(*self._parts))

    def on_mount(self) -> None:
        if self._at_end:
            self.query_one("#window").scroll_end(animate=False)

    def action_move(self, lines: int) -> None:
        self.query_one("#window").scroll_relative(y=lines, animate=False)
