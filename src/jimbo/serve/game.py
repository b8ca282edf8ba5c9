"""A game in progress: the steps go through the one episode loop, can be undone, and are saved with the run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from jimbo.backends.protocol import Backend, RewindableBackend
from jimbo.backends.sim import SimBackend
from jimbo.data.game_files import PLAYER, LoadedGame, record_between
from jimbo.data.record import Decision, Ending
from jimbo.data.record_files import record_text
from jimbo.engine import Action, PublicState
from jimbo.files import sentence
from jimbo.rollout.loop import Moment, Observer, Rollout
from jimbo.serve.run_file import NotWritten, RunFile
from jimbo.text import Told, refusal_words, tell, tell_jokers


class BadInput(ValueError):
    """A sentence that says what is wrong with what somebody asked for."""


_LAST_UNDONE = 2000
"""Steps of a file that can be undone; a file may hold very many."""


class RunInPlay:
    """A run on any backend, from the state that the backend is in."""

    def __init__(
        self,
        backend: Backend,
        observers: Iterable[Observer] = (),
        *,
        armed: bool = False,
        recorded: bool = False,
        after: LoadedGame | None = None,
        player: str = PLAYER,
    ) -> None:
        """``recorded``: a file keeps every step, so none can be undone. ``armed`` is the player's explicit word that
        steps may be carried out; a backend with a true attribute ``needs_arming`` takes none without it. ``after`` is
        what the backend goes on with: the steps that led there can be undone, too, and its file is this game's."""
        self._backend = backend
        self._player = player
        self._file = RunFile(Path(after.name), after.held) if after and after.held else RunFile()
        self._recorded = recorded
        self._rewindable = backend if isinstance(backend, RewindableBackend) else None
        self._locked = bool(getattr(backend, "needs_arming", False)) and not armed
        self._rollout = Rollout(backend, observers)
        self._past: list[bytes] = []
        self._decisions: list[Decision] = []
        self._start = self._kept = self._run_bytes()
        if after and after.start and self._rewindable and not recorded:
            self._start = after.start.save()
            self._take_again(self._rewindable, after.decisions)
        self.state = self._rollout.go_on(backend.state())
        """What the player sees now."""

    def _take_again(self, world: RewindableBackend, decisions: Sequence[Decision]) -> None:
        world.load(self._start)
        for left in range(len(decisions), 0, -1):
            decision = decisions[-left]
            if left <= _LAST_UNDONE:
                self._past.append(world.save())
            world.apply(decision.action)
            self._decisions.append(decision)

    @property
    def seed(self) -> str:
        """The seed of the run; empty where the backend cannot tell."""
        return str(getattr(self._backend, "seed", ""))

    @property
    def steps(self) -> int:
        """Taken since the start, or since a step was undone."""
        return self._rollout.steps

    def look(self) -> PublicState:
        """Return the state, asked anew where somebody else may have moved: by a backend with a method ``look``."""
        look: Callable[[], PublicState] | None = getattr(self._backend, "look", None)
        return look() if look else self.state

    def take_up(self, state: PublicState) -> None:
        """Continue from a state that somebody else has reached."""
        self._past.clear()
        self._decisions.clear()
        self.state = self._rollout.go_on(state)
        self._start = self._run_bytes()

    def take(self, decision: Decision, processor_seconds: float = 0.0) -> Moment:
        """Take a step; BadInput if the rules forbid it, or if nobody has allowed it: nothing has changed then."""
        check(decision.action, self.state)
        if self._locked:
            unarmed = "this game takes no steps from here until it is armed (--arm)"
            raise BadInput(sentence(f"Nothing was done: {self._backend.cannot(decision.action) or unarmed}"))
        past = self._run_bytes()
        moment = self._rollout.take(decision, processor_seconds)
        self._past.append(past)
        self._decisions.append(decision)
        self.state = moment.after
        return moment

    @property
    def undoable(self) -> int:
        """Steps that can be undone."""
        return len(self._past)

    def undo(self, steps: int) -> int:
        """Return how many steps were undone."""
        if self._recorded:
            raise BadInput("A run that is recorded cannot be undone.")
        if self._rewindable is None:
            raise BadInput("Steps of this game cannot be undone.")
        possible = min(steps, len(self._past))
        if possible == 0:
            raise BadInput("There is nothing to undo.")
        self.state = self._rollout.go_on(self._rewindable.load(self._past[-possible]))
        del self._past[-possible:], self._decisions[-possible:]
        return possible

    def leave(self) -> None:
        """Say that the player goes no further with it."""
        self._rollout.leave()

    def ending(self) -> Ending:
        """Return how the run stands."""
        return self._rollout.ending()

    # --- Saving -------------------------------------------------------------------------------------------------------

    @property
    def path(self) -> Path | None:
        """Where the run was loaded from or saved to."""
        return self._file.path

    @property
    def new_folder(self) -> Path | None:
        """The folder that the last save had to make."""
        return self._file.new_folder

    @property
    def where(self) -> str:
        """Say where it was saved, and how it is resumed."""
        folder = f" in the new folder {self.new_folder}" if self.new_folder else ""
        return f"Saved{folder}. Resume with: jimbo play --load {shlex.quote(str(self.path))}"

    @property
    def unsaved(self) -> bool:
        """Something would be lost by leaving now: a run that nobody else keeps has gone on since it was saved."""
        return not self._recorded and not self.state.over and self._run_bytes() != self._kept

    def default_path(self) -> Path:
        """Return the current file, or a new one in the user's folder for saved games."""
        return self._file.default(self.seed or self.state.deck, ".run" if self._rewindable else ".json")

    def save(self, path: str | Path = "") -> Path:
        """Save the run as a record, with the steps that led here; of a run that is played elsewhere, what its player
        sees. A file is replaced only if it holds exactly this game; BadInput with a sentence where it is not saved."""
        now = self._run_bytes()
        if self._rewindable:
            text = record_text(record_between(self._start, now, self._decisions, self._player))
        else:
            text = f"{self.state.to_json()}\n"
        try:
            written = self._file.write(Path(path) if path else self.default_path(), text.encode())
        except NotWritten as error:
            raise BadInput(str(error)) from None
        self._kept = now
        return written

    def _run_bytes(self) -> bytes:
        return self._rewindable.save() if self._rewindable else b""


def resumed(game: LoadedGame, nonce: int = 0) -> RunInPlay:
    """The game of a file in the simulator, with the steps that led to it; ValueError for a run that is over."""
    backend = SimBackend()
    backend.load(game.world(nonce).save())
    return RunInPlay(backend, after=game)


def check(action: Action, state: PublicState) -> None:
    """Raise BadInput if the rules forbid an action."""
    if refusal := state.refusal(action):
        raise BadInput(refusal_words(action, refusal, state))


def told(moment: Moment) -> list[Told]:
    """Say in words what a step brought."""
    return tell(moment.events, moment.before, moment.after) + tell_jokers(moment.before, moment.after)
