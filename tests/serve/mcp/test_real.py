"""The run that is open in the game, for which our own server of the mod's protocol stands in."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.serve.mcp import RunLimits, Runs, make_server
from jimbo.serve.mcp.runs import joining
from jimbo.wire.client import Client
from serve.balatrobot.running import called, running
from serve.mcp.talking import Talk, talk


@pytest.fixture(autouse=True)
def _settled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own server has nothing to wait for."""
    init = Client.__init__
    monkeypatch.setattr(Client, "__init__", lambda self, url, **more: init(self, url, **{**more, "settle": 0.0}))


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with running(tmp_path / "saves") as (port,):
        yield port


def at_the_game(port: int, conversation: Callable[[Talk], Awaitable[Any]], *, armed: bool = False) -> Any:
    runs = Runs(
        joining(f"http://127.0.0.1:{port}"),
        lambda: make_agent("expert", effort=0.05),
        RunLimits(),
        armed=armed,
        joins=True,
    )
    return talk(make_server(runs), conversation)


def start(port: int) -> None:
    called(port, "start", deck="RED", stake="WHITE", seed="ALEEB")


def test_the_open_run_is_joined_and_followed(port: int) -> None:
    async def follow(talk: Talk) -> None:
        first = await talk("new_run")
        assert (first["run"], first["phase"], first["seed"]) == ("r1", "blind_select", "")
        called(port, "select")
        seen = await talk("look", run="r1")
        assert seen["phase"] == "selecting_hand"
        best = (await talk("advise", run="r1"))["options"][0]
        assert 0.9 < best["clear"] <= 1
        await talk("what_if", run="r1", actions=[best["action"]])
        await talk("score", run="r1", cards=[1, 2])
        assert called(port, "gamestate")["round"]["hands_left"] == 4
        log = await talk.read("jimbo://run/r1/log")
        assert log.startswith("1. somebody played in the game\n   place: now Red Deck · White Stake, ante 1, round 1")

    start(port)
    at_the_game(port, follow)


def test_nothing_is_played_without_leave(port: int) -> None:
    async def act(talk: Talk) -> None:
        token = (await talk("new_run"))["token"]
        said = await talk.refusal("act", run="r1", token=token, action="next")
        assert "because the server was started without --arm" in said
        assert called(port, "gamestate")["state"] == "BLIND_SELECT"

    start(port)
    at_the_game(port, act)


def test_an_armed_game_is_played(port: int) -> None:
    async def act(talk: Talk) -> None:
        seen = await talk("new_run")
        for _ in range(12):
            best = (await talk("advise", run="r1", top=1))["options"][0]
            seen = await talk("act", run="r1", token=seen["token"], action=best["action"])
        assert seen["phase"] != "blind_select"
        assert called(port, "gamestate")["money"] == seen["money"]

    start(port)
    at_the_game(port, act, armed=True)


def test_a_write_is_refused_where_somebody_has_played(port: int) -> None:
    async def act(talk: Talk) -> None:
        token = (await talk("new_run"))["token"]
        called(port, "select")
        said = await talk.refusal("act", run="r1", token=token, action="next")
        assert said.startswith(f"Nothing was done: 1 step came after the state of token {token}:")
        assert "- somebody played in the game\n" in said
        assert "\n  score: now 0 of 300, 4 hands and 4 discards left\n" in said
        assert "\n  blinds: gone\n" in said
        assert called(port, "gamestate")["round"]["hands_left"] == 4

    start(port)
    at_the_game(port, act, armed=True)


def test_sentences_where_there_is_no_run(port: int) -> None:
    async def ask(talk: Talk) -> None:
        assert await talk.refusal("new_run") == (
            f"No run is being played at http://127.0.0.1:{port}. Start one in the game."
        )
        start(port)
        said = await talk.refusal("new_run", seed="ALEEB")
        assert said == "The run that is open in the game is joined as it is. Leave everything out."
        await talk("new_run")
        await talk("new_run")
        assert "Held are: r2." in await talk.refusal("look", run="r1")
        called(port, "menu")
        assert "the run has been left" in await talk.refusal("look", run="r2")

    at_the_game(port, ask)


def test_a_game_that_is_not_there() -> None:
    async def ask(talk: Talk) -> None:
        assert [tool.name for tool in (await talk.client.list_tools()).tools][:2] == ["new_run", "look"]
        assert "Start the game with its mod" in await talk.refusal("new_run")

    at_the_game(9, ask)
