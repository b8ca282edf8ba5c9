"""A review in words and as JSON (review_v1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jimbo.data.action_json import action_to_json
from jimbo.engine import Action, PublicState
from jimbo.serve.assistant.advice import Suggestion, opinion
from jimbo.serve.review.chances import FREE
from jimbo.serve.review.judging import Judge
from jimbo.serve.review.review import Grade, Review, Reviewed
from jimbo.text import action_words, counted, percent_text, place_name, points_text
from jimbo.text.build_reasons import Behind, Sooner
from jimbo.text.hand_reasons import Clears, EndsWith, Leaves, TriedLess, Unused
from jimbo.text.reasons import Adds, Claim, sentences

REVIEW_SCHEMA = "review_v1"
_DIGITS = 6
NOTHING = 0.0005
"""A smaller share of a chance is not told."""
_GRADES: tuple[Grade, ...] = ("blunder", "mistake", "inaccuracy")
_COMPARES: tuple[type[Claim], ...] = (Behind, Clears, EndsWith, Leaves, Sooner, TriedLess, Unused)


@dataclass(frozen=True, slots=True)
class Explained:
    """A decision that gave something up, and why."""

    one: Reviewed
    done: str
    better: str
    reason: str
    """Why the better was better; empty where the agent gives no reason."""
    own: str
    """What is to be said of what was done, where the agent considered it."""


def explained(review: Review, count: int = 10) -> list[Explained]:
    """Return the worst decisions with the agent's reasons."""
    return [explain(review.judge, one) for one in review.worst(count)]


def explain(judge: Judge, one: Reviewed) -> Explained:
    """Ask the agent for its reasons."""
    plan = line_words(judge.plan(one.state, one.step), one.state)
    advice = judge.adviser().advise(one.state, step=one.step)
    best = advice.suggestions[0]
    reason = _itself(best, _COMPARES) if best.claims else best.reason
    own = _itself(opinion(advice, one.action), (*_COMPARES, Adds)) if one.action else ""
    return Explained(one, done_words(one), plan, reason, own)


def _itself(suggestion: Suggestion, without: tuple[type[Claim], ...]) -> str:
    """What is to be said of an action, but for how it compares: the review has looked at that longer."""
    claims = [claim for claim in suggestion.claims if not isinstance(claim, without)]
    return sentences(claims[:1], claims[1:])


def done_words(one: Reviewed) -> str:
    """``buy Joker for $2``."""
    return action_words(one.action, one.state) if one.action else "not known"


def better_words(one: Reviewed) -> str:
    """``move Blueprint to place 1, then play Small Blind``; moves within the hand are told by the cards' order."""
    return line_words(one.better, one.state)


def line_words(line: Sequence[Action], state: PublicState) -> str:
    """Several actions one after another in words."""
    run, words, ordered = state.imagine(0), [], False
    for action in line:
        if action.kind == "move_card":
            ordered = True
        else:
            words.append(action_words(action, run.public_state()))
        if run.refusal(action) is None:
            run.step(action)
    text = ", then ".join(words)
    return f"{text} in this order" if ordered else text


def where(one: Reviewed) -> str:
    """``Ante 3 · Shop``."""
    return f"Ante {one.state.ante} · {place_name(one.state)}"


def is_move(one: Reviewed) -> bool:
    """Whether it only put something in another order."""
    return one.action is not None and one.action.kind in FREE


# --- The sums ---------------------------------------------------------------------------------------------------------


def result_text(review: Review) -> str:
    """``lost in ante 4``."""
    end = review.run.end
    if review.result == "win":
        return "won"
    return f"lost in ante {end.ante}" if review.result == "loss" else f"left in ante {end.ante}"


def summary(review: Review) -> Iterator[tuple[str, str]]:
    """Yield names and what is to be said of each."""
    yield "result", f"{result_text(review)}, {counted(review.run.decisions, 'decision')}"
    yield "accuracy", f"{percent_text(review.accuracy)}: {grades_text(review)}"
    yield "chance to win", f"{percent_text(review.start)} at the start, {percent_text(review.end)} at the end"
    yield "skill", f"the choices gave up {share_text(review.given_up)}"
    yield "luck", luck_text(review)


def luck_text(review: Review) -> str:
    """``the cards gave 12.0 points and took 30.1 points``."""
    return f"the cards gave {share_text(review.gave)} and took {share_text(review.took)}"


def grades_text(review: Review) -> str:
    """``1 blunder, 0 mistakes, 2 inaccuracies``."""
    return ", ".join(
        counted(review.counted(grade), grade, "inaccuracies" if grade == "inaccuracy" else "") for grade in _GRADES
    )


def share_text(share: float) -> str:
    """``3.1 points``, or ``nothing``."""
    return points_text(100 * share).lstrip("+") if share >= NOTHING else "nothing"


# --- JSON -------------------------------------------------------------------------------------------------------------


def review_data(review: Review, worst: Sequence[Explained]) -> dict[str, Any]:
    """Write a review (review_v1); ``worst`` as ``explained`` returns them."""
    run, start = review.run, review.run.positions[0].state
    return {
        "schema": REVIEW_SCHEMA,
        "source": run.source,
        "player": run.player,
        "deck": start.deck,
        "stake": start.stake,
        "seed": run.seed,
        "challenge": start.challenge,
        "result": review.result,
        "ante": run.end.ante,
        "round": run.end.round,
        "agent": review.judge.agent,
        "options": dict(review.judge.options),
        "effort": review.judge.effort,
        "notes": list(run.notes),
        "exact": run.exact,
        "whole": review.whole,
        "decisions_of_run": run.decisions,
        "start": round(review.start, _DIGITS),
        "given_up": round(review.given_up, _DIGITS),
        "gave": round(review.gave, _DIGITS),
        "took": round(review.took, _DIGITS),
        "luck": round(review.luck, _DIGITS),
        "end": round(review.end, _DIGITS),
        "accuracy": round(review.accuracy, _DIGITS),
        "grades": {grade: review.counted(grade) for grade in ("inaccuracy", "mistake", "blunder")},
        "worst": [_explained_data(one) for one in worst],
        "decisions": [_decision_data(one) for one in review.decisions],
    }


def _explained_data(told: Explained) -> dict[str, Any]:
    return {
        "step": told.one.step,
        "place": where(told.one),
        "done": told.done,
        "better": told.better,
        "reason": told.reason,
        "own_reason": told.own,
        "given_up": round(told.one.given_up, _DIGITS),
        "error": round(told.one.error, _DIGITS),
        "grade": told.one.grade,
    }


def _decision_data(one: Reviewed) -> dict[str, Any]:
    state = one.state
    return {
        "step": one.step,
        "ante": state.ante,
        "round": state.round,
        "phase": state.phase,
        "place": where(one),
        "action": action_to_json(one.action, state.phase) if one.action else None,
        "done": done_words(one),
        "win": round(one.win, _DIGITS),
        "given_up": round(one.given_up, _DIGITS),
        "error": round(one.error, _DIGITS),
        "left": round(one.left, _DIGITS),
        "luck": round(one.luck, _DIGITS),
        "grade": one.grade,
        "better": [action_to_json(action, state.phase) for action in one.better],
        "better_words": better_words(one),
    }
