"""What seeds hold, and the search for seeds."""

import itertools
import json

import pytest

from jimbo.seeds import (
    Exploration,
    Search,
    after,
    checked_seed,
    explore,
    json_lines,
    typed_seed,
    why_never,
)


def names(items: object) -> list[str]:
    return [item.name for item in items]  # type: ignore[attr-defined]


def test_start_of_testseed() -> None:
    ante = explore("TESTSEED", last_ante=1).antes[0]
    assert ante.boss.name == "The Head"
    assert ante.voucher.key == "v_crystal_ball"
    assert names(ante.tags) == ["Economy Tag", "Investment Tag"]
    assert names(ante.shop[:2]) == ["Raised Fist", "Pareidolia"]
    assert [pack.key for pack in ante.packs[:2]] == ["p_buffoon_normal_1", "p_standard_jumbo_1"]


def test_first_boss_of_the_vanilla_game() -> None:
    bosses = {"AAAAAAAA": "The Manacle", "BBBBBBBB": "The Goad", "CCCCCCCC": "The Pillar"}
    assert {seed: explore(seed, last_ante=1).antes[0].boss.name for seed in bosses} == bosses


def test_souls_give_legendary_jokers_that_do_not_repeat() -> None:
    ante = explore("JHZ7FPM", last_ante=1).antes[0]
    assert names(ante.legendaries) == ["Perkeo", "Triboulet"]
    assert sum(card.name == "The Soul" for pack in ante.packs for card in pack.cards) == 2


def test_ante_1_has_two_shops_and_later_antes_three() -> None:
    assert [len(ante.packs) for ante in explore("TESTSEED", last_ante=3).antes] == [4, 6, 6]


def test_cards_on_display_exclude_each_other() -> None:
    for seed in ("TESTSEED", "AAAAAAAA", "11111111"):
        for ante in explore(seed, queue=100).antes:
            pairs = zip(ante.shop[::2], ante.shop[1::2], strict=True)
            assert all(left.key != right.key for left, right in pairs)


def test_the_antes_of_a_part_are_those_of_the_whole() -> None:
    whole = Exploration().report("TESTSEED")
    assert Exploration(first_ante=4, last_ante=6).report("TESTSEED").antes == whole.antes[3:6]


def test_stakes_bring_stickers() -> None:
    white = explore("TESTSEED", "b_red", "white")
    gold = explore("TESTSEED", "b_red", "gold")
    assert not any(card.stickers for ante in white.antes for card in ante.shop)
    found = {sticker for ante in gold.antes for card in ante.shop for sticker in card.stickers}
    assert found == {"eternal", "perishable", "rental"}


def test_json_lines_keep_the_order_on_several_threads() -> None:
    seeds = [f"{i:X}" for i in range(300)]
    exploration = Exploration(last_ante=1, queue=2)
    lines = "".join(json_lines(exploration, seeds, threads=3)).splitlines()
    assert [json.loads(line)["seed"] for line in lines] == seeds
    assert lines[7] == exploration.json("7")


def test_typed_seeds_are_upper_case_and_others_stay_as_they_are() -> None:
    assert typed_seed(" ab0 ") == "AB0"
    assert typed_seed("ab0", as_in_game=True) == "ABO"
    assert typed_seed("test_1") == "TEST_1"
    assert checked_seed(" ab0 ") == " ab0 "
    with pytest.raises(ValueError, match=r'^seed "" is not valid: a seed has 1 to 32 bytes .*\.$'):
        typed_seed(" ")


def test_a_report_of_any_seed_is_json() -> None:
    seed = 'a "b" \\ é'
    (line,) = json_lines(Exploration(last_ante=1, queue=2), [seed])
    assert json.loads(line)["seed"] == seed
    assert explore(seed, last_ante=1).seed == seed


def test_search_finds_what_explore_shows() -> None:
    search = Search(["j_blueprint", "tag_double"], by_ante=2, threads=2)
    hits = [hit for block in itertools.islice(search.blocks(), 3) for hit in block.hits]
    assert hits
    for hit in hits:
        report = explore(hit.seed, last_ante=2)
        joker, tag = hit.places
        ante = report.antes[joker.ante - 1]
        cards = ante.shop[joker.position - 1 :][:1] if joker.where == "shop" else ante.packs[joker.position - 1].cards
        assert "j_blueprint" in [card.key for card in cards]
        assert report.antes[tag.ante - 1].tags[tag.position - 1].key == "tag_double"


def test_search_misses_nothing() -> None:
    wanted = "v_hieroglyph"
    seeds = ["11111111"]
    while len(seeds) < 500:
        following = after(seeds[-1])
        assert following is not None
        seeds.append(following)
    expected = [seed for seed in seeds if explore(seed, last_ante=1).antes[0].voucher.key == wanted]
    blocks = list(Search([wanted]).blocks(tries=500))
    assert [hit.seed for block in blocks for hit in block.hits] == expected
    assert blocks[-1].searched == 500
    assert blocks[-1].next_seed == after(seeds[-1])


def test_legendary_jokers_are_found_through_souls() -> None:
    hits = [hit for block in Search(["j_perkeo"]).blocks(tries=5000) for hit in block.hits]
    assert hits
    for hit in hits:
        (place,) = hit.places
        ante = explore(hit.seed, last_ante=1).antes[0]
        assert place.where == "soul"
        assert "c_soul" in [card.key for card in ante.packs[place.position - 1].cards]
        assert "j_perkeo" in [card.key for card in ante.legendaries]


def test_search_ends_with_the_last_seed() -> None:
    (block,) = Search(["j_joker"], start="ZZZZZZZZ").blocks()
    assert (block.searched, block.next_seed) == (1, None)
    assert after("ZZZZZZZZ") is None


@pytest.mark.parametrize(
    ("key", "deck", "reason"),
    [
        ("bl_small", "b_red", "in every ante"),
        ("bl_final_bell", "b_red", "ante 8 at the earliest"),
        ("tag_orbital", "b_red", "ante 2 at the earliest"),
        ("j_cavendish", "b_red", "Gros Michel"),
        ("j_steel_joker", "b_red", "Steel"),
        ("c_eris", "b_red", "Flush Five must be played"),
        ("v_tarot_tycoon", "b_red", "Tarot Merchant must be redeemed"),
        ("v_tarot_merchant", "b_zodiac", "starts with it"),
        ("c_fool", "b_magic", "starts with it"),
        ("b_red", "b_red", "can be searched for"),
    ],
)
def test_items_that_cannot_turn_up(key: str, deck: str, reason: str) -> None:
    assert reason in (why_never(key, deck, 1) or "")
    with pytest.raises(ValueError, match="cannot turn up"):
        Search([key], deck=deck)


def test_items_that_can_turn_up() -> None:
    for key, deck in (("v_tarot_tycoon", "b_zodiac"), ("c_soul", "b_red"), ("bl_hook", "b_red"), ("c_fool", "b_red")):
        assert why_never(key, deck, 1) is None


def test_unknown_items_are_refused_with_close_matches() -> None:
    with pytest.raises(ValueError, match="j_blueprint"):
        Search(["j_bluprint"])


@pytest.mark.parametrize("start", ["A", "00000000", "OOOOOOOO"])
def test_search_starts_at_seeds_that_the_game_makes(start: str) -> None:
    with pytest.raises(ValueError, match="8 characters from 1-9"):
        Search(["j_joker"], start=start)
