"""How sure an agent is, and which of its doubts are worth a question."""

import random

import pytest

from jimbo.data.record import Considered, Decision, Measure, Route
from jimbo.engine import Action
from jimbo.llm.doubt import Need, confidence_of

A, B = Action("leave_shop"), Action("reroll")


def decision(first: float, second: float, measure: Measure = "win", clear: float | None = None) -> Decision:
    error = None if clear is None else 0.02
    return Decision(
        A,
        (Considered(A, first, "", clear, error, chosen=True), Considered(B, second, "", clear, error)),
        measure=measure,
    )


def test_close_options_are_doubtful() -> None:
    gaps = [confidence_of(decision(gap, 0.0), 0.5) for gap in (0.0, 1.0, 5.0, 20.0)]
    assert gaps == sorted(gaps)
    assert gaps[0] < 0.1
    assert gaps[-1] > 0.95


def test_a_run_that_is_decided_leaves_no_doubt() -> None:
    close = decision(0.1, 0.0)
    assert confidence_of(close, 0.5) < confidence_of(close, 0.99) < confidence_of(close, 1.0)
    assert confidence_of(close, 0.0) == 1.0


def test_hands_are_as_doubtful_as_their_chances() -> None:
    sure, open_ = (confidence_of(decision(0.9, 0.9, "clear", clear), 0.5) for clear in (0.999, 0.6))
    assert open_ < sure


def test_what_looks_better_than_the_choice_is_no_more_doubtful_than_its_equal() -> None:
    assert confidence_of(decision(0.0, 3.0), 0.5) == confidence_of(decision(0.0, 0.0), 0.5)


def test_agents_of_all_kinds() -> None:
    assert confidence_of(Decision(A), 0.5) == 1.0
    assert confidence_of(decision(0.6, 0.3, "choice"), 0.5) == 0.6
    assert confidence_of(decision(7.0, 7.0, "value"), 0.5) == 1.0  # nobody knows what it means
    assert confidence_of(Decision(A, route=Route("cheap", 0.8)), 0.5) == pytest.approx(0.2)
    assert confidence_of(decision(float("nan"), 0.0), 0.5) == 0.0


@pytest.mark.parametrize("share", [0.0, 0.01, 0.05, 0.5])
def test_no_more_than_a_share_of_decisions_is_asked_about(share: float) -> None:
    chance, need = random.Random(3), Need(1.0, share)
    for _ in range(3000):
        need(chance.random() ** 3, ante=1)
        assert need.asked <= share * need.decisions
    assert need.asked >= 0.8 * share * need.decisions - 1


def test_the_greatest_doubts_are_asked_about() -> None:
    chance, need, asked = random.Random(3), Need(1.0, 0.05), []
    for _ in range(3000):
        confidence = chance.random()
        if need(confidence, ante=1):
            asked.append(confidence)
    assert max(asked[20:]) < 0.1


def test_the_bar_rises_with_the_ante() -> None:
    for ante, bar in ((1, 0.3), (3, 0.3), (4, 0.5), (6, 0.5), (7, 0.7), (8, 0.7), (12, 0.7), (0, 0.3)):
        assert not Need(None, 1.0)(bar + 0.01, ante)
        assert Need(None, 1.0)(bar - 0.01, ante)
    assert Need(0.4, 1.0)(0.39, 8)
    assert not Need(0.4, 1.0)(0.41, 8)
