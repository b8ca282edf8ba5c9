"""What no call of the mod does, and a player can: it is said in a sentence, and the game watched until it is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from jimbo.engine.catalog import CHALLENGES
from jimbo.serve.balatrobot.game import ServedGame
from jimbo.serve.balatrobot.rpc import CallRefused
from jimbo.wire.client import Client
from jimbo.wire.gamestate import MENU, Json, at_rest, blinds_of, cards_of, number_of

WITHIN = 300.0
"""Seconds that a player has for one task."""
LOOK_EVERY = 0.5
SKIP, DONE = "s", ""
"""What a player types."""


@dataclass(frozen=True, slots=True)
class HandTask:
    """``call`` and ``params`` say the same to our own server as ``sentence`` to a player."""

    call: str
    params: Mapping[str, Any]
    sentence: str
    seen: Callable[[Json, Json], bool]
    """Whether it has happened, from the state before and the one now."""
    may_fail: bool = False
    """The game may not allow it, which nothing shows: the player says when it has been tried."""


class Skipped(Exception):
    """It was not done; the text says why."""


class Hand(Protocol):
    def do(self, task: HandTask, client: Client, before: Json) -> Json:
        """The state afterwards; Skipped where nobody did it."""


# --- Tasks ------------------------------------------------------------------------------------------------------------


def start_task(challenge: str, seed: str) -> HandTask:
    """The game chooses the seed of a challenge; the wire tells it. On our own server it is ``seed``."""
    sentence = f"Start the challenge {CHALLENGES[challenge].name} (Play, Challenges). Stay where the blinds are chosen."
    return HandTask("start", {"challenge": challenge, "seed": seed}, sentence, _has_begun)


def step_task(method: str, params: Mapping[str, Any], state: Json) -> HandTask:
    """The task of a step that is done by hand."""
    return _TASKS[method](params, state)


def _has_begun(before: Json, now: Json) -> bool:
    return before["state"] == MENU and now["state"] == "BLIND_SELECT" and bool(now.get("seed"))


def _reroll_boss(params: Mapping[str, Any], state: Json) -> HandTask:
    def seen(before: Json, now: Json) -> bool:
        return bool(_boss(now) != _boss(before) and now["money"] != before["money"])

    return HandTask("reroll_boss", {}, "Press the button that rerolls the boss blind, once.", seen)


def _discard(params: Mapping[str, Any], state: Json) -> HandTask:
    (place,) = params["cards"]

    def seen(before: Json, now: Json) -> bool:
        return number_of(now, "discards_used") > number_of(before, "discards_used")

    where = f"card {place + 1} from the left, {cards_of(state, 'hand')[place].get('key')}"
    sentence = f"Pick up one card of your hand ({where}) and press Discard. Nothing else may be picked up."
    return HandTask("discard", params, sentence, seen, may_fail=True)


def _buy(params: Mapping[str, Any], state: Json) -> HandTask:
    name = cards_of(state, "shop")[params["card"]].get("label")

    def seen(before: Json, now: Json) -> bool:
        return len(cards_of(now, "shop")) < len(cards_of(before, "shop"))

    where = f"item {params['card'] + 1} of the upper row"
    return HandTask(
        "buy", params, f"Try to buy the Negative {name} ({where}) with the game's own button.", seen, may_fail=True
    )


def _boss(state: Json) -> Any:
    return blinds_of(state).get("boss", {}).get("name")


REROLL_BOSS = "reroll_boss"
_TASKS: Mapping[str, Callable[[Mapping[str, Any], Json], HandTask]] = {
    REROLL_BOSS: _reroll_boss,
    "hand_discard": _discard,
    "hand_buy": _buy,
}
BY_HAND = frozenset(_TASKS)
"""Steps that a player does; version 2 of the mod rerolls bosses itself."""


# --- Who does them ----------------------------------------------------------------------------------------------------


class Player:
    """Somebody at the game. ``tell`` shows a sentence, ``said`` is the line that was typed since, or None."""

    def __init__(
        self,
        tell: Callable[[str], None],
        said: Callable[[], str | None],
        *,
        within: float = WITHIN,
        look_every: float = LOOK_EVERY,
    ) -> None:
        self._tell, self._said = tell, said
        self._within, self._look_every = within, look_every

    def do(self, task: HandTask, client: Client, before: Json) -> Json:
        enter = "Enter if the game does not let you, " if task.may_fail else ""
        self._tell(f"{task.sentence} ({enter}{SKIP} and Enter to skip it)")
        end = time.monotonic() + self._within
        while time.monotonic() < end:
            said = self._said()
            if said == SKIP:
                raise Skipped("it was skipped")
            if said == DONE and task.may_fail:
                return client.settled()
            now = client.gamestate()
            if at_rest(now) and task.seen(before, now):
                return client.settled()
            time.sleep(self._look_every)
        raise Skipped(f"nobody did it within {self._within:g} seconds")


class Direct:
    """Does it on our own server, as a player would."""

    def __init__(self, game: ServedGame) -> None:
        self._game = game

    def do(self, task: HandTask, client: Client, before: Json) -> Json:
        with suppress(CallRefused):
            self._game.by_hand(task.call, task.params)
        return client.gamestate()
