"""RecordV1: lines that tell the truth, and lines that are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from data.playing import Change, changed, lines_of, rolled_out
from jimbo.agents import make_agent
from jimbo.backends import SimBackend
from jimbo.data.dataset import validate
from jimbo.data.record_v1 import FIELDS, hand_features, shop_features
from jimbo.data.record_v1_actions import hand_action_id, legal_action_ids, legal_shop_action_ids
from jimbo.data.samples import BadData, read_samples
from jimbo.engine import Action, Run, batch_schema_hash
from jimbo.rollout import Rollout

SEED_FIELDS = {
    *("timestamp", "episode_id", "step_id", "instance_id", "base_url", "phase", "done", "hand_size"),
    *("legal_action_ids", "expert_action_id", "macro_action", "reward", "reward_info", "features"),
    *("shop_legal_action_ids", "shop_expert_action_id", "shop_features", "value_target"),
}
SEED_PHASES = {"BLIND_SELECT", "SELECTING_HAND", "ROUND_EVAL", "SHOP", "SMODS_BOOSTER_OPENED"}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    rolled_out(path)
    return path


def test_lines_have_all_fields_in_order(games: Path) -> None:
    lines = lines_of(games)
    assert all(list(line) == list(FIELDS) for line in lines)
    assert set(FIELDS) > SEED_FIELDS
    assert all(line["schema_version"] == "record_v1" and line["schema_hash"] == batch_schema_hash() for line in lines)
    assert {line["base_url"] for line in lines} == {"sim://0"}


def test_lines_tell_what_was_played(games: Path) -> None:
    lines = lines_of(games)
    for number in range(3):
        of_game = [line for line in lines if line["episode_id"] == number]
        rollout = Rollout(SimBackend())
        rollout.start(deck="b_red", stake="stake_white", seed=of_game[0]["seed"])
        moments = list(rollout.play(make_agent("greedy"), of_game[0]["nonce"]))
        for line, moment in zip(of_game, moments, strict=True):
            state, decision = moment.before, moment.decision
            action = decision.action
            is_hand = action.kind in ("play", "discard")
            assert (line["episode_id"], line["step_id"], line["policy"]) == (number, moment.step, "greedy")
            assert line["phase"] == {"selecting_hand": "SELECTING_HAND", "pack_opening": "SMODS_BOOSTER_OPENED"}.get(
                state.phase, state.phase.upper()
            )
            assert line["hand_size"] == len(state.hand)
            legal = [a for a in state.legal_actions() if a.kind in ("play", "discard")]
            assert line["legal_action_ids"] == sorted(hand_action_id(len(state.hand), a) for a in legal)  # type: ignore[type-var]
            assert line["expert_action_id"] == (hand_action_id(len(state.hand), action) if is_hand else None)
            assert (line["macro_action"] is None) == is_hand
            assert line["action"]["cards"] == action.cards
            assert [other["value"] for other in line["candidates"]] == [other.value for other in decision.considered]
            chosen = [other.value for other in decision.considered if other.chosen]
            assert line["value_target"] == (chosen[0] if chosen else None)
            assert line["features"]["context_values"]["jokers_count"] == len(state.jokers)
            assert line["done"] == (moment.after.over or moment.after.won)
            assert line["reward"] == max(0.0, moment.after.chips - state.chips)
        assert of_game[-1]["done"]


def test_all_phases_and_macro_actions_turn_up(tmp_path: Path) -> None:
    rolled_out(tmp_path / "random.jsonl", agent="random", games=150)
    lines = lines_of(tmp_path / "random.jsonl")
    assert {line["phase"] for line in lines} == SEED_PHASES
    macros = {line["macro_action"] for line in lines}
    assert {None, "select", "skip", "cash_out", "next_round", "BUY", "PACK"} <= macros
    for line in lines:
        in_shop = line["phase"] in ("SHOP", "SMODS_BOOSTER_OPENED")
        assert bool(line["shop_legal_action_ids"]) == bool(line["shop_features"]) == in_shop
        if line["expert_action_id"] is not None:
            assert line["expert_action_id"] in line["legal_action_ids"]
        if line["shop_expert_action_id"] is not None:
            assert line["shop_expert_action_id"] in line["shop_legal_action_ids"]
    returns = [line["return"] for line in lines if line["step_id"] == 1]
    totals = [sum(line["reward"] for line in lines if line["episode_id"] == number) for number in range(150)]
    assert returns == totals


# --- Ids and features -------------------------------------------------------------------------------------------------


def test_ids_are_the_same_from_what_is_seen() -> None:
    run = Run(seed="IDS")
    for nonce in range(200):
        state = run.public_state()
        if state.over:
            break
        assert legal_action_ids(state) == legal_action_ids(run)
        assert legal_shop_action_ids(state) == legal_shop_action_ids(run)
        if run.phase == "selecting_hand" and nonce % 2:
            run.chips = run.target
        run.step(state.draw_action(nonce))


def test_features_of_a_hand() -> None:
    run = Run(seed="FEATURES")
    for key in ("j_joker", "j_egg"):
        run.debug_add_joker(key)
    run.step(Action("select_blind"))
    state = run.public_state()
    features = hand_features(state)
    ranks = dict(zip(["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"], range(2, 15), strict=True))
    assert features["card_rank_ids"] == [ranks[card.rank or ""] for card in state.hand] + [0, 0]
    assert features["card_suit_ids"] == ["-CDHS".index(card.suit or "") for card in state.hand] + [0, 0]
    assert features["hand_pad_mask"] == [1] * 8 + [0, 0]
    assert features["context_values"] == {
        "hands_left": 4,
        "discards_left": 4,
        "round_chips": 0.0,
        "money": 4,
        "reroll_cost": 5,
        "small_blind_score": 300.0,
        "big_blind_score": 450.0,
        "boss_blind_score": state.blinds[2].target,
        "jokers_count": 2,
        "consumables_count": 0,
        "ante_num": 1,
        "round_num": 1,
    }
    assert features["context"] == list(features["context_values"].values())
    assert shop_features(state) is None


def test_features_of_special_cards() -> None:
    run = Run(seed="FEATURES")
    run.step(Action("select_blind"))
    data = run.public_state().to_data()
    data["hand"][0] |= {"enhancement": "m_bonus", "seal": "seal_red", "bonus": 5, "rank": "A"}
    data["hand"][1] |= {"edition": "e_foil", "rank": "K"}
    data["hand"][2] |= {"debuffed": True}
    features = hand_features(type(run.public_state()).from_data(data))
    assert features["card_chip_hint"][:3] == [11 + 30 + 5, 10 + 50, 0]
    assert features["card_has_enhancement"][:3] == [1, 0, 0]
    assert features["card_has_edition"][:3] == [0, 1, 0]
    assert features["card_has_seal"][:3] == [1, 0, 0]


# --- Bad lines --------------------------------------------------------------------------------------------------------


def at(number: int, **values: Any) -> Change:
    return lambda lines: lines[number - 1].update(values)


def without(number: int, name: str) -> Change:
    return lambda lines: lines[number - 1].pop(name)


BROKEN: dict[str, tuple[Change, str]] = {
    "schema": (at(3, schema_version="record_v2"), "line 3: it is not a record of the schema record_v1"),
    "hash": (at(2, schema_hash="0123"), "line 2: it was written with other observations or candidates"),
    "unknown": (at(4, mood="good"), 'line 4: there is no field "mood"'),
    "missing": (without(4, "reward"), "line 4: reward is missing"),
    "versions": (at(4, versions="new"), "line 4: versions must be named texts"),
    "nan": (at(5, reward=float("nan")), "line 5: it holds NaN, which is not a number"),
    "step": (at(2, step_id=7), "line 2: step_id must be 2 here"),
    "gap": (lambda lines: lines.pop(2), "line 3: step_id must be 3 here"),
    "illegal": (at(1, action={"kind": "cash_out"}), "line 1: the action is not allowed where the game is then"),
    "no_action": (at(1, action={"kind": "dance"}), 'line 1: there is no action "dance"'),
    "legal_ids": (at(2, legal_action_ids=[1, 2]), "line 2: legal_action_ids is .*, but the game has"),
    "expert": (at(2, expert_action_id=3), "line 2: expert_action_id is 3, but the game has"),
    "reward": (at(2, reward=1.5), "line 2: reward is 1.5, but the game has"),
    "features": (at(2, features={}), "line 2: features is {}, but the game has"),
    "measure": (at(2, measure="mood"), "line 2: there is no measure"),
    "value": (lambda lines: lines[1]["candidates"][0].update(value="much"), "line 2: value must be a number"),
    "seed": (at(1, seed="two\nlines"), "line 1: "),
    "long_seed": (at(1, seed="none" * 9), r"line 1: a seed of 36 bytes is not valid: .*\.$"),
    "result": (lambda lines: [line.update(result="win") for line in lines], 'result is "win", but the game has "loss"'),
    "steps": (lambda lines: lines[-1].update(steps=99), "the game before is not whole"),
    "end": (lambda lines: lines.pop(), r"the game is cut off after \d+ of \d+ decisions"),
    "list": (lambda lines: lines.__setitem__(0, []), "line 1: it is not an object"),  # type: ignore[call-overload]
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_lines_are_refused_by_their_number(name: str, games: Path, tmp_path: Path) -> None:
    change, sentence = BROKEN[name]
    path = changed(games, tmp_path / "broken.jsonl", change)
    with pytest.raises(BadData, match=rf"^{path}, line \d+: .*") as refusal:
        read_samples([path])
    assert refusal.match(sentence)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty: it holds no decision"),
        (b'{"schema_version": "record_v1"', "line 1, is cut off: the file is truncated"),
        (b"hello\n", r"line 1: it is not JSON \(Expecting value at character 1\)"),
        (b"\xff\xfe\n", "line 1: not UTF-8 text"),
        (b"[" * 100_000 + b"\n", "line 1: it is nested too deeply"),
        (b"1" * 10_000 + b"\n", "line 1: it holds a number with too many digits"),
    ],
)
def test_other_files_are_refused(data: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(data)
    with pytest.raises(BadData, match=sentence):
        read_samples([path])


def test_a_cut_last_line_is_told(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(games.read_bytes()[:-40])
    count = len(lines_of(games))
    with pytest.raises(BadData, match=rf"cut\.jsonl, line {count}, is cut off: the file is truncated\."):
        read_samples([path])


def test_public_states_are_checked(tmp_path: Path) -> None:
    rolled_out(tmp_path / "raw.jsonl", agent="random", include_obs_raw=True)
    lines = lines_of(tmp_path / "raw.jsonl")
    assert [*lines[0]] == [*FIELDS, "obs_raw"]
    start = Run(seed=lines[0]["seed"]).public_state()
    assert lines[0]["obs_raw"] == json.loads(start.to_json())
    other = changed(
        tmp_path / "raw.jsonl", tmp_path / "other.jsonl", lambda all_: all_[1]["obs_raw"].update(dollars=50)
    )
    with pytest.raises(BadData, match=r"line 2: features is .*, but the game has"):
        read_samples([other])
    broken = changed(tmp_path / "raw.jsonl", tmp_path / "broken.jsonl", lambda all_: all_[1]["obs_raw"].pop("hand"))
    with pytest.raises(BadData, match=r"line 2: .*hand"):
        read_samples([broken])


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("blinds", "x", "line 1: blinds must be a whole number"),
        ("obs_raw", None, "line 2: obs_raw must be a public state"),
    ],
)
def test_public_states_of_other_kinds_are_refused(name: str, value: Any, sentence: str, tmp_path: Path) -> None:
    rolled_out(tmp_path / "raw.jsonl", agent="random", include_obs_raw=True)
    other = changed(tmp_path / "raw.jsonl", tmp_path / "other.jsonl", lambda lines: lines[1].update({name: value}))
    with pytest.raises(BadData, match=sentence):
        read_samples([other])


def test_validation_plays_games_again_even_where_states_are_told(tmp_path: Path) -> None:
    rolled_out(tmp_path / "raw.jsonl", agent="random", include_obs_raw=True)
    assert validate(tmp_path / "raw.jsonl") == len(lines_of(tmp_path / "raw.jsonl"))

    def won(lines: list[dict[str, Any]]) -> None:
        for line in lines:
            line["result"] = "win"

    lies = changed(tmp_path / "raw.jsonl", tmp_path / "lies.jsonl", won)
    with pytest.raises(BadData, match="result"):
        validate(lies)
