"""Blueprint and Brainstorm: what they copy, chains of them, and what they must not do twice."""

from typing import Any

import pytest

from jimbo.engine.catalog import JOKERS
from rules.scene import (
    Do,
    Live,
    Pick,
    Row,
    Scene,
    discard,
    leave_shop,
    move_joker,
    play,
    row,
    rows_test,
    scores,
    sell,
    skip_pack,
    use,
)

PLACES = [
    scores("j_blueprint j_joker", "KS", 15, 1 + 8),
    scores("j_joker j_blueprint", "KS", 15, 1 + 4),  # nobody to its right
    scores("j_joker j_brainstorm", "KS", 15, 1 + 8),
    scores("j_brainstorm j_joker", "KS", 15, 1 + 4),  # itself the leftmost
    scores("j_cavendish j_joker j_brainstorm", "KS", 15, (3 + 4) * 3),  # in its own place
    scores("j_blueprint j_joker:debuffed", "KS", 15, 1),
    scores("j_blueprint:debuffed j_joker", "KS", 15, 1 + 4),
    scores("j_joker j_brainstorm:debuffed", "KS", 15, 1 + 4),
    scores("j_blueprint:e_foil j_joker:e_holo", "KS", 15 + 50, 1 + 4 + 10 + 4),  # editions are not copied
    scores("j_blueprint:e_polychrome j_joker", "KS", 15, (1 + 4) * 1.5 + 4),
]

CHAINS = [
    scores("j_blueprint j_blueprint j_joker", "KS", 15, 1 + 12),
    scores("j_joker j_blueprint j_brainstorm", "KS", 15, 1 + 12),  # Blueprint copies Brainstorm, that copies the Joker
    scores("j_blueprint j_joker j_brainstorm", "KS", 15, 1 + 12),
    scores("j_brainstorm j_blueprint", "KS", 15, 1),
    scores("j_blueprint j_brainstorm", "KS", 15, 1),  # each copies the other
    scores("j_blueprint j_brainstorm j_joker", "KS", 15, 1 + 4),
    scores("j_blueprint j_brainstorm:debuffed j_joker", "KS", 15, 1 + 4),  # the chain is broken
]

MORE = [
    row(
        "moving a joker changes what is copied",
        "j_blueprint",
        Scene(jokers=["j_blueprint", "j_joker", "j_cavendish"], hand="KS"),
        move_joker("j_blueprint", 1),
        play("KS"),
        mult=(1 + 4) * 3 * 3,
    ),
    row(
        "hiker is copied",
        "j_hiker j_blueprint pitfall:copyable-growers",
        Scene(jokers=["j_blueprint", "j_hiker"], hand="KS#Red"),
        play("KS"),
        chips=15 + 20,  # 10 more the second time
        discarded="KS#Red+20",
    ),
    row(
        "dna is copied",
        "j_dna j_blueprint pitfall:copyable-growers",
        Scene(jokers=["j_blueprint", "j_dna"], hand="KS 2D", deck_cards=""),
        play("KS"),
        hand="2D KS KS",
    ),
    row(
        "burnt joker is copied",
        "j_burnt j_blueprint pitfall:copyable-growers",
        Scene(jokers=["j_blueprint", "j_burnt"], hand="KS KH"),
        discard("KS KH"),
        levels={"Pair": 3},
    ),
    row(
        "perkeo is copied",
        "j_perkeo j_brainstorm pitfall:copyable-growers",
        Scene(
            jokers=["j_perkeo", "j_brainstorm"],
            phase="shop",
            consumables=["c_pluto", "c_mars"],
            rolls={"perkeo": [Pick(1, of=2), Pick(0, of=3)]},
        ),
        leave_shop,
        consumables=["c_pluto", "c_mars", "c_mars", "c_pluto"],
    ),
    row(
        "diet cola is copied when the copy is sold",
        "j_diet_cola j_blueprint",
        Scene(jokers=["j_blueprint", "j_diet_cola"], phase="shop"),
        sell("j_blueprint"),
        tags=["tag_double"],
        jokers=["j_diet_cola"],
    ),
]


def grows_once(joker: str, do: Do, number: str, values: list[float], **scene: Any) -> Row:
    """The joker leftmost, a Brainstorm behind it: only the joker's own number changes."""
    key = joker.partition(":")[0]
    return row(
        f"a copied {key} changes once",
        f"{key} j_brainstorm",
        Scene(jokers=[joker, "j_brainstorm"], **scene),
        do,
        **{number: values},
    )


GROWTH = [
    grows_once("j_obelisk", play("KS"), "x_mults", [1.2, 1], hand="KS", played={"Pair": 3}),
    grows_once("j_constellation", use("c_pluto"), "x_mults", [1.1, 1], hand="KS", consumables=["c_pluto"]),
    grows_once(
        "j_red_card",
        skip_pack,
        "counts",
        [3, 0],
        phase="pack_opening",
        pack="p_celestial_normal_1",
        pack_cards=["c_pluto"],
    ),
    grows_once("j_popcorn", play("KS"), "counts", [16, 0], hand="KS", target=1),
    grows_once("j_hit_the_road", discard("JS"), "x_mults", [1.5, 1], hand="JS KS"),
    grows_once("j_yorick", discard("JS"), "counts", [22, 0], hand="JS KS"),
    grows_once("j_caino", use("c_hanged_man", "JS"), "x_mults", [2, 1], hand="JS KS", consumables=["c_hanged_man"]),
    grows_once("j_campfire", sell("c_pluto"), "x_mults", [1.25, 1], phase="shop", consumables=["c_pluto"]),
    grows_once("j_castle", discard("2H"), "counts", [3, 0], hand="2H KS", targets={"castle_suit": "H"}),
    grows_once("j_green_joker:count=5", discard("2H"), "counts", [4, 0], hand="2H KS"),
]

ROWS: list[Row] = [*PLACES, *CHAINS, *MORE, *GROWTH]
test_rows = rows_test(ROWS)

NOT_COPYABLE = [key for key, joker in JOKERS.items() if not joker.copyable]


@pytest.mark.parametrize("key", NOT_COPYABLE)
def test_what_cannot_be_copied_is_not(key: str) -> None:
    """A Blueprint in front of it changes nothing: same score, same hand size, same money."""
    with_copy = Live(Scene(jokers=["j_blueprint", key], hand="KS KH 6D", deck_cards=""))
    alone = Live(Scene(jokers=["j_blueprint:debuffed", key], hand="KS KH 6D", deck_cards=""))
    for live in (with_copy, alone):
        live.play("KS KH")
        live.check_rolls()
    assert (with_copy.score, with_copy.hand_size, with_copy.money) == (alone.score, alone.hand_size, alone.money)


@pytest.mark.parametrize("key", JOKERS)
def test_a_debuffed_joker_does_nothing(key: str) -> None:
    """The hand scores what it would score without the joker, no stream moves and its numbers stay."""
    hand = "KH KD 8S 6C 2C 2D/lucky JS QS"
    rolls = {"lucky_mult": [False], "lucky_money": [False]}
    bare = Live(Scene(hand=hand, deck_cards="", rolls=rolls))
    debuffed = Live(Scene(jokers=[f"{key}:debuffed"], hand=hand, deck_cards="", rolls=rolls))
    before = debuffed.at("jokers.0")
    for live in (bare, debuffed):
        live.discard("JS QS")
        live.play("KH KD 8S 2C 2D")
        live.check_rolls()
    assert debuffed.at("jokers.0") == before
    for name in ("chips", "mult", "score", "money", "hand", "discarded", "consumables", "levels", "hand_size"):
        assert getattr(debuffed, name) == getattr(bare, name), name
