"""Which card of the game is which of the engine's: the game numbers cards by its own run, the engine by creation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jimbo.wire.gamestate import Json

Key = Callable[[Mapping[str, Any]], Any]


class Pairing:
    """The engine's uid for each id of the game that has been seen."""

    def __init__(self) -> None:
        self._uids: dict[Any, int] = {}

    def copy(self) -> Pairing:
        other = Pairing()
        other._uids = dict(self._uids)
        return other

    def pair(
        self, told: Sequence[Json], believed: Sequence[Json], told_key: Key, believed_key: Key, taken: set[int]
    ) -> list[Json | None]:
        """For each told item the believed one that it is, or None for a new one.

        First by what is known, then by place, then by looks; ``taken`` are uids that are spoken for.
        """
        by_uid = {item["uid"]: item for item in believed}
        found: list[Json | None] = [None] * len(told)
        self._known(told, by_uid, found, taken)
        for place, item in enumerate(told):
            if found[place] is None and place < len(believed):
                self._take(item, [believed[place]], told_key, believed_key, found, place, taken)
        for place, item in enumerate(told):
            if found[place] is None:
                self._take(item, believed, told_key, believed_key, found, place, taken)
        return found

    def remember(self, item: Mapping[str, Any], uid: int) -> None:
        if item.get("id") is not None:
            self._uids[item["id"]] = uid

    def _known(
        self, told: Sequence[Json], by_uid: Mapping[int, Json], found: list[Json | None], taken: set[int]
    ) -> None:
        for place, item in enumerate(told):
            uid = self._uids.get(item.get("id"))
            if uid is not None and uid in by_uid and uid not in taken:
                found[place] = by_uid[uid]
                taken.add(uid)

    def _take(
        self,
        item: Json,
        among: Iterable[Json],
        told_key: Key,
        believed_key: Key,
        found: list[Json | None],
        place: int,
        taken: set[int],
    ) -> None:
        wanted = told_key(item)
        spoken_for = set(self._uids.values()) if item.get("id") is not None else set()
        for other in among:
            uid = other["uid"]
            if uid not in taken and uid not in spoken_for and believed_key(other) == wanted:
                found[place] = other
                taken.add(uid)
                self.remember(item, uid)
                return


class Uids:
    """New ones, where the engine knows nothing of a card."""

    def __init__(self, following: int) -> None:
        self.next = following

    def new(self) -> int:
        self.next += 1
        return self.next - 1
