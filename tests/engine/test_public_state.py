"""What the player of a run may know: made, imagined, written and read."""

import copy
import json
import pickle
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from jimbo.engine import Action, OfferKind, Phase, PublicState, Refusal, Run, candidates, observe, public_schema_table
from jimbo.engine.catalog import BLINDS, BOOSTERS, CONSUMABLES, JOKERS, VOUCHERS

DECKS = ("b_red", "b_plasma", "b_erratic", "b_ghost", "b_anaglyph", "b_magic")
STAKES = ("white", "gold", "black")
HIDING = ("bl_house", "bl_wheel", "bl_mark", "bl_fish", "bl_final_acorn", "bl_final_bell")
FACE_DOWN = "bl_house"


def walk(seed: str, *, deck: str, stake: str, boss: str | None = None, steps: int = 80) -> Iterator[Run]:
    """Random play that is given most blinds, so that it comes far."""
    run, choice = Run(seed=seed, deck=deck, stake=stake), random.Random(seed)
    if boss:
        run.debug_add_joker("j_joker")
        run.debug_add_joker("j_mime", eternal=True)
        run.debug_add_consumable("c_aura")
        run.debug_add_card("H_K", edition="e_foil", to="deck")
        run.debug_add_card("S_2", edition="e_holo", to="deck")
    for _ in range(steps):
        if run.phase == "game_over":
            return
        if boss and run.phase == "blind_select":
            run.debug_set_boss(boss)
        if run.phase == "selecting_hand" and choice.random() < 0.4:
            run.chips = run.target
        run.step(choice.choice([a for a in run.legal_actions() if not a.kind.startswith("sell")]))
        yield run


def walks() -> list[Any]:
    plain = [
        pytest.param({"seed": f"PUB{i}", "deck": deck, "stake": STAKES[i % 3]}, id=deck) for i, deck in enumerate(DECKS)
    ]
    hiding = [
        pytest.param({"seed": f"HID{i}", "deck": "b_red", "stake": "white", "boss": boss}, id=boss)
        for i, boss in enumerate(HIDING)
    ]
    return [*plain, *hiding]


@pytest.mark.parametrize("start", walks())
def test_an_imagined_run_is_the_run_itself_with_its_hidden_part_drawn_anew(start: dict[str, Any]) -> None:
    for nonce, run in enumerate(walk(**start)):
        state = run.public_state()
        imagined = state.imagine(nonce)
        assert imagined.to_json() == run.determinize(nonce).to_json()
        assert imagined.public_state() == state


@pytest.mark.parametrize("start", walks())
def test_it_comes_back_from_json_and_plain_data(start: dict[str, Any]) -> None:
    for run in [copy.copy(run) for run in walk(**start)][::5]:
        state = run.public_state()
        assert PublicState.from_json(state.to_json()) == state
        assert PublicState.from_data(json.loads(json.dumps(state.to_data()))) == state
        assert pickle.loads(pickle.dumps(state)) == state


@pytest.mark.parametrize("start", walks())
def test_observations_and_candidates_are_the_same_bit_by_bit(start: dict[str, Any]) -> None:
    for run in [copy.copy(run) for run in walk(**start)][::3]:
        state = PublicState.from_json(run.public_state().to_json())
        assert observe(state).tobytes() == observe(run).tobytes()
        assert state.legal_actions(with_moves=True) == run.legal_actions(with_moves=True)
        if run.phase == "game_over":
            continue
        mine, its = candidates(state, moves=True), candidates(run, moves=True)
        assert mine.actions == its.actions
        assert np.array_equal(mine.ids, its.ids)
        assert mine.rows.tobytes() == its.rows.tobytes()


@pytest.mark.parametrize("start", walks())
def test_runs_that_look_the_same_have_the_same_state(start: dict[str, Any]) -> None:
    for run in [copy.copy(run) for run in walk(**start)][::7]:
        assert run.determinize(11).public_state().to_json() == run.public_state().to_json()


# --- What is hidden ---------------------------------------------------------------------------------------------------


def in_round(boss: str, seed: str = "HIDDEN") -> Run:
    run = Run(seed=seed)
    for key in ("j_joker", "j_mime", "j_scholar"):
        run.debug_add_joker(key)
    run.debug_set_boss(boss)
    state = json.loads(run.to_json())
    state["round"]["on_deck"] = "boss"
    run = Run.from_json(json.dumps(state))
    run.step(Action("select_blind"))
    return run


def test_a_card_that_lies_face_down_shows_nothing() -> None:
    run = in_round("bl_house")
    state = run.public_state()
    assert all(card.face_down and card.id == 0 and card.rank is None and card.suit is None for card in state.hand)
    assert {card.id for card in state.unseen} == {card.id for card in run.hand} | {
        card["uid"] for card in json.loads(run.to_json())["zones"]["deck"]
    }
    assert (len(state.unseen), state.draw_pile) == (52, 44)


def test_the_mark_gives_away_which_cards_are_faces() -> None:
    run = in_round("bl_mark")
    for shown, card in zip(run.public_state().hand, run.hand, strict=True):
        assert shown.face_down == (card.rank in ("J", "Q", "K"))
        assert shown.is_face is (True if shown.face_down else None)


def test_jokers_that_lie_face_down_are_known_but_not_where() -> None:
    state = in_round("bl_final_acorn").public_state()
    assert [(joker.key, joker.name, joker.id, joker.shown) for joker in state.jokers] == [(None, "", 0, [])] * 3
    assert [joker.eternal for joker in state.jokers] == [False] * 3
    assert [joker.key for joker in state.hidden_jokers] == ["j_joker", "j_mime", "j_scholar"]


def test_nothing_of_the_seed_or_the_order_of_the_deck_is_told() -> None:
    run = Run(seed="SECRET1")
    run.step(Action("select_blind"))
    text = run.public_state().to_json()
    assert "SECRET1" not in text
    unseen = [card.id for card in run.public_state().unseen]
    assert unseen == sorted(unseen)
    assert not any(word in public_schema_table() for word in ("seed", "stream", "rng"))


@pytest.mark.parametrize(
    "view",
    [
        lambda run: run.clone(),
        lambda run: run.public_state().imagine(1),
        lambda run: PublicState.from_json(run.public_state().to_json()).imagine(2),
        lambda run: run.determinize(3),
    ],
)
def test_every_view_of_a_run_has_equal_cards_in_the_order_of_the_suits_they_were_created_with(view: Any) -> None:
    """The Checkered Deck has all Spades and Hearts twice: those with low ids were created as Clubs and Diamonds."""
    pairs = 0
    for number in range(12):
        run = Run(deck="b_checkered", seed=f"VIEW{number}")
        run.step(Action("select_blind"))
        world = view(run)
        for _ in range(3):
            hand = world.to_data()["zones"]["hand"]
            for card, other in pairwise(hand):
                if card["key"] == other["key"]:
                    suits = ["CDHS"[(each["uid"] - 1) // 13] for each in (card, other)]
                    assert suits in (["S", "C"], ["H", "D"])
                    pairs += 1
            world.step(Action("discard", cards=[0, 1, 2]))
    assert pairs > 5


def test_the_first_voucher_is_unknown_until_a_shop_opens() -> None:
    run = Run(seed="VOUCHER1")
    assert run.public_state().voucher is None
    run.step(Action("select_blind"))
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    state = run.public_state()
    assert state.shop_seen
    assert state.voucher == state.shop_vouchers[0].key


def test_what_a_joker_looks_for_is_told_with_the_joker() -> None:
    run = Run(seed="IDOL")
    assert run.public_state().targets.idol_rank is None
    run.debug_add_joker("j_idol")
    state = run.public_state()
    assert state.targets.idol_rank is not None
    assert (state.jokers[0].shown[0].rank, state.jokers[0].shown[0].suit) == (
        state.targets.idol_rank,
        state.targets.idol_suit,
    )
    assert state.targets.mail_rank is None


# --- What is told -----------------------------------------------------------------------------------------------------


def test_blinds_have_targets_rewards_and_tags() -> None:
    small, big, boss = Run(deck="b_plasma", stake="red", seed="BLINDS").public_state().blinds
    assert [blind.target for blind in (small, big, boss)] == [600.0, 900.0, 600 * BLINDS[boss.key].score]
    assert (small.reward, big.reward, boss.reward) == (0, 4, 5)
    assert small.tag is not None
    assert big.tag is not None
    assert boss.tag is None
    assert [blind.progress for blind in (small, big, boss)] == ["now", "later", "later"]


def test_prices_and_names_come_from_the_core() -> None:
    run = Run(seed="PRICES")
    run.step(Action("select_blind"))
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    state = run.public_state()
    assert state.reroll_price == 5
    for offer in state.shop:
        fact = JOKERS[offer.joker] if offer.joker else CONSUMABLES[offer.consumable or ""]
        assert offer.kind == (OfferKind.joker if offer.joker else OfferKind.consumable)
        assert (offer.name, offer.price) == (fact.name, fact.cost)
    assert [(v.name, v.price) for v in state.shop_vouchers] == [(VOUCHERS[v.key].name, 10) for v in state.shop_vouchers]
    assert [(b.name, b.price) for b in state.shop_boosters] == [
        (BOOSTERS[b.key].name, BOOSTERS[b.key].cost) for b in state.shop_boosters
    ]


def test_codes_are_typed_and_still_texts() -> None:
    run = Run(seed="CODES")
    assert run.public_state().phase is Phase.blind_select
    assert json.dumps({"phase": run.phase}) == '{"phase": "blind_select"}'
    why = run.refusal(Action("reroll"))
    assert why is Refusal.wrong_phase
    assert why.sentence == "not possible in this phase of the game"
    assert run.refusal(Action("select_blind")) is None
    assert {refusal.sentence for refusal in Refusal}
    assert all(refusal.sentence for refusal in Refusal)


def test_a_state_is_a_value() -> None:
    run = Run(seed="VALUE")
    before = run.public_state()
    run.step(Action("select_blind"))
    assert before.phase == "blind_select"
    assert before == Run(seed="VALUE").public_state()
    assert hash(before) == hash(Run(seed="VALUE").public_state())
    assert before != run.public_state()
    assert before != "a text"
    with pytest.raises(AttributeError):
        before.dollars = 100  # type: ignore[misc]


# --- Plain data -------------------------------------------------------------------------------------------------------


def plain() -> dict[str, Any]:
    run = Run(seed="PLAIN")
    run.debug_add_joker("j_green_joker")
    run.debug_add_consumable("c_fool")
    run.step(Action("select_blind"))
    return run.public_state().to_data()


def test_what_is_derived_may_be_left_out_and_is_never_believed() -> None:
    data = plain()
    whole = PublicState.from_data(data)
    for derived in [line.split("\t")[0] for line in public_schema_table().splitlines() if ", derived" in line]:
        if "." not in derived and "[" not in derived:
            del data[derived]
    assert PublicState.from_data(data) == whole
    assert PublicState.from_data({**data, "spendable": 99999}) == whole


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema_version": "public_v0"}, "public.schema_version: only public_v1 can be read"),
        ({"colour": 1}, "public.colour: the field is unknown"),
        ({"dollars": "many"}, "public.dollars: a number is needed"),
        ({"ante": 1.5}, "public.ante: the number does not fit"),
        ({"phase": "lunch"}, 'public.phase: "lunch" is not known'),
        ({"won": 1}, "public.won: true or false is needed"),
        ({"hand": {}}, "public.hand: a list is needed"),
        ({"hand": [{"rank": "11"}]}, r'public.hand\[0\].rank: "11" is not known'),
        ({"hand": [{"id": 3}]}, r"public.hand\[0\]: rank and suit are needed"),
        ({"hand": [{"id": 1, "rank": "A", "suit": "S"}]}, "id 1 stands there twice"),
        ({"jokers": [{"id": 90}]}, "public.jokers: the key of a joker that is known is needed"),
        ({"jokers": [{"face_down": True}]}, "public.hidden_jokers: there are fewer"),
        ({"shop": [{"id": 9}]}, "public.shop: an offer has either"),
        ({"skip_tags": []}, "public.skip_tags: two are needed"),
        ({"hands": []}, "public.hands: all twelve"),
        ({"unseen": []}, "deck|unseen|cards|zones"),
        ({"discards_left": -5}, "discards_left"),
    ],
)
def test_data_that_no_run_looks_like_are_refused_by_their_field(change: dict[str, Any], message: str) -> None:
    data = plain()
    if "unseen" in change:
        change = {"hand": [{"face_down": True}] * 8, **change}
    with pytest.raises(ValueError, match=message):
        PublicState.from_data({**data, **change})


def test_a_missing_field_is_named() -> None:
    data = plain()
    del data["money" if "money" in data else "dollars"]
    with pytest.raises(ValueError, match=r"public\.dollars: the field is missing"):
        PublicState.from_data(data)
    with pytest.raises(ValueError, match="plain data are dicts"):
        PublicState.from_data({"dollars": object()})


def test_numbers_that_json_cannot_hold_are_the_same_texts_in_both_forms() -> None:
    run = Run(seed="ENDLESS")
    run.debug_set_ante(40)
    state = run.public_state()
    assert state.to_data() == json.loads(state.to_json())
    assert run.to_data() == json.loads(run.to_json())
    assert state.to_data()["blinds"][0]["target"] == "nan"
    assert PublicState.from_data(state.to_data()) == state
