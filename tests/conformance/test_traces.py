"""Replaying traces: short ones recorded here from the engine itself, then with a wrong value or a broken file."""

import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance import FileResult, verify_folder
from conformance.names import stake_key
from conformance.trace_actions import act, inject
from conformance.trace_cards import Tokens
from conformance.trace_format import Decoder
from conformance.trace_view import view
from jimbo.engine import Run

Json = dict[str, Any]
Change = Callable[[Json], Any]

DISCOUNT = {"op": "voucher", "k": "v_clearance_sale"}


def crc(state: Json) -> int:
    return zlib.crc32(json.dumps(state, sort_keys=True, separators=(",", ":")).encode())


class Recorder:
    """Plays a run of the engine and writes it down as a trace."""

    def __init__(self, deck: str = "b_red", stake: int = 1, seed: str = "TRACE", setup: tuple[Json, ...] = ()) -> None:
        self.tokens = Tokens(seed, deck)
        self.run = inject(Run(deck=deck, stake=stake_key(stake), seed=seed), list(setup))
        self.state: Json = {}
        self.trace: Json = {"id": "t", "deck": deck, "stake": stake, "seed": seed, "setup": list(setup), "steps": []}
        self.trace["state0"], self.trace["crc0"] = self._record(lambda state: None)

    def do(
        self,
        t: str,
        *,
        cheat: Change | None = None,
        wrong: Change | None = None,
        sus: list[str] | None = None,
        **more: Any,
    ) -> None:
        """Acts; ``cheat`` then changes the engine's own state, ``wrong`` only what is written down."""
        self.run = act(self.run, {"t": t, **more})
        if cheat:
            state = json.loads(self.run.to_json())
            cheat(state)
            self.run = Run.from_json(json.dumps(state))
        delta, checksum = self._record(wrong or (lambda state: None))
        step = {"action": {"t": t, **more}, "state_after": delta, "crc": checksum}
        self.trace["steps"].append(step | ({"sus": sus} if sus else {}))

    def _record(self, wrong: Change) -> tuple[Json, int]:
        old, self.state = self.state, view(self.run, json.loads(self.run.to_json()), self.tokens)
        wrong(self.state)
        delta = {name: value for name, value in self.state.items() if name not in old or old[name] != value}
        for name in ("levels", "rng"):
            if name in delta and name in old:
                delta[name] = {key: value for key, value in delta[name].items() if old[name].get(key) != value}
        for name in ("hand", "deck"):
            if name in delta:
                delta[name] = " ".join(delta[name])
        return delta, crc(self.state)

    def win(self) -> None:
        """Plays the best hands until the round is won."""
        while self.run.phase == "selecting_hand":
            plays = [action for action in self.run.legal_actions() if action.kind == "play"]
            best = max(plays, key=lambda action: self.run.preview(action.cards).score)
            self.do("play", i=best.cards)
        assert self.run.phase == "round_eval"


def check(folder: Path, *recorders: Recorder) -> FileResult:
    path = folder / "traces" / "organic-00.jsonl.gz"
    path.parent.mkdir(exist_ok=True)
    lines = "".join(json.dumps(recorder.trace) + "\n" for recorder in recorders)
    path.write_bytes(gzip.compress(lines.encode()))
    (result,) = verify_folder(folder).files
    return result


def counts(result: FileResult) -> tuple[int, ...]:
    """Passed, failed, excepted, skipped, not reached."""
    assert result.cases == result.passed + result.failed + result.excepted
    return (result.passed, result.failed, result.excepted, result.skipped, result.not_reached)


def first_path(result: FileResult) -> str:
    assert result.first_difference is not None
    return result.first_difference.path


# --- Decoding ---------------------------------------------------------------------------------------------------------


def test_deltas() -> None:
    decoder = Decoder()
    decoder.apply(
        {"dollars": 4, "hand": "KH 2S/glass", "deck": "AS KS QS", "levels": {"Pair": [1, 0, 0]}, "rng": {"a": 0.5}}
    )
    decoder.apply({"deck_pop": 2, "hand": "", "levels": {"Flush": [2, 1, 1]}, "rng": {"a": 0.25, "b": 0.75}})
    assert decoder.state == {
        "dollars": 4,
        "hand": [],
        "deck": ["AS"],
        "levels": {"Pair": [1, 0, 0], "Flush": [2, 1, 1]},
        "rng": {"a": 0.25, "b": 0.75},
    }
    decoder.apply({"deck": "2C 3C"})
    assert decoder.state["deck"] == ["2C", "3C"]


def test_an_earlier_state_stays_as_it_was() -> None:
    decoder = Decoder()
    decoder.apply({"deck": "AS KS", "rng": {"a": 0.5}})
    before = decoder.state
    decoder.apply({"deck_pop": 1, "rng": {"a": 0.25}})
    assert before == {"deck": ["AS", "KS"], "rng": {"a": 0.5}}


def test_the_checksum_is_that_of_the_whole_state() -> None:
    decoder = Decoder()
    decoder.apply({"won": False, "hand": "KH", "deck": "AS KS", "last": None, "rng": {"b": 0.1, "a": 1e-13}})
    decoder.apply({"deck_pop": 1, "rng": {"c": 0.3}, "last": {"hand": "Pair", "mult": 2.5}})
    assert decoder.crc() == crc(dict(decoder.state))


@pytest.mark.parametrize(
    "token", ["KH", "TS/glass*poly#Red+10!", "6D~61", "2C~90/stone^", "AS*neg", "QD#Purple@", "9H/wild!^@", "JC+5"]
)
def test_tokens(token: str) -> None:
    tokens = Tokens("TRACE", "b_red")
    assert tokens.write(tokens.read(token)) == token


def test_ids_that_go_without_saying() -> None:
    assert [Tokens("A", "b_red").read(token)["uid"] for token in ("2C", "AC", "TS", "TS~99")] == [1, 9, 52, 99]
    assert Tokens("A", "b_abandoned").read("TS")["uid"] == 40
    king = {"uid": 11, "key": "C_K", "modifier": [], "state": []}
    assert [Tokens("A", deck).write(king) for deck in ("b_red", "b_checkered")] == ["KC", "KC~11"]


@pytest.mark.parametrize("token", ["", "1H", "KX", "KH~", "KH!/glass"])
def test_texts_that_are_no_tokens(token: str) -> None:
    with pytest.raises(ValueError, match="is not a playing card"):
        Tokens("A", "b_red").read(token)


# --- Replaying --------------------------------------------------------------------------------------------------------


def long_trace() -> Recorder:
    setup = (
        {"op": "joker", "k": "j_oops", "ed": "foil", "st": "P"},
        {"op": "cons", "k": "c_star"},
        {"op": "level", "hand": "Pair", "n": 3},
        {"op": "card", "n": 51, "enh": "bonus", "ed": "holo", "seal": "Red"},
        {"op": "base", "n": 50, "c": "AS"},
        {"op": "dollars", "v": 60},
        {"op": "per_round", "hands": 6, "discards": 5},
        {"op": "tag", "b": "Small", "k": "tag_charm"},
    )
    recorder = Recorder("b_magic", 8, setup=setup)
    recorder.do("skip")
    recorder.do("skip_pack")
    recorder.do("select")
    recorder.do("use", n=2, i=[0, 1])
    recorder.do("inject", ops=[{"op": "hand_base", "n": 0, "c": "KH"}, {"op": "drop_cons", "n": 1}])
    recorder.do("discard", i=[6, 7])
    recorder.do("move_card", n=0, d=1)
    recorder.win()
    recorder.do("cash_out")
    recorder.do("open", n=1)
    recorder.do("skip_pack")
    recorder.do("reroll")
    recorder.do("voucher", n=0)
    recorder.do("sell", area="jokers", n=0)
    recorder.do("leave")
    return recorder


def test_a_run_of_the_engine_passes(tmp_path: Path) -> None:
    recorder = long_trace()
    steps = len(recorder.trace["steps"])
    assert counts(check(tmp_path, recorder, Recorder("b_erratic"))) == (steps + 2, 0, 0, 0, 0)


WRONG: list[tuple[str, Change]] = [
    ("phase", lambda s: s.update(phase="shop")),
    ("round", lambda s: s.update(round=1)),
    ("blind.reward", lambda s: s["blind"].update(reward=9)),
    ("dollars", lambda s: s.update(dollars=99)),
    ("per_round[1]", lambda s: s["per_round"].__setitem__(1, 9)),
    ("choices.tags[0]", lambda s: s["choices"]["tags"].__setitem__(0, "tag_d_six")),
    ("hand[3]", lambda s: s["hand"].__setitem__(3, s["hand"][3] + "!")),
    ("hand[0]", lambda s: s["hand"].__setitem__(0, "KH~77")),
    ("deck[43]", lambda s: s["deck"].__setitem__(43, "2C/stone")),
    ("jokers[0].id", lambda s: s["jokers"][0].update(id=99)),
    ("jokers[0].ab.mult", lambda s: s["jokers"][0].update(ab={"mult": 1})),
    ("jokers[1]", lambda s: s["jokers"].append({"k": "j_joker", "id": 60, "sell": 1})),
    ("cons[0].sell", lambda s: s["cons"][0].update(sell=7)),
    ("levels.Pair[2]", lambda s: s["levels"].update(Pair=[1, 0, 1])),
    ("rng.nr1", lambda s: s["rng"].update(nr1=0.5)),
    ("rng.lucky_mult", lambda s: s["rng"].update(lucky_mult=0.5)),
    ("targets.mail", lambda s: s["targets"].update(mail="Jack" if s["targets"]["mail"] != "Jack" else "Ace")),
    ("prob", lambda s: s.update(prob=2)),
    ("last", lambda s: s.update(last={"hand": "Pair", "chips": 1, "mult": 1, "total": 1, "blocked": False})),
    ("a_new_field", lambda s: s.update(a_new_field=1)),
]


@pytest.mark.parametrize(("path", "wrong"), WRONG)
def test_every_field_is_compared(tmp_path: Path, path: str, wrong: Change) -> None:
    recorder = Recorder("b_magic", setup=({"op": "joker", "k": "j_green_joker"},))
    recorder.do("select", wrong=wrong)
    result = check(tmp_path, recorder)
    assert counts(result) == (1, 1, 0, 0, 0)
    assert first_path(result) == f"t.steps[0].{path}"


def test_a_stream_that_the_trace_has_not_used(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.do("select", wrong=lambda s: s["rng"].pop("nr1"))
    assert first_path(check(tmp_path, recorder)) == "t.steps[0].rng.nr1"


def cashed_out(wrong: Change) -> Recorder:
    recorder = Recorder()
    recorder.do("select")
    recorder.win()
    recorder.do("cash_out", wrong=wrong)
    return recorder


def other_art(place: int) -> Change:
    return lambda s: s["boosters"][place].update(k=s["boosters"][place]["k"][:-1] + "2")


@pytest.mark.parametrize(
    "convention",
    [
        lambda s: s.update(chips=77, hands=77, discards=77),  # reset only with the next blind
        lambda s: s["rng"].update(orbital=0.5, to_do=0.5),
        other_art(0),
    ],
)
def test_conventions_of_the_model_are_no_differences(tmp_path: Path, convention: Change) -> None:
    assert counts(check(tmp_path, cashed_out(convention)))[1:] == (0, 0, 0, 0)


def test_only_the_first_pack_is_without_a_seed(tmp_path: Path) -> None:
    assert first_path(check(tmp_path, cashed_out(other_art(1)))).endswith(".boosters[1].k")


def test_a_sorted_hand_takes_the_recorded_order(tmp_path: Path) -> None:
    def turn_round(state: Json) -> None:
        state["zones"]["hand"].reverse()
        state["round"]["sorts_by_suit"] = False  # drawn cards are sorted by rank there

    recorder = Recorder()
    recorder.do("select")
    recorder.do("sort", by="suit", cheat=turn_round)
    recorder.do("play", i=[0, 3])
    assert counts(check(tmp_path, recorder)) == (4, 0, 0, 0, 0)
    recorder.do("sort", by="rank", wrong=lambda s: s["hand"].__setitem__(2, "2C/glass"))
    assert counts(check(tmp_path, recorder)) == (4, 1, 0, 0, 0)


def test_the_next_ante_may_be_drawn_before_the_cash_out(tmp_path: Path) -> None:
    def next_ante(state: Json) -> None:
        state["choices"] = {"Boss": "bl_wall", "tags": ["tag_d_six", "tag_d_six"]}
        state["next_voucher"] = "v_hone"
        state["rng"] |= {"boss": 0.5, "Tag2": 0.5, "Voucher2": 0.5, "Voucher2_resample2": 0.5}

    setup = tuple({"op": "level", "hand": hand, "n": 50} for hand in ("High Card", "Pair"))
    recorder = Recorder(setup=({"op": "goto", "b": "Boss"}, {"op": "boss", "k": "bl_tooth"}, *setup))
    recorder.do("select")
    recorder.do("play", i=[0], wrong=next_ante)
    assert recorder.run.phase == "round_eval"
    assert counts(check(tmp_path, recorder)) == (3, 0, 0, 0, 0)
    recorder.do("cash_out", wrong=next_ante)
    assert first_path(check(tmp_path, recorder)) == "t.steps[2].choices.Boss"


def test_a_refused_action(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.do("select")
    recorder.trace["steps"][0]["action"] = {"t": "cash_out"}
    recorder.do("discard", i=[0])
    result = check(tmp_path, recorder)
    assert counts(result) == (2, 1, 0, 0, 0)
    assert first_path(result) == "t.steps[0].action"


# --- After a difference -----------------------------------------------------------------------------------------------


def richer(state: Json) -> None:
    state["economy"]["money"] += 50


def other_cards(state: Json) -> None:
    hand = state["zones"]["hand"]
    hand[0]["modifier"] = ["m_glass", "e_polychrome", "seal_red"]
    hand[1]["key"] = "H_A"
    state["zones"]["discard"].append(hand.pop())


def other_items(state: Json) -> None:
    joker = state["jokers"][0]
    joker |= {"count": 7, "sell_bonus": 2, "edition": "e_foil", "perishable": True, "perish_left": 3}
    state["jokers"].append({**joker, "joker_id": "j_cavendish", "uid": state["memory"]["next_id"], "count": 0})
    state["memory"]["next_id"] += 1
    state["consumables"][0]["sell_bonus"] = 4
    state["round"]["consumable_slots"] = 9
    state["vouchers"] = ["v_grabber"]
    state["tags"] = [{"key": "tag_d_six", "orbital_hand": "Pair"}]


def other_round(state: Json) -> None:
    state["round"] |= {"hands_left": 9, "discards_left": 8, "hand_size": 9, "hands_per_round": 5, "boss": "bl_club"}
    state["hands"]["Pair"] = {"level": 5, "played": 3, "played_this_round": 2}
    state["targets"] |= {"idol_rank": "10", "mail_rank": "J", "castle_suit": "S"}
    state["memory"] |= {"hands_played": 12, "last_used": "c_star"}
    state["rng"]["streams"] |= {"nr1": 0.125, "lucky_mult": 0.25}


def other_shop(state: Json) -> None:
    offer = state["shop"]["cards"][0]["offer"]
    offer |= {"kind": "joker", "joker": "j_cavendish", "edition": "e_holo", "eternal": True}
    state["shop"]["cards"][1] |= {"free": True}
    state["shop"]["vouchers"] = [{"key": "v_hone", "free": False, "from_tag": False}]
    state["shop"]["boosters"][0]["key"] = "p_spectral_mega_1"
    state["round"]["voucher"] = "v_hone"
    state["economy"] |= {"reroll_increase": 4}


def other_pack(state: Json) -> None:
    state["pack"] |= {"key": "p_standard_jumbo_1", "picks_left": 1, "opened_from": "shop"}
    card = {"uid": state["memory"]["next_id"], "key": "S_A", "modifier": ["m_gold"], "state": []}
    plain = {"joker": "j_joker", "consumable": "c_fool", "edition": "e_base", "uid": card["uid"], "card": card}
    stickers = dict.fromkeys(("eternal", "perishable", "rental"), False)
    state["pack"]["cards"] = [plain | stickers | {"kind": "playing_card"}]
    state["memory"]["next_id"] += 1
    state["zones"]["deck"] += state["zones"]["hand"]
    state["zones"]["hand"] = []


def play_on(cheat: Change, where: str, sus: list[str] | None) -> Recorder:
    setup = ({"op": "joker", "k": "j_green_joker"}, {"op": "dollars", "v": 90})
    recorder = Recorder("b_magic", setup=setup)
    recorder.do("select", **({"cheat": cheat, "sus": sus} if where == "round" else {}))
    recorder.do("discard", i=[0, 1])
    recorder.win()
    recorder.do("cash_out", **({"cheat": cheat, "sus": sus} if where == "shop" else {}))
    recorder.do("open", n=0, **({"cheat": cheat, "sus": sus} if where == "pack" else {}))
    recorder.do("pick", n=0) if where == "pack" else recorder.do("skip_pack")
    recorder.do("reroll" if where != "shop" else "buy", **({} if where != "shop" else {"n": 0}))
    recorder.do("leave")
    return recorder


CHEATS = [
    (richer, "round"),
    (other_cards, "round"),
    (other_items, "round"),
    (other_round, "round"),
    (richer, "shop"),
    (other_shop, "shop"),
    (other_pack, "pack"),
]


@pytest.mark.parametrize(("cheat", "where"), CHEATS)
@pytest.mark.parametrize("sus", [None, ["joker:j_bull"]])
def test_one_difference_does_not_cause_others(tmp_path: Path, cheat: Change, where: str, sus: list[str] | None) -> None:
    recorder = play_on(cheat, where, sus)
    steps = len(recorder.trace["steps"])
    expected = (steps, 0, 0, 1, 0) if sus else (steps, 1, 0, 0, 0)
    result = check(tmp_path, recorder)
    assert counts(result) == expected
    assert (result.first_difference is None) == bool(sus)


def test_steps_after_an_impossible_state_are_not_reached(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.do("select", wrong=lambda s: s["jokers"].append({"k": "j_nobody", "id": 60, "sell": 1}))
    recorder.do("discard", i=[0])
    recorder.do("discard", i=[0])
    assert counts(check(tmp_path, recorder, Recorder())) == (2, 1, 0, 0, 2)


# --- Broken files -----------------------------------------------------------------------------------------------------


def test_a_wrong_checksum_is_a_difference(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.do("select")
    recorder.do("discard", i=[0])
    recorder.trace["steps"][0]["crc"] += 1
    recorder.trace["steps"][1]["crc"] += 1
    result = check(tmp_path, recorder)
    assert counts(result) == (2, 1, 0, 0, 0)
    assert first_path(result) == "t.steps[0].crc"


def test_a_broken_line_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "traces" / "directed-00.jsonl"
    path.parent.mkdir()
    path.write_text(json.dumps(Recorder().trace) + '\n{"id": \n')
    (error,) = verify_folder(tmp_path).errors
    assert "directed-00.jsonl, line 2: not valid JSON" in error


@pytest.mark.parametrize(
    "spoil",
    [
        lambda trace: trace.pop("state0"),
        lambda trace: trace.update(deck="b_nowhere"),
        lambda trace: trace["steps"].append({"action": {"t": "dance"}, "state_after": {}, "crc": 0}),
        lambda trace: trace["setup"].append({"op": "luck"}),
        lambda trace: trace["setup"].append({"op": "joker", "k": "j_nobody"}),
        lambda trace: trace["state0"].update(levels=5),
    ],
)
def test_records_of_another_layout_are_errors(tmp_path: Path, spoil: Change) -> None:
    recorder = Recorder()
    spoil(recorder.trace)
    error = check(tmp_path, Recorder(), recorder).error
    assert error is not None
    assert "organic-00.jsonl.gz, line 2: not in the layout" in error


# --- Exceptions -------------------------------------------------------------------------------------------------------


def discounted(wrong: Change) -> Recorder:
    """A joker that was there before the voucher was injected; the trace writes its full sell value."""
    recorder = Recorder(setup=({"op": "joker", "k": "j_blueprint"}, DISCOUNT))
    recorder.do("select", wrong=lambda s: (s["jokers"][0].update(sell=5), wrong(s)))
    return recorder


def test_a_rule_covers_its_difference(tmp_path: Path) -> None:
    assert counts(check(tmp_path, discounted(lambda s: None))) == (1, 0, 1, 0, 0)


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        (lambda s: s["jokers"][0].update(sell=6), "jokers[0].sell"),
        (lambda s: s["jokers"][0].update(id=99), "jokers[0].id"),
        (lambda s: s.update(dollars=5), "dollars"),
    ],
)
def test_a_rule_covers_no_other_difference(tmp_path: Path, wrong: Change, path: str) -> None:
    result = check(tmp_path, discounted(wrong))
    assert result.excepted == 0
    assert first_path(result) == f"t.steps[0].{path}"
