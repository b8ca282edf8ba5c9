"""What version 1.5 of the mod cannot do is done by a player, or by the mod's version 2, and compared like the rest."""

import dataclasses
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jimbo.engine.catalog import VOUCHERS
from jimbo.parity.by_hand import Direct, HandTask, Player
from jimbo.parity.fixtures.judging import Result, Status, judge
from jimbo.parity.fixtures.table import Fixture, chosen, table
from jimbo.parity.playing import Server, simulator
from jimbo.serve.balatrobot import rpc
from jimbo.wire.client import Client
from parity.other_games import Newer, served

ITEMS = {
    *("point_typecast", "point_rich", "point_needle", "point_inflation", "point_luxury_tax", "point_double"),
    *("point_challenge_decks", "doubt_x_ray", "v_directors_cut", "v_retcon"),
}
OTHER_SEEDS = ("ZZTOP", "AB12CD34")
AT_ONCE = {"look_every": 0.01}


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    with simulator() as server:
        yield server


@pytest.fixture
def game() -> Iterator[Server]:
    with simulator() as server:
        yield server


def fixtures_by_hand() -> list[Fixture]:
    return [fixture for fixture in table().fixtures if fixture.by_hand]


def in_words(result: Result) -> tuple[Status, str]:
    return result.status, result.why


class Somebody:
    """Does at the game what it is told, as soon as it is told; ``typed`` are the lines that it types instead."""

    def __init__(
        self, game: Server, typed: str | None = None, instead: Callable[[HandTask], None] | None = None
    ) -> None:
        assert isinstance(game.hand, Direct)
        self.told: list[str] = []
        self._hand, self._typed, self._instead = game.hand, typed, instead
        self._task: HandTask | None = None
        self.player = Player(self._tell, self._say, **AT_ONCE)

    def _tell(self, sentence: str) -> None:
        self.told.append(sentence)
        if self._typed is None and self._task:
            threading.Timer(0.05, self._move, [self._task]).start()

    def _move(self, task: HandTask) -> None:
        if self._instead:
            self._instead(task)
        else:
            self._hand._game.by_hand(task.call, task.params)

    def _say(self) -> str | None:
        return self._typed

    def do(self, task: HandTask, client: Client, before: dict[str, Any]) -> dict[str, Any]:
        self._task = task
        return self.player.do(task, client, before)


# --- The fixtures -----------------------------------------------------------------------------------------------------


def test_what_the_mod_cannot_do_is_asked_about_all_the_same() -> None:
    assert {fixture.item for fixture in fixtures_by_hand()} == ITEMS
    assert all(fixture.by_hand for fixture in table().fixtures[: len(fixtures_by_hand())])  # a player may go then


@pytest.mark.parametrize("fixture", fixtures_by_hand(), ids=lambda fixture: fixture.name)
def test_our_own_server_passes(fixture: Fixture, game: Server, own: Server) -> None:
    """A challenge is played with the seed that the game has, whatever it is."""
    seeds = [fixture.seed, *(OTHER_SEEDS if fixture.challenge else ())]
    for seed in seeds:
        result = judge(dataclasses.replace(fixture, seed=seed), game, own)
        assert (*in_words(result), result.difference, result.beyond) == (Status.passed, "", None, None)
        assert result.game
        assert result.game.trace.seed == seed


def test_nobody_is_there(game: Server, own: Server) -> None:
    for name in ("point_rich", "v_retcon"):
        result = judge(chosen([name])[0], game._replace(hand=None), own)
        assert in_words(result) == (Status.not_exercised, "needs a hand: add --by-hand and sit at the game")


# --- A player ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("item", ["point_luxury_tax", "v_retcon", "point_needle"])
def test_a_player_does_it(item: str, game: Server, own: Server) -> None:
    somebody = Somebody(game)
    result = judge(chosen([item])[0], game._replace(hand=somebody), own)
    assert in_words(result) == (Status.passed, "")
    assert len(somebody.told) == (1 if item == "point_luxury_tax" else 2)
    assert all("s and Enter to skip it" in sentence for sentence in somebody.told)


def test_what_the_game_does_not_allow_is_told_by_the_player(game: Server, own: Server) -> None:
    """Assumed to be refused: without joker slots nobody can buy a Negative joker."""
    _, negative = chosen(["point_typecast"])
    assert isinstance(game.hand, Direct)

    class Tries(Direct):
        def do(self, task: HandTask, client: Client, before: dict[str, Any]) -> dict[str, Any]:
            if not task.may_fail:
                return super().do(task, client, before)
            return Player(lambda sentence: None, lambda: "", **AT_ONCE).do(task, client, before)

    result = judge(negative, game._replace(hand=Tries(game.hand._game)), own)
    assert in_words(result) == (Status.passed, "")


def test_a_player_who_does_something_else(game: Server, own: Server) -> None:
    """The mod does not tell which challenge it is."""
    assert isinstance(game.hand, Direct)
    instance = game.hand._game
    other = Somebody(game, instead=lambda task: instance.by_hand("start", {"challenge": "c_city_1", "seed": "X"}))
    result = judge(chosen(["point_rich"])[0], game._replace(hand=other), own)
    assert result.status == Status.not_exercised
    assert result.why == "the run that was started does not begin like Rich get Richer: start that one"


def test_a_player_who_does_not_want_to(game: Server, own: Server) -> None:
    skipping = Somebody(game, typed="s")
    result = judge(chosen(["point_rich"])[0], game._replace(hand=skipping), own)
    assert in_words(result) == (Status.not_exercised, "needs a hand: it was skipped")
    asleep = Player(lambda sentence: None, lambda: None, within=0.1, look_every=0.01)
    result = judge(chosen(["point_rich"])[0], game._replace(hand=asleep), own)
    assert in_words(result) == (Status.not_exercised, "needs a hand: nobody did it within 0.1 seconds")


def test_another_outcome_is_a_failure(game: Server, own: Server) -> None:
    """A game in which the reroll of a boss is free."""
    assert isinstance(game.hand, Direct)
    instance = game.hand._game

    def free(task: HandTask) -> None:
        instance.by_hand(task.call, task.params)
        instance._table.playing.dollars += 9
        instance._table.changed()

    result = judge(chosen(["v_directors_cut"])[0], game._replace(hand=Somebody(game, instead=free)), own)
    assert result.status == Status.failed
    assert result.difference
    assert (result.difference.path, result.difference.one - result.difference.other) == ("$.money", 9)


# --- Version 2 of the mod ---------------------------------------------------------------------------------------------


def test_version_2_needs_nobody(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rpc, "METHODS", {**rpc.METHODS, "reroll_boss": None})
    with served(Newer) as game:
        for item in ("point_rich", "v_directors_cut", "v_retcon"):
            assert in_words(judge(chosen([item])[0], game, own)) == (Status.passed, "")
        needle = judge(chosen(["point_needle"])[0], game, own)
    assert needle.why == "needs a hand: add --by-hand and sit at the game"


def test_all_vouchers_have_fixtures() -> None:
    assert {fixture.item for fixture in table().fixtures if fixture.kind == "vouchers"} == {*VOUCHERS}
