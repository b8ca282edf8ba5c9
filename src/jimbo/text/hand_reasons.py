"""Claims about plays and discards."""

from __future__ import annotations

from dataclasses import dataclass

from jimbo.text.numbers import counted, money_text, number_text
from jimbo.text.reasons import MEANT, Claim, about, doing, how_often, points_of

ALIKE = 2.0
"""Per cent by which the worth of two runs must differ to be told."""


@dataclass(frozen=True, slots=True)
class Beats(Claim):
    """A play ends the blind whatever luck does, and what stays unused."""

    score: float
    needed: float
    hands: int
    discards: int
    dollars: int
    """For both, at the cash-out."""

    def __str__(self) -> str:
        made, needed = number_text(self.score), number_text(self.needed)
        if self.score >= self.needed:
            text = f"beats the blind with {made} ({needed} needed)"
        else:
            text = f"Mr. Bones saves the run at {made} of the {needed} needed"
        left = [counted(self.hands, "hand")] * (self.hands > 0) + [counted(self.discards, "discard")] * (
            self.discards > 0
        )
        if not self.dollars or not left:
            return text
        pay = "pays" if self.hands + self.discards == 1 else "pay"
        return f"{text}, and {' and '.join(left)} left {pay} {money_text(self.dollars)}"


@dataclass(frozen=True, slots=True)
class ByLuck(Claim):
    """A play ends the blind if luck helps."""

    share: float
    least: float
    most: float
    needed: float

    def __str__(self) -> str:
        scores = f"{number_text(self.least)} to {number_text(self.most)} ({number_text(self.needed)} needed)"
        return f"beats the blind with luck, {how_often(self.share)}: scores {scores}"


@dataclass(frozen=True, slots=True)
class FallsShort(Claim):
    """A play that does not end the blind."""

    score: float
    needed: float
    hands: int
    """Left after it."""
    guessed: bool = False
    """Something lies face down: the score is a mean."""

    def __str__(self) -> str:
        told = about if self.guessed else number_text
        scored, left = told(self.score), told(self.needed - self.score)
        if self.guessed:
            scored = f"about {scored}"
        if self.score <= 0:
            return f"scores nothing, and leaves all {number_text(self.needed)} to {counted(self.hands, 'hand')}"
        if not self.hands:
            return f"scores {scored}, {left} too few, with no hand left"
        return (
            f"scores {scored} of the {number_text(self.needed)} needed, {left} left for {counted(self.hands, 'hand')}"
        )


@dataclass(frozen=True, slots=True)
class Comes(Claim):
    """What the cards that stay are kept for, and how often it comes with the next cards."""

    kept: tuple[str, ...]
    hand: str
    share: float
    """The best hand is this one, or a better one."""
    enough: float
    """The best hand beats the blind at once."""
    score: float
    """Of the best hand, in the mean."""
    now: float | None
    """Of the best hand without drawing; None after a play."""
    deals: int = 0
    held: bool = False
    """The cards that stay are such a hand already."""

    def __str__(self) -> str:
        kept = f"keeps {' '.join(self.kept)}" if self.kept else "draws new cards"
        text = f"{kept}: {self.hand} or better {how_often(self.share)}"
        if self.held:
            text = f"keeps the {self.hand} {' '.join(self.kept)}"
        if self.enough >= MEANT:
            return f"{text}, and the next hand beats the blind {how_often(self.enough)}"
        instead = f" instead of {number_text(self.now)} now" if self.now is not None else ""
        return f"{text}, and the next hand makes about {about(self.score)}{instead}"


@dataclass(frozen=True, slots=True)
class Makes(Claim):
    """What the next hand makes where no kind of hand is kept for."""

    score: float
    now: float | None
    enough: float
    deals: int = 0

    def __str__(self) -> str:
        instead = f" instead of {number_text(self.now)} now" if self.now is not None else ""
        text = f"the best next hand makes about {about(self.score)}{instead}"
        return f"{text}, which is enough {how_often(self.enough)}" if self.enough >= MEANT else text


@dataclass(frozen=True, slots=True)
class ThrownIn(Claim):
    """Cards of a play that add nothing to its score."""

    cards: tuple[str, ...]
    drawn: int

    def __str__(self) -> str:
        verbs = ("adds", "makes") if len(self.cards) == 1 else ("add", "make")
        new = counted(self.drawn, "new card")
        return f"{' '.join(self.cards)} {verbs[0]} nothing, and {verbs[1]} room for {new}"


@dataclass(frozen=True, slots=True)
class BossTakes(Claim):
    """What a play would score without the boss."""

    boss: str
    score: float
    without: float

    def __str__(self) -> str:
        return f"{self.boss} makes that {number_text(self.score)} instead of {number_text(self.without)}"


@dataclass(frozen=True, slots=True)
class BossPrice(Claim):
    """What a boss takes for a play or discard, beside its score."""

    boss: str
    dollars: int
    levels: tuple[str, ...]
    """Poker hands that lose a level."""

    def __str__(self) -> str:
        parts = [money_text(self.dollars)] * (self.dollars > 0) + [f"a level of {hand}" for hand in self.levels]
        return f"{self.boss} takes {' and '.join(parts)} for it"


@dataclass(frozen=True, slots=True)
class Unused(Claim):
    """What is paid for a hand and for a discard that are left over."""

    hand: int

    def __str__(self) -> str:
        return f"a discard left over pays nothing, a hand left over {money_text(self.hand)}"


@dataclass(frozen=True, slots=True)
class Debuffed(Claim):
    """Cards that a discard throws away and that the boss had made useless."""

    cards: int
    thrown: int
    boss: str

    def __str__(self) -> str:
        if self.cards == self.thrown > 1:
            return f"all {self.cards} cards it throws away do nothing in {self.boss}"
        verb = "does" if self.cards == 1 else "do"
        return f"{self.cards} of the {counted(self.thrown, 'card')} it throws away {verb} nothing in {self.boss}"


@dataclass(frozen=True, slots=True)
class Ordered(Claim):
    """What a better order brings."""

    what: str
    before: float
    after: float
    deals: int
    """0: the score is exact."""

    def __str__(self) -> str:
        before, after = (about(score, 3) if self.deals else number_text(score) for score in (self.before, self.after))
        if before == after:
            return f"the order changes nothing: {self.what} makes {after} either way"
        mean = f", the mean of {counted(self.deals, 'deal')}" if self.deals else ""
        return f"in the better order {self.what} makes {after} instead of {before}{mean}"


@dataclass(frozen=True, slots=True)
class Clears(Claim):
    """The chance to clear, against that of another action."""

    other: str
    points: float
    """More than the other has, in percentage points."""
    error: float
    """Standard error of the difference."""
    to_choice: bool
    """The other is what the agent would do."""
    ends: bool = False
    """The other beats the blind at once."""

    def __str__(self) -> str:
        equal = abs(self.points) <= max(self.error, MEANT)
        within = f" within {points_of(self.error)}" if abs(self.points) >= MEANT else ""
        if self.to_choice:
            if equal:
                return f"the same chance{within}"
            return f"clears {points_of(self.points)} {'more' if self.points > 0 else 'less'} often"
        if equal:
            at_once = ", which beats the blind at once" if self.ends else ""
            return f"the same chance{within} as {doing(self.other)}{at_once}"
        return f"{doing(self.other)} clears {points_of(self.points)} {'less' if self.points > 0 else 'more'} often"


@dataclass(frozen=True, slots=True)
class EndsWith(Claim):
    """What is otherwise once the blind is beaten, against beating it at once."""

    changes: tuple[tuple[str, str, str], ...]
    """What, how it ends, and how it would have ended."""

    def __str__(self) -> str:
        changes = (f"{name} at {one} instead of {other}" for name, one, other in self.changes)
        return f"the blind ends with {', '.join(changes)}"


@dataclass(frozen=True, slots=True)
class Leaves(Claim):
    """The chance is the same; the run after the blind is not."""

    percent: float
    """By how much the run is worth less after it, by the agent's value."""
    to_choice: bool
    """It is not what the agent would do."""

    def __str__(self) -> str:
        if abs(self.percent) < ALIKE:
            return f"all in all the two are worth the same, within {ALIKE:g} %"
        which = "it" if self.to_choice else "that"
        return f"{which} leaves a run worth {abs(self.percent):.1f} % {'less' if self.percent > 0 else 'more'}"


@dataclass(frozen=True, slots=True)
class TriedLess(Claim):
    """Why what shows more is not recommended."""

    other: str
    """Empty if it is what the reason is about."""
    deals: int
    of: int
    """In which the choice was tried."""

    def __str__(self) -> str:
        who = f"{doing(self.other)} " if self.other else ""
        met = f"was tried in only {about(self.deals)} of {about(self.of)} deals"
        return f"{who}shows more, but {met}, and was behind in them"
