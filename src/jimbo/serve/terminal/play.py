"""``jimbo play``: a run in the terminal, line by line, and the file it is saved in."""

import contextlib
import io
import sys
from collections.abc import Callable
from functools import cached_property

from rich.console import Console, Group, RenderableType
from rich.text import Text

from jimbo.agents import make_agent
from jimbo.colours import GREEN, RED
from jimbo.data.record import Decision
from jimbo.engine import Action
from jimbo.engine.catalog import CHALLENGES, DECKS
from jimbo.files import read_lines
from jimbo.serve.assistant import Adviser
from jimbo.serve.game import BadInput, RunInPlay, told
from jimbo.serve.terminal import details
from jimbo.serve.terminal.advice import advice_text
from jimbo.serve.terminal.input import Leave, Request, read_line
from jimbo.serve.terminal.screen import screen
from jimbo.serve.terminal.story import story
from jimbo.text import counted

HINTED = 3
"""Suggestions in a hint."""


class NotSaved(Exception):
    """The game ended and the run could not be saved; the sentence says why."""


class LinePlay:
    """A game that is played by lines of text."""

    def __init__(self, game: RunInPlay, console: Console) -> None:
        self._game = game
        self._console = console
        self._asks = sys.stdin.isatty() and console.is_terminal
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are not text are not a command either
        if self._asks:
            # Arrow keys and earlier lines at the prompt, where Python has them.
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401

    def play(self) -> None:
        """Play until the player leaves. Whatever else ends it, the run is saved; raises NotSaved where it cannot be."""
        try:
            self._play()
        except KeyboardInterrupt:  # it may also come while the run is being saved for another reason
            self._keep()
        except EOFError:
            pass
        except Leave:
            return
        self._tell_where()

    def _play(self) -> None:
        state = self._game.state
        fact = CHALLENGES[state.challenge] if state.challenge else DECKS[state.deck]
        try:
            self._show_screen(Text.assemble((fact.name, "bold"), f"  {fact.text}"))
            while True:
                self._obey(self._read("> "))
        except Leave:
            raise
        except (EOFError, KeyboardInterrupt):
            self._keep()
            raise
        except BaseException:
            self._keep()
            self._tell_where()
            raise

    def _read(self, prompt: str) -> str:
        """Read a line. Without a terminal the line is repeated, so that a transcript can be read."""
        if self._asks:
            return input(prompt)
        line = next(read_lines(sys.stdin, "Standard input"), "")
        if not line:
            raise EOFError
        self._console.print(Text(f"{prompt}{line.rstrip()}", style="bold"))
        return line

    def _obey(self, line: str) -> None:
        try:
            command = read_line(line, self._game.state)
            if isinstance(command, Action):
                moment = self._game.take(Decision(command))
                self._show_screen(Group(*story(told(moment), self._console.width)))
            else:
                _REQUESTS[command.kind](self, command)
        except BadInput as wrong:
            self._console.print(Text(str(wrong), style=RED), soft_wrap=True)

    def _show_screen(self, first: RenderableType | None = None) -> None:
        """Show the game below what has just happened, together on one page if they fit."""
        console = self._console
        above = console.render_lines(first, pad=False) if first else []
        if first:
            console.print(first)
        # One line of the page is the prompt.
        console.print(screen(self._game.state, self._game.seed, console.width, console.height - len(above) - 1))

    def _say(self, text: str) -> None:
        """Print a line that is not broken, so that a command in it can be copied."""
        self._console.print(Text(text, style=GREEN), soft_wrap=True)

    # --- Requests -----------------------------------------------------------------------------------------------------

    def _look(self, _request: Request) -> None:
        self._show_screen()

    def _answer(self, request: Request) -> None:
        self._console.print(details.answer(request, self._game.state, self._console.width))

    def _hint(self, _request: Request) -> None:
        advice = self._adviser.advise(self._game.state)
        self._console.print(advice_text(advice, advice.suggestions[:HINTED], self._console.width))

    @cached_property
    def _adviser(self) -> Adviser:
        return Adviser(make_agent("expert"))

    def _sort(self, request: Request) -> None:
        self._game.take(Decision(Action(f"sort_hand_by_{request.text}")))
        self._show_screen()

    def _undo(self, request: Request) -> None:
        steps = self._game.undo(request.number)
        self._show_screen(Text(f"Undid {counted(steps, 'step')}.", style=GREEN))

    def _save(self, request: Request) -> None:
        self._game.save(request.text)
        self._say(self._game.where)

    def _quit(self, _request: Request) -> None:
        if self._game.unsaved:
            path = self._game.default_path()
            self._say(f"Save the run? Enter saves it to {path}, a name saves it there, n leaves without saving.")
            answer = self._read("save? ").strip()
            if answer.lower() not in ("n", "no"):
                self._save(Request("save", "" if answer.lower() in ("y", "yes") else answer))
        raise Leave

    # --- Leaving without being asked ----------------------------------------------------------------------------------

    def _keep(self) -> None:
        """The player can no longer be asked, so the run is saved where it does not overwrite another one."""
        if self._game.unsaved:
            try:
                self._game.save()
            except BadInput as wrong:
                raise NotSaved(f"The run is not saved. {wrong}") from None

    def _tell_where(self) -> None:
        """Say it last of all, because the terminal may be gone."""
        if self._asks:
            self._console.print()
        if self._game.path and self._game.state.phase != "game_over":
            self._say(self._game.where)


_REQUESTS: dict[str, Callable[[LinePlay, Request], None]] = {
    **dict.fromkeys(details.ANSWERED, LinePlay._answer),
    "look": LinePlay._look,
    "hint": LinePlay._hint,
    "sort": LinePlay._sort,
    "undo": LinePlay._undo,
    "save": LinePlay._save,
    "quit": LinePlay._quit,
}
