"""Files in which commands record a run."""

import contextlib
from dataclasses import replace
from pathlib import Path

from jimbo.backends import SimBackend
from jimbo.cli.errors import fail
from jimbo.data import Ending, Header, RecordFile
from jimbo.engine import PublicState
from jimbo.files import reason
from jimbo.rollout import Moment, Observer, Rollout
from jimbo.signals import uninterrupted


def opened_record(path: Path | None, header: Header) -> contextlib.AbstractContextManager[RecordFile | None]:
    """A new file for the record; an existing file is never overwritten."""
    if path is None:
        return contextlib.nullcontext()
    try:
        return RecordFile.create(path, header)
    except FileExistsError:
        fail(f"{path} already exists and is left alone. Choose another name.")
    except OSError as error:
        fail(f"{path} cannot be written: {reason(error)}.")


class Reached(Observer):
    """How far the record goes: Ctrl-C may come when the next decision is taken but not yet kept."""

    def __init__(self, backend: SimBackend, recorder: Observer) -> None:
        self._backend = backend
        self._recorder = recorder
        self._saved, self._steps = b"", 0

    def started(self, state: PublicState) -> None:
        self._recorder.started(state)
        self._saved = self._backend.save()

    def happened(self, moment: Moment) -> None:
        saved = self._backend.save()
        with uninterrupted():
            self._recorder.happened(moment)
            self._saved, self._steps = saved, moment.step

    def ending(self) -> Ending:
        end = Rollout(self._backend)
        end.go_on(self._backend.load(self._saved))
        return replace(end.ending(), steps=self._steps)
