"""What is tried, and where: positions of recorded games, drawn by lot, the same every time."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from jimbo.data.samples import BadData
from jimbo.engine import Run
from jimbo.engine.catalog import JOKERS
from jimbo.knowledge.items import ITEMS, JOKER_KEYS, card_kinds, jokers_about
from jimbo.knowledge.moments import Gathered, gather
from jimbo.knowledge.trials import AMOUNTS, SLOTS, PairTrial, log_odds
from jimbo.models.value_file import load_value
from jimbo.rollout.runner import RolloutPlan, roll_out

GAMES = 12


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.parquet"
    plan = RolloutPlan(agent="fast", options={"rollouts": 2}, games=GAMES, format="parquet", stake="stake_gold")
    roll_out(plan, path)
    return path


@pytest.fixture(scope="module")
def gathered(recorded: Path) -> Gathered:
    return gather([recorded], GAMES)


def test_games_are_played_again_and_every_choice_of_a_blind_is_seen(gathered: Gathered) -> None:
    moments = gathered.moments
    assert len(moments.won) == GAMES
    assert moments.blind.min() == 0
    assert np.isfinite(moments.value).all()
    assert len(moments.game) == len(moments.held) == len(moments.dollars)
    assert (np.diff(moments.game) >= 0).all()
    first = np.flatnonzero(np.diff(moments.game, prepend=-1))
    assert all(len(moments.held[place]) == 0 for place in first), "a run of the Red Deck begins with nothing"
    for game in range(GAMES):
        held = {int(item) for items in moments.held[moments.game == game] for item in items}
        assert set(moments.used[game].tolist()) == held
    assert {ITEMS[item] for items in moments.held for item in items} & set(JOKERS)
    source = gathered.sources[0]
    assert (source.agent, source.options, source.stake) == ("fast", "rollouts=2", "stake_gold")


def test_trials_are_of_the_games_and_the_same_every_time(recorded: Path, gathered: Gathered) -> None:
    trials = gathered.trials["stake_gold"]
    assert 0 < trials.positions <= GAMES
    assert all(pair.first < pair.second < len(JOKERS) for pair in trials.pairs)
    assert all(math.isfinite(pair.gain) for pair in trials.pairs)
    assert {one.amount for one in trials.cards} == set(AMOUNTS)
    again = gather([recorded], GAMES, workers=2)
    assert again.trials == gathered.trials
    assert (again.moments.value == gathered.moments.value).all()
    assert gather([recorded], 0).trials == {}
    assert gather([recorded], 2 * GAMES + 3).trials["stake_gold"].positions > GAMES, "several of a game"


def test_what_is_tried_is_the_value_of_the_run_with_and_without() -> None:
    net, _ = load_value()
    run = Run(deck="b_red", stake="white", seed="TESTSEED")
    given = [run.clone() for _ in range(3)]
    given[0].debug_add_joker("j_joker")
    given[1].debug_add_joker("j_half")
    for key in ("j_joker", "j_half"):
        given[2].debug_add_joker(key)
    alone, other, both = (log_odds(net, one) for one in given)
    trial = PairTrial(net, run, np.random.default_rng(0))
    plain, gains = trial._alone(run, ["j_joker", "j_half"])
    assert plain == log_odds(net, run)
    assert gains == {"j_joker": alone, "j_half": other}
    assert trial._best(run, ("j_joker", "j_half")) >= both


def test_a_full_run_makes_room_without_earning_money() -> None:
    from jimbo.knowledge.trials import _with_room

    run = Run(deck="b_red", stake="white", seed="TESTSEED")
    for key in JOKER_KEYS[:5]:
        run.debug_add_joker(key)
    room = _with_room(run, np.random.default_rng(0))
    assert room is not None
    assert len(room.joker_keys) == 5 - SLOTS
    assert (room.dollars, len(run.joker_keys)) == (run.dollars, 5)
    for _ in range(5):
        room.debug_add_joker("j_joker", eternal=True)
    stuck = Run(deck="b_red", stake="white", seed="TESTSEED")
    for key in JOKER_KEYS[:5]:
        stuck.debug_add_joker(key, eternal=True)
    assert _with_room(stuck, np.random.default_rng(0)) is None


def test_kinds_of_cards_know_the_jokers_that_speak_of_them() -> None:
    for kind, some, none in (
        ("rank:K", {"j_baron", "j_triboulet"}, {"j_shoot_the_moon"}),
        ("rank:9", {"j_cloud_9", "j_odd_todd"}, {"j_joker"}),
        ("rank:5", {"j_hack", "j_fibonacci"}, {"j_ice_cream"}),
        ("rank:face", {"j_photograph", "j_pareidolia"}, {"j_baron"}),
        ("suit:Hearts", {"j_lusty_joker", "j_bloodstone"}, {"j_greedy_joker"}),
        ("enhancement:m_steel", {"j_steel_joker"}, {"j_stone"}),
        ("enhancement:m_gold", {"j_ticket"}, {"j_golden"}),
    ):
        own, others = jokers_about(kind)
        assert some <= set(own), kind
        assert not none & set(own), kind
        assert "j_blueprint" in others
    run = Run(deck="b_red", stake="white", seed="TESTSEED")
    for kind in card_kinds().values():
        for front in kind.fronts:
            run.clone().debug_add_card(front, kind.enhancement, seal=kind.seal, to="deck")


def test_games_of_other_rules_and_other_files_are_refused(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jimbo.knowledge.moments.signature", lambda: "0123")
    with pytest.raises(BadData, match=r"was played by other rules .* here 0123"):
        gather([recorded], 1)
    monkeypatch.undo()
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(recorded.read_bytes()[:1000])
    with pytest.raises(BadData, match=r"broken\.parquet"):
        gather([broken], 1)


def test_games_of_one_stake_have_one_player(recorded: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"
    roll_out(RolloutPlan(agent="greedy", games=1, format="parquet", stake="stake_gold"), other)
    with pytest.raises(BadData, match="The games at stake_gold are of several players"):
        gather([recorded, other], 1)
    with pytest.raises(BadData, match="twice"):
        gather([recorded, recorded], 1)
