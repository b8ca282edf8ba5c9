"""Saves of the game: real ones field by field, made ones in every phase, broken ones, and what must not come out."""

import copy
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.engine import Action, PublicState, Run
from jimbo.engine.catalog import BLINDS, CHALLENGES, CONSUMABLES, DECKS, EDITIONS, HANDS, JOKERS, STAKES, TAGS
from jimbo.serve.assistant import Adviser
from jimbo.text.cards import RANK_NAMES, SUIT_NAMES
from jimbo.wire.gamestate import differences
from jimbo.wire.saves import BadSave, find_save, read_save
from jimbo.wire.saves.places import game_folders
from jimbo.wire.saves.table import MAX_TEXT, parsed, unpacked
from wire.made_saves import Json, listed, packed, save_of, written

SHARED = Path(__file__).parents[3] / "shared" / "saves"
REAL = sorted(path for path in SHARED.glob("*.jkr") if "corrupted" not in path.name)
needs_saves = pytest.mark.skipif(not REAL, reason="the real saves are not here")
SECONDS = 5.0
"""More than any save may take."""


def real(path: Path) -> Json:
    return parsed(unpacked(path.read_bytes()))  # type: ignore[return-value]


def read(save: dict[Any, Any]) -> PublicState:
    return read_save(written(save)).state


@pytest.fixture
def save() -> Json:
    """A hand in a small blind, with four jokers and a consumable."""
    run = Run(seed="TESTSEED")
    for key in ("j_popcorn", "j_caino", "j_todo_list", "j_egg"):
        run.debug_add_joker(key)
    run.debug_add_consumable("c_pluto")
    run.step(next(action for action in run.legal_actions() if action.kind == "select_blind"))
    return save_of(run)


# --- Real saves -------------------------------------------------------------------------------------------------------


def cards_in(save: Json, area: str) -> list[Json]:
    return list(save["cardAreas"].get(area, {"cards": {}})["cards"].values())


def limit(save: Json, area: str) -> int:
    found: int = save["cardAreas"][area]["config"]["temp_limit"]
    return found


def names(cards: list[Json]) -> list[str]:
    return [card["label"] for card in cards]


def told(save: Json) -> Iterator[tuple[str, Any, Any]]:
    """Each public field: its name, what the save says of it in its own words, and how it is compared."""
    game, now, resets = save["GAME"], save["GAME"]["current_round"], save["GAME"]["round_resets"]
    yield "phase", {1: "selecting_hand", 5: "shop", 7: "blind_select"}[save["STATE"]], lambda s: s.phase
    yield "deck", save["BACK"]["name"], lambda s: DECKS[s.deck].name
    yield "stake", game["stake"], lambda s: list(STAKES).index(s.stake) + 1
    yield "ante", resets["ante"], lambda s: s.ante
    yield "round", game["round"], lambda s: s.round
    yield "dollars", game["dollars"], lambda s: s.dollars
    yield "spendable", game["dollars"] - game["bankrupt_at"], lambda s: s.spendable
    yield "won", game["won"], lambda s: s.won
    yield "reroll_price", now["reroll_cost"], lambda s: s.reroll_price
    yield "reroll_increase", now["reroll_cost_increase"], lambda s: s.reroll_increase
    yield "free_rerolls", now["free_rerolls"], lambda s: s.free_rerolls
    yield "inflation", game["inflation"], lambda s: s.inflation
    yield "chips", game["chips"], lambda s: s.chips
    for name in ("hands_left", "discards_left", "hands_played", "discards_used"):
        yield name, now[name], lambda s, name=name: getattr(s, name)
    yield "hands_per_round", resets["hands"], lambda s: s.hands_per_round
    yield "discards_per_round", resets["discards"], lambda s: s.discards_per_round
    yield "hand_limit", limit(save, "hand"), lambda s: s.hand_limit
    yield "joker limit", limit(save, "jokers"), lambda s: s.joker_room + len(s.jokers)
    yield "consumable limit", limit(save, "consumeables"), lambda s: s.consumable_room + len(s.consumables)
    yield "shop_slots", game["shop"]["joker_max"], lambda s: s.shop_slots
    yield "boss", resets["blind_choices"]["Boss"], lambda s: s.boss
    yield "boss_rerolled", resets["boss_rerolled"], lambda s: s.boss_rerolled
    yield "most_played", now["most_played_poker_hand"], lambda s: s.most_played
    yield "skip_tags", list(resets["blind_tags"].values()), lambda s: [tag.key for tag in s.skip_tags]
    yield "tags", [tag["key"] for tag in save["tags"].values()], lambda s: [tag.key for tag in s.tags]
    yield "vouchers", list(game["used_vouchers"]), lambda s: s.vouchers
    if save["STATE"] == 5:
        voucher = None if now["voucher"][1] in game["used_vouchers"] else now["voucher"][1]
        yield "voucher", voucher, lambda s: s.voucher
    for field, number in (("run_hands", "hands_played"), ("unused_discards", "unused_discards"), ("skips", "skips")):
        yield field, game[number], lambda s, field=field: getattr(s, field)
    yield "ectoplasms", game["ecto_minus"] - 1, lambda s: s.ectoplasms
    yield "gros_michel_extinct", "gros_michel_extinct" in game["pool_flags"], lambda s: s.gros_michel_extinct
    yield "last_hand", game.get("last_hand_played"), lambda s: s.last_hand.hand if s.last_hand.any else None
    bosses = {key: times for key, times in game["bosses_used"]["boss"].items() if times}
    yield "boss_uses", bosses, lambda s: {use.key: use.times for use in s.boss_uses}
    words = {"Current": "now", "Select": "now", "Upcoming": "later", "Defeated": "done", "Skipped": "done"}
    progress = [words[resets["blind_states"][slot]] for slot in ("Small", "Big", "Boss")]
    if "now" not in progress:
        progress[progress.index("later")] = "now"
    yield "blinds", progress, lambda s: [blind.progress for blind in s.blinds]
    if save["STATE"] == 1:
        blind = save["BLIND"]
        yield "blind", blind["name"], lambda s: BLINDS[s.blind.key].name
        yield "target", blind["chips"], lambda s: s.blind.target
        yield "its target by the rules", blind["chips"], lambda s: s.blinds[0].target
        yield "reward", blind["dollars"], lambda s: s.blind.reward
        yield "disabled", blind["disabled"], lambda s: s.blind.disabled
    for name, hand in game["hands"].items():
        for field in ("level", "chips", "mult", "played", "played_this_round", "visible"):
            yield f"{name} {field}", hand[field], lambda s, n=name, f=field: getattr(s.hands[list(HANDS).index(n)], f)
    yield from told_of_cards(save)


def front_words(card: Any) -> str:
    return f"{RANK_NAMES.get(card.rank, card.rank)} of {SUIT_NAMES[card.suit]}"


def told_of_cards(save: Json) -> Iterator[tuple[str, Any, Any]]:
    yield "hand", [c["base"]["name"] for c in cards_in(save, "hand")], lambda s: [front_words(c) for c in s.hand]
    deck = sorted((c["playing_card"], c["base"]["name"], c["base"]["times_played"]) for c in cards_in(save, "deck"))
    yield "unseen", [name for _, name, _ in deck], lambda s: [front_words(card) for card in s.unseen]
    yield "played this ante", [bool(times) for *_, times in deck], lambda s: [c.played_this_ante for c in s.unseen]
    yield "discarded", names(cards_in(save, "discard")), lambda s: [front_words(card) for card in s.discarded]
    for card in (*cards_in(save, "hand"), *cards_in(save, "deck")):
        assert (card["debuff"], card["ability"]["name"], card["ability"]["perma_bonus"]) == (False, "Default Base", 0)
    yield (
        "no marks",
        set(),
        lambda s: {m for c in (*s.hand, *s.unseen) for m in (c.enhancement, c.edition, c.seal) if m},
    )
    for field, area in (("jokers", "jokers"), ("consumables", "consumeables")):
        cards = cards_in(save, area)
        yield field, names(cards), lambda s, f=field: [item.name for item in getattr(s, f)]
        sells = [card["sell_cost"] for card in cards]
        yield f"{field} sell", sells, lambda s, f=field: [item.sell_value for item in getattr(s, f)]
    chips = [card["ability"]["extra"]["chips"] for card in cards_in(save, "jokers") if card["label"] == "Ice Cream"]
    yield "Ice Cream", chips, lambda s: [joker.count for joker in s.jokers if joker.name == "Ice Cream"]
    if save["STATE"] == 5:
        for field, area in (
            ("shop", "shop_jokers"),
            ("shop_vouchers", "shop_vouchers"),
            ("shop_boosters", "shop_booster"),
        ):
            goods = [(card["label"], card["cost"]) for card in cards_in(save, area)]
            yield field, goods, lambda s, f=field: [(offer.name, offer.price) for offer in getattr(s, f)]


@needs_saves
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_a_real_save_is_read_field_by_field(path: Path) -> None:
    save, saved = real(path), read_save(path.read_bytes())
    wrong = [(name, there, look(saved.state)) for name, there, look in told(save) if look(saved.state) != there]
    assert wrong == []
    opened = [note for note in saved.notes if "was opened" in note]
    assert (list(saved.notes), bool(opened)) == (opened, "ACTION" in save)


@needs_saves
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_a_real_save_is_advised_on(path: Path) -> None:
    state = read_save(path.read_bytes()).state
    best = Adviser(make_agent("fast")).advise(state).suggestions[0]
    assert state.refusal(best.action) is None


# --- Made saves, of every phase ---------------------------------------------------------------------------------------


def comparable(state: PublicState) -> Json:
    """What a save tells: not ids, not the last sheet, not the parts of the last score."""
    data = state.to_data()
    for name in ("next_id", "payout", "hand_size_bonus", "reroll_cut", "rerolls_start_free", "reroll_increase"):
        del data[name]
    del data["free_rerolls"]  # together with these it makes the price, which is compared
    for name in ("chips", "mult", "score", "blocked"):
        del data["last_hand"][name]
    gone = ["triggered", "flip_next_draw"]
    if not data["blind"]["active"]:
        gone += ["reward", "target", "taken", "disabled", "only_hand"]
    for name in gone:
        del data["blind"][name]
    if data["pack"]:
        del data["pack"]["key"], data["pack"]["name"]  # its kind and what is in it are told
    _forget_ids(data)
    for offer in data["shop"]:
        offer.pop("free", None)  # its price is compared; Astronomer makes planets free, too
    for card in data["discarded"]:
        card.pop("face_down", None)
    for zone in ("discarded", "unseen", "hidden_jokers"):
        data[zone] = sorted(data[zone], key=str)
    return data


def _forget_ids(data: Any) -> None:
    if isinstance(data, dict):
        data.pop("id", None)
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        _forget_ids(inner)


def played(number: int, steps: int = 150) -> Iterator[Run]:
    """A run at random with strong hands and gifts, at each state a player comes to."""
    random_ = random.Random(number)
    if number % 10 == 9:
        run = Run(challenge=random_.choice(list(CHALLENGES)), seed=f"SAVE{number}")
    else:
        decks = [key for key in DECKS if key != "b_challenge"]
        run = Run(deck=random_.choice(decks), stake=random_.choice(list(STAKES)), seed=f"SAVE{number}")
    for hand in HANDS:
        run.debug_raise_level(hand, random_.choice((3, 10, 40)))
    run.dollars = random_.choice((5, 60, 200))
    for _ in range(steps):
        state = run.public_state()
        if random_.random() < 0.05 and state.joker_room > 0:
            run.debug_add_joker(random_.choice(list(JOKERS)), edition=random_.choice(list(EDITIONS)))
        if random_.random() < 0.05 and state.consumable_room > 0:
            run.debug_add_consumable(random_.choice(list(CONSUMABLES)))
        if run.public_state().over:
            return
        yield run
        run.step(random_.choice(run.legal_actions()))


@pytest.mark.parametrize("number", range(10))
def test_a_run_comes_out_of_its_save_as_it_was(number: int) -> None:
    for place, run in enumerate(played(number)):
        if place % 4 and run.public_state().phase != "pack_opening":
            continue
        saved = read_save(written(save_of(run)))
        assert list(differences(comparable(run.public_state()), comparable(saved.state))) == []
        assert saved.notes == ()


@pytest.mark.slow
def test_many_runs_come_out_of_their_saves() -> None:
    phases = set()
    for number in range(10, 210):
        for place, run in enumerate(played(number, 400)):
            if place % 3 == 0:
                saved = read_save(written(save_of(run))).state
                phases.add(saved.phase)
                assert list(differences(comparable(run.public_state()), comparable(saved))) == []
    assert phases == {"blind_select", "selecting_hand", "round_eval", "shop", "pack_opening"}


# --- What must not come out -------------------------------------------------------------------------------------------


def face_down(save: Json, *places: int) -> None:
    for place in places:
        save["cardAreas"]["hand"]["cards"][place]["facing"] = "back"


def test_neither_seed_nor_streams_nor_the_draw_order_are_seen(save: Json) -> None:
    face_down(save, 2, 5)
    before = read(save)
    save["GAME"]["pseudorandom"] = {"seed": "OTHER", "hashed_seed": 0.5, "boss": 0.25}
    save["GAME"]["orbital_choices"] = {}
    deck = list(save["cardAreas"]["deck"]["cards"].values())
    for number, card in enumerate(deck):  # as a game that was loaded would number them
        card["sort_id"], card["unique_val"] = number, 1 - number / 1000
    random.Random(1).shuffle(deck)
    save["cardAreas"]["deck"]["cards"] = listed(deck)
    assert read(save) == before


def test_cards_that_lie_face_down_cannot_be_told_from_those_in_the_pile(save: Json) -> None:
    face_down(save, 3)
    before = read(save)
    hand, deck = save["cardAreas"]["hand"]["cards"], save["cardAreas"]["deck"]["cards"]
    hand[3], deck[1] = {**deck[1], "facing": "back"}, {**hand[3], "facing": "back"}
    assert read(save) == before
    assert (before.hand[2].face_down, before.hand[2].rank) == (True, None)


def hidden_otherwise(save: Json, random_: random.Random) -> Json:
    """The same for anybody at the table: other streams, other draw order, other fronts of what lies face down."""
    other = copy.deepcopy(save)
    other["GAME"]["pseudorandom"] = {"seed": "0THER"}
    deck, hand = (other["cardAreas"][area]["cards"] for area in ("deck", "hand"))
    backs = [place for place, card in hand.items() if card["facing"] == "back"]
    unseen = [*deck.values(), *(hand[place] for place in backs)]
    random_.shuffle(unseen)
    for number, card in enumerate(unseen):
        card |= {"facing": "back", "sort_id": number}
    other["cardAreas"]["deck"]["cards"] = listed(unseen[len(backs) :])
    hand |= dict(zip(backs, unseen, strict=False))
    return other


@pytest.mark.parametrize("boss", ["bl_wheel", "bl_house", "bl_fish"])
def test_what_is_hidden_changes_nothing(boss: str) -> None:
    run, random_, backs = Run(seed="LEAK"), random.Random(1), 0
    for _ in range(2):
        run.step(Action("skip_blind"))
    for seal in ("seal_gold", None, "seal_blue"):  # cards that look the same but for a seal, and that nobody expects
        run.debug_add_card("H_A", seal=seal, to="deck")
    run.debug_set_boss(boss)
    run.step(Action("select_blind"))
    for _ in range(6):
        state = run.public_state()
        if state.phase != "selecting_hand":
            break
        save = save_of(run)
        backs += sum(card.face_down for card in state.hand)
        assert read(hidden_otherwise(save, random_)).to_json() == read(save).to_json()
        kind = "discard" if state.discards_left else "play"
        run.step(Action(kind, cards=sorted(random_.sample(range(len(state.hand)), 3))))
    assert backs > 0


def test_face_down_jokers_may_stand_anywhere(save: Json) -> None:
    jokers = save["cardAreas"]["jokers"]["cards"]
    for card in jokers.values():
        card["facing"] = "back"
    before = read(save)
    save["cardAreas"]["jokers"]["cards"] = listed(reversed(jokers.values()))
    assert read(save) == before
    assert [joker.key for joker in before.jokers] == [None] * 4


def test_what_jokers_look_for_is_seen_with_them_alone(save: Json) -> None:
    assert read(save).targets.idol_rank is None
    save["cardAreas"]["jokers"]["cards"][4]["save_fields"]["center"] = "j_idol"
    idol = save["GAME"]["current_round"]["idol_card"]
    state = read(save)
    assert f"{RANK_NAMES.get(str(state.targets.idol_rank), state.targets.idol_rank)}" == idol["rank"]


# --- What the game does not have --------------------------------------------------------------------------------------


def notes_of(save: Json) -> tuple[str, ...]:
    return read_save(written(save)).notes


def test_items_of_mods_are_left_out_and_named(save: Json) -> None:
    room = read(save).joker_room
    save["cardAreas"]["jokers"]["cards"][1] |= {"save_fields": {"center": "j_mod_moon"}, "label": "Moon\x1b[31m"}
    save["cardAreas"]["hand"]["cards"][1]["save_fields"]["center"] = "m_mod_paper"
    save["cardAreas"]["hand"]["cards"][2]["edition"] = {"mod_neon": True}
    save["cardAreas"]["hand"]["cards"][3]["seal"] = "mod_wax"
    save["tags"] = listed([{"key": "tag_mod"}])
    save["GAME"]["used_vouchers"] = {"v_mod": True}
    saved = read_save(written(save))
    assert [joker.key for joker in saved.state.jokers] == ["j_caino", "j_todo_list", "j_egg"]
    assert saved.state.joker_room == room
    told = " ".join(saved.notes)
    assert "Moon[31m (j_mod_moon), among the jokers, is not of the game itself: the advice leaves it out." in told
    for name in ("m_mod_paper", "mod_neon", "mod_wax Seal", "tag_mod", "v_mod"):
        assert name in told
    assert len(saved.notes) == 6


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("BACK", "key"), "b_mod", 'the deck "" is unknown: it may come from a mod'),
        (("GAME", "stake"), 9, "stake 9 is unknown: it may come from a mod"),
        (("GAME", "challenge"), "c_mod", 'the challenge "c_mod" is unknown'),
        (("BLIND", "config_blind"), "bl_mod", 'the blind "bl_mod" is unknown'),
        (("GAME", "round_resets", "blind_choices", "Boss"), "bl_mod", 'the blind "bl_mod" is unknown'),
        (("STATE",), 3, "the game was between two decisions"),
        (("GAME", "dollars"), "many", "GAME.dollars is not a number"),
        (("GAME", "dollars"), 1e300, "GAME.dollars is not a whole number of a sensible size"),
        (("GAME", "chips"), float("inf"), "GAME.chips is beyond all numbers"),
        (("GAME", "round_resets", "ante"), 10**6, "no run can look like this"),
    ],
)
def test_what_cannot_be_played_gets_a_sentence(save: Json, path: tuple[str, ...], value: Any, sentence: str) -> None:
    *tables, name = path
    table = save
    for inner in tables:
        table = table[inner]
    table[name] = value
    with pytest.raises(BadSave, match=sentence.replace("(", "\\(")):
        read(save)


def test_other_rules_of_mods_are_named(save: Json) -> None:
    save["GAME"]["hands"]["Pair"]["mult"] = 7
    save["GAME"]["win_ante"] = 10
    save["SCORING_CALC"] = {"key": "add"}
    save["cardAreas"]["jokers"]["cards"][1]["ability"].pop("mult")
    told = notes_of(save)
    assert [note.split()[0] for note in told] == ["The", "Pair", "A", "This"]
    assert "own number of Popcorn" in told[0]


def test_a_pack_that_was_being_opened_is_not_guessed() -> None:
    run = next(run for run in played(1) if run.public_state().phase == "shop" and run.public_state().shop_boosters)
    save = save_of(run)
    save["cardAreas"]["shop_booster"]["cards"][1] |= {"sort_id": 77, "label": "Buffoon Pack"}
    save |= {"ACTION": {"type": "use_card", "card": 77}}
    assert notes_of(save) == (
        "The game saved as Buffoon Pack was opened, and what is in it is not saved: the advice is for the shop.",
    )


# --- Broken and hostile files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is empty"),
        (b"\xff" * 100, "it is not packed as saves are"),
        (packed("return {}")[:-2], "its end is missing"),
        (packed("return {}") + b"x", "something follows its end"),
        (b"\0" * ((1 << 20) + 1), "it is larger than any save"),
        (packed(" " * (MAX_TEXT + 1)), "it unpacks to more than any save holds"),
        (packed("os.execute('x')"), "its text is not a table"),
        (packed('return {["a"]=os.exit(),}'), "its table is broken at character"),
        (packed('return {["a"]=1,["b"]='), "its table is cut off"),
        (packed('return {["a"]=1}return {}'), "something follows its table"),
        (packed('return {["a"]=1["b"]=2}'), "its table is broken"),
        (packed("return {" + '["a"]={' * 40), "nested too deeply"),
        (packed('return {["a"]=function() end}'), "its table is broken"),
        (packed("return {[[a]]=1}"), "its table is broken"),
        (packed("return {}"), "is missing"),
        (packed('return {["' + "\\\\" * 2_000_000 + '"]=1,}'), "its table is broken"),
        (packed('return {["a"]="' + '\\"' * 2_000_000), "its table is broken"),
        (packed("return {" + "[1]=1," * 120_001 + "}"), "it holds more values than any save"),
    ],
)
def test_anything_else_gets_a_sentence(data: bytes, sentence: str) -> None:
    begun = time.monotonic()
    with pytest.raises(BadSave, match=sentence):
        read_save(data)
    assert time.monotonic() - begun < SECONDS


def test_texts_and_numbers_are_read_as_lua_writes_them() -> None:
    text = r'return {["a\"b\\"]="x\"y",[1]=-1.5e+3,["n"]=nan,["m"]=-inf,["t"]=true,["l"]="a\
b\9c",["e"]={},}'
    table = parsed(text)
    assert table.pop("n") != 0
    assert table == {'a"b\\': 'x"y', 1: -1500, "m": float("-inf"), "t": True, "l": "a\nb\tc", "e": {}}


def mutated(text: str, random_: random.Random) -> str:
    """Some pieces of a save changed, dropped, doubled or put elsewhere."""
    for _ in range(random_.randint(1, 6)):
        at = random_.randrange(len(text))
        kind = random_.randrange(6)
        if kind == 0:
            text = text[:at] + random_.choice('{}[],="\\01-9.einfa\n\0é') + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + text[at + random_.randint(1, 400) :]
        elif kind == 2:
            other = random_.randrange(len(text))
            text = text[:at] + text[other : other + random_.randint(1, 400)] + text[at:]
        else:  # a value, where the table stays whole
            text = _other_value(text, at, random_)
    return text


def _other_value(text: str, at: int, random_: random.Random) -> str:
    begin = text.find("]=", at) + 2
    end = text.find(",", begin)
    if begin < 2 or end < 0 or text[begin] == "{":
        return text
    values = (
        "0",
        "-1",
        "1e308",
        "nan",
        "1.5",
        "true",
        "false",
        '""',
        '"j_joker"',
        '"c_base"',
        '"back"',
        "{}",
        "999999999",
    )
    others = [random_.choice(values), text[begin:end] + "0", f'"{random_.choice([*JOKERS, *BLINDS, *TAGS])}"']
    return text[:begin] + random_.choice(others) + text[end:]


def try_mutated(sources: list[bytes], count: int, seed: int = 33) -> tuple[int, int]:
    """How many were read, of how many; all others are refused with a sentence."""
    accepted, adviser, random_ = 0, Adviser(make_agent("greedy")), random.Random(seed)
    texts = [unpacked(source) for source in sources]
    for number in range(count):
        text = mutated(random_.choice(texts), random_)
        data = packed(text)
        if number % 10 == 0:
            data = bytes(byte ^ (random_.random() < 0.001) * random_.randrange(256) for byte in data)
        begun = time.monotonic()
        try:
            state = read_save(data).state
        except BadSave:
            continue
        finally:
            assert time.monotonic() - begun < SECONDS, number
        accepted += 1
        if not state.over:
            assert state.refusal(adviser.advise(state).suggestions[0].action) is None
        assert time.monotonic() - begun < SECONDS, number
    return accepted, count


def sources() -> list[bytes]:
    runs = (run for number in range(4) for place, run in enumerate(played(number, 60)) if place % 12 == 3)
    return [*(written(save_of(run)) for run in runs), *(path.read_bytes() for path in REAL)]


def test_mutated_saves_are_read_or_refused() -> None:
    accepted, count = try_mutated(sources(), 300)
    assert count / 10 < accepted < count


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_many_mutated_saves_are_read_or_refused(seed: int) -> None:
    """20,000 in all."""
    accepted, count = try_mutated(sources(), 5_000, seed)
    assert count / 10 < accepted < count


# --- Where they lie ---------------------------------------------------------------------------------------------------


def test_each_system_has_its_folder() -> None:
    home = Path("/home/a")
    assert list(game_folders("win32", home, {"APPDATA": "/roaming"})) == [Path("/roaming/Balatro")]
    assert list(game_folders("darwin", home, {})) == [home / "Library/Application Support/Balatro"]
    folders = list(game_folders("linux", home, {}))
    assert folders[0] == (
        home / ".local/share/Steam/steamapps/compatdata/2379780/pfx/drive_c/users/steamuser/AppData/Roaming/Balatro"
    )


def test_the_save_that_was_written_last_is_found(tmp_path: Path) -> None:
    for profile in ("1", "2"):
        (tmp_path / profile).mkdir()
        (tmp_path / profile / "save.jkr").write_bytes(b"x")
    os.utime(tmp_path / "1" / "save.jkr", (2_000_000_000, 2_000_000_000))
    assert find_save(tmp_path) == tmp_path / "1" / "save.jkr"
    assert find_save(tmp_path / "2") == tmp_path / "2" / "save.jkr"
    assert find_save(tmp_path / "own.jkr") == tmp_path / "own.jkr"
    with pytest.raises(FileNotFoundError, match=r"There is no save\.jkr in"):
        find_save(tmp_path.parent / tmp_path.name / "..")


def test_the_layout_of_the_tests_is_not_changed_by_reading(save: Json) -> None:
    kept = copy.deepcopy(save)
    read(save)
    assert save == kept
