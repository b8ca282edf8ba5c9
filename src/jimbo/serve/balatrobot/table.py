"""What an instance of the game holds: its run, and the little that the wire tells and the run does not remember."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from jimbo.engine import Action, ActionKind, PublicState, Run
from jimbo.serve.balatrobot.refused import not_allowed
from jimbo.wire.words import MENU, STATES

FIRST_ID = 13
"""The game has numbered this many things minus one by the time of the first deck, as recordings show."""


class Table:
    """One run at a time; none in the menu. ``seen`` is its public state, kept until something changes it."""

    def __init__(self) -> None:
        self.run: Run | None = None
        self.skipped: set[str] = set()
        """The blinds of this ante that were skipped."""
        self.first_id = FIRST_ID
        """The number of the first card of this run; numbers go on from run to run."""
        self.voucher_ids: list[int] = []
        self.pack_ids: list[int] = []
        self.left_shop: PublicState | None = None
        """The last shop of this run as it was left: the game keeps its areas, without the cards."""
        self.told: str | None = None
        """The state as it was last written, until something changes it."""
        self._seen: PublicState | None = None
        self._next_id = 1

    @property
    def state(self) -> str:
        return STATES[self.run.phase] if self.run else MENU

    @property
    def playing(self) -> Run:
        """The run of a state in which there is one."""
        if self.run is None:
            raise RuntimeError("no run has been started")
        return self.run

    @property
    def seen(self) -> PublicState:
        if self._seen is None:
            self._seen = self.playing.public_state()
        return self._seen

    def put(self, run: Run | None, skipped: set[str]) -> None:
        """Begins another run, or none."""
        self.first_id += self._next_id - 1
        self.run, self.skipped = run, skipped
        self.voucher_ids, self.pack_ids, self.left_shop = [], [], None
        self.changed()

    def changed(self) -> None:
        """To be called after every change of the run."""
        self._seen = self.told = None
        if self.run is None:
            self._next_id = 1
            return
        self._number_goods()
        self._next_id = self.seen.next_id

    def step(self, kind: ActionKind | str, index: int = 0, to: int = 0, cards: Sequence[int] = ()) -> None:
        """Takes an action; what the rules forbid is refused in their words."""
        action, before = Action(kind, index, to, cards), self.seen
        refusal = self.playing.refusal(action)
        if refusal is not None:
            raise not_allowed(f"{refusal.sentence[0].upper()}{refusal.sentence[1:]}")
        if kind == ActionKind.play:
            self.playing.step(action)
        else:
            with score_aside(self.playing):
                self.playing.step(action)
        if kind == ActionKind.redeem:
            del self.voucher_ids[index]
        elif kind == ActionKind.open_booster:
            del self.pack_ids[index]
        elif kind == ActionKind.leave_shop:
            self.left_shop = before
        self._remember_skips(kind, before)
        self.changed()

    def _remember_skips(self, kind: ActionKind | str, before: PublicState) -> None:
        if kind == ActionKind.skip_blind:
            self.skipped.add(str(before.on_deck))
        elif kind == ActionKind.cash_out and self.playing.on_deck == "small":
            self.skipped.clear()

    def _number_goods(self) -> None:
        """Vouchers and packs have numbers that the engine counts but does not keep: packs come last in a new shop."""
        vouchers, packs = len(self.seen.shop_vouchers), len(self.seen.shop_boosters)
        if not self.pack_ids and packs:
            self.pack_ids = list(range(self.seen.next_id - packs, self.seen.next_id))
            self.voucher_ids = list(range(self.seen.next_id - packs - vouchers, self.seen.next_id - packs))
        for ids, count in ((self.voucher_ids, vouchers), (self.pack_ids, packs)):
            while len(ids) < count:
                ids.append(self.seen.next_id - 1)
            del ids[count:]


@contextmanager
def score_aside(run: Run) -> Iterator[None]:
    """Keep a round from ending: the game looks at the score only after a hand, and ``set`` may have put it above the
    target before."""
    score = run.chips
    reached = run.phase == "selecting_hand" and score >= run.target
    if reached:
        run.chips = 0
    try:
        yield
    finally:
        if reached:
            run.chips = score
