"""The table as a picture, whatever lies on it."""

import numpy as np
import pytest

from jimbo.engine import PublicState, Run
from jimbo.text.picture import HEIGHT, WIDTH, picture_of
from rules.scene import Scene


def looks(state: PublicState) -> bytes:
    drawn = picture_of(state)
    assert (drawn.shape, drawn.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    return drawn.tobytes()


def test_each_place_of_a_run_looks_different() -> None:
    seen: dict[str, bytes] = {}
    for number in range(12):
        run = Run(seed=f"DRAWN{number}", stake="stake_gold")
        for step in range(120):
            state = run.public_state()
            seen.setdefault(str(state.phase), looks(state))
            if state.over:
                break
            run.step(state.draw_action(step))
    assert len(seen) >= 3
    assert len(set(seen.values())) == len(seen)


CARDS = "KH TS/glass*poly#Red+10! 2D^ AC 9S/stone"


@pytest.mark.parametrize("times", [1, 8])
def test_any_number_of_things_fits(times: int) -> None:
    jokers = ["j_wee", "j_gluttenous_joker:e_negative", "j_ring_master:debuffed"] * times
    consumables = ["c_fool", "c_pluto:e_negative"] * times
    scene = Scene(jokers=jokers, hand=" ".join([CARDS] * times), consumables=consumables, tags=["tag_rare"], chips=1e30)
    state = scene.build().public_state()
    fewer = Scene(jokers=jokers, hand=" ".join([CARDS] * times), consumables=consumables[1:], chips=1e30)
    assert looks(state) != looks(fewer.build().public_state())


def test_what_lies_on_a_card_is_seen() -> None:
    cards = ("KH", "KD", "QH", "KH^", "KH!", "KH@", "KH/steel", "KH*foil", "KH#Red", "KH/stone")
    assert len({looks(Scene(hand=card).build().public_state()) for card in cards}) == len(cards)


def test_a_shop_has_its_goods() -> None:
    shops = (["j_wee"], ["c_fool"], ["KH"], ["j_wee", "KH"])
    assert len({looks(Scene(phase="shop", shop=shop).build().public_state()) for shop in shops}) == len(shops)
