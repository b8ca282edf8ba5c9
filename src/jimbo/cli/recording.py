"""Files in which commands record a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import typer

from jimbo.backends.protocol import Backend
from jimbo.cli.errors import fail
from jimbo.data.game_files import LoadedGame, read_game
from jimbo.data.record import Ending, Header
from jimbo.data.record_files import RecordFile, RecordStopped
from jimbo.engine import PublicState
from jimbo.files import reason
from jimbo.rollout.loop import Moment, Observer, Recorder, Rollout
from jimbo.signals import uninterrupted


def loaded(source: str | None, at: int | None, flags: Mapping[str, str]) -> LoadedGame | None:
    """Read the game of --load, where it is given, and say what cannot be as it was; ValueError with a sentence."""
    if source is None:
        if at is not None:
            raise ValueError("--at is about the run of --load. Add it, or leave --at out.")
        return None
    if wrong := next((flags[name] for name in OF_A_NEW_RUN if name in flags), None):
        raise ValueError(f"What is loaded already has its seed, deck and stake: leave {wrong} out.")
    game = read_game(source, at)
    for note in game.told:
        typer.echo(f"jimbo: {note}", err=True)
    return game


OF_A_NEW_RUN = ("seed", "deck", "stake", "challenge")


class Reached(Observer):
    """How a run stands after its last recorded decision: Ctrl-C may come when another is taken but not yet recorded."""

    def __init__(self, backend: Backend, recorder: Observer) -> None:
        self._backend = backend
        self._recorder = recorder
        self.ending: Ending | None = None
        """None before the start."""

    def started(self, state: PublicState) -> None:
        self._recorder.started(state)
        self._keep(state, 0)

    def happened(self, moment: Moment) -> None:
        with uninterrupted():
            self._recorder.happened(moment)
            self._keep(moment.after, moment.step)

    def _keep(self, state: PublicState, steps: int) -> None:
        end = Rollout(self._backend)
        end.go_on(state)
        self.ending = replace(end.ending(), steps=steps)


@contextmanager
def recorded(path: Path | None, header: Header, backend: Backend, snapshot_every: int = 0) -> Iterator[Reached]:
    """Record a run in a new file, if there is a path; an existing file is never overwritten.

    Whatever stops the run, the record gets its end.
    """
    if path is None:
        yield Reached(backend, Observer())
        return
    try:
        opened = RecordFile.create(path, header)
    except FileExistsError:
        fail(f"{path} already exists and is left alone. Choose another name.")
    except OSError as error:
        fail(f"{path} cannot be written: {reason(error)}.")
    with opened as file:
        reached = Reached(backend, Recorder(file, snapshot_every=snapshot_every))
        try:
            try:
                yield reached
            finally:
                if reached.ending:
                    file.end(reached.ending)
        except RecordStopped as stopped:
            fail(f"{path} cannot be written: {stopped}. It holds the run so far.")
