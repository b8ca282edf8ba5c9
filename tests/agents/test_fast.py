"""The agent fast: fair, reproducible, with reasons; and the files that its value comes from."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.played import HIDING_BOSSES, Player, before_the_boss
from jimbo.agents import make_agent
from jimbo.engine import Action, ActionKind, Run
from jimbo.engine.value import (
    VALUE_BLINDS,
    ValuePlay,
    ValueStart,
    input_count,
    input_groups,
    judge_options,
    play_games,
    value_net,
    value_schema_hash,
)
from jimbo.models.checkpoint import BadModel
from jimbo.models.value_file import LAYERS, OWN_FILE, joined, load_value, read_value, write_value

QUICK: dict[str, Any] = {"rollouts": 4, "finalists": 4, "worlds": 1}


PLAYER = Player("fast", **QUICK)
positions, decided = PLAYER.positions, PLAYER.decided


def test_decisions_do_not_depend_on_what_is_hidden() -> None:
    """Draw order, face-down identities and every random stream replaced: the same decision, to the last figure."""
    runs = [*positions("FAIRPLAY"), *positions("FAIRTOO")]
    for boss in HIDING_BOSSES:
        run = before_the_boss(boss)
        runs.append(run.clone())
        run.step(Action("select_blind"))
        runs.append(run)
    for run in runs:
        seen = decided(run)
        for nonce in (11, 12):
            assert decided(run.determinize(nonce)) == seen
    assert {run.phase for run in runs} == {"blind_select", "selecting_hand", "round_eval", "shop", "pack_opening"}


def test_a_nonce_decides_the_same_again_and_another_looks_at_other_worlds() -> None:
    runs = list(positions("SAMEOLD", max_steps=30))
    assert decided(runs[-1]) == decided(runs[-1])
    assert any(decided(run, nonce=6).considered != decided(run).considered for run in runs)


def test_what_was_considered_is_told_best_first() -> None:
    measures: dict[str, set[str]] = {}
    for run in positions("REASONS"):
        decision = decided(run)
        values = [round(one.value, 3) for one in decision.considered]
        assert values == sorted(values, reverse=True)
        assert run.refusal(decision.action) is None
        if values:
            measures.setdefault(run.phase, set()).add(decision.measure)
            assert sum(one.chosen for one in decision.considered) <= 1
        if decision.measure == "win":
            assert 0 < decision.win < 1
    assert measures["shop"] == measures["blind_select"] == {"win"}
    assert "clear" in measures["selecting_hand"]


def test_jokers_are_put_in_order_before_a_blind() -> None:
    run = Run(seed="ORDER")
    for joker in ("j_cavendish", "j_joker", "j_gros_michel"):
        run.debug_add_joker(joker)
    while (decision := decided(run)).action.kind == "move_joker":
        run.step(decision.action)
    assert run.joker_keys[-1] == "j_cavendish"


def test_a_run_goes_far() -> None:
    """Not luck: hardly any of such runs ends before ante 3."""
    assert list(positions("GOESFAR", max_steps=400))[-1].ante >= 3


def test_options_are_judged_and_the_best_comes_first() -> None:
    net, _ = load_value()
    shop = next(run for run in positions("SHOPPING") if run.phase == "shop")
    judged = judge_options(net, shop.public_state().imagine(0), finalists=3)
    finalists = [option for option in judged if option.forecast]
    onward = next(option for option in judged if option.actions[0].kind == "leave_shop")
    assert len(finalists) in (3, 4)
    assert onward in finalists
    assert judged[: len(finalists)] == finalists
    assert [option.worth for option in finalists] == sorted((option.worth for option in finalists), reverse=True)
    assert all(shop.refusal(option.actions[0]) is None for option in judged)
    with pytest.raises(ValueError, match="worlds must be at least 1"):
        judge_options(net, shop, worlds=0)


@pytest.mark.parametrize(
    ("deck", "stake", "effort"),
    [
        ("Red", "White", {"rollouts": 40, "finalists": 0, "worlds": 2}),
        ("Ghost", "Gold", {"rollouts": 4, "finalists": 4, "worlds": 1}),
        ("Magic", "White", {"rollouts": 4, "finalists": 0, "worlds": 1}),
        ("Checkered", "White", {"rollouts": 8, "finalists": 2, "worlds": 1}),
    ],
)
def test_training_games_are_those_of_the_agent_action_by_action(deck: str, stake: str, effort: dict[str, int]) -> None:
    net, _ = load_value()
    seeds = ("TRAINED", "PLAYED")
    trained = play_games(net, [ValueStart(seed, deck, stake, 7, False) for seed in seeds], ValuePlay(**effort), 1)
    for place, seed in enumerate(seeds):
        run, agent = Run(seed=seed, deck=deck, stake=stake), make_agent("fast", **effort)
        agent.reset(7)
        digest = 0
        while run.phase != "game_over" and not run.won:
            action = agent.act(run.public_state()).action
            digest = with_action(digest, action)
            run.step(action)
        assert (run.won, run.ante, run.round) == tuple(column[place] for column in trained[:3])
        assert digest == trained.digest[place]


def with_action(digest: int, action: Action) -> int:
    cards = sum(1 << card for card in action.cards)
    for part in (list(ActionKind).index(action.kind), action.index, action.to, cards):
        digest = (digest ^ part) * 0x100000001B3 % 2**64
    return digest


# --- Files ------------------------------------------------------------------------------------------------------------


def test_the_package_has_a_value_with_a_card() -> None:
    net, card = load_value()
    assert card["schema_hash"] == value_schema_hash()
    assert card["trained"]["positions"] > 0
    assert len(net.chances([])) == VALUE_BLINDS
    with pytest.raises(ValueError, match="no such input"):
        net.chances([(input_count(), 1.0)])
    groups = input_groups()
    assert (groups[0].start, groups[-1].start + groups[-1].size) == (0, input_count())


def test_a_value_is_the_same_once_it_was_written(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    weights, _ = read_value(OWN_FILE)
    write_value(tmp_path / "again.safetensors", weights, {"trained": {"games": 1}})
    again, card = read_value(tmp_path / "again.safetensors")
    assert card["trained"] == {"games": 1}
    for name, tensor in safetensors.load_file(tmp_path / "again.safetensors").items():
        assert np.array_equal(again[name], weights[name])
        whole = joined(tensor) if tensor.ndim == 3 else tensor
        assert np.array_equal(again[name], whole.astype(np.float32))
    assert make_agent("fast", model=str(tmp_path / "again.safetensors")).act(Run().public_state()).action


def test_a_net_computes_what_its_weights_say() -> None:
    weights, _ = read_value(OWN_FILE)
    net, _ = load_value()
    rng = np.random.default_rng(3)
    inputs = np.zeros(input_count(), np.float32)
    inputs[rng.integers(0, input_count(), 80)] = rng.normal(size=80)
    hidden = inputs
    for name in LAYERS:
        hidden = hidden @ weights[f"{name}.weight"] + weights[f"{name}.bias"]
        hidden = hidden if name == LAYERS[-1] else np.maximum(hidden, 0)
    found = net.chances([(int(i), float(inputs[i])) for i in np.flatnonzero(inputs)])
    assert found == pytest.approx(1 / (1 + np.exp(-hidden[:VALUE_BLINDS].astype(float))), abs=1e-4)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for suffix in (".safetensors", ".json"):
        shutil.copy(OWN_FILE.with_suffix(suffix), tmp_path / f"value{suffix}")
    return tmp_path / "value.safetensors"


def test_files_that_are_no_value_are_refused(copy: Path) -> None:
    data, card = copy.read_bytes(), json.loads(copy.with_suffix(".json").read_text())
    for broken in (b"", data[:100], data[:-2], b"\xff" * 64, data + b"\0", data + data[-64:]):
        copy.write_bytes(broken)
        with pytest.raises(BadModel, match="not a file of weights, or was cut"):
            load_value(copy)
    copy.write_bytes(data)
    for change, words in (({"schema_hash": "0"}, "is a value for other inputs"), ({"format": "x"}, "is not the card")):
        copy.with_suffix(".json").write_text(json.dumps({**card, **change}))
        with pytest.raises(BadModel, match=words):
            load_value(copy)
    copy.with_suffix(".json").unlink()
    with pytest.raises(ValueError, match=r"The agent fast cannot be made: .* cannot be read"):
        make_agent("fast", model=str(copy))


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_finite_numbers_are_refused(copy: Path, number: float) -> None:
    weights, _ = read_value(OWN_FILE)
    weights["second.bias"][3] = number
    write_value(copy, weights, {})
    with pytest.raises(BadModel, match=r"value\.safetensors cannot be used: it holds weights that are not finite"):
        load_value(copy)


def test_weights_of_another_shape_are_refused(copy: Path) -> None:
    weights, _ = read_value(OWN_FILE)
    write_value(copy, {**weights, "first.weight": weights["first.weight"][:-1]}, {})
    with pytest.raises(BadModel, match="another number of inputs"):
        load_value(copy)
    write_value(copy, {**weights, "second.weight": weights["second.weight"][:-1]}, {})
    with pytest.raises(BadModel, match="do not fit"):
        load_value(copy)
    with pytest.raises(ValueError, match="three layers"):
        value_net([])
