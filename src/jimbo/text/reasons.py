"""Reasons in a player's words: each class is one claim with the numbers that it makes, and ``str`` says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jimbo.text.numbers import counted, money_text, number_text

_SURE = 0.995
_MEANT = 0.05
"""Points of a chance that are worth a word."""


def _percent(share: float) -> str:
    """In whole numbers, as these shares come from some hundred deals; neither 0 nor 100."""
    return f"{min(99, max(1, round(100 * share)))} %"


def _in(share: float) -> str:
    """How often something sampled comes: no sample makes sure of anything."""
    if share >= _SURE:
        return "nearly always"
    return "almost never" if share <= 1 - _SURE else f"in {_percent(share)}"


def _points(points: float) -> str:
    if abs(points) < _MEANT:
        return "less than 0.1 points"
    return f"{abs(points):.1f} points"


def _about(score: float, digits: int = 2) -> str:
    """A sampled score."""
    return number_text(float(f"{score:.{digits}g}")) if score < 1e11 else number_text(score)


_DOING = {"use": "using", "take": "taking", "move": "moving", "leave": "leaving", "skip": "skipping"}


def doing(words: str) -> str:
    """``play 9♠ 9♣`` as ``playing 9♠ 9♣``."""
    verb, _, rest = words.partition(" ")
    return f"{_DOING.get(verb, f'{verb}ing')} {rest}".rstrip()


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that is true of an action, and can be worked out again."""


# --- In a blind -------------------------------------------------------------------------------------------------------


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
        made = f"{number_text(self.score)} of the {number_text(self.needed)} needed"
        text = f"beats the blind: {made}" if self.score >= self.needed else f"Mr. Bones saves the run at {made}"
        left = [counted(self.hands, "hand")] * (self.hands > 0) + [counted(self.discards, "discard")] * (
            self.discards > 0
        )
        if not self.dollars or not left:
            return text
        return f"{text}, and {' and '.join(left)} left pay {money_text(self.dollars)}"


@dataclass(frozen=True, slots=True)
class ByLuck(Claim):
    """A play ends the blind if luck helps."""

    share: float
    least: float
    most: float
    needed: float

    def __str__(self) -> str:
        scores = f"{number_text(self.least)} to {number_text(self.most)} of the {number_text(self.needed)} needed"
        return f"beats the blind with luck, {_in(self.share)}: {scores}"


@dataclass(frozen=True, slots=True)
class FallsShort(Claim):
    """A play that does not end the blind."""

    score: float
    needed: float
    hands: int
    """Left after it."""

    def __str__(self) -> str:
        scored, left = number_text(self.score), number_text(self.needed - self.score)
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

    def __str__(self) -> str:
        kept = f"keeps {' '.join(self.kept)}" if self.kept else "draws new cards"
        if self.share >= _SURE:
            text = f"{kept}: {self.hand} is there already" if self.now is None else f"{kept}: {self.hand} stays"
        else:
            text = f"{kept}: {self.hand} or better comes {_in(self.share)}"
        if self.enough >= _MEANT:
            return f"{text}, and the next hand beats the blind {_in(self.enough)}"
        instead = f" instead of {number_text(self.now)} now" if self.now is not None else ""
        return f"{text}, and the next hand makes about {_about(self.score)}{instead}"


@dataclass(frozen=True, slots=True)
class Makes(Claim):
    """What the next hand makes where no kind of hand is kept for."""

    score: float
    now: float | None
    enough: float

    def __str__(self) -> str:
        instead = f" instead of {number_text(self.now)} now" if self.now is not None else ""
        text = f"the best next hand makes about {_about(self.score)}{instead}"
        return f"{text}, enough {_in(self.enough)}" if self.enough >= _MEANT else text


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
class Debuffed(Claim):
    """Cards that a discard throws away and that the boss had made useless."""

    cards: int
    thrown: int
    boss: str

    def __str__(self) -> str:
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
        before, after = (_about(score, 3) if self.deals else number_text(score) for score in (self.before, self.after))
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

    def __str__(self) -> str:
        equal = abs(self.points) <= max(self.error, _MEANT)
        within = f" within {_points(self.error)}" if abs(self.points) >= _MEANT else ""
        if self.to_choice:
            if equal:
                return f"the same chance{within}"
            return f"clears {_points(self.points)} {'more' if self.points > 0 else 'less'} often"
        if equal:
            return f"the same chance{within} as {doing(self.other)}"
        return f"{doing(self.other)} clears {_points(self.points)} {'less' if self.points > 0 else 'more'} often"


@dataclass(frozen=True, slots=True)
class EndsWith(Claim):
    """What is otherwise once the blind is beaten, against beating it at once."""

    changes: tuple[tuple[str, str, str], ...]
    """What, how it ends, and how it would have ended."""

    def __str__(self) -> str:
        (what, mine, others), *more = self.changes
        rest = "".join(f", {name} at {one} instead of {other}" for name, one, other in more)
        return f"{what} ends the blind at {mine} instead of {others}{rest}"


@dataclass(frozen=True, slots=True)
class Leaves(Claim):
    """The chance is the same; the run after the blind is not."""

    percent: float
    """By how much the run is worth less after it, by the agent's value."""

    def __str__(self) -> str:
        return f"the run after it is worth {abs(self.percent):.1f} % {'less' if self.percent > 0 else 'more'}"


@dataclass(frozen=True, slots=True)
class TriedLess(Claim):
    """Why what shows more is not recommended."""

    other: str

    def __str__(self) -> str:
        return f"{doing(self.other)} shows more, but was tried in too few deals to be trusted"


# --- Between blinds ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Against(Claim):
    """What all hands of a blind make together, and how often it is beaten, with and without an action."""

    blind: str
    target: float
    before: float
    after: float
    beaten_before: float
    beaten: float
    told_apart: bool
    """The shares differ by more than their error."""

    def __str__(self) -> str:
        text = f"against {self.blind} ({number_text(self.target)} needed) all hands make about {_about(self.after)}"
        if _about(self.before) != _about(self.after):
            text += f" instead of {_about(self.before)}"
        now, then = _in(self.beaten), _in(self.beaten_before)
        if self.told_apart and now != then:
            return f"{text}, and beat it {now} instead of {then}"
        return f"{text}, and beat it {now} either way"


@dataclass(frozen=True, slots=True)
class AsItStands(Claim):
    """How often a blind is beaten if nothing is bought before it."""

    blind: str
    target: float
    score: float
    beaten: float
    comes_next: bool

    def __str__(self) -> str:
        where = "" if self.comes_next else ", if it came now,"
        made = f"is beaten {_in(self.beaten)}, and all hands make about {_about(self.score)}"
        return f"{self.blind} ({number_text(self.target)} needed){where} {made}"


@dataclass(frozen=True, slots=True)
class Grows(Claim):
    """What an action multiplies scores by in the next blind, and some blinds later."""

    now: float
    later: float
    blinds: int

    def __str__(self) -> str:
        now = "leaves scores as they are" if self.now == 1 else f"multiplies scores by {self.now:.2g}"
        return f"{now} in the next blind, and multiplies them by {self.later:.2g} after {self.blinds} more"


@dataclass(frozen=True, slots=True)
class Together(Claim):
    """What an action multiplies scores by, with something that is owned and without it."""

    partner: str
    together: float
    alone: float

    def __str__(self) -> str:
        return f"with {self.partner} it multiplies scores by {self.together:.2g}, without by {self.alone:.2g}"


@dataclass(frozen=True, slots=True)
class Earns(Claim):
    """What it earns of itself over the next blinds, its price aside."""

    dollars: float
    blinds: int
    rental: bool = False

    def __str__(self) -> str:
        verb = "earns" if self.dollars > 0 else "costs"
        rent = "; it is rented" if self.rental and self.dollars < 0 else ""
        return (
            f"{verb} about {money_text(round(abs(self.dollars)))} over the next {counted(self.blinds, 'blind')}{rent}"
        )


@dataclass(frozen=True, slots=True)
class Price(Claim):
    """What something is worth in itself, and what its price takes, in points of the chance to win."""

    what: str
    """``having it`` or the like."""
    dollars: int
    """Below 0 where they are paid to the player."""
    interest: int
    """That the price costs over the next blinds."""
    blinds: int
    itself: float
    """What having it adds, or being without it."""
    money: float
    """What the price adds, below 0 where it takes something."""

    def __str__(self) -> str:
        itself = f"{self.what} {'adds' if self.itself > 0 else 'costs'} {_points(self.itself)}"
        price = f"its {money_text(abs(self.dollars))}"
        if self.interest and self.dollars * self.interest > 0:
            price += f" and {money_text(abs(self.interest))} of interest over {counted(self.blinds, 'blind')}"
        return f"{itself}, {price} {'cost' if self.money < 0 else 'add'} {_points(self.money)}"


@dataclass(frozen=True, slots=True)
class Promises(Claim):
    """Neither score nor money of the next blinds change."""

    blinds: int
    points: float

    def __str__(self) -> str:
        text = f"changes neither score nor money of the next {counted(self.blinds, 'blind')} as the run stands"
        if self.points < _MEANT:
            return text
        return f"{text}; the {_points(self.points)} are for what it can become"


@dataclass(frozen=True, slots=True)
class Must(Claim):
    """What something hidden costs, and what it brings in the mean."""

    what: str
    dollars: int
    money: float
    brings: float

    def __str__(self) -> str:
        brings = f"{_points(self.brings)} on average" if self.brings >= _MEANT else "nothing on average"
        if not self.dollars:
            return f"{self.what} brings {brings}"
        only = "only " if _MEANT <= self.brings < -self.money else ""
        return f"its {money_text(self.dollars)} take {_points(self.money)}, and {self.what} brings {only}{brings}"


@dataclass(frozen=True, slots=True)
class Changes(Claim):
    """What is otherwise after it."""

    what: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.what}: {self.after} instead of {self.before}"


@dataclass(frozen=True, slots=True)
class Turns(Claim):
    """Cards that become others."""

    cards: tuple[str, ...]
    into: tuple[str, ...]

    def __str__(self) -> str:
        verb = "becomes" if len(self.cards) == 1 else "become"
        return f"{', '.join(self.cards)} {verb} {', '.join(self.into)}"


@dataclass(frozen=True, slots=True)
class JokerSlot(Claim):
    """Room for jokers that it takes or makes."""

    free: int
    """After it."""

    def __str__(self) -> str:
        return "makes room for a joker" if self.free > 0 else "takes the last free joker slot"


@dataclass(frozen=True, slots=True)
class Rejected(Claim):
    """Why not the best of what else could be done."""

    words: str
    points: float
    dollars: int
    money: float

    def __str__(self) -> str:
        loses = "would gain nothing" if self.points > -_MEANT else f"would cost {_points(self.points)}"
        text = f"the best other step, {self.words}, {loses}"
        return (
            f"{text}: its {money_text(self.dollars)} alone take {_points(self.money)}" if self.money < -_MEANT else text
        )


@dataclass(frozen=True, slots=True)
class Forgoes(Claim):
    """What skipping a blind gives away."""

    blind: str
    dollars: int
    points: float

    def __str__(self) -> str:
        effect = "costs" if self.points < 0 else "gains"
        return (
            f"skipping gives up {money_text(self.dollars)} and the shop after {self.blind} and {effect} "
            f"{_points(self.points)}"
        )


@dataclass(frozen=True, slots=True)
class Missing(Claim):
    """What the build lacks."""

    what: str

    def __str__(self) -> str:
        return f"still missing: {self.what}"


@dataclass(frozen=True, slots=True)
class Behind(Claim):
    """The chance to win against the agent's choice."""

    points: float

    def __str__(self) -> str:
        if abs(self.points) < _MEANT:
            return "as good as the choice"
        return f"{_points(self.points)} {'behind' if self.points < 0 else 'ahead of'} the choice"


@dataclass(frozen=True, slots=True)
class Sooner(Claim):
    """Why what shows a higher chance to win is not recommended."""

    other: str
    points: float

    def __str__(self) -> str:
        return f"{doing(self.other)} shows {_points(self.points)} more, but is less sure to get through the next antes"


@dataclass(frozen=True, slots=True)
class Adds(Claim):
    """The fallback: only the sum is known."""

    points: float

    def __str__(self) -> str:
        if abs(self.points) < _MEANT:
            return "changes the chance to win by less than 0.1 points"
        return f"{'raises' if self.points > 0 else 'lowers'} the chance to win by {_points(self.points)}"


@dataclass(frozen=True, slots=True)
class Only(Claim):
    """Nothing else can be done."""

    def __str__(self) -> str:
        return "nothing else can be done here"


class Though(list[Claim]):
    """Claims that speak against what the sentence before says."""


def sentences(*groups: Sequence[Claim]) -> str:
    """A sentence for each group of claims that is not empty."""
    told = [("but " if isinstance(group, Though) else "") + "; ".join(map(str, group)) for group in groups if group]
    return " ".join(f"{text[0].upper()}{text[1:]}." for text in told)
