"""Draw docs/play.svg, a moment of ``jimbo play --seed ALEEB``, docs/assistant.svg, the same in ``jimbo assist``,
docs/review.svg, the review of a run of the agent fast, and docs/lesson.svg, a choice in ``jimbo assist --teach``.

python docs/picture.py
"""

import asyncio
import io
import re
from pathlib import Path

from rich.console import Console, Group
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from jimbo.agents import make_agent
from jimbo.backends import SimBackend
from jimbo.console import THEME
from jimbo.data import Decision
from jimbo.data.record import Header
from jimbo.engine import Action
from jimbo.report.render import terminal
from jimbo.rollout.loop import Rollout
from jimbo.serve import assistant
from jimbo.serve.game import RunInPlay, told
from jimbo.serve.review import Judge, PlayedRun, explained, review_document, review_run
from jimbo.serve.review.played import simulated
from jimbo.serve.terminal.input import read_line
from jimbo.serve.terminal.screen import screen
from jimbo.serve.terminal.story import story
from jimbo.serve.tui import AssistantApp

PICTURE = Path(__file__).with_name("play.svg")
ASSISTANT = Path(__file__).with_name("assistant.svg")
LESSON = Path(__file__).with_name("lesson.svg")
WIDTH = 80
ASSISTANT_SIZE = (92, 32)
REVIEW = Path(__file__).with_name("review.svg")
REVIEWED = Header(seed="ALEEB", deck="b_red", stake="stake_gold", agent="fast")
REVIEW_WIDTH = 96
# The small blind; a Buffoon Pack with Riff-raff, an Arcana Pack with The Soul; the big blind up to its first hand.
LINES = (
    *("n", "d 4-8", "d 1 3 4 5 8", "d 2 3 4", "d 3 7", "p 6 7", "p 1 4 6 7 8", "n"),
    *("o 1", "k 2", "o 1", "k 3", "n"),
    *("n", "d 4-8", "d 4-8", "d 6-8", "p 1 2 3 4 8"),
)
COLOURS = TerminalTheme((24, 24, 27), (228, 228, 231), [(24, 24, 27)] * 8, [(24, 24, 27)] * 8)
# Whatever monospaced font there is instead of one from elsewhere.
FONTS = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"
# The window of rich.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: FONTS;
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
""".replace("FONTS", FONTS)


def picture() -> str:
    """What the last line answers, as an SVG."""
    backend = SimBackend()
    backend.reset(seed="ALEEB")
    game = RunInPlay(backend)
    lines = []
    for line in LINES:
        action = read_line(line, game.state)
        assert isinstance(action, Action)
        lines = told(game.take(Decision(action)))
    console = Console(record=True, file=io.StringIO(), width=WIDTH, theme=THEME, force_terminal=True, highlight=False)
    console.print(Text(f"> {LINES[-1]}"), Group(*story(lines, WIDTH)), screen(game.state, game.seed, WIDTH), Text("> "))
    return console.export_svg(title="jimbo play --seed ALEEB", theme=COLOURS, code_format=FORMAT, unique_id="play")


def assistant_picture() -> str:
    """The assistant before the first hand of the big blind, when its last discard has been made."""
    backend = SimBackend()
    backend.reset(seed="ALEEB")
    session = assistant.Session(RunInPlay(backend), make_agent("expert"))
    for line in LINES[:-1]:
        action = read_line(line, session.state)
        assert isinstance(action, Action)
        session.play(action)
    session.accept()
    return _svg(session, "jimbo assist --seed ALEEB", "assistant")


def lesson_picture() -> str:
    """A lesson, after a straight draw was thrown away for a pair."""
    backend = SimBackend()
    backend.reset(seed="ALEEB")
    session = assistant.Session(RunInPlay(backend), make_agent("expert"), lesson=assistant.LessonLog())
    for line in ("n", "p 4 5 6 7 8"):
        action = read_line(line, session.state)
        assert isinstance(action, Action)
        session.play(action)
    return _svg(session, "jimbo assist --teach --seed ALEEB", "lesson")


def _svg(session: assistant.Session, title: str, name: str) -> str:
    svg = asyncio.run(_screenshot(session, title))
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code, monospace", FONTS)
    return re.sub(r"terminal-\d+-", f"{name}-", svg)


async def _screenshot(session: assistant.Session, title: str) -> str:
    app = AssistantApp(session, pause=0.0)
    async with app.run_test(size=ASSISTANT_SIZE) as pilot:
        while session.advice is None:
            await pilot.pause(0.01)
        await pilot.pause()
        return app.export_screenshot(title=title)


def reviewed_run() -> PlayedRun:
    """``jimbo watch --agent fast --stake gold --seed ALEEB --record run.jsonl``."""
    rollout = Rollout(SimBackend())
    rollout.start_as(REVIEWED)
    actions = [moment.decision.action for moment in rollout.play(make_agent("fast"), 0)]
    return simulated("a record of Jimbo", "fast", REVIEWED, actions)


def review_picture() -> str:
    """``jimbo review run.jsonl --top 3``."""
    made = review_run(reviewed_run(), Judge("expert", {"effort": 0.2}, 0.2))
    size = {"width": REVIEW_WIDTH, "file": io.StringIO()}
    console = Console(record=True, theme=THEME, force_terminal=True, highlight=False, **size)
    console.print(terminal(review_document(made, explained(made, 3))))
    title = "jimbo review run.jsonl --top 3"
    return console.export_svg(title=title, theme=COLOURS, code_format=FORMAT, unique_id="review")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    ASSISTANT.write_text(assistant_picture(), encoding="utf-8")
    REVIEW.write_text(review_picture(), encoding="utf-8")
    LESSON.write_text(lesson_picture(), encoding="utf-8")
