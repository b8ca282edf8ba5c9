"""The catalogue as Python sees it, and, where the reference tables lie beside the repository, every field of them."""

import copy
import csv
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from jimbo.engine.catalog import (
    BLINDS,
    BOOSTERS,
    CHALLENGES,
    CONSUMABLES,
    DECKS,
    EDITIONS,
    ENHANCEMENTS,
    HANDS,
    JOKERS,
    SEALS,
    STAKES,
    STICKERS,
    TAGS,
    VOUCHERS,
    ChallengeFact,
    Fact,
    RunStart,
    fact,
)

SETS: dict[str, tuple[dict[str, Any], int]] = {
    "jokers": (JOKERS, 150),
    "consumables": (CONSUMABLES, 52),
    "vouchers": (VOUCHERS, 32),
    "boosters": (BOOSTERS, 32),
    "tags": (TAGS, 24),
    "blinds": (BLINDS, 30),
    "decks": (DECKS, 16),
    "stakes": (STAKES, 8),
    "challenges": (CHALLENGES, 20),
    "enhancements": (ENHANCEMENTS, 8),
    "editions": (EDITIONS, 5),
    "seals": (SEALS, 4),
    "stickers": (STICKERS, 3),
    "hands": (HANDS, 12),
}


@pytest.mark.parametrize("name", SETS)
def test_sets_are_complete_and_in_order(name: str) -> None:
    facts, count = SETS[name]
    assert len(facts) == count
    first = 1 if name in ("enhancements", "seals") else 0
    for order, (key, item) in enumerate(facts.items(), start=first):
        assert (item.key, item.order) == (key, order)
        assert item.name
        assert item.text.endswith((".", ")"))
        assert fact(key) is item


def test_facts_are_frozen() -> None:
    with pytest.raises(AttributeError):
        JOKERS["j_joker"].cost = 0  # type: ignore[misc]


def test_display_names() -> None:
    names = {"j_caino": "Canio", "tag_skip": "Speed Tag", "stake_gold": "Gold Stake", "j_mail": "Mail-In Rebate"}
    assert {key: fact(key).name for key in names} == names


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("j_greedy", "j_greedy_joker"), ("Canio", "j_caino"), ("bl_hok", "bl_hook"), ("full house", "Full House")],
)
def test_a_wrong_key_is_answered_with_the_right_one(wrong: str, right: str) -> None:
    with pytest.raises(KeyError, match=right):
        fact(wrong)


def test_references_lead_to_facts() -> None:
    named = [voucher.prerequisite for voucher in VOUCHERS.values()]
    named += [joker.gate for joker in JOKERS.values()] + [card.hand for card in CONSUMABLES.values()]
    for deck in DECKS.values():
        named += [*deck.vouchers, *deck.consumables]
    assert {key for key in named if key is not None} <= {
        item.key for facts, _ in SETS.values() for item in facts.values()
    }


# The reference tables. They are not part of the repository.

GAME = Path(__file__).parents[3] / "shared" / "game"
with_tables = pytest.mark.skipif(not GAME.is_dir(), reason="no reference tables beside the repository")


def table(name: str) -> list[dict[str, Any]]:
    """The rows of a reference table, with their JSON cells read."""
    with (GAME / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for cell in ("numbers", "boss", "debuff"):
            if cell in row:
                row[cell] = json.loads(row[cell]) if row[cell] else {}
    return rows


def assert_head(row: dict[str, Any], item: Fact, first: int = 1, **display: str) -> None:
    assert item.key == row["key"]
    assert item.name == display.get(item.key, row["name"])
    assert item.order == int(row["order"] if "order" in row else row["level"]) - first


def flag(cell: str) -> bool:
    assert cell in ("0", "1")
    return cell == "1"


@with_tables
def test_jokers_equal_the_table() -> None:
    gates = {
        "": None,
        "no:gros_michel_extinct": "needs_gros_michel_alive",
        "yes:gros_michel_extinct": "needs_gros_michel_extinct",
    }
    rows = table("jokers.csv")
    assert len(rows) == len(JOKERS)
    for row, joker in zip(rows, JOKERS.values(), strict=True):
        assert_head(row, joker, j_caino="Canio")
        assert joker.rarity == ("Common", "Uncommon", "Rare", "Legendary")[int(row["rarity"]) - 1]
        assert joker.cost == int(row["cost"])
        assert joker.copyable == flag(row["blueprint"])
        assert joker.eternal == flag(row["eternal"])
        assert joker.perishable == flag(row["perishable"])
        assert joker.gate == (row["enhancement_gate"] or None)
        assert joker.pool_gate == gates[row["pool_flag"]]


@with_tables
@pytest.mark.parametrize(("kind", "first"), [("Tarot", 0), ("Planet", 22), ("Spectral", 34)])
def test_consumables_equal_the_table(kind: str, first: int) -> None:
    cards = [card for card in CONSUMABLES.values() if card.kind == kind]
    for row, card in zip(table(f"{kind.lower()}s.csv"), cards, strict=True):
        assert_head(row, card, first=1 - first)
        numbers = row["numbers"]
        # Aura is the one card that needs a selected card without saying so in its numbers.
        targets = numbers.get("max_highlighted", 1 if card.key == "c_aura" else 0)
        assert card.cost == int(row["cost"])
        assert row["requires"] == ""
        assert card.max_targets == targets
        assert card.min_targets == numbers.get("min_highlighted", min(targets, 1))
        assert card.hand == numbers.get("hand_type")
        assert card.softlocked == numbers.get("softlock", False)


@with_tables
def test_vouchers_equal_the_table() -> None:
    for row, voucher in zip(table("vouchers.csv"), VOUCHERS.values(), strict=True):
        assert_head(row, voucher)
        assert voucher.cost == int(row["cost"])
        assert voucher.prerequisite == (row["requires"] or None)


@with_tables
def test_boosters_equal_the_table() -> None:
    for row, pack in zip(table("boosters.csv"), BOOSTERS.values(), strict=True):
        assert_head(row, pack)
        assert pack.kind == row["kind"]
        assert pack.size.lower() == pack.key.split("_")[2]
        assert pack.cost == int(row["cost"])
        assert pack.weight == float(row["weight"])
        assert {"choose": pack.picks, "extra": pack.cards} == row["numbers"]


@with_tables
def test_tags_equal_the_table() -> None:
    for row, tag in zip(table("tags.csv"), TAGS.values(), strict=True):
        assert_head(row, tag, tag_skip="Speed Tag")
        assert tag.min_ante == int(row["min_ante"] or 1)


@with_tables
def test_blinds_equal_the_table() -> None:
    for row, blind in zip(table("blinds.csv"), BLINDS.values(), strict=True):
        assert_head(row, blind)
        boss, debuff = row["boss"], row["debuff"]
        assert blind.dollars == int(row["dollars"])
        assert blind.score == float(row["mult"])
        assert blind.boss == bool(boss)
        assert blind.showdown == boss.get("showdown", False)
        assert blind.min_ante == boss.get("min", 1)
        assert boss.get("max", 10) == 10
        assert blind.debuffed_suit == debuff.get("suit")
        assert blind.debuffs_faces == ("is_face" in debuff)
        assert blind.min_cards == debuff.get("h_size_ge", 0)


@with_tables
def test_decks_equal_the_table() -> None:
    for row, deck in zip(table("decks.csv"), DECKS.values(), strict=True):
        assert_head(row, deck)
        numbers = dict(row["numbers"])
        one_voucher = [numbers.pop("voucher")] if "voucher" in numbers else []
        expected = {
            "hands": numbers.pop("hands", 0),
            "discards": numbers.pop("discards", 0),
            "dollars": numbers.pop("dollars", 0),
            "hand_size": numbers.pop("hand_size", 0),
            "joker_slots": numbers.pop("joker_slot", 0),
            "consumable_slots": numbers.pop("consumable_slot", 0),
            "dollars_per_hand": numbers.pop("extra_hand_bonus", 1),
            "dollars_per_discard": numbers.pop("extra_discard_bonus", 0),
            "no_interest": numbers.pop("no_interest", False),
            "vouchers": tuple(numbers.pop("vouchers", one_voucher)),
            "consumables": tuple(numbers.pop("consumables", [])),
            "spectral_rate": numbers.pop("spectral_rate", 0),
            "remove_faces": numbers.pop("remove_faces", False),
            "erratic": numbers.pop("randomize_rank_suit", False),
            "ante_scaling": numbers.pop("ante_scaling", 1),
        }
        assert {field: getattr(deck, field) for field in expected} == expected
        assert numbers == {}, "a number of the table has no field"
        assert deck.checkered == (deck.key == "b_checkered")
        assert deck.double_tag_after_boss == (deck.key == "b_anaglyph")
        assert deck.balances_score == (deck.key == "b_plasma")


@with_tables
def test_stakes_equal_the_table() -> None:
    for row, stake in zip(table("stakes.csv"), STAKES.values(), strict=True):
        assert_head(row, stake, **{stake.key: row["name"].replace("Chip", "Stake")})


@with_tables
def test_modifiers_equal_the_table() -> None:
    rows = table("modifiers.csv")
    for row, edition in zip([row for row in rows if row["set"] == "Edition"], EDITIONS.values(), strict=True):
        assert_head(row, edition)
    for row, enhancement in zip([row for row in rows if row["set"] == "Enhanced"], ENHANCEMENTS.values(), strict=True):
        assert_head(row, enhancement)
        assert enhancement.word == enhancement.name.removesuffix(" Card")


@with_tables
def test_hands_equal_the_table() -> None:
    rows = {row["hand_name"]: row for row in table("effects/poker_hands.csv")}
    del rows["Royal Flush"]  # a Straight Flush by another name
    assert rows.keys() == HANDS.keys()
    for name, hand in HANDS.items():
        row = rows[name]
        assert (hand.chips, hand.mult) == (int(row["base_chips"]), int(row["base_mult"]))
        assert hand.secret == (row["is_secret_hand"] == "yes")


def expected_deck(cards: list[str]) -> list[tuple[str, str | None, str | None]]:
    """Cards such as ``D_J/m_stone`` or ``D_J#Red``, in the order of creation."""
    deck = []
    for card in cards:
        face, _, word = card.partition("#")
        front, _, enhancement = face.partition("/")
        seal = f"seal_{word.lower()}" if word else None
        deck.append((front, enhancement or None, seal))
    return sorted(deck, key=lambda card: card[0])


USUAL_START = {
    "dollars": 4, "hands": 4, "discards": 3, "hand_size": 8, "joker_slots": 5, "consumable_slots": 2, "reroll_cost": 5,
}  # fmt: skip


def numbers_of(start: RunStart) -> dict[str, int]:
    return {name: getattr(start, name) for name in USUAL_START}


@with_tables
def test_challenges_equal_the_table() -> None:
    rows = json.loads((GAME / "challenges.json").read_text(encoding="utf-8"))
    standard = [f"{suit}_{rank}" for suit in "CDHS" for rank in "23456789AJKQT"]
    for row, challenge in zip(rows, CHALLENGES.values(), strict=True):
        assert (challenge.key, challenge.name) == (row["key"], row["name"])

        rules = {name.lower(): value for name, value in row["rules"].items()}
        if rules.pop("no_reward_specific", None):
            # The rule stands there once for each blind; a JSON object keeps only the last of them.
            rules |= {"no_reward_small": True, "no_reward_big": True}
        fields = list(vars(ChallengeFact))
        rule_fields = fields[fields.index("no_reward") : fields.index("start")]
        assert {name: value for name in rule_fields if (value := getattr(challenge, name))} == rules

        assert numbers_of(challenge.start) == USUAL_START | row["modifiers"]
        assert [(joker.key, joker.edition, joker.eternal, joker.pinned) for joker in challenge.jokers] == [
            (
                joker["key"],
                "e_" + joker.get("edition", "base"),
                joker.get("eternal", False),
                joker.get("pinned", False),
            )
            for joker in row["jokers"]
        ]
        assert list(challenge.consumables) == row["consumables"]
        assert list(challenge.vouchers) == row["vouchers"]
        cards = [(card.front, card.enhancement, card.seal) for card in challenge.deck]
        assert cards == expected_deck(row.get("deck", standard))

        # A pack in the list stands for all packs of its kind.
        kinds = {BOOSTERS[key].kind for key in row["banned_cards"] if key in BOOSTERS}
        assert challenge.banned_boosters == tuple(key for key, pack in BOOSTERS.items() if pack.kind in kinds)
        banned = [*challenge.banned_jokers, *challenge.banned_consumables, *challenge.banned_vouchers]
        assert sorted(banned) == sorted(key for key in row["banned_cards"] if key not in BOOSTERS)
        assert list(challenge.banned_tags) == row["banned_tags"]
        assert list(challenge.banned_blinds) == row["banned_blinds"]


def test_usual_start() -> None:
    assert numbers_of(CHALLENGES["c_knife_1"].start) == USUAL_START


def test_facts_are_copied_and_pickled_as_themselves() -> None:
    for key in ("j_joker", "c_fool", "Full House", "c_omelette_1", "m_glass"):
        item = fact(key)
        assert pickle.loads(pickle.dumps(item)) is item
        assert copy.deepcopy(item) is item


def test_a_fact_says_what_it_is() -> None:
    assert repr(VOUCHERS["v_liquidation"]) == "<VoucherFact v_liquidation: Liquidation>"
