"""The ids of the older projects."""

from itertools import combinations

import numpy as np
import pytest

from jimbo.data import record_v1_actions as actions
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
    assert [len(actions.action_entries(n)) for n in range(1, 11)] == COUNTS
    assert actions.max_actions() == 1275


def test_the_order_of_the_table() -> None:
    assert actions.action_entries(2) == (
        ("PLAY", 0b01), ("PLAY", 0b10), ("PLAY", 0b11),
        ("DISCARD", 0b00), ("DISCARD", 0b01), ("DISCARD", 0b10), ("DISCARD", 0b11),
    )  # fmt: skip
    assert actions.decode(8, 217) == ("PLAY", actions.indices_to_mask([3, 4, 5, 6, 7]))
    assert actions.decode(8, 218) == ("DISCARD", 0)


@pytest.mark.parametrize("hand_size", range(1, 11))
def test_every_id_comes_back(hand_size: int) -> None:
    for number, (kind, mask) in enumerate(actions.action_entries(hand_size)):
        assert actions.encode(hand_size, kind, mask) == number
        assert actions.indices_to_mask(actions.mask_to_indices(mask)) == mask
        assert actions.hand_action_id(hand_size, actions.hand_action(hand_size, number)) == number


def test_the_mask_of_a_hand_size() -> None:
    mask = actions.legal_action_mask(3, 20)
    assert mask.tolist() == [1] * 15 + [0] * 5
    assert actions.legal_action_mask(10).shape == (1275,)
    with pytest.raises(ValueError, match="has 437 ids, which do not fit in 100"):
        actions.legal_action_mask(8, 100)


def test_all_plays_and_discards_of_a_hand_are_listed_but_the_empty_discard() -> None:
    ids = actions.legal_action_ids(dealt())
    assert ids == [number for number in range(437) if number != 218]


@pytest.mark.parametrize(("left", "first", "last"), [({"discards_left": 0}, 0, 217), ({"hands_left": 1}, 0, 436)])
def test_ids_respect_what_is_left(left: dict[str, int], first: int, last: int) -> None:
    ids = actions.legal_action_ids(dealt(**left))
    assert (ids[0], ids[-1]) == (first, last)


def test_the_ids_are_the_legal_actions() -> None:
    run = dealt()
    legal = {action for action in run.legal_actions() if action.kind in ("play", "discard")}
    assert {actions.hand_action(8, number) for number in actions.legal_action_ids(run)} == legal


def test_a_forced_card_is_part_of_every_id() -> None:
    run = Run(seed="BELL")
    run.debug_set_boss("bl_final_bell")
    for _ in range(2):
        run.step(Action("skip_blind"))
    run.step(Action("select_blind"))
    chosen = [set(actions.mask_to_indices(actions.decode(8, n)[1])) for n in actions.legal_action_ids(run)]
    assert len(set.intersection(*chosen)) == 1


def test_a_large_hand_uses_its_first_ten_cards() -> None:
    run = dealt()
    for _ in range(4):
        run.debug_add_card("H_T")
    ids = actions.legal_action_ids(run)
    assert len(ids) == 1275 - 1
    assert actions.hand_action_id(12, Action("play", cards=[10])) is None
    assert actions.hand_action_id(12, Action("play", cards=[9])) == 9


def test_shop_ids_come_back() -> None:
    for number, (kind, params) in enumerate(actions.SHOP_ACTIONS):
        assert actions.encode_shop(kind, params) == number
        assert actions.decode_shop(number) == (kind, params)
        action = actions.shop_action(number)
        assert (action is None) == (kind == "WAIT")
        if action is not None:
            assert actions.shop_action_id(action) == number
    assert actions.shop_action_id(Action("buy", 1)) is None


def test_shop_ids_respect_the_rules() -> None:
    run = in_shop()
    run.dollars = 0
    names = [actions.decode_shop(number) for number in actions.legal_shop_action_ids(run)]
    assert names == [("NEXT_ROUND", {}), ("WAIT", {})]
    run.dollars = 100
    allowed = actions.legal_shop_action_ids(run)
    assert allowed[:2] == [0, 1]
    assert 3 in allowed
    run.step(Action("open_booster"))
    assert 7 in actions.legal_shop_action_ids(run)
    assert actions.legal_shop_action_ids(dealt()) == []
    assert actions.legal_action_ids(in_shop()) == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: actions.encode(8, "PLAY", 0), "at least one to play"),
        (lambda: actions.encode(8, "FOLD", 1), "the type is PLAY or DISCARD"),
        (lambda: actions.decode(8, 437), "ids go from 0 to 436"),
        (lambda: actions.action_entries(11), "hand sizes go from 1 to 10"),
        (lambda: actions.indices_to_mask([10]), "positions go from 0 to 9"),
        (lambda: actions.mask_to_indices(1 << 10), "masks go from 0 to 1023"),
        (lambda: actions.encode_shop("BUY", {"card": 1}), "no shop id"),
        (lambda: actions.shop_action(10), "ids go from 0 to 9"),
    ],
)
def test_what_has_no_id_is_refused_with_a_sentence(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


def test_a_table_holds_every_choice_once() -> None:
    entries = actions.action_entries(10)
    assert len(set(entries)) == len(entries)
    plays = sum(1 for k in range(1, 6) for _ in combinations(range(10), k))
    assert np.sum([kind == "PLAY" for kind, _ in entries]) == plays
