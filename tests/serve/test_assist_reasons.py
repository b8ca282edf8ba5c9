"""Reasons of single situations, whose numbers are known."""

import math
from typing import TypeVar

import pytest

from jimbo.agents import Considered, Decision
from jimbo.agents.protocol import Seat
from jimbo.engine import Action, PublicState
from jimbo.serve.assistant import Adviser, Suggestion
from jimbo.serve.assistant.deals import Deals
from jimbo.serve.assistant.what_if import beaten
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
    assert f"Flush or better {round(100 * claim.share)} % of the time" in one.reason


def test_what_a_play_beats_and_what_it_saves() -> None:
    (one,) = suggested(Scene(hand="KS KH 7D 5C 3H", target=50), Considered(PLAY, 1.0, "", 1.0))
    assert claim_of(one, h.Beats) == h.Beats(60, 50, 3, 0, 3)
    assert one.reason == "Beats the blind with 60 (50 needed), and 3 hands left pay $3."


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
    parts = claim_of(one, b.Split)
    assert parts.dollars == 2
    assert sum(points for _, points in parts.parts) + parts.money + parts.rest == pytest.approx(6.0)
    assert parts.money < 0 < dict(parts.parts)["scores now"]
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


def test_a_hand_that_stays_is_said_to_stay() -> None:
    """Also where the best play of most deals is another hand, and with all of its cards."""
    royal = Scene(hand="AS JS TS 8S 6S AH KC QC", target=300)
    (one,) = suggested(royal, Considered(Action("discard", cards=[5, 6, 7]), 0.5, "", 0.5))
    claim = claim_of(one, h.Comes)
    assert claim.held
    assert one.reason.startswith("Keeps the Flush A♠ J♠ 10♠ 8♠ 6♠, ")


def test_what_a_boss_takes_for_a_play() -> None:
    tooth = Scene(hand="KS KH 7D 5C 3H", blind="bl_tooth", target=600, money=9)
    (one,) = suggested(tooth, Considered(PLAY, 0.5, "", 0.5))
    assert claim_of(one, h.BossPrice) == h.BossPrice("The Tooth", 2, ())
    assert "The Tooth takes $2 for it" in one.reason
    arm = Scene(hand="KS KH 7D 5C 3H", blind="bl_arm", target=600, levels={"Pair": 2})
    (one,) = suggested(arm, Considered(PLAY, 0.5, "", 0.5))
    assert claim_of(one, h.BossPrice) == h.BossPrice("The Arm", 0, ("Pair",))


def test_a_choice_that_shows_less_says_why() -> None:
    """A chance of 50 % that is wrong by 5 points comes from 100 deals, by 20 points from 6."""
    briefly = Considered(DISCARD, 0.8, "", 0.6, 0.2)
    first, second = suggested(HEARTS, Considered(PLAY, 0.5, "", 0.5, 0.05), briefly)
    assert claim_of(first, h.TriedLess) == h.TriedLess("discard K♠ 9♣ 4♦", 6, 100)
    assert (
        "Discarding K♠ 9♣ 4♦ shows more, but was tried in only 6 of 100 deals, and was behind in them" in first.reason
    )
    assert second.reason.startswith("Shows more, but was tried in only 6 of 100 deals, and was behind in them. ")


def test_a_discard_that_costs_no_hand() -> None:
    discard = Considered(DISCARD, 0.5, "", 0.5, 0.05)
    first, _ = suggested(HEARTS, discard, Considered(Action("play", cards=[4, 5, 6]), 0.5, "", 0.5, 0.05))
    assert first.reason.endswith("; a discard left over pays nothing, a hand left over $1.")
    green = Scene(hand="AH TH 7H 2H KS 9C 4D 3S", target=300, deck="b_green")
    first, _ = suggested(green, discard, Considered(Action("play", cards=[4, 5, 6]), 0.5, "", 0.5, 0.05))
    assert "left over" not in first.reason


def test_an_ante_that_falls_changes_what_is_needed() -> None:
    shop = Scene(phase="shop", shop_vouchers=["v_hieroglyph"], money=20, ante=3)
    (one,) = suggested(shop, Considered(Action("redeem", index=0), 1.0, ""), measure="win")
    claim = claim_of(one, b.Against)
    assert claim.target < claim.target_before
    assert f"needed instead of {claim.target_before:,.0f}" in one.reason


def test_what_a_tag_brings_and_what_skipping_gives_up() -> None:
    scene = Scene(phase="blind_select", money=9)
    tag = scene.build().public_state().blinds[0].tag
    (one,) = suggested(scene, Considered(Action("skip_blind"), 1.0, ""), measure="win")
    assert tag
    assert claim_of(one, b.Forgoes) == b.Forgoes("Small Blind", tag.name, 0, 3, 1.0)
    assert str(b.Forgoes("Big Blind", "Handy Tag", 33, 0, -1.0)) == (
        "skipping brings the Handy Tag and $33, gives up the shop after Big Blind, and costs 1.0 points in all"
    )


def test_the_last_slot_and_one_that_is_made_free() -> None:
    jokers = ["j_joker", "j_jolly", "j_zany", "j_banner"]
    shop = Scene(phase="shop", shop=["j_cavendish"], jokers=jokers, money=20)
    (one,) = suggested(shop, Considered(Action("buy", index=0), 0.0, ""), measure="win")
    claim = claim_of(one, b.Room)
    assert (claim.what, claim.free) == ("joker", 0)
    full = Scene(phase="shop", jokers=[*jokers, "j_egg"], money=20)
    (one,) = suggested(full, Considered(Action("sell_joker", index=4), 0.0, ""), measure="win")
    assert claim_of(one, b.Room).free == 1


def test_what_speaks_for_a_sale_comes_before_what_it_costs() -> None:
    shop = Scene(phase="shop", jokers=["j_abstract", "j_ice_cream"], money=20)
    (one,) = suggested(shop, Considered(Action("sell_joker", index=1), 4.0, ""), measure="win")
    assert one.reason.startswith("Losing it adds ")
    assert ". But against " in one.reason


def test_two_hidden_things_that_mean_nothing_are_said_in_one() -> None:
    assert str(b.Must("the Arcana Pack", 4, -0.01, 0.01)) == (
        "costs $4, and the Arcana Pack brings less than 0.1 points on average"
    )
    assert str(b.Must("the Arcana Pack", 4, -0.6, 0.6)).endswith("and the Arcana Pack brings as much on average")
    assert str(b.Must("the Arcana Pack", 4, -0.6, 0.4)).endswith("brings only 0.4 points on average")
    assert str(b.Price("using it", -20, 0, 6, -1.8, 2.4)) == "pays $20, and adds 0.6 points in all"


def test_a_pack_that_is_left_changes_no_joker() -> None:
    """The cards that it dealt go back to the deck, whatever is taken."""
    pack = Scene(
        phase="pack_opening", pack="p_arcana_normal_1", pack_cards=["c_devil"], hand="KS QH", jokers=["j_blue_joker"]
    )
    (one,) = suggested(pack, Considered(Action("pick", index=0, cards=[0]), 1.0, ""), measure="win")
    assert "Blue Joker" not in one.reason


@pytest.mark.parametrize("phase", ["shop", "blind_select"])
def test_an_order_of_jokers_is_tried_in_the_next_blind(phase: str) -> None:
    """X3 Mult after +4 Mult makes (1 + 4) x 3 of a high card's mult in place of 1 x 3 + 4."""
    scene = Scene(phase=phase, jokers=["j_cavendish", "j_joker"])
    (one,) = suggested(scene, Considered(Action("move_joker", index=0, to=1), 1.0, ""), measure="win")
    claim = claim_of(one, h.Ordered)
    assert 1.2 < claim.after / claim.before <= 15 / 7


def test_a_blind_that_ends_before_a_hand_is_not_beaten() -> None:
    """Without a card in the hand a run is over."""
    shop = Scene(phase="shop", money=10).build().public_state()
    state = PublicState.from_data(shop.to_data() | {"hand_size": 0})
    assert set(beaten(state.imagine(0), "boss")) == {0.0}
    agent = Seat(Silent(Considered(Action("leave_shop"), 0.0, ""), measure="win"), "silent")
    (one,) = Adviser(agent).advise(state).suggestions
    assert "almost never" in one.reason


def test_cards_are_kept_for_the_hand_that_is_named() -> None:
    """And not for a better one that comes as well, or for one that seldom comes."""
    flush, house = ("Flush", 200.0, (1, 2, 3, 4, 5)), ("Full House", 300.0, (6, 7, 8, 9, 10))
    found = Deals(best=[flush] * 5 + [house] * 4, needed=[1000.0] * 9)
    assert found.aim(190.0) == "Full House"
    assert found.used("Flush") == {1, 2, 3, 4, 5}
    found = Deals(
        best=[("Pair", 100.0, (1, 2))] * 11 + [("Straight Flush", 900.0, (6, 7, 8, 9, 10))], needed=[1000.0] * 12
    )
    assert found.aim(95.0) == "Pair"
