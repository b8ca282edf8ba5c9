"""The texts of the mod, written and read back."""

import pytest

from jimbo.engine import Action, PublicJoker, Run
from jimbo.engine.catalog import BLINDS, BOOSTERS, CONSUMABLES, JOKERS, TAGS, VOUCHERS
from jimbo.wire.tooltips import consumable_text, is_english, joker_text, read, rule_numbers, tag_text, texts


@pytest.fixture(scope="module")
def run() -> Run:
    run = Run(seed="2507")
    run.step(Action("select_blind"))
    return run


def owned(run: Run, key: str) -> PublicJoker:
    with_it = run.clone()
    with_it.debug_add_joker(key)
    return with_it.public_state().jokers[-1]


def test_everything_has_a_text() -> None:
    planets = {key for key, fact in CONSUMABLES.items() if fact.hand}
    assert {*texts("jokers")} == {*JOKERS}
    assert {*texts("consumables")} == {*CONSUMABLES} - planets | {"planet"}
    assert {*texts("vouchers")} == {*VOUCHERS}
    assert {*texts("tags")} == {*TAGS}
    assert {*texts("blinds")} == {*BLINDS}
    assert {*texts("packs")} == {fact.kind for fact in BOOSTERS.values()}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("j_joker", "+4 Mult"),
        ("j_drunkard", "+1 discard each round"),
        ("j_blue_joker", "+2 Chips for each remaining card in deck (Currently +88 Chips)"),
        ("j_golden", "Earn $4 at end of round"),
        ("j_green_joker", "+1 Mult per hand played -1 Mult per discard (Currently +0 Mult)"),
        ("j_ice_cream", "+100 Chips -5 Chips for every hand played"),
        ("j_jolly", "+8 Mult if played hand contains a Pair"),
        (
            "j_madness",
            "When Small Blind or Big Blind is selected, gain X0.5 Mult and destroy a random Joker (Currently X1 Mult)",
        ),
        ("j_runner", "Gains +15 Chips if played hand contains a Straight (Currently +0 Chips)"),
        ("j_zany", "+12 Mult if played hand contains a Three of a Kind"),
        ("j_loyalty_card", "X4 Mult every 6 hands played 5 remaining"),
    ],
)
def test_texts_as_recorded(run: Run, key: str, text: str) -> None:
    assert joker_text(owned(run, key), 1, 52) == text


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("m_bonus", (30,)),
        ("m_steel", ()),
        ("c_temperance", (50,)),
        ("tag_skip", (5,)),
        ("j_loyalty_card", (4, 6)),
        ("j_misprint", (0, 23)),
    ],
)
def test_numbers_come_from_the_rules(key: str, numbers: tuple[int, ...]) -> None:
    assert rule_numbers(key) == numbers


def test_jokers_on_offer_do_not_count_themselves(run: Run) -> None:
    assert joker_text(run.joker_on_offer("j_abstract"), 1, 52).endswith("(Currently +0 Mult)")
    assert joker_text(owned(run, "j_abstract"), 1, 52).endswith("(Currently +3 Mult)")


def test_every_live_number_can_be_read_back(run: Run) -> None:
    for key, template in texts("jokers").items():
        joker = owned(run, key)
        found = read("jokers", key, joker_text(joker, 2, 52))
        assert ("{" in template) == bool(found), key
        for part in joker.shown:
            if part.hand:
                assert found["poker_hand"] == part.hand
            elif part.kind in found and not part.rank and not part.suit:
                assert float(found[part.kind].split()[0]) == part.number, key
        if "odds" in found:
            assert found["odds"] == "2"


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("j_popcorn", "+16 Mult, -4 Mult per round", {"mult": "16"}),
        ("j_ramen", "X1.85 Mult and loses X0.01", {"x_mult": "1.85"}),
        ("j_castle", "+3 Chips for each Heart (Currently +1,203 Chips)", {"suit": "Heart", "chips": "1203"}),
        ("j_idol", "Every King of Spades gives X2 Mult", {"rank": "King", "suits": "Spades"}),
        ("j_todo_list", "$4 for a Straight Flush", {"poker_hand": "Straight Flush"}),
        ("j_loyalty_card", "X4 Mult every 6 hands, Active!", {"hands_to_go": "Active!"}),
        ("j_runner", "nothing of the kind", {}),
        ("j_joker", "+4 Mult", {}),
    ],
)
def test_numbers_are_found_in_other_words(key: str, text: str, found: dict[str, str]) -> None:
    assert read("jokers", key, text) == found


def test_texts_of_consumables_and_tags(run: Run) -> None:
    state = run.public_state()
    assert consumable_text("c_pluto", state, odds=1) == "(lvl.1) Level up High Card +1 Mult and +10 chips"
    assert consumable_text("c_wheel_of_fortune", state, odds=2).startswith("2 in 4 chance")
    assert tag_text("tag_skip", state) == "Gives $5 per skipped Blind this run (Will give $5)"
    assert tag_text("tag_juggle", state) == "+3 hand size next round"


# --- Other languages --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["jokers", "consumables", "vouchers", "packs", "tags", "blinds", "cards"])
def test_our_texts_are_english(kind: str) -> None:
    assert [text for text in texts(kind).values() if not is_english(text)] == []


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("", True),
        ("+4 Mult", True),
        ("+9 Chips", True),
        ("Each played Queen of Clubs gives double Mult", True),
        ("+9筹码", False),
        ("如果打出的牌中 包含同花 X2倍率", False),
        ("+100 Chips -5 Chips für jede gespielte Hand", False),
        ("+20 Mult -4 Mult pro gespielter Runde", False),
        ("+100 fichas -5 fichas por cada mano jugada", False),
    ],
)
def test_english_is_told_from_other_languages(text: str, english: bool) -> None:
    assert is_english(text) == english


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("j_constellation", "每使用一张行星牌 X0.1倍率 (当前为X1.2倍率)", {"x_mult": "1.2"}),
        ("j_constellation", "X0.1 Mult pro benutzter Planetenkarte (Aktuell X1 Mult)", {"x_mult": "1"}),
        ("j_runner", "包含顺子 +15筹码 (当前为+15筹码)", {"chips": "15"}),
        ("j_ice_cream", "+100 fichas -5 fichas por cada mano jugada", {"chips": "100"}),
        ("j_popcorn", "+4 Mult -4 Mult pro gespielter Runde", {"mult": "4"}),
        ("j_yorick", "每弃掉23[19]张牌 X1倍率 (当前为X3倍率)", {"cards_to_go": "19", "x_mult": "3"}),
        ("j_castle", "每弃掉一张红桃 +3筹码 (当前为+1,200筹码)", {"chips": "1200"}),
        ("j_loyalty_card", "每打出6次牌 X4倍率 剩余5次", {"hands_to_go": "5"}),
        # Another number than those of the English text: nobody knows which it is.
        ("j_ceremonial", "永久获得其售价的2倍 (当前为+8倍率)", {}),
        ("j_todo_list", "如果出牌牌型为高牌 获得$4", {}),
    ],
)
def test_numbers_are_read_in_any_language(key: str, text: str, found: dict[str, str]) -> None:
    assert read("jokers", key, text) == found


def test_thousands_are_read() -> None:
    text = "Gains +15 Chips if played hand contains a Straight (Currently +1,215 Chips)"
    assert read("jokers", "j_runner", text) == {"chips": "1215"}
