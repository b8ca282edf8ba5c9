"""What opens above the screen, until a key closes it: help, answers, breakdowns, the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.console import Group, RenderableType
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

WIDTH = 90
EDGE = 5


def room(columns: int) -> int:
    """The width of what a window holds on a screen with this many columns: app.tcss has its size, border and bar."""
    return max(20, min(WIDTH, columns * 9 // 10) - EDGE)


class Window(ModalScreen[None]):
    """A text that can be scrolled."""

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
