"""The agent llm: a model that plays whole runs with the tools of the server, and does everything wrong there is."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from jimbo.agents import make_agent
from jimbo.agents.protocol import Seat
from jimbo.backends import SimBackend
from jimbo.engine import Run
from jimbo.eval.episodes import play_episode
from jimbo.eval.rows import Episode
from jimbo.llm.player import LlmAgent
from jimbo.llm.seat import ToolSeat
from jimbo.rollout.loop import Moment, Observer, Rollout
from jimbo.serve.mcp import RunLimits, Runs, make_server
from llm.stand_in import FAULTS, Service, plays, told
from serve.mcp.talking import Refused, Talk, server, talk


class Telling(Observer):
    """Tells a player what steps brought."""

    def __init__(self, agent: LlmAgent) -> None:
        self._agent = agent

    def happened(self, moment: Moment) -> None:
        self._agent.happened(moment)


def player(agent: Seat) -> LlmAgent:
    assert isinstance(agent.seated, LlmAgent)
    return agent.seated


def game(agent: Seat, until: int = 2) -> list[Moment]:
    rollout = Rollout(SimBackend())
    rollout.start(seed="CLAUDE", deck="b_red", stake="stake_white")
    return list(rollout.play(agent, 1, until_ante=until))


def modeled(stand_in: Service, **options: Any) -> Seat:
    agent = make_agent("llm", **{"base_url": stand_in.url, "per_hour": 100_000, "model": "m", "patience": 0, **options})
    assert isinstance(agent, Seat)
    return agent


def whole(agent: Seat, seed: str = "PLAYER") -> Episode:
    return play_episode(agent, SimBackend(), seed=seed)


def test_a_model_plays_a_whole_run(stand_in: Service) -> None:
    stand_in.choose = plays
    agent = modeled(stand_in)
    row = whole(agent)
    use = player(agent).use
    assert (row.result, row.error) == ("loss", None)
    assert use.calls == len(stand_in.seen) > 3
    assert (use.illegal, use.fallbacks, use.failed) == (0, 0, 0)
    assert use.output_tokens == 80 * use.calls


def test_the_model_is_offered_the_tools_of_the_server(stand_in: Service) -> None:
    stand_in.choose = plays
    whole(modeled(stand_in))
    with start_blocking_portal() as portal:
        listed = {tool.name: tool for tool in portal.call(server().list_tools)}
    for body in stand_in.seen:
        assert body["tools"] == [
            {"name": name, "description": listed[name].description, "input_schema": listed[name].input_schema}
            for name in ("look", "act", "score", "explain")
        ]
        assert body["tool_choice"]["type"] == "auto"


def test_it_is_answered_what_the_server_answers_to_others(stand_in: Service) -> None:
    """A client of the server that calls the same gets the same words."""
    stand_in.choose = plays
    stand_in.tool = lambda body: {2: "look", 3: "score", 4: "explain"}.get(len(told(body)), "act")
    agent, sim = modeled(stand_in, memory=1_000_000), SimBackend()
    rollout = Rollout(sim, [Telling(player(agent))])
    rollout.start(seed="SAME", deck="b_red", stake="stake_white")
    for _ in rollout.play(agent, 0, until_ante=2):
        pass
    calls = [
        (message["content"][0]["name"], message["content"][0]["input"])
        for message in stand_in.seen[-1]["messages"]
        if message["role"] == "assistant"
    ]
    assert {name for name, _ in calls} == {"act", "look", "score", "explain"}
    other = SimBackend()
    other.reset(seed="SAME")

    async def same(talk: Talk) -> list[str]:
        await talk("new_run")
        said = [talk.said]
        for name, given in calls:
            try:
                await talk(name, **given)
                said.append(talk.said)
            except Refused as refused:
                said.append(str(refused))
        return said

    held = Runs(lambda asked: other, lambda: make_agent("greedy"), RunLimits())
    assert talk(make_server(held), same) == told(stand_in.seen[-1])


def test_what_cannot_be_done_is_told_and_counted(stand_in: Service) -> None:
    wrong = ["play 9", "fly"]

    def choose(body: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
        made, last = plays(body, schema), told(body)[-1]
        tries = sum(said in last for said in ("There is no card 9", "is not a command"))
        tries += "is not a command" in last
        return made | {"action": wrong[tries]} if made["action"] == "play 1-5" and tries < 2 else made

    stand_in.choose = choose
    agent = modeled(stand_in)
    row = whole(agent)
    use = player(agent).use
    assert row.error is None
    assert use.illegal == 2 * sum("play 1-5" in str(body["messages"][-2]) for body in stand_in.seen[1:]) + 2 > 2
    assert use.fallbacks == 0
    refused = "There is no card 9 in the hand; it has 8. Possible now: play 1 2 (any 1 to 5 cards)"
    assert refused in str(stand_in.seen)


def test_after_three_mistakes_another_agent_decides(stand_in: Service) -> None:
    stand_in.choose = lambda body, schema: plays(body, schema) | {"action": "play 99"}
    agent = modeled(stand_in)
    moments = game(agent, until=2)
    use = player(agent).use
    assert use.illegal == use.calls == 3 * use.fallbacks
    assert {one.decision.route.selected_policy for one in moments if one.decision.route} == {"greedy"}
    alone = make_agent("greedy")
    assert isinstance(alone, Seat)
    assert [one.decision.action for one in moments] == [one.decision.action for one in game(alone, until=2)]


@pytest.mark.parametrize(("command", "kind"), [("move 1 2", "move_card"), ("sort suit", "sort_hand_by_suit")])
def test_a_model_cannot_rearrange_forever(stand_in: Service, command: str, kind: str) -> None:
    stand_in.choose = lambda body, schema: plays(body, schema) | {"action": command}
    agent = modeled(stand_in, attempts=2)
    moments = game(agent, until=2)
    kinds = "".join("m" if one.decision.action.kind == kind else "." for one in moments)
    assert 10 * "m" in kinds
    assert 11 * "m" not in kinds
    assert moments[-1].after.over or moments[-1].after.ante == 2


@pytest.mark.parametrize("fault", FAULTS)
def test_with_any_fault_a_model_s_game_goes_on(stand_in: Service, fault: str) -> None:
    stand_in.faults = ["ok", "ok", fault]
    stand_in.choose = plays
    row = whole(modeled(stand_in, timeout=0.05, attempts=1))
    assert (row.result, row.error) == ("loss", None)


def test_a_game_is_played_again_without_asking(stand_in: Service, tmp_path: Path) -> None:
    stand_in.choose = plays
    own = {"store": str(tmp_path / "own.sqlite"), "price": [1, 5]}
    first = modeled(stand_in, **own)
    whole(first)
    sent = len(stand_in.seen)
    second = modeled(stand_in, **own)
    whole(second)
    assert len(stand_in.seen) == sent
    before, after = player(first).use, player(second).use
    assert (after.calls, after.repeated, after.dollars) == (before.calls, before.calls, pytest.approx(before.dollars))


def test_without_money_the_run_is_left_open(stand_in: Service, tmp_path: Path) -> None:
    stand_in.choose = plays
    row = whole(modeled(stand_in, store=str(tmp_path / "own.sqlite"), price=[1000, 0], budget=5))
    assert row.error
    assert "Raise the option budget" in row.error


def test_what_it_says_is_the_reason(stand_in: Service) -> None:
    stand_in.choose, stand_in.words = plays, "Because \x1b[31mthey match."
    reasons = {one.decision.explanation for one in game(modeled(stand_in), until=2) if one.decision.route}
    assert reasons == {"m: Because [31mthey match."}


def test_a_model_that_only_looks_must_act_in_the_end(stand_in: Service) -> None:
    stand_in.choose, stand_in.tool = plays, "look"
    agent = modeled(stand_in, looks=2)
    row = whole(agent)
    forced = [body for body in stand_in.seen if len(body["tools"]) == 1]
    assert {body["tools"][0]["name"] for body in forced} == {"act"}
    assert {body["tool_choice"]["type"] for body in forced} == {"tool"}
    assert 3 * len(forced) == len(stand_in.seen) == player(agent).use.calls
    assert (row.result, player(agent).use.illegal) == ("loss", 0)


def test_tools_that_are_not_offered_are_refused(stand_in: Service) -> None:
    agent = modeled(stand_in)
    seat = ToolSeat(Run(seed="SEAT").public_state(), lambda: make_agent("greedy"))
    said = 'There is no tool "advise". There are look, act, score, explain.'
    assert seat.call("advise", {"run": "r1"}) == (said, True)
    no_run = 'There is no run "r2"; a run without a call for 120 minutes is dropped. Held are: r1. new_run starts one.'
    assert seat.call("look", {"run": "r2"}) == (no_run, True)
    assert seat.call("look", {}) == ("look needs the argument run.", True)
    assert player(agent).use.calls == 0


def test_a_model_can_be_advised(stand_in: Service) -> None:
    stand_in.choose = plays
    game(modeled(stand_in, advice=True), until=2)
    assert [tool["name"] for tool in stand_in.seen[0]["tools"]][-2:] == ["advise", "what_if"]


def test_what_is_sent_stays_small(stand_in: Service) -> None:
    stand_in.choose, stand_in.tool = plays, "look"
    whole(modeled(stand_in, looks=20, memory=3_000))
    first, *_, last = stand_in.seen
    assert first["messages"][0]["content"].startswith("run r1, token 0-")
    assert last["messages"][0]["content"] == "What was called before is left out here; look shows the run."
    assert max(len(json.dumps(body["messages"])) for body in stand_in.seen) < 6_000


def test_steps_of_others_are_told(stand_in: Service) -> None:
    """Of the agent that decides after useless answers."""
    stand_in.choose, stand_in.faults = plays, ["free_text", "ok"]
    whole(modeled(stand_in, attempts=1))
    said = "\n".join(told(stand_in.seen[-1]))
    assert "the program greedy decided next: play Small Blind\ndid: play Small Blind\n" in said


def test_the_user_s_folder_is_used_by_default(stand_in: Service) -> None:
    stand_in.choose = plays
    whole(modeled(stand_in))
    assert (Path(os.environ["XDG_STATE_HOME"]) / "jimbo" / "llm.sqlite").exists()
