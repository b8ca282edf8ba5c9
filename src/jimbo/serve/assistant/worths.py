"""Why a step whose outcome is known is worth what it is, in points of the chance to win: what claims say of it."""

from __future__ import annotations

from statistics import fmean

from jimbo.engine import PublicState, Run
from jimbo.serve.assistant.split import INCOME, LATER, POWER, RISK, ROOM, SplitPart, split
from jimbo.serve.assistant.what_if import BLINDS_AHEAD, Trials, chance_to_win, inputs_of, own_value, points
from jimbo.text.build_reasons import Price, Room, Split
from jimbo.text.reasons import MEANT

_ERRORS = 2
_TOLD = 0.1
"""Points that a part must have."""
_REST = 0.5
"""A share of the largest part: where more than that is left over, the parts do not explain the whole."""
_GROWTH = 0.15
SLOT = "slot"
_RATIOS = (0.25, 4.0)
"""What the agent says divided by what the package's value says: beyond these they do not see the same."""
_SLOTS_THAT_COUNT = 2
"""With more free ones it is not known what one is worth: that counts as what comes later."""


class StepWorth:
    """A known step, on the scale of what the agent says of the whole; points of the package's value if it says
    nothing."""

    def __init__(self, run: Run, after: Run, total: float | None) -> None:
        self._run, self._after = run, after
        self.refunded = after.clone()
        """The run after it, its price given back."""
        self.refunded.dollars = run.dollars
        self.price = run.dollars - after.dollars
        self._total = total

    def whole(self, raw: float) -> float:
        return raw if self._total is None else self._total

    def scale(self, raw: float) -> float:
        if self._total is None or abs(raw) < MEANT or not _RATIOS[0] < self._total / raw < _RATIOS[1]:
            return 1.0
        return self._total / raw

    def priced(self, what: str, interest: int, blinds: int) -> Price:
        """What it is worth in itself, and what its price is."""
        win = chance_to_win(self._after)
        raw = 100 * (win - chance_to_win(self._run))
        money = self.scale(raw) * 100 * (win - chance_to_win(self.refunded))
        return Price(what, self.price, interest, blinds, self.whole(raw) - money, money)

    def split(self, base: Trials, made: Trials, boss: int, interest: int, blinds: int) -> Split | None:
        """Its worth in parts; None where they do not make it up, or there is only one."""
        before, free = inputs_of(self._run), inputs_of(self.refunded)
        after = inputs_of(self._after) if self.price else free
        start, end = points(before), points(after)
        raw = end - start
        scale, whole = self.scale(raw), self.whole(raw)
        found = split(own_value(), before, free)
        if not self._slot_counts(found[ROOM].points):
            found[LATER] += found.pop(ROOM)
        parts = {part: scale * one.points for part, one in found.items() if _is_sure(one, scale)}
        if not self._agrees(parts.get(POWER, 0.0), base, made, boss):
            parts.pop(POWER, None)
        money = scale * (end - points(free))
        told = {self._named(part, worth, base, made): worth for part, worth in parts.items()}
        rest = whole - sum(told.values()) - money
        largest = max(map(abs, [*told.values(), money]))
        if len(told) + (abs(money) >= _TOLD) < 2 or abs(rest) > _REST * largest:
            return None
        listed = tuple(sorted(told.items(), key=lambda one: -abs(one[1])))
        return Split(whole, listed, self.price, interest, blinds, money, rest)

    def _agrees(self, worth: float, base: Trials, made: Trials, boss: int) -> bool:
        """Whether scores that were played out do not go the other way."""
        return all(worth * made.gain(blind, base) >= 0 for blind in {0, boss})

    def _slot_counts(self, worth: float) -> bool:
        old, new = (run.public_state().joker_room for run in (self._run, self._after))
        return worth * (new - old) > 0 and min(old, new) < _SLOTS_THAT_COUNT

    def _named(self, part: str, worth: float, base: Trials, made: Trials) -> str:
        if part == LATER:
            grows = worth > 0 and made.gain(BLINDS_AHEAD - 1, base) - made.gain(0, base) > _GROWTH
            return "growth" if grows else "later"
        if part == RISK:
            return self._stickers() or "risk"
        return {POWER: "scores now", INCOME: "income", ROOM: SLOT}[part]

    def _stickers(self) -> str:
        """Return the stickers of jokers that are new or gone."""
        old, new = ({joker.id: joker for joker in run.public_state().jokers} for run in (self._run, self._after))
        changed = [joker for one, joker in {**old, **new}.items() if (one in old) != (one in new)]
        names = ("rental", "perishable", "eternal")
        return " and ".join(name for name in names if any(getattr(joker, name) for joker in changed))

    def rooms(self, told: Split | None) -> list[Room]:
        """Joker slots, if a split has not told of them, and consumable slots that are the last or the first free."""
        old, new = self._run.public_state(), self._after.public_state()
        rooms = (("joker", old.joker_room, new.joker_room), ("consumable", old.consumable_room, new.consumable_room))
        return [
            Room(what, now, slot_worth(what, new, -1 if now > 0 else 1))
            for what, before, now in rooms
            if (before > 0) != (now > 0) and not (told and what == "joker" and SLOT in dict(told.parts))
        ]


def slot_worth(what: str, state: PublicState, change: int) -> float:
    """Points of the chance to win that one slot more would add, or that the free one adds."""
    data = state.to_data()
    other = PublicState.from_data(data | {f"{what}_slots": data[f"{what}_slots"] + change}).imagine(0)
    return 100 * change * (chance_to_win(other) - chance_to_win(state.imagine(0)))


def interest_of(free: Trials, made: Trials, blinds: int, price: int) -> int:
    """Dollars of interest that a price costs over some blinds."""
    return round(fmean(free.dollars[blinds - 1]) - fmean(made.dollars[blinds - 1])) - price


def _is_sure(part: SplitPart, scale: float) -> bool:
    return abs(part.points) > _ERRORS * part.error and abs(scale * part.points) >= _TOLD
