"""Scores of selections: exact, by worlds, the best play, better orders, other tables."""

import re
import time
from itertools import permutations

import pytest

from jimbo.data.position import read_position
from jimbo.engine import Action, PublicState
from jimbo.serve.assistant.scoring import (
    QUANTILES,
    Scored,
    best_selection,
    better_orders,
    edited,
    places_of,
    score_selection,
)
from jimbo.serve.game import BadInput


def scored(text: str, cards: str = "") -> Scored:
    state = read_position(text)
    return score_selection(state, places_of(cards, state) if cards else best_selection(state))


def test_without_chance_a_score_is_exact() -> None:
    one = scored("hand: As Ad 10h 9h 2c; jokers: Joker", "As Ad")
    assert (one.mean, one.worlds, one.error, one.beats, one.missing) == (192.0, 0, 0.0, 0.0, 108.0)
    assert one.quantiles == (192.0,) * len(QUANTILES)
    assert scored("hand: As Ad 10h 9h 2c; jokers: Joker, Cavendish", "As Ad").beats == 1.0


def test_what_is_scored_already_counts() -> None:
    assert scored("hand: As Ad; scored: 236").beats == 1.0
    assert scored("hand: As Ad; scored: 235").missing == 1.0


def test_misprint_gives_each_mult_alike() -> None:
    """Mult of 2 and 0 to 23 more on 32 chips: the mean is 32 x 13.5, and 300 are reached from 10 mult on."""
    one = scored("hand: As Ad; jokers: Misprint")
    assert abs(one.mean - 32 * 13.5) < 3 * one.mean_error
    assert abs(one.beats - 16 / 24) < 3 * one.error
    assert one.score.least <= one.quantiles[0] < one.quantiles[-1] <= one.score.most
    assert one.worlds == 1000


def test_the_hook_takes_cards_before_they_act() -> None:
    one = scored("hand: As Ad Kd 10h 9h 2c; jokers: Baron; blind: The Hook; needs: 96", "As Ad")
    assert abs(one.beats - 0.5) < 3 * one.error  # two of the other four cards go, and the king is one of them


def test_the_best_play_is_found() -> None:
    state = read_position("hand: As Ad Kd 10h 9h 2c 3c 4c; jokers: Mime, Baron")
    best = best_selection(state)
    run = state.imagine(0)
    plays = [action for action in run.legal_actions() if action.kind == "play"]
    assert run.preview(best, "expected").score == max(run.preview(play.cards, "expected").score for play in plays)


def test_a_large_hand_is_searched_in_time() -> None:
    ranks = ("A", "K", "Q", "J", "10", "9")
    state = read_position("hand: " + " ".join(f"{rank}{suit}" for suit in "shcd" for rank in ranks))
    assert score_selection(state, best_selection(state)).score.hand == "Straight Flush"


def test_a_better_order_of_jokers_is_the_best_of_all() -> None:
    state = read_position("hand: As Ad; jokers: Cavendish, Joker, Blueprint, Ride the Bus (mult 7)")
    one = score_selection(state, (0, 1))
    (order,) = better_orders(state, one)
    every = (" ".join(names) for names in permutations(["Cavendish", "Joker", "Blueprint", "Ride the Bus (mult 7)"]))
    tables = (f"hand: As Ad; jokers: {names}" for names in map(_listed, every))
    assert order.expected == max(score_selection(read_position(text), (0, 1)).mean for text in tables)
    assert order.words.endswith("Blueprint, Cavendish")
    assert order.expected > one.mean


def _listed(names: str) -> str:
    for name in ("Cavendish", "Joker", "Blueprint", "Ride the Bus (mult 7)"):
        names = names.replace(f"{name} ", f"{name}, ")
    return names


def test_a_better_order_of_cards_is_found() -> None:
    state = read_position("hand: Ks(mult) Kd(polychrome) 2c; jokers: Photograph")
    orders = {order.what: order for order in better_orders(state, score_selection(state, (0, 1)))}
    turned = read_position("hand: Kd(polychrome) Ks(mult) 2c; jokers: Photograph")
    if "cards" in orders:
        assert orders["cards"].expected == score_selection(turned, (0, 1)).mean
    else:
        assert score_selection(turned, (0, 1)).mean <= score_selection(state, (0, 1)).mean


def test_a_table_is_changed_for_the_score_alone() -> None:
    state = read_position("hand: As Ad; jokers: Cavendish, Ride the Bus (mult 5)")
    assert score_selection(edited(state, mute=["Cavendish"]), (0, 1)).mean == 32 * (2 + 6)
    changed = edited(state, ["cavendish"], ["ride the bus: mult 12"])
    assert score_selection(changed, (0, 1)).mean == 32 * (2 + 13)
    assert isinstance(changed, PublicState)
    assert state.jokers[1].count == 5


@pytest.mark.parametrize(
    ("mute", "numbers", "says"),
    [
        (["Mime"], [], "Mime is not among the jokers, which are Baron."),
        (["Bron"], [], '"Bron" (character 1) is no joker. Did you mean Baron?'),
        ([], ["Baron"], '"Baron" names no number. Write a joker, a colon and its number: "Ride the Bus: mult 12".'),
        ([], ["Baron: 3"], "Baron has no number of its own"),
        ([], ["Mime: eternal"], "Mime is not among the jokers"),
    ],
)
def test_a_table_that_cannot_be_is_refused(mute: list[str], numbers: list[str], says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        edited(read_position("hand: As; jokers: Baron"), mute, numbers)


def test_what_cannot_be_scored_is_said() -> None:
    shop, hand = read_position("shop: Baron"), read_position("hand: As Ad; jokers: Baron")
    for call in (lambda: score_selection(shop, (0,)), lambda: best_selection(shop)):
        with pytest.raises(BadInput, match="Cards are scored in a blind, and nothing is held"):
            call()
    with pytest.raises(BadInput, match="There is no Ks left in the hand, which is A♠ A♦"):
        places_of("As Ks", hand)
    with pytest.raises(BadInput):
        score_selection(hand, (7,))


def test_a_score_comes_at_once() -> None:
    state = read_position("hand: As(lucky) Ad Kd 10h 9h 2c 3c 4c; jokers: Bloodstone, Misprint, Baron, Mime, Joker")
    began = time.process_time()
    score_selection(state, (0, 1, 2, 3, 4))
    assert time.process_time() - began < 0.03


def test_worlds_are_played_as_the_run_would_be() -> None:
    state = read_position("hand: As(lucky) Ad; jokers: Misprint")
    world = state.imagine(3)
    world.step(Action("play", cards=[0, 1]))
    assert world.chips in {score_selection(state, (0, 1), worlds=4).quantiles[place] for place in range(5)}
