"""Routes: the cheapest line that gets what is wished for, checked by playing it."""

import pytest

from jimbo.data.game_files import game_in
from jimbo.data.record_files import record_text
from jimbo.seeds.line import BadLine, LineStart, Spent, play_line, read_words
from jimbo.seeds.parse import parse_has
from jimbo.seeds.route import FoundRoute, find_route
from jimbo.serve.seed_runs import played_line, told_steps

START = LineStart("TESTSEED")


def route(*wishes: str, start: LineStart = START, by_ante: int = 3) -> FoundRoute:
    return find_route(start, [parse_has(wish) for wish in wishes], by_ante=by_ante)


def test_the_cheapest_way_to_a_card_of_the_queue() -> None:
    """Card 16 of ante 3's queue needs 5 rerolls: 1, 2 and 2 in its three shops cost $27, any other way more."""
    found = route("judgement @ 3")
    assert found.spent == Spent(dollars=30, rerolls=5, skips=0)
    assert found.is_cheapest
    per_shop = " ".join(found.words).split("beat")
    assert sorted(part.count("reroll") for part in per_shop if "reroll" in part) == [1, 2, 2]
    line = play_line(START, found.words)
    assert line.spent == found.spent
    assert [card.name for card in line.run.public_state().consumables] == ["Judgement"]


def test_several_wishes_on_one_way() -> None:
    found = route("oops all 6s @ 1", "baseball card @ 2", "crystal ball @ 1", start=LineStart("TESTSEED", dollars=30))
    assert not found.missing
    run = play_line(LineStart("TESTSEED", dollars=30), found.words).run
    assert set(run.joker_keys) == {"j_oops", "j_baseball"}
    assert "v_crystal_ball" in run.voucher_keys
    assert [one.dollars for one in sorted(found.got, key=lambda got: got.wish)] == [4, 8, 10]


def test_tags_packs_and_bosses() -> None:
    found = route("economy tag @ 1", "the head @ 1", "jumbo standard pack @ 1", start=LineStart("TESTSEED", dollars=20))
    assert not found.missing
    assert {one.how for one in found.got} == {"by skipping", "beaten", "opened"}
    assert found.spent.skips == 1


def test_of_wishes_that_exclude_each_other_most_come_true() -> None:
    """The small blind's tag costs the first shop, so that the ante has no third pack."""
    found = route("economy tag @ 1", "the head @ 1", "standard pack @ 1", start=LineStart("TESTSEED", dollars=20))
    assert [len(found.missing), len(found.got)] == [1, 2]


def test_what_cannot_be_had_is_told() -> None:
    found = route("perkeo", "blueprint @ 1", "smeared joker @ 1")
    assert found.missing == found.unseen == (0, 1)
    assert [one.name for one in found.got] == ["Smeared Joker"]
    dear = route("judgement @ 3", "oops all 6s @ 1", "baseball card @ 2")
    assert dear.missing
    assert not dear.unseen


def test_a_route_goes_on_from_a_line() -> None:
    words = read_words("beat reroll")
    found = find_route(START, [parse_has("smeared joker @ 1")], by_ante=1, words=words)
    assert found.words[:2] == words


@pytest.mark.parametrize(
    ("wishes", "by_ante"), [([], 3), (["blueprint"] * 13, 3), (["blueprint"], 0), (["blueprint @ 20"], 3)]
)
def test_routes_that_make_no_sense(wishes: list[str], by_ante: int) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        route(*wishes, by_ante=by_ante)


def test_a_line_becomes_a_run_that_everything_reads() -> None:
    words = read_words("beat beat buy2 beat")
    assert [step.paid for step in told_steps(START, words)] == [0, 0, 10, 0]
    played = played_line(START, words)
    game = game_in(record_text(played.record).encode(), "the run")
    assert game.run
    assert game.run.joker_keys == ["j_smeared"]
    assert (played.done, game.run.ante) == (4, 2)
    assert "solver" in played.note


def test_a_run_ends_before_a_blind_that_is_not_beaten() -> None:
    words = ("beat",) * 15
    played = played_line(START, words)
    assert played.done < len(words)
    assert "does not beat" in played.note


def test_a_gift_is_part_of_the_run() -> None:
    start = LineStart("TESTSEED", dollars=50)
    game = game_in(record_text(played_line(start, read_words("beat redeem1")).record).encode(), "the run")
    assert game.run
    assert game.run.voucher_keys == ["v_crystal_ball"]
    with pytest.raises(BadLine, match=r"^Step 2: .+\.$"):
        told_steps(START, read_words("beat redeem1"))
