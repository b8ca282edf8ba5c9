"""Reasons of single situations, whose numbers are known."""

import math
from typing import TypeVar

import pytest

from jimbo.agents import Considered, Decision
from jimbo.agents.protocol import Seat
from jimbo.engine import Action, PublicState
from jimbo.serve.assistant import Adviser, Suggestion
from jimbo.text import build_reasons as b
from jimbo.text import hand_reasons as h
from jimbo.text import reasons as r
from rules.scene import Scene

PLAY, DISCARD = Action("play", cards=[0, 1]), Action("discard", cards=[4, 5, 6])
HEARTS = Scene(hand="AH TH 7H 2H KS 9C 4D 3S", target=300)


class Silent:
    """An agent that gives chances and no words."""

    clairvoyant = False

    def __init__(self, *considered: Considered, measure: str = "clear") -> None:
        self.decision = Decision(considered[0].action, considered, measure=measure)  # type: ignore[arg-type]

    def act(self, _state: PublicState) -> Decision:
        return self.decision


def suggested(scene: Scene, *considered: Considered, measure: str = "clear") -> list[Suggestion]:
    agent = Seat(Silent(*considered, measure=measure), "silent")
    return list(Adviser(agent).advise(scene.build().public_state()).suggestions)


Kind = TypeVar("Kind", bound=r.Claim)


def claim_of(one: Suggestion, kind: type[Kind]) -> Kind:
    (found,) = [claim for claim in one.claims if isinstance(claim, kind)]
    return found


def test_what_is_kept_for_comes_as_often_as_counting_says() -> None:
    (one,) = suggested(HEARTS, Considered(Action("discard", cards=[4, 5, 6, 7]), 0.5, "", 0.5))
    claim = claim_of(one, h.Comes)
    misses = math.comb(35, 4) / math.comb(44, 4)  # nine hearts among the 44 cards that are left to draw
    assert set(claim.kept) == {"A♥", "10♥", "7♥", "2♥"}
    assert claim.hand == "Flush"
    assert claim.share == pytest.approx(1 - misses, abs=0.08)
    assert f"Flush or better comes in {round(100 * claim.share)} %" in one.reason


def test_what_a_play_beats_and_what_it_saves() -> None:
    (one,) = suggested(Scene(hand="KS KH 7D 5C 3H", target=50), Considered(PLAY, 1.0, "", 1.0))
    assert claim_of(one, h.Beats) == h.Beats(60, 50, 3, 0, 3)
    assert one.reason == "Beats the blind: 60 of the 50 needed, and 3 hands left pay $3."


def test_what_a_boss_takes() -> None:
    head = Scene(hand="KS KH 7D 5C 3H", blind="bl_head", target=600)
    (one,) = suggested(head, Considered(PLAY, 0.5, "", 0.5))
    assert claim_of(one, h.BossTakes) == h.BossTakes("The Head", 40, 60)


def test_equal_within_the_error_is_called_equal() -> None:
    near = Considered(DISCARD, 0.5, "", 0.49, 0.02)
    first, second = suggested(HEARTS, Considered(PLAY, 0.5, "", 0.5, 0.02), near)
    assert "The same chance within 2.8 points as discarding K♠ 9♣ 4♦" in first.reason
    assert second.reason.startswith("The same chance within 2.8 points. Keeps ")
    first, second = suggested(HEARTS, Considered(PLAY, 0.5, "", 0.5, 0.001), near)
    assert "Discarding K♠ 9♣ 4♦ " not in second.reason
    assert claim_of(first, h.Clears).points == pytest.approx(1.0)


def test_the_price_and_the_joker_itself_make_up_the_whole() -> None:
    shop = Scene(phase="shop", shop=["j_joker"], money=10)
    (one,) = suggested(shop, Considered(Action("buy", index=0), 6.0, ""), measure="win")
    price = claim_of(one, b.Price)
    assert price.dollars == 2
    assert price.itself + price.money == pytest.approx(6.0)
    assert price.money < 0 < price.itself
    against = claim_of(one, b.Against)
    assert against.after > 2 * against.before


def test_what_shows_more_is_explained() -> None:
    shop = Scene(phase="shop", shop=["j_joker"], money=10)
    leave = Considered(Action("leave_shop"), 0.0, "")
    first, _ = suggested(shop, leave, Considered(Action("buy", index=0), 2.0, ""), measure="win")
    assert claim_of(first, b.Sooner).points == 2.0


def test_hidden_cards_give_no_claims_about_them() -> None:
    state = Scene(hand="KS^ KH 7D", target=300)
    (one,) = suggested(state, Considered(Action("play", cards=[0]), 0.5, "", 0.5))
    assert "K♠" not in one.reason
