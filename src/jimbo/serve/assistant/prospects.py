"""What an action would bring, as far as the rules alone can tell: the score of a play, the money left after a step."""

from __future__ import annotations

from dataclasses import dataclass

from jimbo.engine import Action, ActionKind, PublicState
from jimbo.text import Told, money_text, number_text, percent_text, tell

# Any fixed number: what is hidden is drawn from it, so that the same state always gives the same run.
_HIDDEN_FROM = 0


@dataclass(frozen=True, slots=True)
class Score:
    """What a play would score."""

    hand: str
    expected: float
    """Chance effects count with their mean."""
    least: float
    """Without any luck."""
    most: float
    """With all of it."""
    needed: float
    """What is missing to beat the blind."""
    guessed: bool
    """Something else lies face down, and so counts as one of the things it may be."""
    told: tuple[Told, ...]
    """The base, then what each card and joker adds to chips and mult, then the expected score."""

    @property
    def share(self) -> float:
        """The part of what is needed."""
        return self.expected / self.needed if self.needed > 0 else 1.0

    @property
    def verdict(self) -> str:
        """Whether it beats the blind."""
        if self.least >= self.needed:
            return "beats the blind"
        about, missing = "about " * self.guessed, number_text(self.needed - self.expected)
        if self.most < self.needed:
            return f"needs {about}{missing} more"
        return "beats the blind with luck" if self.expected < self.needed else "beats the blind unless luck fails"

    def __str__(self) -> str:
        about = "about " if self.guessed else ""
        luck = f", {number_text(self.least)} to {number_text(self.most)} by luck" if self.least != self.most else ""
        return f"{about}{number_text(self.expected)}, {percent_text(self.share)} of what is needed{luck}"


class Prospects:
    """What actions would bring in a state: tried on one run that looks like it, made once."""

    def __init__(self, state: PublicState) -> None:
        self.state = state
        self.run = state.imagine(_HIDDEN_FROM)

    def score(self, action: Action) -> Score | None:
        """Return the score of a play; None if it is refused, for cards that lie face down, and for other actions."""
        state = self.state
        if action.kind != ActionKind.play or state.refusal(action) is not None or self._touches_hidden(action):
            return None
        expected, least, most = (self.run.preview(action.cards, luck) for luck in ("expected", "none", "all"))
        return Score(
            hand=expected.hand,
            expected=expected.score,
            least=least.score,
            most=most.score,
            needed=max(0.0, state.blind.target - state.chips),
            guessed=any(card.face_down for card in state.hand) or any(joker.face_down for joker in state.jokers),
            told=tuple(line for line in tell(expected.events, state) if line.totals),
        )

    def money(self, action: Action) -> int | None:
        """Return the money that a step leaves; None where it changes nothing, or nobody can tell.

        A play's money may depend on luck, and what the blind pays comes later.
        """
        if action.kind == ActionKind.play or self._touches_hidden(action) or self.run.refusal(action) is not None:
            return None
        after = self.run.clone()
        after.step(action)
        return after.dollars if after.dollars != self.state.dollars else None

    def _touches_hidden(self, action: Action) -> bool:
        """Nobody knows what a card that lies face down would do, or what a joker brings that does."""
        sold = action.kind == ActionKind.sell_joker and self.state.jokers[action.index].face_down
        return sold or any(self.state.hand[place].face_down for place in action.cards)


def money_words(money: int, state: PublicState) -> str:
    """``leaves $3 (-$6)``."""
    change = money - state.dollars
    return f"leaves {money_text(money)} ({'+' if change > 0 else ''}{money_text(change)})"
