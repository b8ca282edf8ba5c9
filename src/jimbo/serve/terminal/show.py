"""How a run is shown decision by decision, played now or recorded."""

import sys
import time

import typer

from jimbo.colours import QUIET
from jimbo.console import make_console
from jimbo.data import Ending, Header, decision_line, ending_line, header_line
from jimbo.rollout import Moment
from jimbo.serve.terminal.decision import ending_text, header_text, moment_text

DELAY = 1.0
MAX_DELAY = 3600.0


class Show:
    """Shows a run on the terminal, or as JSON lines for machines."""

    def __init__(self, *, as_json: bool, delay: float | None, on_enter: bool) -> None:
        """Raises ValueError with a sentence for pauses that make no sense."""
        if on_enter and delay is not None:
            raise ValueError("Choose either --delay or --step.")
        if delay is not None and not 0 <= delay <= MAX_DELAY:
            raise ValueError(f"--delay takes seconds, a number from 0 to {MAX_DELAY:g}, not {delay:g}.")
        self._console = make_console()
        self._as_json = as_json
        self._delay = DELAY if delay is None else delay
        self._on_enter = on_enter
        # Nobody waits for a pipe.
        self._waits = self._console.is_terminal and not as_json

    def begin(self, header: Header) -> None:
        if self._as_json:
            typer.echo(header_line(header))
        else:
            self._console.print(header_text(header))
            self._console.print()

    def moment(self, moment: Moment) -> None:
        if self._as_json:
            typer.echo(decision_line(moment.step, moment.decision))
        else:
            self._console.print(moment_text(moment, self._console.width))
            self._wait()

    def finish(self, end: Ending) -> None:
        if self._as_json:
            typer.echo(ending_line(end))
        else:
            self._console.print(ending_text(end))

    def _wait(self) -> None:
        if not self._waits:
            return
        if self._on_enter and sys.stdin.isatty():
            self._console.input(f"[{QUIET}]Press Enter to continue.[/]")
        else:
            time.sleep(self._delay)
