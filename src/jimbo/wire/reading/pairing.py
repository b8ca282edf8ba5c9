"""Which card of the game is which of the engine's: the game numbers cards by its own run, the engine by creation.

Nothing here may depend on where a card lies: the order of the draw pile and of what lies face down would show in the
numbers, which anybody may see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from jimbo.wire.gamestate import Json

Key = Callable[[Mapping[str, Any]], Any]


class Uids:
    """New ones, where the engine knows nothing of a card."""

    def __init__(self, following: int) -> None:
        self.next = following

    def new(self) -> int:
        self.next += 1
        return self.next - 1


class Pair(NamedTuple):
    told: Json
    uid: int
    believed: Json | None
    """None for a card that the engine has not heard of."""


class Pairing:
    """The engine's uid for each id of the game that has been seen."""

    def __init__(self) -> None:
        self._uids: dict[Any, int] = {}

    def copy(self) -> Pairing:
        other = Pairing()
        other._uids = dict(self._uids)
        return other

    def pairs(
        self, told: Sequence[Json], believed: Sequence[Json], told_key: Key, believed_key: Key, uids: Uids
    ) -> list[Pair]:
        """What is told in its order. One that is not known yet is the oldest that looks the same, or a new one."""
        by_uid = {item["uid"]: item for item in believed}
        spoken_for = {*self._uids.values()}
        alike: dict[Any, list[int]] = {}
        for uid in sorted(by_uid.keys() - spoken_for, reverse=True):
            alike.setdefault(believed_key(by_uid[uid]), []).append(uid)
        for item in sorted(told, key=lambda item: _age(item, told_key)):
            if item.get("id") not in self._uids:
                others = alike.get(told_key(item))
                self._uids[item.get("id")] = others.pop() if others else uids.new()
        return [Pair(item, uid, by_uid.get(uid)) for item in told for uid in (self._uids[item.get("id")],)]


def _age(item: Mapping[str, Any], key: Key) -> tuple[int, str]:
    """Ids are given in the order of creation."""
    return int(item.get("id") or 0), str(key(item))
