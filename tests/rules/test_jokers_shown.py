"""What a joker shows of itself at the moment, and that it is what the joker gives."""

from typing import Any

import pytest

from jimbo.engine.catalog import JOKERS
from rules.scene import Row, Scene, discard, play, row, rows_test
from rules.test_jokers_counting import FIFTEEN_ENHANCED, SIXTEEN_ENHANCED


def shows(jokers: str, shown: str, **scene: Any) -> Row:
    keys = jokers.split()
    return row(
        f"{jokers} shows {shown}", keys[0].partition(":")[0], Scene(jokers=keys, hand="KS 2H", **scene), shown=shown
    )


GROWN = [
    *(shows(f"{key}:count=7", "mult 7") for key in ("j_ceremonial", "j_ride_the_bus", "j_green_joker", "j_red_card")),
    *(shows(f"{key}:count=8", "mult 8") for key in ("j_flash", "j_trousers", "j_popcorn")),
    *(shows(f"{key}:count=30", "chips 30") for key in ("j_runner", "j_square", "j_ice_cream", "j_wee")),
    *(shows(f"{key}:x_mult=1.4", "x_mult 1.4") for key in ("j_constellation", "j_hologram", "j_vampire", "j_obelisk")),
    *(shows(f"{key}:x_mult=1.5", "x_mult 1.5") for key in ("j_lucky_cat", "j_campfire", "j_glass", "j_hit_the_road")),
    *(shows(f"{key}:x_mult=1.75", "x_mult 1.75") for key in ("j_ramen", "j_madness", "j_caino")),
    shows("j_runner", "chips 0"),
    shows("j_popcorn", "mult 20"),
    shows("j_ramen", "x_mult 2"),
    shows("j_yorick", "x_mult 1, cards_to_go 23"),
    shows("j_yorick:count=4,x_mult=3", "x_mult 3, cards_to_go 4"),
    shows("j_castle:count=9", "chips 9, suit H", targets={"castle_suit": "H"}),
    shows("j_rocket:count=5", "dollars 5"),
]

LEFT = [
    shows("j_loyalty_card:count=0", "hands_to_go 5"),
    shows("j_loyalty_card:count=0", "hands_to_go 1", memory={"hands_played": 4}),
    shows("j_loyalty_card:count=0", "hands_to_go 0", memory={"hands_played": 5}),
    shows("j_loyalty_card:count=3", "hands_to_go 5", memory={"hands_played": 9}),
    shows("j_selzer", "hands_left 10"),
    shows("j_turtle_bean", "hand_size 5"),
    shows("j_invisible:count=1", "rounds_done 1 of 2"),
    shows("j_invisible:count=3", "rounds_done 3 of 2"),
]

LOOKED_FOR = [
    shows("j_todo_list:count=2", "poker_hand Two Pair"),
    shows("j_idol", "card K H", targets={"idol_rank": "K", "idol_suit": "H"}),
    shows("j_mail", "rank 10", targets={"mail_rank": "10"}),
    shows("j_ancient", "suit C", targets={"ancient_suit": "C"}),
    shows("j_blueprint j_runner", "copies 1"),
    shows("j_blueprint", "copies nothing"),
    shows("j_blueprint j_blueprint j_joker", "copies 2"),
    shows("j_blueprint j_brainstorm", "copies nothing"),  # they copy each other without end
    shows("j_blueprint j_joker:debuffed", "copies nothing"),
    shows("j_blueprint j_pareidolia", "copies nothing"),  # it cannot be copied
    shows("j_blueprint:debuffed j_joker", "copies 1"),
    shows("j_brainstorm j_joker", "copies nothing"),  # it is the leftmost itself
]

COUNTED = [
    shows("j_stencil", "x_mult 5"),
    shows("j_stencil j_egg j_egg:e_negative", "x_mult 4"),
    shows("j_stencil j_egg j_egg j_egg j_egg", "x_mult 1"),
    shows("j_banner", "chips 60", discards=2),
    shows("j_steel_joker", "x_mult 1.4", deck_cards="2S/steel 3S/steel"),
    shows("j_steel_joker", "x_mult 1"),
    shows("j_abstract j_egg j_egg", "mult 9"),
    shows("j_blue_joker", "chips 4", deck_cards="2S 3S"),
    shows("j_cloud_9", "dollars 4"),
    shows("j_cloud_9", "dollars 1", deck_cards="9S 9H/stone"),
    shows("j_erosion", "mult 192", deck_cards="2S 3S"),
    shows("j_erosion", "mult 144", deck_cards="2S 3S", deck="b_abandoned"),
    shows("j_erosion", "mult 0", discard_cards="2S 2S 2S"),
    shows("j_fortune_teller", "mult 6", memory={"tarots_used": 6}),
    shows("j_stone", "chips 50", deck_cards="2S/stone", discard_cards="3S/stone 4S"),
    shows("j_bull", "chips 14", money=7),
    shows("j_bull", "chips 0", money=-7),
    shows("j_swashbuckler j_baron j_egg:sell_bonus=6", "mult 12"),
    shows("j_throwback", "x_mult 1.75", memory={"skips": 3}),
    shows("j_satellite", "dollars 2", memory={"used_planets": ["c_mars", "c_venus"]}),
    shows("j_drivers_license", "cards_found 15 of 16", deck_cards=FIFTEEN_ENHANCED),
    shows("j_drivers_license", "cards_found 16 of 16", deck_cards=SIXTEEN_ENHANCED),
    shows("j_bootstraps", "mult 4", money=14),
    shows("j_bootstraps", "mult 0", money=-14),
]

ACTING = [
    row(
        "runner grows", "j_runner", Scene(jokers=["j_runner"], hand="2S 3H 4S 5S 6D"), play(range(5)), shown="chips 15"
    ),
    row(
        "yorick counts",
        "j_yorick",
        Scene(jokers=["j_yorick"], hand="2S 3H"),
        discard("2S"),
        shown="x_mult 1, cards_to_go 22",
    ),
    row(
        "banner falls",
        "j_banner",
        Scene(jokers=["j_banner"], hand="2S 3H", discards=2),
        discard("2S"),
        shown="chips 30",
    ),
]

ROWS = [*GROWN, *LEFT, *LOOKED_FOR, *COUNTED, *ACTING]
test_rows = rows_test(ROWS)


SHOWING = {found.covers for found in ROWS}


@pytest.mark.parametrize("key", sorted(JOKERS))
def test_every_joker_that_shows_something_has_a_row(key: str) -> None:
    run = Scene(jokers=[key], hand="KS").build()
    assert bool(run.public_state().jokers[0].shown) == (key in SHOWING)


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ("j_joker:count=1", "no number of its own"),
        ("j_todo_list:count=12", "a number from -1 to 11"),
        ("j_loyalty_card:count=-2", "a number from -1 to"),
        ("j_runner:count=-1", "a number from 0 to"),
    ],
)
def test_a_number_that_a_joker_cannot_have_is_refused(field: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=rf"jokers\[0\]\.count: .*{sentence}"):
        Scene(jokers=[field], hand="KS").build()
