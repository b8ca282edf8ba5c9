"""The assistant that carries out its own suggestions, step by step, as text or as JSON lines."""

from __future__ import annotations

import time

import typer
from rich.console import Console, Group
from rich.text import Text

from jimbo.colours import GREEN
from jimbo.data import ending_line
from jimbo.rollout import MAX_STEPS
from jimbo.serve.assistant import Session
from jimbo.serve.terminal.advice import advice_text
from jimbo.serve.terminal.decision import ending_text
from jimbo.serve.terminal.lines import advice_line
from jimbo.serve.terminal.story import story, words


def follow(session: Session, console: Console, *, as_json: bool, interval: float, steps: int = MAX_STEPS) -> None:
    """Until the run is won or lost, or ``steps`` are taken, with a pause between two of them."""
    _tell(session, console, as_json=as_json)
    for number, _ in enumerate(session.autoplay(steps), 1):
        entry = session.log[-1]
        if as_json:
            typer.echo(advice_line(session, [entry]))
        else:
            done = Text.assemble(("▶ ", f"bold {GREEN}"), words(entry.words, "bold"))
            console.print(Group(done, *story(entry.told, console.width), Text()))
            if _goes_on(session) and number < steps:
                _tell(session, console, as_json=False)
        if interval and _goes_on(session) and number < steps:
            time.sleep(interval)


def tell_end(session: Session, console: Console, *, as_json: bool) -> None:
    """How the run ended."""
    end = session.game.ending()
    if as_json:
        typer.echo(ending_line(end))
    else:
        console.print(ending_text(end))


def _goes_on(session: Session) -> bool:
    return not session.state.over and not session.state.won


def _tell(session: Session, console: Console, *, as_json: bool) -> None:
    if as_json:
        typer.echo(advice_line(session))
    else:
        console.print(advice_text(session.ask(), session.suggestions(), console.width))
