"""Games at several instances of the real game, with everything that can go wrong on the way."""

import os
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from jimbo.data.dataset import validate
from jimbo.rollout import instances as module
from jimbo.rollout.games import GamePlayer
from jimbo.rollout.instances import Elsewhere, GameServer, Instances
from jimbo.rollout.runner import RolloutPlan, RolloutResult, roll_out
from jimbo.wire import client as client_module
from jimbo.wire.launching import launched
from wire.faulty import KINDS, faulty
from wire.test_launching import launch, pid_of

GAMES: dict[str, Any] = {
    "agent": "greedy",
    "games": 6,
    "max_steps": 8,
    "format": "jsonl",
    "include_obs_raw": True,
    "backend": "real",
}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LOOK_AGAIN", 0.05)
    monkeypatch.setattr(client_module, "GRACE", 0.5)
    monkeypatch.setattr(client_module, "ASK_AGAIN", (0.01, 0.01))
    monkeypatch.setattr(module, "PATIENCE", 1.0)
    monkeypatch.setattr(module, "ASK_EVERY", 0.05)


def played(out: Path, places: Sequence[GameServer], *, timeout: float = 0.5, **more: Any) -> RolloutResult:
    settings = {**GAMES, **more}
    return roll_out(RolloutPlan(**settings), out, spread=Instances(places, timeout=timeout, settle=0.0))


@pytest.mark.parametrize("kind", KINDS)
def test_no_game_is_lost_and_no_action_doubled(tmp_path: Path, kind: str) -> None:
    """Every decision of the file leads in the simulator to the state that the wire showed: none was done twice."""
    out = tmp_path / "games.jsonl"
    with faulty(tmp_path, (kind,), one_in=12, seed=1, timeout=0.4) as server:
        outcome = played(out, [Elsewhere(server.url)], timeout=0.4, games=3, max_steps=12)
    assert (outcome.played, outcome.given_up, outcome.trouble) == (3, [], "")
    assert server.faults[kind] > 0
    assert validate(out) > 0


def test_lost_looks_lose_no_game_and_double_no_action(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    kinds = ("closed_before", "closed_after", "cut", "garbage", "failed_after")
    with faulty(tmp_path, kinds, one_in=12, seed=1, spared=()) as server:
        outcome = played(out, [Elsewhere(server.url)], games=3, max_steps=20)
    assert (outcome.played, outcome.given_up, outcome.trouble) == (3, [], "")
    assert server.faults.total() > 10
    assert validate(out) > 0


def test_a_game_that_is_elsewhere_is_given_up_with_a_sentence(tmp_path: Path) -> None:
    with faulty(tmp_path, ("elsewhere",), one_in=2) as server:
        outcome = played(tmp_path / "games.jsonl", [Elsewhere(server.url)], games=2)
    assert outcome.played == 0
    assert len(outcome.given_up) == 2
    assert "requires one of these states: NOWHERE. Ask for the gamestate and decide again" in outcome.given_up[0].why


def test_several_share_the_games(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    with faulty(tmp_path, one_in=1_000_000) as one, faulty(tmp_path, one_in=1_000_000) as other:
        outcome = played(out, [Elsewhere(one.url), Elsewhere(other.url)])
        text = out.read_text()
    assert outcome.played == 6
    assert one.url in text
    assert other.url in text
    assert validate(out) > 0


def test_one_that_is_gone_leaves_its_games_to_the_others(tmp_path: Path) -> None:
    with faulty(tmp_path, one_in=1_000_000) as gone:
        pass
    with faulty(tmp_path, one_in=1_000_000) as server:
        outcome = played(tmp_path / "games.jsonl", [Elsewhere(gone.url), Elsewhere(server.url)])
    assert (outcome.played, outcome.given_up) == (6, [])


def test_without_any_left_it_says_so_and_keeps_what_was_played(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    with faulty(tmp_path, one_in=1_000_000) as server:
        spread = Instances([Elsewhere(server.url)], timeout=0.5, settle=0.0)
        ended: list[object] = []

        def count(end: object) -> None:
            ended.append(end)
            if len(ended) == 2:
                server.close()

        outcome = roll_out(RolloutPlan(**GAMES), out, spread=spread, progress=count)
    assert outcome.played >= 2
    assert outcome.trouble.startswith("No instance of the game is left to play at.")
    assert "nobody answers there" in outcome.trouble
    with faulty(tmp_path, one_in=1_000_000) as server:
        again = played(out, [Elsewhere(server.url)])
    assert again.kept + again.played == 6
    assert validate(out) > 0


class Numbers:
    """Plays nothing."""

    def __init__(self, fails: Any = ()) -> None:
        self._fails = Counter(fails)

    def at(self, backend: object) -> Any:
        def play(task: int) -> int:
            if self._fails[task]:
                self._fails[task] -= 1
                raise ZeroDivisionError("a fault of ours")
            return task

        return play


class Nowhere:
    url = "http://127.0.0.1:9"

    def answers(self) -> bool:
        return True

    def restart(self) -> None:
        raise RuntimeError("no")


def test_our_own_faults_are_not_hidden() -> None:
    spread = Instances([Nowhere()], settle=0.0)
    assert sorted(spread(Numbers(), range(5), 1)) == [(n, n) for n in range(5)]
    with pytest.raises(ZeroDivisionError, match="a fault of ours"):
        list(spread(Numbers([3]), range(5), 1))


def test_leaving_early_stops_the_games(tmp_path: Path) -> None:
    plan = RolloutPlan(agent="expert", options={"effort": 0.001}, games=9, format="jsonl", backend="real", max_steps=12)
    with faulty(tmp_path, one_in=1_000_000) as server:
        games = Instances([Elsewhere(server.url)], settle=0.0)(GamePlayer([plan]), [(0, n) for n in range(9)], 1)
        next(games)
        games.close()
        calls = server.calls
        time.sleep(0.2)
        assert server.calls == calls


def test_an_instance_that_is_killed_is_started_anew(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    with launched(launch("game", tmp_path / "logs"), 1) as (instance,):
        first, ended = pid_of(instance), []

        def kill(end: object) -> None:
            ended.append(end)
            if len(ended) == 2:
                os.kill(first, 9)

        spread = Instances([instance], timeout=5.0, settle=0.0)
        outcome = roll_out(RolloutPlan(**GAMES), out, spread=spread, progress=kill)
        assert pid_of(instance) != first
    assert (outcome.played, outcome.given_up, outcome.trouble) == (6, [], "")
    assert validate(out) > 0


@pytest.mark.slow
def test_many_games_with_random_faults(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    with ExitStack() as stack:
        servers = [stack.enter_context(faulty(tmp_path, one_in=100, seed=n, timeout=0.3)) for n in range(4)]
        outcome = played(out, [Elsewhere(server.url) for server in servers], timeout=0.3, games=2000, max_steps=500)
    assert {kind for server in servers for kind in server.faults} == {*KINDS}
    assert (outcome.played, outcome.given_up, outcome.trouble) == (2000, [], "")
    assert validate(out) > 0
