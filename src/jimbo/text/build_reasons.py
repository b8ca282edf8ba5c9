"""Claims about what is done between hands: bought, taken, used, sold or left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jimbo.text.numbers import counted, money_text, number_text
from jimbo.text.reasons import MEANT, OF_THE_TIME, Claim, about, doing, how_often, points_of

USING = "using it"
_OFTEN, _SELDOM = 0.6, 0.4


def told_by_score(score: float, target: float, beaten: float) -> bool:
    """Whether a typical score agrees with the chance: it is played quickly, and does not know what saves a run."""
    return beaten <= _OFTEN if score < target else beaten >= _SELDOM


def _beaten(saved: bool) -> str:
    return "survived" if saved else "beaten"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


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
    target_before: float
    """Without the action: some change the ante."""
    saved: bool = False
    """Mr. Bones would save the run: some blinds are survived and not beaten."""

    def __str__(self) -> str:
        needed = f"{number_text(self.target)} needed"
        if self.target != self.target_before:
            needed += f" instead of {number_text(self.target_before)}"
        now, then = how_often(self.beaten), how_often(self.beaten_before)
        if now.endswith(OF_THE_TIME):
            then = then.removesuffix(OF_THE_TIME)
        often = f"{now} instead of {then}" if self.told_apart and now != then else f"{now} either way"
        if not told_by_score(self.after, self.target, self.beaten):
            return f"{self.blind} ({needed}) is {_beaten(self.saved)} {often}"
        text = f"against {self.blind} ({needed}) all hands together make about {about(self.after)}"
        if about(self.before) != about(self.after):
            text += f" instead of {about(self.before)}"
        return f"{text}; it is survived {often}" if self.saved else f"{text}, and beat it {often}"


@dataclass(frozen=True, slots=True)
class AsItStands(Claim):
    """How often a blind is beaten if nothing is bought before it."""

    blind: str
    target: float
    score: float
    beaten: float
    comes_next: bool
    saved: bool = False
    """Mr. Bones would save the run: some blinds are survived and not beaten."""

    def __str__(self) -> str:
        often = how_often(self.beaten)
        way = _beaten(self.saved)
        made = f"is {way} {often}" if self.comes_next else f"would be {way} {often} if it came now"
        text = f"{self.blind} ({number_text(self.target)} needed) {made}"
        if not told_by_score(self.score, self.target, self.beaten):
            return text
        return f"{text}; all hands together make about {about(self.score)}"


@dataclass(frozen=True, slots=True)
class Grows(Claim):
    """What an action multiplies scores by in the next blind, and some blinds later."""

    now: float
    later: float
    blinds: int

    def __str__(self) -> str:
        later = f"by {self.later:.2g} after {self.blinds} more"
        if f"{self.now:.2g}" == "1":
            return f"leaves scores unchanged in the next blind, and multiplies them {later}"
        return f"multiplies scores by {self.now:.2g} in the next blind, and {later}"


@dataclass(frozen=True, slots=True)
class Together(Claim):
    """What an action multiplies scores by, with something that is owned and without it."""

    partner: str
    together: float
    alone: float

    def __str__(self) -> str:
        alone = f"by {self.alone:.2g}" if f"{self.alone:.2g}" != "1" else "not at all"
        return f"together with {self.partner} it multiplies scores by {self.together:.2g}, without {alone}"


@dataclass(frozen=True, slots=True)
class WorksWith(Claim):
    """What games have shown of a new joker and one that is owned."""

    partner: str
    strength: float
    """In doublings of the odds of winning, beyond the typical pair of jokers."""
    stake: str
    deck: str

    def __str__(self) -> str:
        deck = f" in a deck with many {self.deck}" if self.deck else ""
        more = f"{100 * (2**self.strength - 1):.0f} %"
        return (
            f"works with {self.partner}{deck}: "
            f"at {self.stake} they raise the odds of winning {more} more than most pairs"
        )


@dataclass(frozen=True, slots=True)
class Earns(Claim):
    """What it earns of itself over the next blinds, its price aside."""

    dollars: float
    blinds: int
    rental: bool = False
    """What is bought or sold is rented."""

    def __str__(self) -> str:
        verb = ("saves" if self.rental else "earns") if self.dollars > 0 else "costs"
        rent = ", as it is rented" if self.rental else ""
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
        if self.dollars < 0 and self.what == USING:
            worth = self.itself + self.money
            if abs(worth) < MEANT:
                return f"pays {money_text(-self.dollars)}, which changes the chance to win by less than 0.1 points"
            return f"pays {money_text(-self.dollars)}, and {'adds' if worth > 0 else 'costs'} {points_of(worth)} in all"
        itself = f"{self.what} {'adds' if self.itself > 0 else 'costs'} {points_of(self.itself)}"
        money = _money_words(self.dollars, self.interest, self.blinds)
        verb = "cost" if (self.dollars > 0 if abs(self.money) < MEANT else self.money < 0) else "add"
        if abs(self.dollars) == 1 and "and" not in money:
            verb += "s"
        return f"{itself}, and {money} {verb} {points_of(self.money)}"


@dataclass(frozen=True, slots=True)
class Split(Claim):
    """What a step adds to the chance to win, in parts that make up the whole."""

    points: float
    parts: tuple[tuple[str, float], ...]
    """Their names and points, the largest first."""
    dollars: int
    """The price, below 0 where it is paid to the player."""
    interest: int
    blinds: int
    money: float
    """What the price adds, below 0 where it takes something."""
    rest: float
    """What is left: parts that are too small or not sure."""

    @property
    def tells_rent(self) -> bool:
        return any("rental" in what for what, _ in self.parts)

    def __str__(self) -> str:
        parts = [*self.parts]
        if self.dollars:
            parts.append((_money_words(self.dollars, self.interest, self.blinds), self.money))
        told = ", ".join(f"{what} {worth:+.1f}" for what, worth in [*parts, ("the rest", self.rest)] if _shown(worth))
        if abs(self.points) < MEANT:
            return f"adds less than 0.1 points in all: {told}"
        return f"{'adds' if self.points > 0 else 'costs'} {points_of(self.points)}: {told}"


def _shown(worth: float) -> bool:
    return abs(worth) >= MEANT


def _money_words(dollars: int, interest: int, blinds: int) -> str:
    """What a price is, with the interest that it costs or brings over the next blinds."""
    price = f"its {money_text(dollars)}" if dollars > 0 else f"the {money_text(-dollars)} it brings"
    if dollars * interest <= 0:
        return price
    return f"{price} and {money_text(abs(interest))} of interest over {counted(blinds, 'blind')}"


@dataclass(frozen=True, slots=True)
class Promises(Claim):
    """Neither score nor money of the next blinds change."""

    blinds: int
    points: float

    def __str__(self) -> str:
        text = f"changes neither scores nor money in the next {counted(self.blinds, 'blind')} as the run stands"
        if self.points < MEANT:
            return text
        return f"{text}; its {points_of(self.points)} are for what it may bring later"


@dataclass(frozen=True, slots=True)
class Must(Claim):
    """What something hidden costs, and what it brings in the mean."""

    what: str
    dollars: int
    money: float
    brings: float

    def __str__(self) -> str:
        verb = "loses" if self.brings <= -MEANT else "brings"
        if self.slight:
            price = f"costs {money_text(self.dollars)}, and " if self.dollars else ""
            return f"{price}{self.what} {verb} {points_of(self.brings)} on average"
        if not self.dollars:
            return f"{self.what} {verb} {points_of(self.brings)} on average"
        brings = points_of(self.brings)
        if self.brings >= MEANT and brings == points_of(self.money):
            brings = "as much"
        elif MEANT <= self.brings < -self.money:
            brings = f"only {brings}"
        return (
            f"its {money_text(self.dollars)} cost {points_of(self.money)}, and {self.what} {verb} {brings} on average"
        )

    @property
    def slight(self) -> bool:
        """Neither is worth a word."""
        return max(abs(self.money), abs(self.brings)) < MEANT


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
        return f"{_listed(self.cards)} {verb} {_listed(self.into)}"


@dataclass(frozen=True, slots=True)
class Room(Claim):
    """Room that it takes or makes."""

    what: str
    """``joker`` or ``consumable``."""
    free: int
    """After it."""
    points: float = 0.0
    """Of the chance to win that the free slot adds, or that one slot more would add."""

    def __str__(self) -> str:
        told = points_of(self.points) if self.points >= MEANT else ""
        if self.free > 0:
            return f"makes room for a {self.what}" + (f", worth {told}" if told else "")
        return f"takes the last free {self.what} slot" + (f", and another would be worth {told}" if told else "")


@dataclass(frozen=True, slots=True)
class Rejected(Claim):
    """Why not the best of what else could be done."""

    words: str
    points: float
    dollars: int
    money: float

    def __str__(self) -> str:
        loses = "would gain nothing" if self.points > -MEANT else f"would cost {points_of(self.points)}"
        text = f"the best other step, {doing(self.words)}, {loses}"
        if self.money > -MEANT:
            return text
        return f"{text}: its {money_text(self.dollars)} alone cost {points_of(self.money)}"


@dataclass(frozen=True, slots=True)
class Forgoes(Claim):
    """What skipping a blind gives away."""

    blind: str
    tag: str
    earned: int
    """At once, with the tag."""
    dollars: int
    points: float

    def __str__(self) -> str:
        at_once = f" and {money_text(self.earned)}" if self.earned > 0 else ""
        reward = f"{money_text(self.dollars)} and " if self.dollars else ""
        effect = "costs" if self.points < 0 else "gains"
        return (
            f"skipping brings the {self.tag}{at_once}, gives up {reward}the shop after {self.blind}, and {effect} "
            f"{points_of(self.points)} in all"
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
        if abs(self.points) < MEANT:
            return "as good as the choice"
        return f"{points_of(self.points)} {'behind' if self.points < 0 else 'ahead of'} the choice"


@dataclass(frozen=True, slots=True)
class Sooner(Claim):
    """Why what shows a higher chance to win is not recommended."""

    other: str
    points: float
    less_sure: bool
    """To get through the next antes, looked at again for longer; otherwise the two cannot be told apart."""

    def __str__(self) -> str:
        text = f"{doing(self.other)} shows {points_of(self.points)} more"
        if self.less_sure:
            return f"{text}, but is less sure to get through the next antes"
        return f"{text}, which is too little to tell the two apart"
