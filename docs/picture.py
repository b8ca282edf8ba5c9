"""Draws docs/play.svg, the picture in the README: a moment of ``jimbo play --seed ALEEB``.

python docs/picture.py
"""

import io
from pathlib import Path

from rich.console import Console, Group
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from jimbo.backends import SimBackend
from jimbo.console import THEME
from jimbo.engine import Action
from jimbo.serve.terminal.input import read_line
from jimbo.serve.terminal.screen import screen
from jimbo.serve.terminal.session import Session
from jimbo.serve.terminal.story import story

PICTURE = Path(__file__).with_name("play.svg")
WIDTH = 80
# The small blind; a Buffoon Pack with Riff-raff, an Arcana Pack with The Soul; the big blind up to its first hand.
LINES = (
    *("n", "d 4-8", "d 1 3 4 5 8", "d 2 3 4", "d 3 7", "p 6 7", "p 1 4 6 7 8", "n"),
    *("o 1", "k 2", "o 1", "k 3", "n"),
    *("n", "d 4-8", "d 4-8", "d 6-8", "p 1 2 3 4 8"),
)
COLOURS = TerminalTheme((24, 24, 27), (228, 228, 231), [(24, 24, 27)] * 8, [(24, 24, 27)] * 8)
# The window of rich, in whatever monospaced font there is instead of one from elsewhere.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace;
font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: arial; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def picture() -> str:
    """What the last line answers, as an SVG."""
    backend = SimBackend()
    backend.reset(seed="ALEEB")
    session = Session(backend)
    told = []
    for line in LINES:
        action = read_line(line, session.state)
        assert isinstance(action, Action)
        told = session.step(action)
    console = Console(record=True, file=io.StringIO(), width=WIDTH, theme=THEME, force_terminal=True, highlight=False)
    console.print(
        Text(f"> {LINES[-1]}"), Group(*story(told, WIDTH)), screen(session.state, session.seed, WIDTH), Text("> ")
    )
    return console.export_svg(title="jimbo play --seed ALEEB", theme=COLOURS, code_format=FORMAT, unique_id="play")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
