"""The consoles of all verbs: colours for any background, and ASCII where a terminal shows nothing else."""

from __future__ import annotations

import os

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.theme import Theme

from jimbo.colours import BLUE, GOLD, GREEN, ORANGE, PLAIN, RED

THEME = Theme(
    {
        "game.chips": BLUE,
        "game.mult": RED,
        "game.money": GOLD,
        "game.spades": PLAIN,
        "game.hearts": RED,
        "game.clubs": GREEN,
        "game.diamonds": ORANGE,
    }
)

# They say "xterm" where they could say "xterm-256color".
_COLOURFUL = ("xterm", "screen", "tmux", "rxvt")


def make_console(*, stderr: bool = False, width: int | None = None) -> Console:
    """A console for one of the standard streams."""
    made = Console(stderr=stderr, width=width, theme=THEME, highlight=False)
    if made.color_system == "standard" and os.environ.get("TERM", "").startswith(_COLOURFUL):
        return Console(stderr=stderr, width=width, theme=THEME, highlight=False, color_system="256")
    return made


def make_progress(console: Console, told: str, bar_width: int = 40) -> Progress:
    """A bar for long work; ``told`` is what stands behind it, with fields of the task. Only on terminals."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width),
        TextColumn(told, markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,  # results go there by themselves
        disable=not console.is_terminal,
    )
