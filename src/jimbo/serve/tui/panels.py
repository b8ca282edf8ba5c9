"""The parts of the screen, and what opens above it. Each draws what it is given, made for terminals of all kinds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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
from jimbo.serve.assistant import Advice, Comparison, LogLine, Suggestion
from jimbo.serve.terminal.advice import comparison_reasons, comparison_text, score_text, suggestion_table
from jimbo.serve.terminal.details import command_table
from jimbo.serve.terminal.screen import screen
from jimbo.serve.terminal.story import story, words
from jimbo.serve.tui.keys import IN_WINDOWS
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

    def teach(self, compared: Comparison | None) -> None:
        """In a lesson: what the last choice was worth, and that the next one is the player's."""
        self.border_title = "Your turn: choose first"
        self.update(Group(comparison_text(compared)) if compared else Group(Text()))

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
        self._show(why(one, self.size.width) if one else [])

    def compare(self, compared: Comparison | None) -> None:
        self._show(comparison_reasons(compared) if compared else [])

    def _show(self, lines: Sequence[RenderableType]) -> None:
        self.query_one("#why", Static).update(Group(*lines))
        self.scroll_home(animate=False)


def why(one: Suggestion, width: int) -> list[RenderableType]:
    """The reason, what is to be expected, and how a play would score."""
    lines: list[RenderableType] = [words(one.reason, "italic")]
    if one.score:
        verdict, effects = score_text(one.score, max(width, 20)).renderables
        lines = [verdict, *lines, effects]
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
        *(binding for key in IN_WINDOWS for binding in key.bindings()),
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


class SaveFirst(ModalScreen[str | None]):
    """Whether to save the run before leaving it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "dismiss('save')"),
        Binding("n", "dismiss('drop')"),
        Binding("escape,q", "dismiss(None)"),
        Binding("ctrl+c", "app.interrupt", show=False, priority=True),
    ]

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def compose(self) -> ComposeResult:
        answers = (
            ("Enter y", f"save it in {self._path}, and leave"),
            ("n", "leave without saving"),
            ("Escape q", "stay"),
        )
        with VerticalScroll(id="window") as window:
            window.border_title = "Save the run?"
            yield Static(Group(command_table(answers)))
