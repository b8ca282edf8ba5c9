"""What an adviser says, as the page draws it."""

from __future__ import annotations

from collections.abc import Sequence

from jimbo.engine import Action, Phase, PublicState
from jimbo.serve.assistant.advice import Advice, Suggestion
from jimbo.serve.assistant.lesson import Comparison
from jimbo.serve.assistant.prospects import Prospects, Score
from jimbo.serve.assistant.scoring import best_selection
from jimbo.serve.game import BadInput
from jimbo.serve.web.board import Json, action_data, option_name, score_data
from jimbo.text import MEASURES, chance_text, percent_text


def advice_view(advice: Advice, suggestions: Sequence[Suggestion]) -> Json:
    """Return suggestions, best first, and what they are about."""
    score = _best_play(advice.state)
    best = suggestions[0] if suggestions else None
    return {
        "win": percent_text(advice.win) if advice.win is not None else "",
        "clear": chance_text(best.clear, best.clear_error) if best and best.clear is not None else "",
        "clear_share": best.clear if best else None,
        "score": score_data(score) if score else None,
        "measure": MEASURES[advice.measure][0],
        "measure_text": MEASURES[advice.measure][1],
        "waits_for": advice.waits_for,
        "route": advice.decision.route.selected_policy if advice.decision and advice.decision.route else "",
        "values": _values(advice),
        "suggestions": [_suggestion(one, MEASURES[advice.measure][1]) for one in suggestions],
    }


def _best_play(state: PublicState) -> Score | None:
    """What the play would score that is expected to score most, in a blind where it can be known."""
    if state.phase != Phase.selecting_hand:
        return None
    try:
        return Prospects(state).score(Action("play", cards=list(best_selection(state))))
    except BadInput:
        return None


def _values(advice: Advice) -> dict[str, Json]:
    """What each option is worth where it is about no cards of the hand: what stands in the shop or in a pack, a reroll,
    leaving, skipping. Of several ways of doing it the best, with the cards that it is done to."""
    if advice.state.phase == Phase.selecting_hand:
        return {}
    found: dict[str, Json] = {}
    for one in advice.suggestions:
        if one.value_text and not one.then:
            told = {"text": one.value_text, "cards": list(one.action.cards)}
            found.setdefault(option_name(one.action, advice.state), told)
    return found


def _suggestion(one: Suggestion, measure: str) -> Json:
    clear = chance_text(one.clear, one.clear_error) if one.clear is not None else ""
    expected = one.expected
    for shown in (f"{clear} to clear the blind" if clear else "", f"{one.value_text} ({measure})"):
        expected = expected.removeprefix(shown)  # it stands beside the words
    return {
        "action": action_data(one.action),
        "words": one.words,
        "then": one.then,
        "value": one.value_text,
        "clear": clear,
        "clear_share": one.clear,
        "expected": expected.removeprefix("; "),
        "score": score_data(one.score) if one.score else None,
        "reason": one.reason,
        "chosen": one.chosen,
    }


def comparison_view(one: Comparison) -> Json:
    """Return what the adviser says of a choice in a lesson."""
    reasons = [{"about": about, "text": text} for about, text in one.reasons if text]
    return {"words": one.words, "verdict": one.verdict, "good": one.same or one.equal, "reasons": reasons}
