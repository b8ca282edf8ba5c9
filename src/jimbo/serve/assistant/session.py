"""A game with an agent at one's side: it suggests, the player accepts, refuses or does something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from jimbo.agents import Agent
from jimbo.data.record import Decision
from jimbo.engine import Action, PublicState
from jimbo.rollout.loop import MAX_STEPS, Moment
from jimbo.serve.assistant.advice import Advice, Adviser, Suggestion, unconsidered
from jimbo.serve.assistant.lesson import Comparison, LessonLog
from jimbo.serve.game import BadInput, RunInPlay, check, told
from jimbo.text import Told, action_words, counted

OWN_CHOICE = "the player's own choice"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log."""

    by: Literal["agent", "player"]
    """Whose choice it was."""
    words: str
    told: tuple[Told, ...] = ()
    """The result."""
    compared: Comparison | None = None
    """With what the agent would have done, in a lesson."""


class Session:
    """Suggestions for a game, step by step."""

    def __init__(
        self, game: RunInPlay, agent: Agent, *, topk: int = 3, nonce: int = 0, lesson: LessonLog | None = None
    ) -> None:
        """With a ``lesson`` the player chooses first, and each choice is compared with the agent's."""
        self.game = game
        self.lesson = lesson
        self.adviser = Adviser(agent, nonce)
        self.topk = topk
        self.log: list[LogLine] = []
        self.advice: Advice | None = None
        """For the present state; None until the agent has been asked."""
        self.follows = False
        """The last step was the agent's own choice."""
        self._refused: list[Action] = []

    @property
    def state(self) -> PublicState:
        return self.game.state

    @property
    def ended(self) -> bool:
        """The run is won or lost."""
        return self.state.over or self.state.won

    # --- Asking -------------------------------------------------------------------------------------------------------

    def ask(self) -> Advice:
        """Return the advice for the present state; the agent is asked once."""
        if self.advice is None:
            self.advice = self.adviser.advise(self.state, follows=self.follows, step=self.game.steps + 1)
        return self.advice

    def receive(self, advice: Advice) -> None:
        """Take advice for the present state that was asked for elsewhere, such as in another thread."""
        self.advice = advice

    def suggestions(self) -> tuple[Suggestion, ...]:
        """Return the best that were not refused, at most ``topk``. When all that the agent considered has been refused,
        these are other possible actions, without its opinion."""
        advice = self.ask()
        left = [one for one in advice.suggestions if one.action not in self._refused]
        if not left and not self.state.over:
            known = {*self._refused, *(one.action for one in advice.suggestions)}
            left = list(islice(unconsidered(self.state, known), self.topk))
        return tuple(left[: self.topk])

    def refuse(self, place: int = 0) -> None:
        """Take a suggestion away; the next best takes its place. BadInput if nothing else could be done."""
        self._check_no_lesson()
        one = self._suggestion(place)
        self._refused.append(one.action)
        if not self.suggestions():
            self._refused.pop()
            raise BadInput("There is nothing else to do here.")

    def _suggestion(self, place: int) -> Suggestion:
        listed = self.suggestions()
        if not 0 <= place < len(listed):
            raise BadInput(_no_such(place, listed, self.state))
        return listed[place]

    def _check_no_lesson(self) -> None:
        if self.lesson and not self.state.over:
            raise BadInput("In a lesson you choose first: type what to do, such as p 1 2 3. ? lists all of it.")

    # --- Acting -------------------------------------------------------------------------------------------------------

    def accept(self, place: int = 0) -> Moment:
        """Carry out a suggestion."""
        self._check_no_lesson()
        one, seconds = self._suggestion(place), self.ask().processor_seconds
        return self._take(self._decision(one.action), "agent", seconds if one.chosen else 0.0)

    def play(self, action: Action) -> Moment:
        """Do something else, or what the agent would do. BadInput if the rules forbid it."""
        if not self.lesson:
            return self._take(self._decision(action), "player")
        check(action, self.state)
        compared = self.lesson.compare(self.ask(), action)
        return self._take(self._decision(action), "player", compared=compared)

    def autoplay(self, max_steps: int = MAX_STEPS) -> Iterator[Moment]:
        """Do what the agent would do until the run is won or lost."""
        while not self.ended and self.game.steps < max_steps:
            yield self.accept()

    def undo(self, times: int = 1) -> int:
        """Take back what was done last: refusals of this state, then steps. Return how many."""
        kept = max(0, len(self._refused) - times)
        taken_back, self._refused = len(self._refused) - kept, self._refused[:kept]
        if taken_back == times:
            return times
        try:
            undone = self.game.undo(times - taken_back)
        except BadInput:
            if taken_back:
                return taken_back
            raise
        self.log.append(LogLine("player", f"undo {counted(undone, 'step')}"))
        self._moved(follows=False)
        return taken_back + undone

    def take_up(self, state: PublicState) -> None:
        """Continue from a state that somebody else has reached."""
        self.game.take_up(state)
        self._moved(follows=False)

    def _decision(self, action: Action) -> Decision:
        """The agent's own, or one with what it considered, so that a record has what was refused."""
        decision = self.advice.decision if self.advice else None
        if decision is None:
            return Decision(action, explanation=OWN_CHOICE)
        if decision.action == action:
            return decision
        considered = tuple(replace(one, chosen=one.action == action) for one in decision.considered)
        return replace(decision, action=action, considered=considered, explanation=OWN_CHOICE)

    def _take(
        self,
        decision: Decision,
        by: Literal["agent", "player"],
        processor_seconds: float = 0.0,
        compared: Comparison | None = None,
    ) -> Moment:
        moment = self.game.take(decision, processor_seconds)
        self.log.append(LogLine(by, action_words(decision.action, moment.before), tuple(told(moment)), compared))
        own = self.advice.decision if self.advice else None
        self._moved(follows=own is not None and own.action == decision.action)
        return moment

    def _moved(self, *, follows: bool) -> None:
        self.advice, self.follows = None, follows
        self._refused = []


def _no_such(place: int, listed: Sequence[Suggestion], state: PublicState) -> str:
    if state.over:
        return "The run is over; nothing can be done."
    return f"There is no suggestion {place + 1}; there {'is' if len(listed) == 1 else 'are'} {len(listed)}."
