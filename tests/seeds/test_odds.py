"""Odds: computed ones against counted ones, intervals that hold, and kept searches."""

import json
from pathlib import Path

import pytest

from jimbo.engine.seed_tools import MADE_SEED_COUNT, edition_chance
from jimbo.seeds import explore
from jimbo.seeds.conditions import Has, Thing, Within
from jimbo.seeds.hunt import Hunt, HuntPlan, load_hunt, run_hunt
from jimbo.seeds.odds import Chance, estimate_odds, wilson
from jimbo.seeds.parse import parse_has, parse_lacks
from jimbo.seeds.search import Search, SearchPlan
from jimbo.seeds.starts import after

MANY = 40_000
FIRST = 1_234_567


@pytest.mark.parametrize(
    "text",
    [
        "negative tag @ 2",
        "double tag|boss tag @ 1-3",
        "telescope @ 1-4",
        "blank @ 2",
        "mega spectral pack @ 1-3",
        "buffoon pack @ 2",
    ],
)
@pytest.mark.parametrize("deck", ["b_red", "b_zodiac"])
def test_computed_chances_are_those_of_seeds(text: str, deck: str) -> None:
    search = SearchPlan(deck=deck).search([text])
    (chance,) = search.exact_chances()
    assert chance is not None
    counted = wilson(search.count(FIRST, MANY), MANY)
    slack = 0.002  # five standard errors, where the interval has two
    assert counted.low - slack < chance < counted.high + slack


def test_what_must_not_turn_up_is_the_rest() -> None:
    plan = SearchPlan()
    (has,), (lacks,) = (
        plan.search([one]).exact_chances() for one in (parse_has("telescope @ 1-3"), parse_lacks("telescope @ 1-3"))
    )
    assert has is not None
    assert lacks == pytest.approx(1 - has)


def test_the_first_pack_is_given() -> None:
    assert SearchPlan().search([Has((Thing("p_buffoon_normal_1"),), (1, 1), Within(packs=(1,)))]).exact_chances() == (
        1.0,
    )


def test_other_chances_are_counted() -> None:
    odds = estimate_odds(SearchPlan(), [parse_has("blueprint @ 1"), parse_has("negative tag @ 2")], seconds=0.5)
    search = Search(["blueprint @ 1", "negative tag @ 2"])
    truth = search.count(FIRST, 400_000) / 400_000
    assert odds.all.low * 0.9 < truth < odds.all.high * 1.1
    assert odds.bottleneck == 0
    assert not odds.independent
    assert odds.seconds_until(0.95) > odds.seconds_for_one > odds.seconds_until(0.5) > 0


def test_rare_editions_need_no_luck() -> None:
    odds = estimate_odds(SearchPlan(), [parse_has("negative blueprint @ 1")], seconds=0.3)
    plain = Search(["blueprint @ 1"]).count(FIRST, 100_000) / 100_000
    truth = plain * edition_chance("e_negative")
    assert odds.all.low * 0.9 < truth < odds.all.high * 1.1
    assert odds.all.high < 1e-3


def test_the_interval_is_wilsons() -> None:
    assert wilson(0, 1000).low == 0.0
    assert 0.003 < wilson(0, 1000).high < 0.005
    assert wilson(50, 100) == Chance(0.5, pytest.approx(0.404, abs=1e-3), pytest.approx(0.596, abs=1e-3), False, 100)


def test_places_and_stickers_narrow_a_search() -> None:
    found = next(
        iter(
            SearchPlan()
            .search([Has((Thing("j_blueprint"),), (1, 3), Within(antes=(1, 3), shop=(2, 4), packs=()))])
            .blocks()
        )
    )
    for hit in found.hits[:20]:
        antes = explore(hit.seed).antes
        places = [
            (ante.ante, at) for ante in antes[:3] for at, card in enumerate(ante.shop, 1) if card.key == "j_blueprint"
        ]
        assert {(1, 2), (1, 4), (3, 2), (3, 4)} & set(places)
    eternal = SearchPlan(stake="black").search([Has((Thing("j_joker", stickers=("eternal",)),), (1, 1))])
    seed = next(hit.seed for block in eternal.blocks() for hit in block.hits)
    cards = [
        card
        for ante in explore(seed, stake="black").antes[:1]
        for card in (*ante.shop, *(c for p in ante.packs for c in p.cards))
    ]
    assert any(card.key == "j_joker" and "eternal" in card.stickers for card in cards)


# --- Kept searches ----------------------------------------------------------------------------------------------------


def test_a_search_that_was_killed_goes_on_where_its_file_is(tmp_path: Path) -> None:
    asked = HuntPlan(has=("blueprint",), limit=30, threads=1)
    whole = Hunt(asked)
    run_hunt(whole, None, lambda: False)
    path, parts = tmp_path / "kept.json", Hunt(asked)
    for _ in range(40):
        run_hunt(parts, path, lambda: True)
        parts = load_hunt(path)
        if parts.progress.state == "done":
            break
    assert parts.ranked == whole.ranked
    assert parts.progress.searched == whole.progress.searched
    assert parts.progress.next == after(max(hit.seed for hit in whole.ranked))


def test_hits_are_ranked_and_exported() -> None:
    hunt = Hunt(HuntPlan(has=("blueprint",), limit=20))
    run_hunt(hunt, None, lambda: False)
    assert [hit.rerolls for hit in hunt.ranked] == sorted(hit.rerolls for hit in hunt.ranked)
    assert hunt.csv().splitlines()[0] == "rank,seed,score,rerolls,last_ante,Blueprint"
    assert len(json.loads(json.dumps(hunt.data()))["progress"]["hits"]) == 20
    deep = next(hit for hit in hunt.ranked if hit.rerolls)
    cards = explore(deep.seed).antes[0].shop
    first = next(at for at, card in enumerate(cards, 1) if card.key == "j_blueprint")
    assert deep.rerolls == -(-(first - 4) // 2)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema": "other"}', '{"schema": "jimbo_seed_hunt_v1"}'])
def test_files_that_keep_no_search(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kept.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"kept\.json .+\.$"):
        load_hunt(path)
    with pytest.raises(ValueError, match=r"\.$"):
        load_hunt(tmp_path / "none.json")
    assert MADE_SEED_COUNT > 1
