"""What an agent would do in a state, as suggestions that people can weigh against each other, and as JSON."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from jimbo.agents import Agent
from jimbo.data.action_json import action_to_json
from jimbo.data.record import Considered, Decision
from jimbo.engine import Action, IllegalAction, Phase, PublicState, candidates
from jimbo.files import finite
from jimbo.rollout.loop import AgentFailed
from jimbo.serve.assistant.prospects import Prospects, Score, money_words
from jimbo.serve.assistant.reasons import THEN, Reasoner
from jimbo.text import MEASURES, Told, action_words, chance_text, place_name, refusal_words, value_text
from jimbo.text.reasons import Claim

ADVICE_SCHEMA = "advice_v1"
WAITS_FOR = {
    Phase.blind_select: "a blind to be played or skipped",
    Phase.selecting_hand: "cards to be played or discarded",
    Phase.round_eval: "the cash-out",
    Phase.shop: "something to be bought or sold, or the shop to be left",
    Phase.pack_opening: "a card to be taken from the pack, or the rest to be skipped",
    Phase.game_over: "nothing: the run is over",
}
"""What the game waits for in each phase."""

_LESS: dict[str, str] = {
    "score": "is expected to score less",
    "clear": "has less of a chance to clear, or leaves less",
    "win": "adds less to the chance to win",
    "choice": "is less likely to be chosen",
    "value": "is worth less to the agent",
}
"""Why something was not chosen, by the measure of the decision, where the agent says nothing itself."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something to do now, and what speaks for it."""

    action: Action
    words: str
    then: str = ""
    """What the agent does it for, where the action only prepares it."""
    value: float | None = None
    """What the agent compares by; None for what it did not consider."""
    value_text: str = ""
    probability: float | None = None
    """How likely the agent would choose it, where it chooses by chance."""
    clear: float | None = None
    """The chance to clear the blind in play, where the agent has one."""
    clear_error: float | None = None
    score: Score | None = None
    """The score of a play, or of the play that the action prepares."""
    money: int | None = None
    """What is left after it, where it changes."""
    expected: str = ""
    """What is to be expected of it, in words."""
    reason: str = ""
    claims: tuple[Claim, ...] = ()
    """What the reason says, where it was computed."""
    chosen: bool = False
    """It is what the agent would do."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What an agent says of a state."""

    agent: str
    state: PublicState
    decision: Decision | None
    """None where there is nothing to decide."""
    suggestions: tuple[Suggestion, ...]
    """The agent's choice, then what else it considered and is allowed, best first."""
    processor_seconds: float = 0.0

    @property
    def win(self) -> float | None:
        """The chance to win the run as things stand, where the agent has one."""
        return self.decision.win if self.decision else None

    @property
    def measure(self) -> str:
        """What the agent's values are."""
        return self.decision.measure if self.decision else "value"

    @property
    def waits_for(self) -> str:
        return WAITS_FOR[self.state.phase]


class Adviser:
    """Asks an agent. All chance that it uses comes from the nonce."""

    def __init__(self, agent: Agent, nonce: int = 0) -> None:
        self.name = agent.name
        self._agent = agent
        self._nonce = nonce

    def advise(self, state: PublicState, *, follows: bool = False, step: int = 1) -> Advice:
        """Ask for advice; AgentFailed with the number of the step if the agent raises anything, or chooses what is not
        allowed. ``follows``: the last step was the agent's own choice, so that it may continue a plan."""
        if state.over:
            return Advice(self.name, state, None, ())
        decision, seconds = self.decide(state, follows=follows, step=step)
        return Advice(self.name, state, decision, tuple(suggestions_of(decision, state)), seconds)

    def decide(self, state: PublicState, *, follows: bool = False, step: int = 1) -> tuple[Decision, float]:
        """Ask for the decision alone, as ``advise`` does; with the seconds of processor time that it took."""
        began = time.process_time()
        try:
            if not follows:
                self._agent.reset(self._nonce)
            decision = self._agent.act(state)
        except Exception as error:
            raise AgentFailed(self.name, step, error, time.process_time() - began) from error
        seconds = time.process_time() - began
        if refusal := state.refusal(decision.action):
            illegal = IllegalAction(refusal_words(decision.action, refusal, state))
            raise AgentFailed(self.name, step, illegal, seconds)
        return decision, seconds


def unconsidered(state: PublicState, known: set[Action]) -> Iterator[Suggestion]:
    """Suggest what else could be done, as the engine lists it: best plays first, then discards, then all others."""
    prospects = Prospects(state)
    for action in candidates(prospects.run).actions:
        if action not in known:
            score, money = prospects.score(action), prospects.money(action)
            yield Suggestion(
                action,
                action_words(action, state),
                score=score,
                money=money,
                expected=_expected(score, money, "", state),
                reason="the agent has not considered it",
            )


def suggestions_of(decision: Decision, state: PublicState) -> Iterator[Suggestion]:
    """Suggest the agent's choice, then what else it considered."""
    prospects, chosen = Prospects(state), chosen_of(decision)
    reasoner = Reasoner(prospects, decision, chosen)
    yield _suggestion(decision, decision.action, chosen, prospects, reasoner)
    known = {decision.action} | ({chosen.action} if chosen else set())
    for considered in decision.considered:
        if considered.action not in known and state.refusal(considered.action) is None:
            known.add(considered.action)
            yield _suggestion(decision, considered.action, considered, prospects, reasoner)


def opinion(advice: Advice, action: Action) -> Suggestion:
    """What is to be said of an action that is allowed, whether the agent has considered it or not."""
    known = next((one for one in advice.suggestions if one.action == action), None)
    decision = advice.decision
    if known or decision is None:
        return known or Suggestion(action, action_words(action, advice.state))
    prospects = Prospects(advice.state)
    reasoner = Reasoner(prospects, decision, chosen_of(decision))
    considered = next((one for one in decision.considered if one.action == action), None)
    why = reasoner.reason(action, considered, is_choice=False)
    return replace(_suggestion(decision, action, considered, prospects, reasoner), reason=why.text, claims=why.claims)


def chosen_of(decision: Decision) -> Considered | None:
    """Return what a decision chose. An agent may let its action alone say which."""
    flagged = (considered for considered in decision.considered if considered.chosen)
    equal = (considered for considered in decision.considered if considered.action == decision.action)
    return next(flagged, None) or next(equal, None)


def _suggestion(
    decision: Decision, action: Action, considered: Considered | None, prospects: Prospects, reasoner: Reasoner
) -> Suggestion:
    state, measured = prospects.state, ""
    value = considered.value if considered else None
    if value is not None:
        measured = value_text(value, decision.measure, [one.value for one in decision.considered])
    prepares = considered.action if considered and considered.action != action else None
    score, money = prospects.score(prepares or action), prospects.money(action)
    chosen = action == decision.action
    why = reasoner.reason(action, considered, is_choice=chosen)
    return Suggestion(
        action=action,
        words=action_words(action, state),
        then=_then(prepares, considered, state),
        value=value,
        value_text=measured,
        probability=value if decision.measure == "choice" else None,
        clear=considered.clear if considered else None,
        clear_error=considered.error if considered else None,
        score=score,
        money=money,
        expected=_expected(score, money, _measured(measured, considered, decision), state),
        reason=why.text or _reason(decision, considered, chosen=chosen),
        claims=why.claims,
        chosen=chosen,
    )


def _then(prepares: Action | None, considered: Considered | None, state: PublicState) -> str:
    if prepares:
        return f"{THEN}{action_words(prepares, state)}"
    return considered.text if considered and considered.text.startswith(THEN) else ""


def _measured(measured: str, considered: Considered | None, decision: Decision) -> str:
    """Say what the agent's value means; values of its own mean nothing to others, and a score is exact elsewhere."""
    if considered and considered.clear is not None:
        return f"{chance_text(considered.clear, considered.error)} to clear the blind"
    if not measured or decision.measure in ("value", "score"):
        return ""
    return f"{measured} ({MEASURES[decision.measure][1]})"


def _expected(score: Score | None, money: int | None, measured: str, state: PublicState) -> str:
    parts = (f"{score}" if score else measured, money_words(money, state) if money is not None else "")
    return "; ".join(filter(None, parts))


def _reason(decision: Decision, considered: Considered | None, *, chosen: bool) -> str:
    if chosen and decision.explanation:
        return decision.explanation
    if considered and considered.text:
        return considered.text
    best = chosen_of(decision)
    if chosen or not (considered and best):
        return "the agent gives no reason"
    if considered.value >= best.value:
        return "as good as the agent's choice by its value"
    return f"{_LESS[decision.measure]} than the agent's choice"


# --- JSON -------------------------------------------------------------------------------------------------------------


def advice_data(advice: Advice, suggestions: Sequence[Suggestion], *, with_state: bool = False) -> dict[str, Any]:
    """Write some suggestions of an advice (advice_v1). ``with_state`` adds what the player sees (public_v1)."""
    state, decision = advice.state, advice.decision
    data: dict[str, Any] = {
        "schema": ADVICE_SCHEMA,
        "agent": advice.agent,
        "phase": state.phase,
        "place": place_name(state),
        "waits_for": advice.waits_for,
        "ante": state.ante,
        "round": state.round,
        "money": state.dollars,
        "won": state.won,
        "over": state.over,
        "win": _number(advice.win),
        "route": asdict(decision.route) if decision and decision.route else None,
        "measure": advice.measure,
        "measure_text": MEASURES[advice.measure][1],
        "seconds": decision.seconds if decision else 0.0,
        "suggestions": [_suggestion_data(one, state.phase, rank) for rank, one in enumerate(suggestions, 1)],
    }
    return data | ({"state": state.to_data()} if with_state else {})


def _suggestion_data(one: Suggestion, phase: str, rank: int) -> dict[str, Any]:
    return {
        "rank": rank,
        "action": action_to_json(one.action, phase),
        "words": one.words,
        "then": one.then,
        "chosen": one.chosen,
        "probability": _number(one.probability),
        "value": _number(one.value),
        "value_text": one.value_text,
        "clear": _number(one.clear),
        "clear_error": _number(one.clear_error),
        "score": _score_data(one.score) if one.score else None,
        "money": one.money,
        "expected": one.expected,
        "reason": one.reason,
    }


def _score_data(score: Score) -> dict[str, Any]:
    return {
        "hand": score.hand,
        "expected": _number(score.expected),
        "least": _number(score.least),
        "most": _number(score.most),
        "needed": _number(score.needed),
        "share": _number(score.share),
        "guessed": score.guessed,
        "breakdown": [_line_data(line) for line in score.told],
    }


def _line_data(line: Told) -> dict[str, Any]:
    chips, mult = line.totals or (None, None)
    return {"kind": line.kind, "who": line.who, "what": line.what, "chips": _number(chips), "mult": _number(mult)}


def _number(value: float | None) -> float | None:
    """The largest number in place of infinity, which a score can reach and JSON does not have."""
    return None if value is None or math.isnan(value) else finite(value)
