"""``jimbo play``: a run in the terminal, line by line, and the file it is saved in."""

import contextlib
import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import count
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.text import Text

from jimbo.agents import make_agent
from jimbo.backends.protocol import RewindableBackend
from jimbo.backends.sim import SimBackend
from jimbo.colours import GREEN, RED
from jimbo.data.record import Decision
from jimbo.engine import Action
from jimbo.engine.catalog import CHALLENGES, DECKS
from jimbo.files import read_bytes, read_lines, reading, reason, sentence, write_bytes
from jimbo.rollout.loop import Observer
from jimbo.serve.assistant import Adviser
from jimbo.serve.game import BadInput, RunInPlay, told
from jimbo.serve.terminal import details
from jimbo.serve.terminal.advice import advice_text
from jimbo.serve.terminal.input import Leave, Request, read_line
from jimbo.serve.terminal.screen import screen
from jimbo.serve.terminal.story import story
from jimbo.system import state_folder
from jimbo.text import counted

MAGIC = b"JIMBO-RUN"
MAX_SAVE = 1 << 20
"""More bytes than any saved run has."""
HINTED = 3
"""Suggestions in a hint."""


class SavedGame(RunInPlay):
    """A game, and the file it is saved in."""

    def __init__(
        self,
        backend: RewindableBackend,
        path: Path | None = None,
        saved: bytes = b"",
        observers: Iterable[Observer] = (),
    ) -> None:
        """``backend`` has a run already; ``saved`` is what it was loaded from."""
        super().__init__(backend, observers)
        self._run = backend
        self._kept = backend.save()
        self.path = path
        """Where the run was loaded from or saved to."""
        self.new_folder: Path | None = None
        """The folder that the last save had to make."""
        self._held = {path.resolve(): saved} if path else {}
        """What the files of this game hold, as far as it knows: another game may have written to them since."""

    @property
    def unsaved(self) -> bool:
        """Something would be lost by leaving now."""
        return self.state.phase != "game_over" and self._run.save() != self._kept

    def save(self, text: str = "") -> Path:
        """Replace a file only if it holds exactly this game, as it was loaded or last saved here."""
        data = self._run.save()
        path = Path(text) if text else self.default_path()
        try:
            path = path.expanduser()
            why = self._why_not(path)
            if why is None:
                self.new_folder = None if path.parent.is_dir() else path.parent
                path.parent.mkdir(parents=True, exist_ok=True)
                write_bytes(path, data)
        except FileExistsError as error:
            raise BadInput(f"{path} cannot be written: {error.filename} is not a folder.") from None
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {reason(error)}.") from None
        except (RuntimeError, ValueError) as error:  # a user without a home folder, a loop of links, a zero byte
            raise BadInput(sentence(f"{path} cannot be written: {error}")) from None
        if why:
            raise BadInput(f"{path} {why}, so it is left alone. Choose another name.")
        self._held[path.resolve()] = self._kept = data
        self.path = path
        return path

    @property
    def where(self) -> str:
        """Say where it was saved, and how it is resumed."""
        folder = f" in the new folder {self.new_folder}" if self.new_folder else ""
        return f"Saved{folder}. Resume with: jimbo play --load {shlex.quote(str(self.path))}"

    def _why_not(self, path: Path) -> str | None:
        """Return why a file that exists must not be replaced."""
        if not path.exists():
            return None
        held = read_bytes(path, MAX_SAVE) if path.is_file() and path.stat().st_size <= MAX_SAVE else b""
        if not held.startswith(MAGIC):
            return "exists and is not a saved run"
        if held == self._held.get(path.resolve()):
            return None
        known = path.resolve() in self._held
        return "has since been saved by another game" if known else "exists and holds another game"

    def default_path(self) -> Path:
        """Return the current file, or a new one in the user's folder for saved games."""
        with contextlib.suppress(OSError, RuntimeError):
            if self.path and self._why_not(self.path) is None:
                return self.path
        stem = re.sub(r"[^\w-]", "_", self.seed)  # a seed may hold what a file's name may not
        names = (f"{stem}{f'-{n}' if n > 1 else ''}.run" for n in count(1))
        return next(path for path in map(state_folder().joinpath, names) if not os.path.lexists(path))


def load(path: Path) -> SavedGame:
    """Load a game; ValueError with a sentence for a file that is not a saved run."""
    with reading(path):
        data = read_bytes(path, MAX_SAVE)
    backend = SimBackend()
    try:
        backend.load(data)
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}.") from None
    return SavedGame(backend, path, data)


class NotSaved(Exception):
    """The game ended and the run could not be saved; the sentence says why."""


class LinePlay:
    """A game that is played by lines of text."""

    def __init__(self, game: SavedGame, console: Console) -> None:
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
