"""Logs of the mod's gamestates: what was done is told with them, or follows from two states one after the other.

A log is a line for each state: the gamestate itself, one that a call answered (``{"result": ...}``), or one with the
call that led to it (``{"method", "params", "state"}``, as in wire_trace_v1). Where the log begins with the run and the
seed is known, the engine knows what every action would bring; elsewhere only what it leaves is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jimbo.data.game_files import PLAYER, STATE_FIELDS
from jimbo.data.record import Header
from jimbo.engine import Action, ActionKind, PublicState, candidates
from jimbo.rollout.loop import MAX_STEPS
from jimbo.serve.review.played import PlayedRun, played_run
from jimbo.text import counted
from jimbo.wire.codec.follow import Follower
from jimbo.wire.codec.read import PHASES
from jimbo.wire.gamestate import Json, as_object, at_rest, blinds_of, cards_of, in_a_run, number_of, valid_state
from jimbo.wire.recorded_actions import UnknownAction, engine_actions

_TRIED = 400
"""Ways to go on that are looked at closely, at most."""
_FULLY = 2
_LARGEST_HAND = 16
"""Of a larger one not every choice of cards is tried: there are too many."""
_HELD = ("jokers", "consumables")
_CASH_OUT = Action("cash_out")
_HIDDEN = (
    *(ActionKind.play, ActionKind.discard, ActionKind.select_blind, ActionKind.cash_out, ActionKind.reroll),
    *(ActionKind.open_booster, ActionKind.skip_blind),
)
"""What brings cards that nobody could foresee."""
_CHANGING = tuple(kind for kind in _HIDDEN if kind != ActionKind.reroll)
"""What may change money and jokers, too, in ways that nobody could foresee."""


def gamestate_in(line: Mapping[str, Any]) -> Json | None:
    """The gamestate of a line of a log."""
    for told in (line, *(line.get(name) for name in STATE_FIELDS)):
        if valid_state(told):
            return dict(as_object(told))
    return None


def logged_run(lines: Iterable[Mapping[str, Any]]) -> PlayedRun:
    """The run of a log; ValueError with a sentence where it holds none."""
    log: _Log | None = None
    for line in lines:
        state = gamestate_in(line)
        if state is None or not at_rest(state) or not in_a_run(state):
            continue
        if log is None:
            log = _Log(state)
        elif state != log.last:
            if _begins_anew(log.last, state):
                log.notes.append("The log goes on with another run, which is left out.")
                break
            log.add(state, line if "method" in line else None)
        if len(log.actions) > MAX_STEPS:
            raise ValueError(f"it has more than {counted(MAX_STEPS, 'decision')}")
    if log is None:
        raise ValueError("it holds no state of a run")
    return log.run()


def _begins_anew(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    return (after["ante_num"], after["round_num"]) < (before["ante_num"], before["round_num"]) and not after[
        "round_num"
    ]


class _Log:
    def __init__(self, state: Json) -> None:
        self.last = state
        self._follower = Follower(state)
        self.states = [self._follower.public_state()]
        self.actions: list[Action | None] = []
        self.notes: list[str] = []

    def add(self, state: Json, call: Mapping[str, Any] | None) -> None:
        """A later state, and the call that led to it, where it is told."""
        actions = self._told(call) if call else []
        actions = actions or self._inferred(state)
        if actions:
            for action in actions[:-1]:
                self._follower.run.step(action)
                self._seen(action)
            self._follower.took(actions[-1], state)
            self._seen(actions[-1])
        else:
            self._follower.look(state)
            if self._follower.public_state() == self.states[-1]:
                self.last = state
                return
            self._seen(None)
        self.last = state

    def _seen(self, action: Action | None) -> None:
        self.actions.append(action)
        self.states.append(self._follower.public_state())

    def run(self) -> PlayedRun:
        """What has been read."""
        exact = self._follower.exact and None not in self.actions
        state = self.states[0]
        if unknown := self.actions.count(None):
            self.notes.append(
                f"What was done cannot be told from the log {counted(unknown, 'time')}; there only the chance is given."
            )
        if not exact:
            self.notes.append("The engine does not know what was hidden in this run; --retry draws it anew.")
        seed = str(self.last.get("seed") or "")
        start = (
            Header(seed=seed, deck=state.deck, stake=state.stake, challenge=state.challenge, agent=PLAYER)
            if exact
            else None
        )
        return played_run("a log of the mod", "", seed, start, self.states, self.actions, self.notes)

    def _told(self, call: Mapping[str, Any]) -> list[Action]:
        try:
            actions = engine_actions(call, self._follower.run)
        except UnknownAction:
            return []
        run = self._follower.run.clone()
        for action in actions:
            if run.refusal(action) is not None:  # the game refused it, too
                return []
            run.step(action)
        return actions

    # --- What must have been done -------------------------------------------------------------------------------------

    def _inferred(self, state: Json) -> list[Action]:
        """What leads from the last state to this one; nothing where that cannot be told."""
        likely = [line for line in self._lines(state) if self._could(line, state)]
        best, explained = 0, list[Action]()
        for line in likely[:_TRIED]:
            if (how := self._follower.leads_to(line, state)) > best:
                best, explained = how, line
            if how == _FULLY:
                break
        if best or self._follower.exact:
            return explained
        hidden = [line for line in likely if line[0].kind in _HIDDEN]
        return hidden[0] if len(hidden) == 1 else []

    def _lines(self, state: Json) -> Iterator[list[Action]]:
        """Everything that can be done, with the cash-out that some logs leave out; and cards put in another order."""
        for area in ("jokers", "hand", "consumables"):
            here, there = ([card.get("id") for card in cards_of(one, area)] for one in (self.last, state))
            if here != there and len(set(here)) == len(here) and sorted(here, key=str) == sorted(there, key=str):
                order = [here.index(card) for card in there]
                yield engine_actions({"method": "rearrange", "params": {area: order}}, self._follower.run)
        run = self._follower.run
        few = len(self.states[-1].hand) <= _LARGEST_HAND
        for action in run.legal_actions() if few else candidates(run).actions:
            yield [action]
            if action.kind == ActionKind.play:
                yield [action, _CASH_OUT]

    def _could(self, line: list[Action], state: Json) -> bool:
        """By what every action surely brings, which is quickly seen."""
        if not self._gone(line[0], state):
            return False
        run = self._follower.run.clone()
        for action in line:
            if run.refusal(action) is not None:
                return False
            run.step(action)
        return _alike(run.public_state(), state, chance=not self._follower.exact and line[0].kind in _CHANGING)

    def _gone(self, action: Action, state: Json) -> bool:
        """Of a play or discard: whether its cards are gone, and in a run that is not foreseen no others."""
        if action.kind not in (ActionKind.play, ActionKind.discard):
            return True
        left = f"{'hands' if action.kind == ActionKind.play else 'discards'}_left"
        if PHASES.get(str(state["state"])) != "selecting_hand":
            return self._follower.exact
        if number_of(state, left) != number_of(self.last, left) - 1:
            return False
        here = {card.get("id") for card in cards_of(state, "hand")}
        gone = [place for place, card in enumerate(cards_of(self.last, "hand")) if card.get("id") not in here]
        return set(action.cards) <= set(gone) if self._follower.exact else sorted(action.cards) == gone


def _alike(seen: PublicState, state: Json, *, chance: bool) -> bool:
    told = as_object(state.get("round"))
    phase = PHASES.get(str(state["state"]))
    if (seen.phase, seen.ante, seen.round) != (phase, state["ante_num"], state["round_num"]):
        return False
    names = ("hands_left", "discards_left") if chance else ("hands_left", "discards_left", "chips")
    if any(name in told and getattr(seen, name) != told[name] for name in names):
        return False
    if phase == "blind_select" and as_object(blinds_of(state).get(seen.on_deck)).get("status") != "SELECT":
        return False
    if seen.pack and [pack.key for pack in seen.shop_boosters] != [
        card.get("key") for card in cards_of(state, "packs")
    ]:
        return False
    if chance:
        return True
    counts = len(seen.jokers), len(seen.consumables)
    return seen.dollars == state["money"] and counts == tuple(len(cards_of(state, area)) for area in _HELD)
