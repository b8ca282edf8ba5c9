"""Motely's filters: what maps, what is named as left out, and hostile texts."""

from typing import Any

import pytest

from jimbo.seeds.conditions import CardCount, DeckHas, Has, Lacks, PlayingCard, Thing, Within
from jimbo.seeds.hunt import Hunt, HuntPlan, run_hunt
from jimbo.seeds.jaml import BadFilter, ClauseGroup, read_filter
from jimbo.seeds.search import SearchPlan

ALL = tuple(range(1, 7))
BOMB = (("", "a"), ("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"))
MUST = "must:\n  - voucher: Telescope\n"


def only(clause: str) -> Any:
    found = read_filter(f"must:\n  - {clause}\n")
    assert not found.left_out
    (condition,) = found.conditions
    return condition


@pytest.mark.parametrize(
    ("clause", "condition"),
    [
        ("{type: Voucher, value: Telescope, antes: [1, 2, 3]}", Has((Thing("v_telescope"),), (1, 3))),
        ("{voucher: Hieroglyph}", Has((Thing("v_hieroglyph"),), (1, 8))),
        ("{smallBlindTag: NegativeTag, antes: [2]}", Has((Thing("tag_negative"),), (2, 2), Within(tags=(1,)))),
        ("{bigBlindTag: Double Tag, antes: 2-3}", Has((Thing("tag_double"),), (2, 3), Within(tags=(2,)))),
        ("{boss: TheHook, antes: [1, 3]}", Has((Thing("bl_hook"),), (1, 3), Within(antes=(1, 3)))),
        (
            "{joker: OopsAll6s, antes: [5], sources: {shopItems: [2, 3]}}",
            Has((Thing("j_oops"),), (5, 5), Within(shop=(3, 4), packs=())),
        ),
        (
            "{type: SoulJoker, value: Perkeo, edition: Negative, antes: [1], packSlots: [0, 1]}",
            Has((Thing("j_perkeo", "e_negative"),), (1, 1), Within(shop=(), packs=(1, 2))),
        ),
        (
            "{joker: Blueprint, stickers: [eternal], antes: [1]}",
            Has((Thing("j_blueprint", stickers=("eternal",)),), (1, 1), Within(shop=(1, 2, 3, 4), packs=ALL)),
        ),
        ("{tarotCard: TheFool, antes: [2]}", Has((Thing("c_fool"),), (2, 2), Within(shop=ALL, packs=ALL))),
        (
            "{playingCard: King of Hearts, seal: Red, enhancement: Steel, antes: [2]}",
            Has((PlayingCard("K", "H", "m_steel", "seal_red"),), (2, 2), Within(shop=ALL, packs=ALL)),
        ),
        ("{erraticRank: Two, min: 10}", DeckHas((CardCount(PlayingCard("2"), 10),))),
    ],
)
def test_clauses_that_map(clause: str, condition: object) -> None:
    found = only(clause)
    cards = getattr(found, "any_of", ())
    assert found == condition or [getattr(one, "seal", None) for one in cards] == ["Red"]


def test_several_names_and_any() -> None:
    assert [one.key for one in only("{jokers: [Blueprint, Brainstorm], antes: [1]}").any_of] == [
        "j_blueprint",
        "j_brainstorm",
    ]
    assert len(only("{legendaryJoker: Any, antes: [1]}").any_of) == 5
    assert len(only("{type: Joker, value: AnyRare, antes: [1]}").any_of) == 20


def test_groups_are_asked_for_in_part_and_checked() -> None:
    text = """
must:
  - or:
      - {voucher: Telescope, antes: [1]}
      - and:
          - {voucher: Blank, antes: [2]}
          - {tag: BossTag, antes: [1]}
mustNot:
  - {boss: TheNeedle, antes: [2]}
  - and: [{voucher: Grabber, antes: [2]}, {tag: DoubleTag, antes: [1]}]
should:
  - {voucher: Hone, antes: [3], score: 50, label: hone}
  - Perkeo in antes 1-8
"""
    found = read_filter(text)
    assert Has((Thing("v_telescope"), Thing("v_blank")), (1, 2)) in found.conditions
    assert Lacks((Thing("bl_needle"),), (2, 2)) in found.conditions
    assert [check.kind for check in found.checks] == ["any", "none"]
    assert [(bonus.score, bonus.label) for bonus in found.bonuses] == [(50, "hone"), (1, "")]
    hunt = Hunt(HuntPlan(jaml=text, limit=60))
    run_hunt(hunt, None, lambda: False)
    plan = SearchPlan()
    either = plan.search([Has((Thing("v_telescope"),), (1, 1))])
    both = plan.search([Has((Thing("v_blank"),), (2, 2)), Has((Thing("tag_boss"),), (1, 1))])
    scored = plan.search([Has((Thing("v_hone"),), (3, 3))])
    assert len(hunt.ranked) == 60
    for hit in hunt.ranked:
        assert either.meets(hit.seed) or both.meets(hit.seed)
        assert (hit.score >= 50) == scored.meets(hit.seed)


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("{luckyMoney: [0]}", "does not map"),
        ("{joker: Nobody}", "no joker is called"),
        ("{joker: Blueprint, antes: [0]}", "antes go from 1 to 39"),
        ("{joker: Blueprint, sources: {judgement: [0]}}", "its only source is judgement"),
        ("{joker: Blueprint, edition: Shiny}", "there is no edition"),
        ("{voucher: Blank, edition: Negative}", "only jokers and playing cards"),
        ("{joker: Blueprint, colour: red}", "colour does not map"),
        ("5", "is not a clause"),
        ("{and: 5}", "and is a list of clauses"),
        ("{joker: Blueprint, antes: [x]}", "is none of antes"),
        ("{joker: Blueprint, shopSlots: [99999]}", "slots go from 0 to 999"),
    ],
)
def test_what_is_left_out_is_named(clause: str, why: str) -> None:
    found = read_filter(f"{MUST}  - {clause}\n")
    assert len(found.conditions) == 1
    (sentence,) = found.left_out
    assert sentence.startswith("must 2 is left out: ")
    assert why in sentence
    assert sentence.endswith(".")


def test_what_is_read_in_part_is_named() -> None:
    found = read_filter(
        f"{MUST}  - {{joker: Blueprint, min: 3, sources: {{shopItems: [1], riffRaff: [0]}}}}\nseeds:\n  - A\n  - B\n"
    )
    assert found.left_out == [
        'min of "joker" is left out: once is enough.',
        "The source riffraff is left out.",
        "The list of 2 seeds is left out: all seeds are searched.",
    ]
    assert read_filter("deck: Ghost\nstake: Gold\n" + MUST).deck == "b_ghost"
    assert read_filter("deck: Wood\n" + MUST).left_out == ['There is no deck "Wood"; it is left out.']


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "[]",
        "must: 5",
        "must: []",
        "must:\n  - luckyMoney: [0]",
        "must: [" * 3000,
        "{" * 60_000,
        "".join(f"{n}: &{n} [{', '.join([f'*{before}' if before else 'x'] * 9)}]\n" for before, n in BOMB)
        + "must: [*e]",
        "must:\n" + "  - voucher: Telescope\n" * 300,
        "x" * 70_000,
        "x" * (3 << 20),
        "must: !!python/object/apply:os.system ['true']",
        "must:\n  - {voucher: 2020-99-99}",
        "\x00",
    ],
)
def test_hostile_texts_are_one_sentence(text: str) -> None:
    with pytest.raises(BadFilter, match=r"\.$") as wrong:
        read_filter(text)
    assert len(str(wrong.value)) < 2500


def test_deep_groups_end() -> None:
    clause = "{voucher: Telescope}"
    for _ in range(30):
        clause = f"{{or: [{clause}]}}"
    found = read_filter(f"{MUST}  - {clause}\n")
    assert found.left_out == ["must 2 is left out: it is nested too deeply."]
    assert not any(isinstance(one, ClauseGroup) for one in found.checks)
