"""The ids of the older projects."""

from itertools import combinations

import numpy as np
import pytest

from jimbo.data import seed_ids
from jimbo.engine import Action, Run

COUNTS = [3, 7, 15, 31, 63, 125, 239, 437, 763, 1275]


def dealt(**changes: int) -> Run:
    run = Run(seed="SEEDIDS")
    run.step(Action("select_blind"))
    for name, value in changes.items():
        setattr(run, name, value)
    return run


def in_shop() -> Run:
    run = dealt()
    run.chips = run.target
    run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    return run


def test_the_number_of_ids_of_every_hand_size() -> None:
    assert [len(seed_ids.action_entries(n)) for n in range(1, 11)] == COUNTS
    assert seed_ids.max_actions() == 1275


def test_the_order_of_the_table() -> None:
    assert seed_ids.action_entries(2) == (
        ("PLAY", 0b01), ("PLAY", 0b10), ("PLAY", 0b11),
        ("DISCARD", 0b00), ("DISCARD", 0b01), ("DISCARD", 0b10), ("DISCARD", 0b11),
    )  # fmt: skip
    assert seed_ids.decode(8, 217) == ("PLAY", seed_ids.indices_to_mask([3, 4, 5, 6, 7]))
    assert seed_ids.decode(8, 218) == ("DISCARD", 0)


@pytest.mark.parametrize("hand_size", range(1, 11))
def test_every_id_comes_back(hand_size: int) -> None:
    for number, (kind, mask) in enumerate(seed_ids.action_entries(hand_size)):
        assert seed_ids.encode(hand_size, kind, mask) == number
        assert seed_ids.indices_to_mask(seed_ids.mask_to_indices(mask)) == mask
        assert seed_ids.hand_action_id(hand_size, seed_ids.hand_action(hand_size, number)) == number


def test_the_mask_of_a_hand_size() -> None:
    mask = seed_ids.legal_action_mask(3, 20)
    assert mask.tolist() == [1] * 15 + [0] * 5
    assert seed_ids.legal_action_mask(10).shape == (1275,)
    with pytest.raises(ValueError, match="has 437 ids, which do not fit in 100"):
        seed_ids.legal_action_mask(8, 100)


def test_all_plays_and_discards_of_a_hand_are_listed_but_the_empty_discard() -> None:
    ids = seed_ids.legal_action_ids(dealt())
    assert ids == [number for number in range(437) if number != 218]


@pytest.mark.parametrize(("left", "first", "last"), [({"discards_left": 0}, 0, 217), ({"hands_left": 1}, 0, 436)])
def test_ids_respect_what_is_left(left: dict[str, int], first: int, last: int) -> None:
    ids = seed_ids.legal_action_ids(dealt(**left))
    assert (ids[0], ids[-1]) == (first, last)


def test_the_ids_are_the_legal_actions() -> None:
    run = dealt()
    legal = {action for action in run.legal_actions() if action.kind in ("play", "discard")}
    assert {seed_ids.hand_action(8, number) for number in seed_ids.legal_action_ids(run)} == legal


def test_a_forced_card_is_part_of_every_id() -> None:
    run = Run(seed="BELL")
    run.debug_set_boss("bl_final_bell")
    for _ in range(2):
        run.step(Action("skip_blind"))
    run.step(Action("select_blind"))
    chosen = [set(seed_ids.mask_to_indices(seed_ids.decode(8, n)[1])) for n in seed_ids.legal_action_ids(run)]
    assert len(set.intersection(*chosen)) == 1


def test_a_large_hand_uses_its_first_ten_cards() -> None:
    run = dealt()
    for _ in range(4):
        run.debug_add_card("H_T")
    ids = seed_ids.legal_action_ids(run)
    assert len(ids) == 1275 - 1
    assert seed_ids.hand_action_id(12, Action("play", cards=[10])) is None
    assert seed_ids.hand_action_id(12, Action("play", cards=[9])) == 9


def test_shop_ids_come_back() -> None:
    for number, (kind, params) in enumerate(seed_ids.SHOP_ACTIONS):
        assert seed_ids.encode_shop(kind, params) == number
        assert seed_ids.decode_shop(number) == (kind, params)
        action = seed_ids.shop_action(number)
        assert (action is None) == (kind == "WAIT")
        if action is not None:
            assert seed_ids.shop_action_id(action) == number
    assert seed_ids.shop_action_id(Action("buy", 1)) is None


def test_shop_ids_respect_the_rules() -> None:
    run = in_shop()
    run.dollars = 0
    names = [seed_ids.decode_shop(number) for number in seed_ids.legal_shop_action_ids(run)]
    assert names == [("NEXT_ROUND", {}), ("WAIT", {})]
    run.dollars = 100
    allowed = seed_ids.legal_shop_action_ids(run)
    assert allowed[:2] == [0, 1]
    assert 3 in allowed
    run.step(Action("open_booster"))
    assert 7 in seed_ids.legal_shop_action_ids(run)
    assert seed_ids.legal_shop_action_ids(dealt()) == []
    assert seed_ids.legal_action_ids(in_shop()) == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seed_ids.encode(8, "PLAY", 0), "at least one to play"),
        (lambda: seed_ids.encode(8, "FOLD", 1), "the type is PLAY or DISCARD"),
        (lambda: seed_ids.decode(8, 437), "ids go from 0 to 436"),
        (lambda: seed_ids.action_entries(11), "hand sizes go from 1 to 10"),
        (lambda: seed_ids.indices_to_mask([10]), "positions go from 0 to 9"),
        (lambda: seed_ids.mask_to_indices(1 << 10), "masks go from 0 to 1023"),
        (lambda: seed_ids.encode_shop("BUY", {"card": 1}), "no shop id"),
        (lambda: seed_ids.shop_action(10), "ids go from 0 to 9"),
    ],
)
def test_what_has_no_id_is_refused_with_a_sentence(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


def test_a_table_holds_every_choice_once() -> None:
    entries = seed_ids.action_entries(10)
    assert len(set(entries)) == len(entries)
    plays = sum(1 for k in range(1, 6) for _ in combinations(range(10), k))
    assert np.sum([kind == "PLAY" for kind, _ in entries]) == plays
