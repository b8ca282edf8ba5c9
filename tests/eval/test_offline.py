"""A network against recorded games."""

import hashlib
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.made_samples import Made, Told, game, samples
from jimbo.eval.offline import Offline, offline, offline_data
from jimbo.report.networks import offline_remarks


def judged(*games: Any) -> Offline:
    return offline(Told(*games), samples(*games))


def test_agreement_is_counted_where_there_was_a_choice() -> None:
    first = (
        game(),
        [
            Made([3, 2, 1, 0], chosen=0),
            Made([3, 2, 1, 0], chosen=2),
            Made([3, 2, 1, 0], chosen=3),
            Made([3, 2, 1, 0], chosen=-1),  # not listed
            Made([0]),  # no choice
        ],
    )
    second = game(), [Made([0, 5], chosen=1, phase="shop"), Made([0, 5], chosen=0, phase="shop")]
    result = judged(first, second)
    assert (result.games, result.decisions, result.not_listed, result.single) == (2, 7, 1, 1)
    assert list(result.choices) == ["all", "selecting_hand", "shop"]
    blind, shop, every = (result.choices[name] for name in ("selecting_hand", "shop", "all"))
    assert (blind.decisions, blind.games, blind.candidates) == (3, 1, 4.0)
    assert (blind.top1.value, blind.top3.value) == pytest.approx((1 / 3, 2 / 3))
    assert (blind.random_top1, blind.random_top3) == (0.25, 0.75)
    assert (blind.lift1.value, blind.lift3.value) == pytest.approx((4 / 3, 8 / 9))
    assert (shop.top1.value, shop.top3.value, shop.random_top1, shop.random_top3) == (0.5, 1.0, 0.5, 1.0)
    assert every.top1.value == pytest.approx(2 / 5)
    assert every.random_top1 == pytest.approx((3 * 0.25 + 2 * 0.5) / 5)


def test_cross_entropy_and_probability() -> None:
    share = math.exp(2) / (math.exp(2) + 1 + math.exp(-1))
    result = judged((game(), [Made([2, 0, -1], chosen=0)]), (game(), [Made([0, 0], chosen=1)]))
    every = result.choices["all"]
    assert every.probability.value == pytest.approx((share + 0.5) / 2)
    assert every.cross_entropy.value == pytest.approx((-math.log(share) + math.log(2)) / 2)
    assert every.random_cross_entropy == pytest.approx((math.log(3) + math.log(2)) / 2)


def test_a_network_without_an_opinion_is_as_good_as_chance() -> None:
    decisions = [Made([1] * size, chosen=size - 1) for size in (2, 3, 4, 5, 9)]
    every = judged((game(), decisions[:2]), (game(), decisions[2:])).choices["all"]
    assert every.top1.value == pytest.approx(every.random_top1)
    assert every.top3.value == pytest.approx(every.random_top3)
    assert every.cross_entropy.value == pytest.approx(every.random_cross_entropy)
    assert (every.lift1.value, every.lift3.value) == pytest.approx((1.0, 1.0))


def test_ties_are_told() -> None:
    alike = [Made([1, 1, 0], chosen=0), Made([2, 1, 1, 1], chosen=3), Made([1, 0, 0, 0], chosen=0)]
    result = judged((game(), alike))
    assert result.tied == 2
    assert "Ties: in 2 decisions the network rates the action taken and others exactly alike." in " ".join(
        offline_remarks(result)
    )
    assert "Ties" not in " ".join(offline_remarks(judged((game(), alike[2:]))))


def test_many_decisions_are_each_asked_once_and_keep_their_places() -> None:
    random = np.random.default_rng(1)
    decisions = []
    for place in range(700):
        logits = random.permutation(int(random.integers(2, 12))).tolist()
        decisions.append(Made(logits, chosen=int(np.argmax(logits)) if place % 7 == 0 else int(np.argmin(logits))))
    games = game(), decisions
    network, told = Told(games), []
    result = offline(network, samples(games), told.append)
    assert sorted(network.asked) == list(range(700))
    assert sum(told) == 700
    assert result.choices["all"].top1.value == pytest.approx(1 / 7)


def test_regret_is_told_in_the_values_of_the_player() -> None:
    nothing = float("nan")
    decisions = [
        Made([9, 0, 0], chosen=1, values=[0.25, 1.0, 0.5], measure="clear"),
        Made([9, 0, 0], chosen=0, values=[0.5, 0.75, nothing], measure="clear"),
        Made([0, 0, 9], chosen=1, values=[0.5, 1.0, nothing], measure="clear"),  # its choice was not looked at
        Made([9, 0], chosen=1, values=[2.0, 6.0], measure="win"),
        Made([9, 0], chosen=1),  # the player told no values
    ]
    clear, win = judged((game(), decisions)).regrets
    assert (clear.measure, clear.decisions, clear.unseen) == ("clear", 2, 1)
    assert clear.regret.value == pytest.approx((0.75 + 0.0) / 2)
    assert clear.random == pytest.approx(((1 - 1.75 / 3) + (0.5 - 0.625)) / 2)
    assert (win.measure, win.decisions, win.regret.value, win.random) == ("win", 1, 4.0, 2.0)


def test_forecasts_are_held_against_the_end_of_the_game() -> None:
    won = game("win", ante=9, blinds=24), [Made([0, 1], win=0.9, blinds=22, ante=8, final=7.5)]
    lost = (
        game("loss", ante=2, blinds=4),
        [
            Made([0, 1], win=0.2, blinds=2, clear=(0.9, 0.8, 0.3, 0.2, 0.1, 0.0), final=3.0),
            Made([0, 1], win=0.1, blinds=4, ante=2, clear=(0.4, 0.0, 0.0, 0.0, 0.0, 0.0), final=2.5),
        ],
    )
    left = game("open", ante=3, blinds=6), [Made([0, 1], win=0.7)]
    result = judged(won, lost, left)
    assert result.open_games == 1
    assert list(result.forecasts) == ["win", *(f"clear_{n}" for n in range(1, 7))]
    win = result.forecasts["win"]
    assert (win.all.decisions, win.all.games) == (3, 2)
    assert win.all.brier.value == pytest.approx((0.1**2 + 0.2**2 + 0.1**2) / 3)
    assert win.all.happened.value == pytest.approx(1 / 3)
    assert {ante: row.decisions for ante, row in win.by_ante.items()} == {1: 1, 2: 1, 8: 1}
    assert win.by_ante[2].brier.value == pytest.approx(0.01)
    # Two blinds beaten after the first decision of each, none after the last.
    happened = [result.forecasts[f"clear_{n}"].all.happened.value for n in range(1, 7)]
    assert happened == pytest.approx([2 / 3, 2 / 3, 0, 0, 0, 0])
    # After a win there is no third blind to be beaten or not.
    assert [result.forecasts[f"clear_{n}"].all.decisions for n in (2, 3)] == [3, 2]
    assert result.forecasts["clear_1"].all.brier.value == pytest.approx((0.5**2 + 0.1**2 + 0.4**2) / 3)
    assert result.ante
    assert result.ante.mean.value == pytest.approx((-0.5 + 1.0 + 0.5) / 3)
    assert result.ante.absolute.value == pytest.approx(2.0 / 3)


def test_the_order_of_the_games_makes_no_difference() -> None:
    random = np.random.default_rng(4)
    games = [
        (
            game(seed=f"SEED{n}", blinds=n % 3),
            [Made(random.random(4).tolist(), int(random.integers(4)), win=0.3)] * (n + 1),
        )
        for n in range(6)
    ]
    first, second = judged(*games), judged(*reversed(games))
    assert first.choices["all"].top3.ci95 == pytest.approx(second.choices["all"].top3.ci95)
    assert first.forecasts["clear_1"].all.brier.ci95 == pytest.approx(second.forecasts["clear_1"].all.brier.ci95)


def test_a_network_that_was_not_taught_to_foresee_is_not_judged_by_it() -> None:
    games = (game(), [Made([0, 1])]), (game(), [Made([0, 1])])
    result = offline(Told(*games), samples(*games), foresees=False)
    assert (result.forecasts, result.ante) == ({}, None)
    assert next(line for line in offline_remarks(result) if "taught" in line)
    assert not any("taught" in line for line in offline_remarks(judged(*games)))


def test_games_without_an_end_tell_nothing_of_forecasts() -> None:
    result = judged((game("open"), [Made([0, 1])]))
    assert (result.forecasts, result.ante, result.open_games) == ({}, None, 1)


def test_nothing_to_choose_is_refused() -> None:
    with pytest.raises(ValueError, match="no decision with several candidates"):
        judged((game(), [Made([1]), Made([0, 1], chosen=-1)]))


@pytest.mark.parametrize(
    "wrong", [{"win": math.nan}, {"final": math.inf}, {"clear": [math.nan] * 6}, {"logits": [0, math.nan]}]
)
def test_answers_that_are_no_numbers_are_refused(wrong: dict[str, Any]) -> None:
    good = Made([0, 1])
    with pytest.raises(ValueError, match="answer to decision 2 on the seed SEED7 is not a number"):
        judged((game(), [good]), (game(seed="SEED7"), [good, replace(good, **wrong), good]))


def test_data_for_machines(tmp_path: Path) -> None:
    model, first, second = (tmp_path / name for name in ("best.onnx", "a.jsonl", "b.jsonl"))
    for path in (model, first, second):
        path.write_text(path.name)
    result = judged((game(), [Made([0, 1])]), (game("win"), [Made([0, 1], chosen=1)]))
    data = json.loads(json.dumps(offline_data(result, model, [first, second]), allow_nan=False))
    assert data["schema"] == "jimbo_offline_v1"
    assert data["model"]["sha256"] == hashlib.sha256(b"best.onnx").hexdigest()
    assert [file["path"] for file in data["dataset"]["files"]] == [str(first), str(second)]
    assert data["choices"]["all"]["top1"]["value"] == 0.5
    assert data["forecasts"]["win"]["all"]["decisions"] == 2
    assert data.keys() >= {"versions", "schema_hash"}
    hashes = [offline_data(result, model, files)["dataset"]["sha256"] for files in ([second, first], [first])]
    assert [each == data["dataset"]["sha256"] for each in hashes] == [True, False]  # the order makes no difference
