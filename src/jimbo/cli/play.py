"""``jimbo play``: a run of the game in the terminal."""

import contextlib
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.text import Text

from jimbo.cli import play_details as details
from jimbo.cli.errors import fail
from jimbo.cli.play_input import BadInput, Request, read_line
from jimbo.cli.play_screen import screen
from jimbo.cli.play_session import Session, load
from jimbo.cli.play_story import THEME, story
from jimbo.engine import seeds
from jimbo.engine.catalog import CHALLENGES, DECKS
from jimbo.engine.run import Action, Run


def play(
    seed: Annotated[str | None, typer.Option(help="1 to 8 characters of 0-9, A-Z; default: a random one.")] = None,
    deck: Annotated[str | None, typer.Option(help="Key of the deck, such as b_red or just red.")] = None,
    stake: Annotated[str | None, typer.Option(help="white, red, green, black, blue, purple, orange or gold.")] = None,
    challenge: Annotated[
        str | None, typer.Option(metavar="KEY", help="Key of a challenge, such as c_omelette_1 or just omelette.")
    ] = None,
    file: Annotated[Path | None, typer.Option("--load", metavar="FILE", help="Go on with a saved run.")] = None,
) -> None:
    """Play a run by numbers and letters; ? lists what can be done.

    Any number of steps can be taken back. Ctrl-C leaves at any time and keeps the run.
    """
    if file and (seed or deck or stake or challenge):
        fail("A saved run has its seed, deck and stake already; --load goes alone.")
    if challenge and deck:
        fail("A challenge brings its own deck; choose either --challenge or --deck.")
    try:
        session = load(file) if file else Session(_start(seed, deck, stake, challenge))
    except ValueError as error:
        fail(str(error))
    Table(session, Console(theme=THEME, highlight=False)).play()


def _start(seed: str | None, deck: str | None, stake: str | None, challenge: str | None) -> Run:
    return Run(
        deck=seeds.deck_key(deck) if deck else None,
        stake=seeds.stake_key(stake or "white"),
        seed=seeds.checked_seed(seed) if seed else seeds.random_start(),
        challenge=seeds.challenge_key(challenge) if challenge else None,
    )


class Leave(Exception):
    """The player goes."""


class Table:
    """Where the game is played: reads lines, applies them, shows what comes of it."""

    def __init__(self, session: Session, console: Console) -> None:
        self._session = session
        self._console = console
        self._asks = sys.stdin.isatty() and console.is_terminal
        if self._asks:
            # Arrow keys and earlier lines at the prompt, where Python has them.
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401

    def play(self) -> None:
        self._show_screen(self._welcome())
        try:
            while True:
                self._obey(self._read("> "))
        except (EOFError, KeyboardInterrupt):
            self._leave_in_haste()
        except Leave:
            pass

    def _welcome(self) -> Text:
        view = self._session.view
        fact = CHALLENGES[view.challenge] if view.challenge else DECKS[view.deck]
        return Text.assemble((fact.name, "bold"), f"  {fact.text}")

    def _read(self, prompt: str) -> str:
        """A line. Without a terminal the line is repeated, so that a transcript can be read."""
        if self._asks:
            return input(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self._console.print(Text(f"{prompt}{line.rstrip()}", style="bold"))
        return line

    def _obey(self, line: str) -> None:
        try:
            command = read_line(line, self._session.view)
            if isinstance(command, Action):
                self._show_screen(Group(*story(self._session.step(command), self._console.width)))
            else:
                _REQUESTS[command.kind](self, command)
        except BadInput as wrong:
            self._console.print(Text(str(wrong), style="bright_red"))

    def _show_screen(self, first: RenderableType | None = None) -> None:
        """The state of the game below what has just happened, together on one page if they fit."""
        console = self._console
        above = console.render_lines(first, pad=False) if first else []
        if first:
            console.print(first)
        # One line of the page is the prompt.
        console.print(screen(self._session.view, console.width, console.height - len(above) - 1))

    def _say(self, text: str) -> None:
        """Not broken into lines, so that a command in it can be copied."""
        self._console.print(Text(text, style="bright_green"), soft_wrap=True)

    # --- Requests -----------------------------------------------------------------------------------------------------

    def _look(self, _request: Request) -> None:
        self._show_screen()

    def _help(self, _request: Request) -> None:
        self._console.print(details.help_text(self._session.view))

    def _levels(self, _request: Request) -> None:
        self._console.print(details.levels(self._session.view))

    def _deck(self, _request: Request) -> None:
        self._console.print(details.deck(self._session.view, self._console.width))

    def _inspect(self, request: Request) -> None:
        self._console.print(details.inspect(self._session.view, request.text))

    def _preview(self, request: Request) -> None:
        session = self._session
        refusal = session.run.refusal(Action("play", cards=request.cards))
        if refusal:
            raise BadInput(f"{refusal[0].upper()}{refusal[1:]}.")
        self._console.print(
            details.preview(session.run, session.view, request.cards, request.text, self._console.width)
        )

    def _sort(self, request: Request) -> None:
        self._session.step(Action(f"sort_hand_by_{request.text}"))
        self._show_screen()

    def _undo(self, request: Request) -> None:
        steps = self._session.undo(request.number)
        self._show_screen(Text(f"Took {steps} step{'' if steps == 1 else 's'} back.", style="bright_green"))

    def _save(self, request: Request) -> None:
        path = self._session.save(request.text)
        self._say(f"Saved. Resume with: jimbo play --load {shlex.quote(str(path))}")

    def _quit(self, _request: Request) -> None:
        session = self._session
        if session.unsaved and session.view.phase != "game_over":
            path = session.default_path()
            self._say(f"Save the run? Enter saves it to {path}, a name there, n leaves without.")
            answer = self._read("save? ").strip()
            if answer.lower() not in ("n", "no"):
                self._save(Request("save", "" if answer.lower() in ("y", "yes") else answer))
        raise Leave

    def _leave_in_haste(self) -> None:
        """Nothing is asked any more, so the run is saved where it does not overwrite another one."""
        session = self._session
        if self._asks:
            self._console.print()
        if session.view.phase == "game_over":
            return
        if session.unsaved:
            try:
                self._save(Request("save"))
            except BadInput as wrong:
                self._console.print(Text(f"The run is not saved. {wrong}", style="bright_red"))
        elif session.path:
            self._say(f"Resume with: jimbo play --load {shlex.quote(str(session.path))}")


_REQUESTS: dict[str, Callable[[Table, Request], None]] = {
    "help": Table._help,
    "look": Table._look,
    "levels": Table._levels,
    "deck": Table._deck,
    "inspect": Table._inspect,
    "preview": Table._preview,
    "sort": Table._sort,
    "undo": Table._undo,
    "save": Table._save,
    "quit": Table._quit,
}
