"""How a run starts, put together from the catalogue and the streams."""

from __future__ import annotations

import json

from jimbo.engine._core import Conventions, Streams, seed_report, starting_deck
from jimbo.engine.catalog import DECKS, STAKES
from jimbo.engine.verify.names import deck_key, stake_key


class RunStart:
    def __init__(self, seed: str, deck: str, stake: str | int) -> None:
        self._deck = DECKS[deck_key(deck)]
        self._stake = STAKES[stake_key(stake)]
        self._streams = Streams(seed)
        report = json.loads(seed_report(seed, self._deck.key, self._stake.key, 1, 1, 0, Conventions()))["antes"][0]
        self.boss: str = report["boss"]["key"]
        self.voucher: str = report["voucher"]["key"]
        self.tags: list[str] = [tag["key"] for tag in report["tags"]]
        self.dollars = 4 + self._deck.dollars
        self.hands = 4 + self._deck.hands
        self.discards = 3 + self._deck.discards + self._stake.discards
        self.hand_size = 8 + self._deck.hand_size
        self.joker_slots = 5 + self._deck.joker_slots
        self.consumable_slots = 2 + self._deck.consumable_slots + self._deck.vouchers.count("v_crystal_ball")
        self._created = starting_deck(seed, self._deck.key)
        self.draw_pile = self._shuffled("shuffle")
        """Fronts; the last is drawn first."""

    def _shuffled(self, key: str) -> list[str]:
        return [self._created[place] for place in self._streams.shuffle(key, len(self._created))]
