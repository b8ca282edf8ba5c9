"""Runs over the wire, recorded, played again and compared, with every deck and two stakes."""

from pathlib import Path

import pytest

from jimbo.agents import make_agent
from jimbo.backends.real import RealBackend
from jimbo.parity.playing import Server, record, replay, simulator
from jimbo.parity.trace import read_trace, trace_differences, write_trace
from jimbo.rollout import Rollout
from jimbo.rollout.loop import MAX_STEPS
from jimbo.wire.client import Client
from jimbo.wire.gamestate import DECK_KEYS
from jimbo.wire.launching import launched
from wire.test_launching import launch

GAMES = 20
STAKES = ("stake_white", "stake_gold")


def check_chain(decks: list[str], stake: str, folder: Path, max_steps: int, first_seed: int = 0) -> None:
    """Through files, as a player would send them."""
    with simulator() as first, simulator() as second:
        for number, deck in enumerate(decks, first_seed):
            agent = make_agent("expert", effort=0.05)
            trace = record(first, agent, deck, stake, f"CHAIN{number}", max_steps=max_steps)
            write_trace(folder / "trace.jsonl.gz", trace)
            again = replay(read_trace(folder / "trace.jsonl.gz"), second)
            for scope in ("full", "texts"):
                assert list(trace_differences(trace, again, scope)) == [], (deck, trace.seed)


def test_a_trace_played_again_elsewhere_is_the_same(tmp_path: Path) -> None:
    check_chain(["b_ghost", "b_plasma"], "stake_gold", tmp_path, 20)
    # Once the expert wants what the mod cannot do.
    check_chain(["b_black"], "stake_white", tmp_path, 140, first_seed=2)


@pytest.mark.slow
@pytest.mark.parametrize("stake", STAKES)
def test_whole_games_played_again_elsewhere_are_the_same(stake: str, tmp_path: Path) -> None:
    check_chain([*DECK_KEYS.values()], stake, tmp_path, MAX_STEPS)


@pytest.mark.slow
def test_launched_played_recorded_replayed_and_compared(tmp_path: Path) -> None:
    """Twenty whole games of the expert, with all decks and both stakes, at two games that are started for it."""
    decks, lengths = [*DECK_KEYS.values()], []
    with launched(launch("game", tmp_path / "logs", count=2), 2) as games, simulator() as engine:
        for number in range(GAMES):
            server = Server(games[number % 2].url, settle=0.0)
            start = decks[number % len(decks)], STAKES[number % 2], f"WHOLE{number}"
            trace = record(server, make_agent("expert", effort=0.02), *start, max_steps=MAX_STEPS)
            write_trace(tmp_path / f"{number}.jsonl.gz", trace)
            again = replay(read_trace(tmp_path / f"{number}.jsonl.gz"), engine)
            for scope in ("full", "texts"):
                assert list(trace_differences(trace, again, scope)) == [], start
            assert trace.last["state"] == "GAME_OVER" or trace.last["won"], start
            lengths.append(len(trace.steps))
    assert len(lengths) == GAMES
    assert min(lengths) > 2
    assert not any(game.answers() for game in games)


@pytest.mark.parametrize("stake", STAKES)
def test_the_engine_foresees_every_step(stake: str) -> None:
    """A run that is read off the wire goes the way of the engine, step by step."""
    with simulator() as server:
        backend = RealBackend(Client(server.url, settle=server.settle))
        for number, deck in enumerate(DECK_KEYS.values()):
            rollout = Rollout(backend)
            rollout.start(deck=deck, stake=stake, seed=f"FORESEE{number % 10}")
            for moment in rollout.play(make_agent("greedy"), 0, max_steps=12):
                assert backend.differences == (), (deck, moment.step, moment.decision)
