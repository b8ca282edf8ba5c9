"""The run behind a wire, as far as it can be known: the engine plays along, and every gamestate sets it right.

The engine knows what a player who watches would know and the mod does not tell: the discard pile, held tags, the
cash-out sheet. It also has the seed and the order of the draw pile, which the mod tells anybody; none of that is in
the ``PublicState`` that is given out.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from jimbo.engine import Action, Event, PublicState, Run
from jimbo.wire.codec.areas import Pairing
from jimbo.wire.codec.marks import unread_jokers
from jimbo.wire.codec.read import deck_of, laid_over, stake_of
from jimbo.wire.gamestate import ValueDifference, as_object, differences

_CERTAIN = ("phase", "ante", "round", "hands_left", "discards_left")
_TRADES = ("buy", "redeem", "open_booster", "reroll", "sell_joker", "sell_consumable", "leave_shop")
_ANY_SEED = "JIMBO"
"""One seed for all, so that the same gamestate always looks the same; nothing of it can be seen."""


class Follower:
    """One run, from the gamestate in which it is met. ValueError for gamestates that no run can look like."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._pairing = Pairing()
        started = self._started(state)
        self.run = started or self._joined(state)
        self.exact = started is not None
        """The engine has foreseen everything so far, with the game's own chances."""
        self.differences: tuple[ValueDifference, ...] = ()
        """Differences of the last gamestate from what the engine expected."""
        self.surprises: tuple[ValueDifference, ...] = ()
        """Differences after the last action that cannot be chance; none can while the engine knows the chances."""
        self.unread = self._unread(state)
        """Jokers of which something may be wrong, because the game's texts are in another language than English."""

    def public_state(self) -> PublicState:
        return self.run.public_state()

    def look(self, state: Mapping[str, Any]) -> None:
        """Takes over what the wire tells now."""
        self._look(state, None)

    def leads_to(self, actions: Sequence[Action], state: Mapping[str, Any]) -> int:
        """How well some actions explain a gamestate: 2 where it shows all that they bring, 1 where only the order of
        cards and jokers, or what nobody sees, is another; 0 where it shows anything else."""
        ahead = self.run.clone()
        for action in actions:
            if ahead.refusal(action) is not None:
                return 0
            ahead.step(action)
        try:
            seen = laid_over(ahead, state, self._pairing.copy())
        except ValueError:
            return 0
        return 2 if seen == ahead else int(_unordered(seen) == _unordered(ahead))

    def _look(self, state: Mapping[str, Any], cards: Container[int] | None) -> None:
        pairing = self._pairing.copy()
        seen = laid_over(self.run, state, pairing, cards)
        self.differences = () if seen == self.run else tuple(differences(self.run.to_data(), seen.to_data()))
        self.exact = self.exact and not self.differences
        self.run, self._pairing = seen, pairing
        self.unread = self._unread(state)

    def _unread(self, state: Mapping[str, Any]) -> tuple[str, ...]:
        """None while the engine knows what the texts would tell."""
        return () if self.exact else unread_jokers(state)

    def took(self, action: Action, state: Mapping[str, Any]) -> list[Event]:
        """An action was carried out, and this came of it. Events are those of the engine, while it is right."""
        ahead, exact = self.run.clone(), self.exact
        cards = None if exact else {card["uid"] for zone in ahead.to_data()["zones"].values() for card in zone}
        events = ahead.step(action)
        self.run = ahead
        self._look(state, cards)
        if not exact:
            self.surprises = tuple(_certain(action, ahead, self.run))
        else:
            self.surprises = _to_be_seen(ahead, self.run) if self.differences else ()
        return [] if self.differences else events

    def _started(self, state: Mapping[str, Any]) -> Run | None:
        """The run of the seed, where it stands at its start and looks the same."""
        if state["state"] != "BLIND_SELECT" or state["round_num"] != 0 or not state.get("seed"):
            return None
        challenge = state.get("challenge")
        try:
            run = (
                Run(challenge=str(challenge), seed=str(state["seed"]))
                if challenge
                else Run(deck=deck_of(state), stake=stake_of(state), seed=str(state["seed"]))
            )
        except (ValueError, KeyError):
            return None
        pairing = Pairing()
        seen = laid_over(run, state, pairing)
        if seen.public_state() != run.public_state():
            return None
        self._pairing = pairing
        return seen

    def _joined(self, state: Mapping[str, Any]) -> Run:
        """A run in its middle: what was not seen of it is as at the start of one."""
        run = Run(deck=deck_of(state), stake=stake_of(state), seed=_ANY_SEED)
        data = run.to_data()
        told = as_object(state.get("round"))
        between = state["state"] in ("BLIND_SELECT", "SHOP", "SMODS_BOOSTER_OPENED")
        for name, spent in (("hands", "hands_played"), ("discards", "discards_used")):
            left = int(told.get(f"{name}_left", data["round"][f"{name}_left"]))
            data["round"][f"{name}_per_round"] = left if between else left + int(told.get(spent, 0))
        hands = as_object(state.get("hands"))
        played = {name: int(as_object(hand).get("played", 0)) for name, hand in hands.items() if name in data["hands"]}
        data["memory"]["hands_played"] = sum(played.values())
        data["score"]["last_any"] = any(played.values())
        data["round"]["most_played"] = max(played, key=lambda name: played[name], default="High Card")
        # The voucher of the ante is known once a shop shows it.
        data["shop"]["first_booster_made"], data["round"]["voucher"] = state["round_num"] > 1, None
        return _with_reward(laid_over(Run.from_json(json.dumps(data)), state, self._pairing))


def _unordered(run: Run) -> Mapping[str, Any]:
    data = run.public_state().to_data()
    return data | {area: sorted(data[area], key=repr) for area in ("hand", "jokers", "consumables")}


def _certain(action: Action, foreseen: Run, found: Run) -> Iterator[ValueDifference]:
    """What an action does whatever the cards: where the game is then, and what a trade costs."""
    names = (*_CERTAIN, *(("dollars",) if action.kind in _TRADES else ()))
    here, there = foreseen.public_state(), found.public_state()
    for name in names:
        yield from differences(getattr(here, name), getattr(there, name), f"$.{name}")


def _to_be_seen(foreseen: Run, found: Run) -> tuple[ValueDifference, ...]:
    """What a player sees of two runs that differ. Of what nobody may see, only that it differs."""
    here, there = (run.public_state().to_data() for run in (foreseen, found))
    return tuple(differences(here, there)) or (ValueDifference("what is hidden", "as foreseen", "otherwise"),)


def _with_reward(run: Run) -> Run:
    """What beating the blind brings is not told, and follows from which it is."""
    data, seen = run.to_data(), run.public_state()
    data["round"]["blind"]["reward"] = next(blind.reward for blind in seen.blinds if blind.slot == seen.on_deck)
    return Run.from_json(json.dumps(data)) if seen.phase == "selecting_hand" else run
