"""The real game as a backend, by way of balatrobot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jimbo.backends.protocol import Applied, UnsupportedAction
from jimbo.engine import Action, PublicState
from jimbo.engine.catalog import JOKERS
from jimbo.wire.calls import ModLimits, calls_for, cannot, is_tried
from jimbo.wire.client import Client
from jimbo.wire.codec.follow import Follower
from jimbo.wire.codec.read import deck_of, stake_of
from jimbo.wire.errors import BadRequest, NotPossible, OtherLanguage, Refused, Surprise, Unreadable
from jimbo.wire.gamestate import Json, ValueDifference, in_a_run, word


class NotSupportedByMod(NotPossible, UnsupportedAction):
    """The mod refused what only some of its versions can do; ``cannot`` knows it from now on."""


class RealBackend:
    """Plays one instance of the game. What the wire leaks stays in here: states are public, like the simulator's."""

    needs_arming = True
    """Steps here move the cards of a game that somebody may be playing."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._follower: Follower | None = None
        self._seed = ""
        self._limits: ModLimits | None = None
        self._joined = False
        """Somebody else has begun the run."""

    def __repr__(self) -> str:
        return f"<RealBackend at {self.client.url}>"

    # --- The run ------------------------------------------------------------------------------------------------------

    def reset(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicState:
        deck = deck or "b_red"
        stake = stake if stake.startswith("stake_") else f"stake_{stake}"
        if challenge and not self.limits.newer:
            raise ValueError("Challenges need version 2 of balatrobot. Leave --challenge out.")
        if self.client.gamestate()["state"] != "MENU":
            self.client.menu()
        state = self._started(deck, stake, seed, challenge)
        self._check_start(state, deck, stake, seed, challenge)
        self._follow(state)
        self._joined = False
        return self.state()

    def join(self) -> PublicState:
        """Goes on with the run that is being played; ValueError where none is."""
        state = self.client.settled()
        if not in_a_run(state):
            raise ValueError(f"No run is being played at {self.client.url}. Start one in the game.")
        self._follow(state)
        self._joined = True
        return self.state()

    def look(self) -> PublicState:
        """What the player sees now, asked anew: somebody may have played."""
        state = self.client.settled()
        if not in_a_run(state):
            raise Surprise("the run has been left", method="gamestate", url=self.client.url, state=state["state"])
        self._read(self._current.look, state)
        return self.state()

    def state(self) -> PublicState:
        return self._current.public_state()

    @property
    def seed(self) -> str:
        """For records; no agent is given it. Empty where the game does not tell."""
        return self._seed

    @property
    def whole(self) -> bool:
        """The run was met at its start, and the engine has foreseen all of it."""
        return self._current.exact

    @property
    def differences(self) -> tuple[ValueDifference, ...]:
        """Where the last step went another way than the engine foresaw."""
        return self._current.differences

    @property
    def surprises(self) -> tuple[ValueDifference, ...]:
        """What came of the last action and cannot be chance."""
        return self._current.surprises

    @property
    def other_language(self) -> OtherLanguage | None:
        """Says what may be wrong in the present state, because the game's texts are not English."""
        if not self._current.unread:
            return None
        names = ", ".join(JOKERS[key].name for key in self._current.unread)
        what = f"the game's texts are not English, and what they say of {names} cannot be read"
        return OtherLanguage(what, method="gamestate", url=self.client.url, state=self.state().phase)

    def cannot(self, action: Action) -> str | None:
        """Why the mod cannot do what the rules allow; None if it can."""
        return cannot(action, self.state(), self.limits)

    def apply(self, action: Action) -> Applied:
        """IllegalAction for what the rules forbid, NotPossible for what the mod cannot do: nothing was sent then.

        A refusal of the mod is raised after looking, so that ``state`` is true again; NotSupportedByMod for what was
        only tried.
        """
        state = self.state()
        self._current.run.clone().step(action)  # raises IllegalAction
        if why := self.cannot(action):
            raise NotPossible(why, method=action.kind, url=self.client.url, state=state.phase)
        after: Json = {}
        for method, params in calls_for(action, state, self.limits):
            try:
                after = self.client.act(method, params)
            except Refused as refused:
                self.look()
                if is_tried(action, state, self.limits):
                    self._limits = self.limits._replace(sells_in_packs=False)
                    about = {"method": method, "url": self.client.url, "state": state.phase}
                    raise NotSupportedByMod(refused.what, **about) from None
                raise
        events = self._read(lambda told: self._current.took(action, told), after)
        if not self._joined and (unread := self.other_language):  # nobody is there who could be warned
            raise unread
        return Applied(self.state(), events)

    def full_state(self) -> Mapping[str, Any] | None:
        return None

    def close(self) -> None:
        self._follower = None

    # --- How it is read -----------------------------------------------------------------------------------------------

    @property
    def limits(self) -> ModLimits:
        if self._limits is None:
            self._limits = ModLimits(2 if self.client.version().startswith("2") else 1)
        return self._limits

    @property
    def _current(self) -> Follower:
        if self._follower is None:
            raise RuntimeError("no run has been started: call reset() or join() first")
        return self._follower

    def _follow(self, state: Json) -> None:
        self._follower = self._read(Follower, state)
        self._seed = str(state.get("seed", ""))

    def _read(self, read: Callable[[Json], Any], state: Json) -> Any:
        try:
            return read(state)
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            about = {"method": "gamestate", "url": self.client.url, "state": str(state.get("state"))}
            raise Unreadable(f"the gamestate cannot be understood ({error})", **about) from error

    def _started(self, deck: str, stake: str, seed: str | None, challenge: str | None) -> Json:
        """Versions differ in their words for decks and stakes. A refused call has done nothing."""
        words = (deck, stake), (word(deck), word(stake))
        first, second = words if self.limits.newer else words[::-1]
        try:
            return self.client.start(*first, seed, challenge)
        except BadRequest as refused:
            try:
                return self.client.start(*second, seed, challenge)
            except BadRequest:  # so it was not the words
                raise refused from None

    def _check_start(self, state: Json, deck: str, stake: str, seed: str | None, challenge: str | None) -> None:
        """A profile can lack a deck or a stake, and the game then starts something else."""
        started = self._read(lambda told: (deck_of(told), stake_of(told)), state)
        asked = (deck, stake)
        wrong = (not challenge and started != asked) or (seed is not None and state.get("seed", seed) != seed)
        if wrong:
            what = f"the game started {started[0]}, {started[1]}, seed {state.get('seed')}, not what was asked for"
            raise Surprise(what, method="start", url=self.client.url, state=str(state["state"]))
