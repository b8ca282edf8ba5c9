"""What a step is worth, in parts."""

import math

import pytest

from jimbo.engine import Action, PublicState, Run
from jimbo.engine.value import input_count, judge_options, value_inputs
from jimbo.models.value_file import load_value
from jimbo.serve.assistant.split import INCOME, LATER, PARTS, POWER, RISK, ROOM, split
from jimbo.serve.assistant.what_if import chance_to_win, inputs_of
from rules.scene import Scene

NET, _ = load_value()
SHOP = Scene(phase="shop", shop=["j_joker"], money=10, jokers=["j_banner", "j_egg", "j_zany", "j_jolly"])


def bought(scene: Scene) -> tuple[Run, Run]:
    """Before and after, the price given back."""
    run = scene.build().public_state().imagine(0)
    after = run.clone()
    after.step(Action("buy", index=0))
    after.dollars = run.dollars
    return run, after


def test_inputs_are_what_the_value_judges_by() -> None:
    run = Scene(phase="blind_select", jokers=["j_joker"]).build()
    option = next(one for one in judge_options(NET, run, 160, 0, 1) if one.actions == [Action("select_blind")])
    assert NET.chances(value_inputs(run, 160))[-1] == pytest.approx(option.win)
    assert chance_to_win(run) == option.win
    assert max(index for index, _ in value_inputs(run, 160, 2)) < input_count()
    with pytest.raises(ValueError, match="rollouts must be at least 1"):
        value_inputs(run, 0)


def test_the_mean_of_the_networks_is_the_value() -> None:
    inputs = inputs_of(SHOP.build())
    wins = NET.wins(inputs)
    assert len(wins) == 12
    odds = sum(math.log(win / (1 - win)) for win in wins) / len(wins)
    assert 1 / (1 + math.exp(-odds)) == pytest.approx(NET.chances(inputs)[-1], rel=1e-4)


def test_the_parts_make_up_the_whole() -> None:
    before, after = (inputs_of(run) for run in bought(SHOP))
    parts = split(NET, before, after)
    assert tuple(parts) == PARTS
    whole = 100 * (NET.chances(after)[-1] - NET.chances(before)[-1])
    assert sum(part.points for part in parts.values()) == pytest.approx(whole, abs=1e-3)
    assert parts[POWER].points > 2 * parts[POWER].error > 0  # +4 Mult
    assert parts[ROOM].points < 0  # the last slot
    assert parts[RISK].points == pytest.approx(0, abs=0.5)


def test_what_does_not_change_has_no_part() -> None:
    inputs = inputs_of(SHOP.build())
    assert all(part.points == part.error == 0 for part in split(NET, inputs, inputs).values())
    run = SHOP.build().public_state().imagine(0)
    richer = run.clone()
    richer.dollars += 20
    parts = split(NET, value_inputs(run, 160), value_inputs(richer, 160))
    assert parts[INCOME].points > 0
    assert parts[POWER].points == parts[ROOM].points == parts[LATER].points == 0


def test_a_rental_joker_is_worth_less_by_that_alone() -> None:
    _, after = bought(SHOP)
    data = after.public_state().to_data()
    data["jokers"][-1]["rental"] = True
    rented = PublicState.from_data(data).imagine(0)
    parts = split(NET, value_inputs(after, 160), value_inputs(rented, 160))
    assert parts[RISK].points < 0
    assert parts[POWER].points == parts[ROOM].points == 0
