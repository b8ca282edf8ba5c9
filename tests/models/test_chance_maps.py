"""Chances as agents tell them, and the maps that the package brings."""

import pytest

from jimbo.agents.told import RAW, ToldChances, told_chances
from jimbo.engine import Run
from jimbo.models.chance_maps import ChanceMap, PlayerMaps, maps_for
from jimbo.models.value_file import OWN_FILE

STEEP = ChanceMap(offset=1.0, slope=1.0, antes={"1": (1.0, 0.0)}, phases={"first": (-2.0, 0.0)})
MADE = PlayerMaps(
    agent="expert", stake="stake_white", win=STEEP, clear=STEEP, familiar={"1": (1.6, 0.5, 2.0, 1.0)}
)  # fmt: skip


def test_the_maps_of_the_package_are_for_its_value() -> None:
    """Another value needs them made again: jimbo eval --agent expert --stake S --games 1000 --calibrate --maps FILE."""
    assert {"stake_white", "stake_gold"} <= set(maps_for("expert", OWN_FILE))


def test_chances_are_told_by_ante_and_phase() -> None:
    here = ToldChances({"stake_white": MADE}).at(Run(seed="TOLD").public_state())
    assert here.win(0.5) == pytest.approx(1 / (1 + 2.718281828**-2))
    assert here.clear(0.5) == pytest.approx(0.5)
    assert here.error(0.5, 0.01) == pytest.approx(0.01, rel=0.01)
    assert here.error(0.99, 0.01) < 0.02


def test_another_stake_is_told_as_it_is_said() -> None:
    here = ToldChances({"stake_gold": MADE}).at(Run(seed="TOLD").public_state())
    assert (here.win(0.3), here.clear(0.4), here.error(0.4, 0.1)) == (0.3, 0.4, 0.1)


def test_a_state_is_far_from_those_that_are_known() -> None:
    told, run = ToldChances({"stake_white": MADE}), Run(seed="TOLD")
    near = told.distance(run.public_state())
    for _ in range(5):
        run.debug_add_joker("j_joker")
    assert told.distance(run.public_state()) > near
    assert ToldChances().distance(run.public_state()) == 0


def test_maps_are_left_out_where_the_agent_plays_otherwise() -> None:
    state = Run(seed="TOLD", stake="gold").public_state()
    assert told_chances("expert", None, None).at(state).win(0.1) > 0.1
    for told in (told_chances("expert", None, RAW), told_chances("expert", None, None, as_ever=False)):
        assert told.at(state).win(0.1) == 0.1
